/* crowd_rules.c - which variants are played in crowds, and what a crowd reads of their rules. */
#include "crowd_inside.h"

#include <string.h>

enum { GUESSERS_MAX = 2, SUM_MAX = 255 };

const char *crowd_why_not(const struct lanes_table *table) {
    const struct rules *rules = table->rules;
    int guessers = 0, guessing = 0, turners = 0, reach = 0;
    if (!lanes_have_avx2()) return "crowds need AVX2";
    if (table->odd & ~table->turners) return "some kind has ways of its own";
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (table->turners >> kind & 1) turners += rules->kind[kind].count;
        if (table->guess[kind] == ABILITY_NONE) continue;
        const struct ability *ability = &rules->ability[table->guess[kind]];
        if (ability->limit || !(table->kinds[LANE_STEPPERS] >> kind & 1))
            return "guesses are limited, or made by a piece that does not step";
        guessing++;
        guessers += rules->kind[kind].count;
        for (int side = RED; side <= BLUE; side++)
            for (square at = 0; at < rules->board.squares; at++)
                if (squareset_count(ability->targets[side][at]) > reach)
                    reach = squareset_count(ability->targets[side][at]);
    }
    if (guessing > 1 || guessers > GUESSERS_MAX || reach > REACH_MAX ||
        guessers * 5 * reach > SUM_MAX || turners > TURNERS_MAX)
        return "too many pieces guess or turn corners";
    return NULL;
}

static uint16_t place_of(square at) {
    return (uint16_t)(at * sizeof(slice));
}

/* Lakes are left out, which a variant may name among its targets: here they count as taken. */
static void read_stands(struct crowd *crowd, const struct ability *ability, enum side side) {
    static const int8_t ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    const struct board *board = &crowd->table->rules->board;
    struct stand *stand = crowd->stand[side];
    for (square at = 0; at < board->squares; at++) {
        int count = 0;
        squareset left = ability->targets[side][at] & board->land;
        if (!left) continue;
        stand->at = place_of(at);
        for (int i = 0; i < 4; i++) {
            square next = board_square(board, board_file(board, at) + ways[i][0],
                                       board_rank(board, at) + ways[i][1]);
            stand->way[i] = place_of(next == SQUARE_NONE ? NOWHERE : next);
        }
        while (left) stand->reach[count++] = place_of(squareset_pop(&left));
        crowd->far |= count > 4;
        while (count % 4) stand->reach[count++] = place_of(NOWHERE);
        stand->reach[count] = NO_PLACE;
        stand++;
    }
    stand->reach[0] = NO_PLACE;
}

static int users_of(const struct lanes_table *table, kind_id kind) {
    return table->kinds[LANE_STEPPERS] >> kind & 1  ? USERS_STEPPERS
           : table->kinds[LANE_RUNNERS] >> kind & 1 ? USERS_RUNNERS
           : table->turners >> kind & 1             ? USERS_TURNERS
                                                    : USERS_IMMOBILE;
}

/* The kinds of which a piece must have fallen before any ability that is no guess can be used;
 * empty if some ability asks for none. */
static kindset brought_back(const struct rules *rules, uint8_t guesser) {
    kindset kinds = 0;
    for (int i = 0; i < rules->abilities; i++) {
        if (i == guesser) continue;
        if (rules->ability[i].asks != ASKS_CAPTURED) return 0;
        kinds |= rules->ability[i].choices;
    }
    return kinds;
}

void crowd_read_rules(struct crowd *crowd) {
    const struct lanes_table *table = crowd->table;
    const struct rules *rules = table->rules;
    crowd->run_limit = rules->two_squares ? rules->two_squares : RUN_MAX + 1;
    crowd->guesser = ABILITY_NONE;
    squareset uses[2][USERS] = {{0}};
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (table->acting >> kind & 1)
            for (int i = 0; i < 32; i += 16)
                ((uint8_t *)&crowd->acting[kind / 16])[i + kind % 16] =
                    table->odd >> kind & 1 ? 128 : 64;
        crowd->plane_of[kind] = table->kinds[LANE_STEPPERS] >> kind & 1  ? PLANE_STEPPERS
                                : table->kinds[LANE_RUNNERS] >> kind & 1 ? PLANE_RUNNERS
                                                                         : PLANE_OTHERS;
        if (table->turners >> kind & 1) crowd->turners += rules->kind[kind].count;
        bool guesses = table->guess[kind] != ABILITY_NONE;
        if (guesses) {
            crowd->guessing |= kindset_of(kind);
            crowd->guesses = table->guesses[kind];
            crowd->guesser = table->guess[kind];
            for (int side = RED; side <= BLUE; side++)
                read_stands(crowd, &rules->ability[crowd->guesser], (enum side)side);
        }
        for (int side = RED; side <= BLUE; side++) {
            if (!guesses) uses[side][users_of(table, kind)] |= table->uses[side][kind];
            if (!(table->odd >> kind & 1)) crowd->sight[side] |= table->sight[side][kind];
        }
    }
    for (int side = RED; side <= BLUE; side++)
        for (int who = 0; who < USERS; who++)
            for (squareset left = uses[side][who] & rules->board.land; left;)
                crowd->uses[side][who].at[crowd->uses[side][who].count++] = squareset_pop(&left);
    crowd->brings_back = brought_back(rules, crowd->guesser);
    memset(crowd->square_of, NOWHERE, sizeof crowd->square_of);
    memset(crowd->code_of, NOBODY_CODE, sizeof crowd->code_of);
    for (square at = 0; at < rules->board.squares; at++) {
        int rank = board_rank(&rules->board, at), file = board_file(&rules->board, at);
        crowd->code_of[at] = (uint8_t)(rank << 4 | file);
        crowd->square_of[crowd->code_of[at]] = at;
        if (file == 0) crowd->first_of[rank] = crowd->first_of[16 + rank] = at;
        if (squareset_has(rules->board.land, at)) continue;
        for (int side = RED; side <= BLUE; side++) crowd->plane[side][PLANE_ALL][at] = ~NO_GAME;
    }
}
