/* crowd_special.c - counts the moves of acting pieces in 256 games at once.
 *
 * Those of pieces that turn corners are crowd_turns.c's business. Guesses are counted on slices,
 * for every square from which one may be made: the enemies in its reach, if a guesser stands there
 * or can step there, once for each that can; times the kinds to name.
 *
 * Where another ability might be used, its uses are counted seat by seat: few games at a time,
 * since that takes a piece on certain squares, and often one that has fallen. */
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

#if defined(__x86_64__)
#include <immintrin.h>

#include "avx2_begin.h"

#include "slice.h"

/* Adds up the enemies in reach of the squares from which a piece of the plane `guessers` can guess,
 * of which there are two at most. */
INLINE void count_guesses(const struct crowd *crowd, const slice *guessers, slice sum[COUNT_BITS]) {
    const struct board *board = &crowd->table->rules->board;
    const struct ability *ability = &crowd->table->rules->ability[crowd->guesser];
    enum side side = crowd_to_move(crowd);
    const slice *enemy = crowd->plane[side_other(side)][PLANE_ALL];
    for (square at = 0; at < board->squares; at++) {
        const square *reach = crowd->reach[side][at], *way = crowd->ways[at];
        if (*reach == NOWHERE) continue;
        slice once = ability->when & ABILITY_INSTEAD ? guessers[at] : NO_GAME, both = {0};
        if (ability->when & ABILITY_AFTER_STEP) {
            slice a = guessers[way[0]] | guessers[way[2]], b = guessers[way[1]] | guessers[way[3]];
            both = (guessers[way[0]] & guessers[way[2]]) | (guessers[way[1]] & guessers[way[3]]) |
                   (a & b);
            both &= crowd->empty[at];
            once |= (a | b) & crowd->empty[at] & ~both;
        }
        slice seen[LINE_BITS] = {{0}}, number[LINE_BITS + 1];
        add_four(seen, enemy[reach[0]], enemy[reach[1]], enemy[reach[2]], enemy[reach[3]]);
        while (*(reach += 4) != NOWHERE)
            add_four(seen, enemy[reach[0]], enemy[reach[1]], enemy[reach[2]], enemy[reach[3]]);
        number[0] = seen[0] & once;
        for (int k = 1; k < LINE_BITS; k++) number[k] = (seen[k] & once) | (seen[k - 1] & both);
        number[LINE_BITS] = seen[LINE_BITS - 1] & both;
        add_number(sum, COUNT_BITS, number, LINE_BITS + 1);
    }
}

/* Squares of a game, read off its cells thirty-two at a time. */
struct found {
    squareset own, enemy;
    squareset turners, actors; /* of both sides; other acting pieces */
};

INLINE struct found find_pieces(const struct crowd *crowd, int seat) {
    uint32_t taken[4], blue[4], odd[4], acting[4];
    for (int i = 0; i < 4; i++) {
        __m256i cells = _mm256_loadu_si256((const __m256i *)(crowd->at[seat] + 32 * i));
        __m256i kinds = _mm256_and_si256(cells, _mm256_set1_epi8(15));
        __m256i upper = _mm256_slli_epi16(cells, 3); /* bit 4 comes to be the uppermost */
        __m256i acts =
            _mm256_blendv_epi8(_mm256_shuffle_epi8((__m256i)crowd->acting[0], kinds),
                               _mm256_shuffle_epi8((__m256i)crowd->acting[1], kinds), upper);
        __m256i nothing = _mm256_cmpeq_epi8(cells, _mm256_setzero_si256());
        taken[i] = ~(uint32_t)_mm256_movemask_epi8(nothing);
        blue[i] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(cells, 2));
        odd[i] = (uint32_t)_mm256_movemask_epi8(acts);
        acting[i] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(acts, 1));
    }
    struct found found;
    squareset all, blues;
    memcpy(&all, taken, sizeof all);
    memcpy(&blues, blue, sizeof blues);
    memcpy(&found.turners, odd, sizeof odd);
    memcpy(&found.actors, acting, sizeof acting);
    found.own = crowd_to_move(crowd) == BLUE ? blues : all & ~blues;
    found.enemy = all & ~found.own;
    return found;
}

struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat) {
    struct lane *lane = &crowd->lane[seat];
    enum side side = crowd_to_move(crowd);
    struct found found = find_pieces(crowd, seat);
    memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    lane->game.pieces[side] = found.own;
    lane->game.pieces[!side] = found.enemy;
    lane->game.to_move = (uint8_t)side;
    for (int i = RED; i <= BLUE; i++)
        lane->acting[i] = lane->game.pieces[i] & (found.turners | (found.actors & crowd->sight[i]));
    return lane;
}

/* How many uses the abilities have that are no guesses. */
INLINE uint32_t count_uses(struct crowd *crowd, int seat) {
    const struct lanes_table *table = crowd->table;
    const struct lane *lane = crowd_lane_with_pieces(crowd, seat);
    enum side side = crowd_to_move(crowd);
    squareset uses = 0;
    uint32_t count = 0;
    for (int who = 0; who < USERS; who++) uses |= crowd->uses[side][who];
    for (squareset left = lane->acting[side] & uses; left;) {
        square at = squareset_pop(&left);
        if (table->guess[cell_kind(lane->game.at[at])] == ABILITY_NONE)
            count += game_piece_count(&lane->game, at, false, true);
    }
    return count;
}

/* The games in which an ability other than guessing might be used: one is left, and a piece of its
 * sort stands where it could. */
INLINE slice find_users(struct crowd *crowd) {
    enum side side = crowd_to_move(crowd);
    const squareset *uses = crowd->uses[side];
    slice(*own)[PLANE] = crowd->plane[side], users = {0};
    for (squareset left = uses[USERS_STEPPERS]; left;)
        users |= own[PLANE_STEPPERS][squareset_pop(&left)];
    for (squareset left = uses[USERS_RUNNERS]; left;)
        users |= own[PLANE_RUNNERS][squareset_pop(&left)];
    for (squareset left = uses[USERS_IMMOBILE]; left;)
        users |= own[PLANE_ALL][squareset_pop(&left)];
    for (squareset left = uses[USERS_TURNERS]; left;) {
        uint8_t code = crowd->code_of[squareset_pop(&left)];
        int rank = MARGIN + (code >> 4), file = MARGIN + (code & 15);
        for (int i = 0; i < crowd->turners; i++)
            users |= crowd->turning[i].rank[rank] & crowd->turning[i].file[file];
    }
    return users & crowd->able[side] & crowd->busy;
}

void crowd_count_special(struct crowd *crowd) {
    slice(*own)[PLANE] = crowd->plane[crowd_to_move(crowd)];
    slice turns[COUNT_BITS] = {{0}}, targets[COUNT_BITS] = {{0}};
    if (crowd->turners) crowd_count_turns(crowd, turns);
    transpose(turns);
    for (int k = 0; k < EIGHTHS; k++)
        for (int j = 0; j < 8; j++) crowd->special[k][j] = turns[k] >> (8 * j) & 255;
    if (crowd->guesses) {
        count_guesses(crowd, own[PLANE_GUESSERS], targets);
        transpose(targets);
        const __m256i guesses = _mm256_set1_epi64x(crowd->guesses);
        for (int k = 0; k < EIGHTHS; k++)
            for (int j = 0; j < 8; j++)
                crowd->special[k][j] +=
                    (slice)_mm256_mul_epu32((__m256i)(targets[k] >> (8 * j) & 255), guesses);
    }
    slice users = find_users(crowd);
    crowd->users = NO_GAME;
    for (int word = 0; word < SLICE_WORDS; word++) {
        for (uint64_t left = users[word]; left; left &= left - 1) {
            int seat = seat_of(word, __builtin_ctzll(left));
            uint32_t uses = count_uses(crowd, seat);
            *seat_number(crowd->special, seat) += uses;
            if (uses) crowd->users[word] |= left & -left;
        }
    }
}

#include "avx2_end.h"

#else /* crowd_why_not() never lets it come to that */
struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat) {
    return crowd_lane_now(crowd, seat);
}
#endif
