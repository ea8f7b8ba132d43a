/* transposition.c - the key of a position for the table of a search.
 *
 * What cannot matter any more within the depth stays out of the key, or transpositions would hardly
 * be found: two orders of the same moves end with different last moves. */
#include "transposition.h"

#include "core/play/cells.h"
#include "lookahead.h"

#include <string.h>

/* A repeated position is at least four plies old. */
enum { CHASE_REPEATS = 4 };

static uint64_t fold(uint64_t key, uint64_t word) {
    key = (key ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static uint64_t fold_bytes(uint64_t key, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        key = fold(key, word);
    }
    return key;
}

/* The last moves of each side's last mover, if it moves often enough within the depth that the
 * two-squares rule can refuse it. */
static uint64_t fold_two_squares(uint64_t key, const struct game *game, int depth) {
    int limit = game->rules->two_squares;
    for (int side = RED; limit && side <= BLUE; side++) {
        bool moves_next = side == game->to_move;
        int run = game->chaser[side].run, left = (depth + moves_next) / 2;
        if (left == 0 || run + left - 1 < limit) continue;
        if (run > limit) run = limit;
        uint32_t last = game->ply_count - (moves_next ? 2 : 1);
        key = fold(key, (uint64_t)run << 1 | (uint64_t)side);
        for (int i = 0; i < run; i++) {
            const struct move *move = &game->plies[last - 2 * (uint32_t)i].move;
            key = fold(key, (uint64_t)move->from << 8 | move->to);
        }
    }
    return key;
}

/* False if a chase that is going on may be refused within the depth. */
static bool fold_isf_chase(uint64_t *key, const struct game *game, int depth) {
    for (int side = RED; side <= BLUE; side++) {
        int chase = game->chaser[side].chase;
        if (chase && chase + depth > CHASE_REPEATS) return false;
    }
    /* Who runs from the last mover can make a chase of its next moves. */
    if (depth > CHASE_REPEATS) *key = fold(*key, game->chaser[side_other(game->to_move)].to);
    return true;
}

static uint64_t fold_russian_chase(uint64_t key, const struct game *game) {
    for (int side = RED; side <= BLUE; side++) {
        const struct chaser *chaser = &game->chaser[side];
        key = fold(key, (uint64_t)chaser->chase << 24 | (uint64_t)chaser->quarry << 16 |
                            (uint64_t)(chaser->run > 0) << 8 | chaser->to);
    }
    return key;
}

/* What abilities leave behind besides the cells. */
static uint64_t fold_deeds(uint64_t key, const struct game *game) {
    const struct rules *rules = game->rules;
    key = fold_bytes(key, game->uses, sizeof game->uses);
    if (rules->places) {
        squareset returned = cells_where(game->at, CELL_RETURNED, CELL_RETURNED);
        squareset taken = game->pieces[RED] | game->pieces[BLUE];
        key = fold(key, squareset_half(returned & taken, 0));
        key = fold(key, squareset_half(returned & taken, 1));
        key = fold_bytes(key, game->placed, sizeof game->placed);
    }
    if (rules->marks) key = fold_bytes(key, &game->marks, sizeof game->marks);
    return key;
}

/* The counters that draw the game within `plies`. */
static uint64_t fold_limits(uint64_t key, const struct game *game, uint32_t plies) {
    const struct limits *limits = &game->limits;
    if (limits->no_attack && game->quiet + plies >= limits->no_attack)
        key = fold(key, UINT64_C(1) << 32 | game->quiet);
    if ((limits->plies && game->ply_count + plies >= limits->plies) ||
        game->ply_count + plies >= game->ply_capacity)
        key = fold(key, UINT64_C(1) << 33 | game->ply_count);
    return key;
}

bool transposition_key(const struct game *game, int depth, uint64_t *key) {
    const struct rules *rules = game->rules;
    if (game->calls) return false;
    *key = fold(game->hash, game->to_move);
    *key = fold_two_squares(*key, game, depth);
    if (rules->chase == CHASE_ISF && !fold_isf_chase(key, game, depth)) return false;
    if (rules->chase == CHASE_RUSSIAN) *key = fold_russian_chase(*key, game);
    if (rules->abilities) *key = fold_deeds(*key, game);
    *key = fold_limits(*key, game, (uint32_t)(depth + EXCHANGE_MAX));
    return true;
}
