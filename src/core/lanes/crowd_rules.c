/* crowd_rules.c - which variants can be played in crowds, and their rules in a crowd's form. */
#include "crowd_inside.h"

#include <string.h>

enum { GUESSERS_MAX = 2 }; /* count_guesses() counts up to two */

/* A guesser guesses from where it is or from a square beside it. */
_Static_assert(GUESSERS_MAX * 5 * REACH_MAX <= COUNT_MAX, "their targets can be counted");

static int turners_of(const struct lanes_table *table) {
    int turners = 0;
    for (kind_id kind = 1; kind <= table->rules->kinds; kind++)
        if (table->turners >> kind & 1) turners += rules_most(table->rules, kind);
    return turners;
}

const char *crowd_why_not(const struct lanes_table *table) {
    const struct rules *rules = table->rules;
    int guessers = 0, guessing = 0;
    if (!lanes_have_avx2()) return "crowds need AVX2";
    if (table->odd & ~table->turners) return "some kind has ways of its own";
    if (turners_of(table) > TURNERS_MAX) return "too many pieces turn corners";
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (table->guess[kind] == ABILITY_NONE) continue;
        const struct ability *ability = &rules->ability[table->guess[kind]];
        if (ability->limit || !(table->kinds[LANE_STEPPERS] >> kind & 1))
            return "guesses are limited, or made by a piece that does not step";
        guessing++;
        guessers += rules_most(rules, kind);
        for (int side = RED; side <= BLUE; side++)
            for (square at = 0; at < rules->board.squares; at++)
                if (squareset_count(ability->targets[side][at]) > REACH_MAX)
                    return "a guess reaches too many squares";
    }
    return guessing > 1 || guessers > GUESSERS_MAX ? "too many pieces or kinds guess" : NULL;
}

static uint16_t place_of(square at) {
    return (uint16_t)(at * sizeof(slice));
}

/* Without lakes, which a variant may name as targets: they count as taken in the planes. */
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

/* The squares where these kinds may use an ability other than guessing. */
static void read_spots(struct spots *spots, const struct lanes_table *table, kindset kinds,
                       enum side side) {
    squareset left = 0;
    for (; kinds; kinds &= kinds - 1) {
        kind_id kind = (kind_id)__builtin_ctz(kinds);
        if (table->guess[kind] == ABILITY_NONE) left |= table->uses[side][kind];
    }
    left &= table->rules->board.land;
    while (left) spots->at[spots->count++] = squareset_pop(&left);
}

/* The kinds of which one must have fallen before any ability other than guessing can be used; empty
 * if some ability needs none. */
static kindset brought_back(const struct rules *rules, uint8_t guesser) {
    kindset kinds = 0;
    for (int i = 0; i < rules->abilities; i++) {
        if (i == guesser) continue;
        if (rules->ability[i].asks != ASKS_CAPTURED) return 0;
        kinds |= rules->ability[i].choices;
    }
    return kinds;
}

static void read_kinds(struct crowd *crowd) {
    const struct lanes_table *table = crowd->table;
    crowd->turners = (uint8_t)turners_of(table);
    crowd->guesser = ABILITY_NONE;
    for (kind_id kind = 1; kind <= table->rules->kinds; kind++) {
        bool odd = table->odd >> kind & 1;
        if (table->acting >> kind & 1)
            for (int i = 0; i < 32; i += 16)
                ((uint8_t *)&crowd->acting[kind / 16])[i + kind % 16] = odd ? 128 : 64;
        for (int side = RED; side <= BLUE && !odd; side++)
            crowd->sight[side] |= table->sight[side][kind];
        if (table->guess[kind] == ABILITY_NONE) continue;
        crowd->guessing |= kindset_of(kind);
        crowd->guesses = table->guesses[kind];
        crowd->guesser = table->guess[kind];
    }
}

static void read_abilities(struct crowd *crowd) {
    const struct lanes_table *table = crowd->table;
    for (int side = RED; side <= BLUE; side++) {
        struct spots *uses = crowd->uses[side];
        kindset immobile = table->kinds[LANE_OTHERS] & ~table->turners;
        read_spots(&uses[LANE_ALL], table, immobile, (enum side)side);
        read_spots(&uses[LANE_STEPPERS], table, table->kinds[LANE_STEPPERS], (enum side)side);
        read_spots(&uses[LANE_RUNNERS], table, table->kinds[LANE_RUNNERS], (enum side)side);
        read_spots(&crowd->turner_uses[side], table, table->turners, (enum side)side);
        if (crowd->guesses)
            read_stands(crowd, &table->rules->ability[crowd->guesser], (enum side)side);
    }
    crowd->brings_back = brought_back(table->rules, crowd->guesser);
    if (!crowd->guesses || table->rules->abilities > 1) return;
    crowd->shared.game.rules = table->rules;
    crowd->shared.may_use[RED] = crowd->shared.may_use[BLUE] = true;
}

static void read_board(struct crowd *crowd) {
    const struct board *board = &crowd->table->rules->board;
    memset(crowd->square_of, NOWHERE, sizeof crowd->square_of);
    memset(crowd->code_of, NOBODY_CODE, sizeof crowd->code_of);
    for (square at = 0; at < board->squares; at++) {
        int rank = board_rank(board, at), file = board_file(board, at);
        crowd->code_of[at] = (uint8_t)(rank << 4 | file);
        crowd->square_of[crowd->code_of[at]] = at;
        if (file == 0) crowd->first_of[rank] = crowd->first_of[16 + rank] = at;
        if (squareset_has(board->land, at)) continue;
        for (int side = RED; side <= BLUE; side++) crowd->plane[side][LANE_ALL][at] = ~NO_GAME;
    }
}

void crowd_read_rules(struct crowd *crowd) {
    uint8_t limit = crowd->table->rules->two_squares;
    crowd->run_limit = limit ? limit : RUN_MAX + 1;
    read_kinds(crowd);
    read_abilities(crowd);
    read_board(crowd);
}
