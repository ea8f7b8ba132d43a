/* crowd_special.c - counts special moves in 256 games at once.
 *
 * crowd_turns.c counts those of turners. Guesses are counted on slices, for every square from which
 * one may be made: the enemies in its reach, times the guessers that stand there or can step there,
 * times the kinds to name.
 *
 * Uses of other abilities are counted seat by seat. Few games at a time have any, since that takes
 * a piece on certain squares and often a fallen one. */
#include "crowd_inside.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "avx2_begin.h"

#include "slice.h"

/* The slice of a square, by its offset in the plane. */
INLINE slice slice_at(const slice *plane, uint16_t place) {
    return *(const slice *)((const char *)plane + place);
}

/* Adds up the enemies in reach of every square from which a piece of the plane `guessers`, at most
 * two, can guess. Without `far` no square reaches more than four. */
INLINE void count_guesses(const struct crowd *crowd, const slice *guessers, slice sum[COUNT_BITS],
                          bool far) {
    const struct ability *ability = &crowd->table->rules->ability[crowd->guesser];
    enum side side = crowd_to_move(crowd);
    const slice *enemy = crowd->plane[side_other(side)][LANE_ALL];
    const int bits = far ? LINE_BITS : LINE_BITS - 1;
    for (const struct stand *stand = crowd->stand[side]; stand->reach[0] != NO_PLACE; stand++) {
        const uint16_t *way = stand->way, *reach = stand->reach;
        slice here = slice_at(crowd->empty, stand->at), both = {0};
        slice once = ability->when & ABILITY_INSTEAD ? slice_at(guessers, stand->at) : NO_GAME;
        if (ability->when & ABILITY_AFTER_STEP) {
            slice up = slice_at(guessers, way[0]), right = slice_at(guessers, way[1]);
            slice down = slice_at(guessers, way[2]), left = slice_at(guessers, way[3]);
            both = ((up & down) | (right & left) | ((up | down) & (right | left))) & here;
            once |= (up | right | down | left) & here & ~both;
        }
        slice seen[LINE_BITS] = {{0}}, number[LINE_BITS + 1];
        add_four(seen, slice_at(enemy, reach[0]), slice_at(enemy, reach[1]),
                 slice_at(enemy, reach[2]), slice_at(enemy, reach[3]));
        while (far && *(reach += 4) != NO_PLACE)
            add_four(seen, slice_at(enemy, reach[0]), slice_at(enemy, reach[1]),
                     slice_at(enemy, reach[2]), slice_at(enemy, reach[3]));
        number[0] = seen[0] & once;
        for (int k = 1; k < bits; k++) number[k] = (seen[k] & once) | (seen[k - 1] & both);
        number[bits] = seen[bits - 1] & both;
        add_number(sum, COUNT_BITS, number, bits + 1);
    }
}

/* Sets of squares of a game, read from its cells thirty-two at a time. */
struct found {
    squareset own, enemy;
    squareset odd;    /* of both sides: pieces with odd movement */
    squareset actors; /* other acting pieces */
};

INLINE struct found find_pieces(const struct crowd *crowd, int seat) {
    uint32_t taken[4], blue[4], odd[4], acting[4];
    for (int i = 0; i < 4; i++) {
        __m256i cells = _mm256_loadu_si256((const __m256i *)(crowd->at[seat] + 32 * i));
        __m256i kinds = _mm256_and_si256(cells, _mm256_set1_epi8(15));
        __m256i upper = _mm256_slli_epi16(cells, 3); /* moves bit 4 to the top */
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
    memcpy(&found.odd, odd, sizeof odd);
    memcpy(&found.actors, acting, sizeof acting);
    found.own = crowd_to_move(crowd) == BLUE ? blues : all & ~blues;
    found.enemy = all & ~found.own;
    return found;
}

struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat) {
    struct lane *lane = crowd->shared.game.rules ? &crowd->shared : &crowd->lane[seat];
    enum side side = crowd_to_move(crowd);
    struct found found = find_pieces(crowd, seat);
    memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    lane->game.pieces[side] = found.own;
    lane->game.pieces[!side] = found.enemy;
    lane->game.to_move = (uint8_t)side;
    for (int i = RED; i <= BLUE; i++)
        lane->acting[i] = lane->game.pieces[i] & (found.odd | (found.actors & crowd->sight[i]));
    return lane;
}

/* Number of uses of abilities other than guessing. */
INLINE uint32_t count_uses(struct crowd *crowd, int seat) {
    const struct lanes_table *table = crowd->table;
    const struct lane *lane = crowd_lane_with_pieces(crowd, seat);
    enum side side = crowd_to_move(crowd);
    uint32_t count = 0;
    for (squareset left = lane->acting[side] & table->scoped[side]; left;) {
        square at = squareset_pop(&left);
        if (table->guess[cell_kind(lane->game.at[at])] == ABILITY_NONE)
            count += game_piece_count(&lane->game, at, false, true);
    }
    return count;
}

/* The games that may have a use of an ability other than guessing: one is available, and a piece
 * stands where it could use it. */
INLINE slice find_users(struct crowd *crowd) {
    enum side side = crowd_to_move(crowd);
    const struct spots *uses = crowd->uses[side], *turner_uses = &crowd->turner_uses[side];
    const struct turner *end = crowd->turner + crowd->turners;
    slice(*own)[PLANE] = crowd->plane[side], users = {0};
    for (int set = LANE_ALL; set <= LANE_RUNNERS; set++)
        for (int i = 0; i < uses[set].count; i++) users |= own[set][uses[set].at[i]];
    for (const struct turner *turner = crowd->turner; turner < end; turner++) {
        for (int i = 0; i < turner_uses->count; i++) {
            uint8_t code = crowd->code_of[turner_uses->at[i]];
            users |= turner->rank[MARGIN + (code >> 4)] & turner->file[MARGIN + (code & 15)];
        }
    }
    return users & crowd->able[side] & crowd->busy;
}

void crowd_count_special(struct crowd *crowd) {
    slice(*own)[PLANE] = crowd->plane[crowd_to_move(crowd)];
    slice turns[COUNT_BITS] = {{0}}, targets[COUNT_BITS] = {{0}};
    if (crowd->turners) crowd_count_turns(crowd, turns);
    if (crowd->guesses && crowd->far)
        count_guesses(crowd, own[PLANE_GUESSERS], targets, true);
    else if (crowd->guesses)
        count_guesses(crowd, own[PLANE_GUESSERS], targets, false);
    for (int k = 0; k < COUNT_BITS; k++) crowd->stuck &= ~(turns[k] | targets[k]);
    transpose(turns);
    for (int k = 0; k < EIGHTHS; k++)
        for (int j = 0; j < 8; j++) crowd->special[k][j] = turns[k] >> (8 * j) & 255;
    if (crowd->guesses) {
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
    crowd->stuck &= ~crowd->users;
}

#include "avx2_end.h"

#else /* never called: see crowd_why_not() */
struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat) {
    return crowd_lane_now(crowd, seat);
}
#endif
