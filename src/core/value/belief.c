/* belief.c - pieces that nobody can tell apart form a group and share their chances.
 *
 * Floating point here is additions, multiplications and divisions in a fixed order, without
 * contraction (CMakeLists.txt), so that chances are the same everywhere. */
#include "belief.h"

#include <string.h>

enum { ROUNDS = 6 };

void habits_even(struct habits *habits) {
    for (int sign = 0; sign < SIGNS; sign++)
        for (int kind = 0; kind < KINDS_MAX; kind++) habits->ratio[sign][kind] = HABIT_UNIT;
}

int sign_of_start(const struct board *board, enum side side, square start) {
    int rank = board_rank(board, start), file = board_file(board, start);
    const int ranks = board->zone_ranks[side];
    int row = side == RED ? ranks - 1 - rank : rank - (board->ranks - ranks);
    int place = (file < board->files - 1 - file ? file : board->files - 1 - file) / 2;
    if (row < 0) row = 0; /* a position that is no set-up */
    if (row >= sign_start_rows(board, side)) row = sign_start_rows(board, side) - 1;
    if (place >= SIGN_START_PLACES) place = SIGN_START_PLACES - 1;
    return SIGN_START + row * SIGN_START_PLACES + place;
}

static int start_sign(const struct view *view, const struct view_piece *piece) {
    if (piece->start == SQUARE_NONE) return SIGN_START;
    return sign_of_start(&view->rules->board, (enum side)piece->side, piece->start);
}

static int moves_sign(const struct view *view, const struct view_piece *piece) {
    int phase = (view->plies >= 24) + (view->plies >= 72) + (view->plies >= 180);
    unsigned moves = piece->moves;
    int times = (moves >= 1) + (moves >= 2) + (moves >= 4) + (moves >= 8);
    return SIGN_MOVES + phase * SIGN_MOVES_TIMES + times;
}

void origins_read(const struct view *view, struct origins *origins) {
    *origins = (struct origins){0};
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side || piece->start == SQUARE_NONE) continue;
        const squareset start = squareset_of(piece->start);
        if (piece->kind != KIND_NONE && !(view->rules->mobile & kindset_of(piece->kind)))
            origins->immobile |= start;
        else if (piece->kind != KIND_NONE || piece->moved)
            origins->mobile |= start;
    }
}

static int beside_sign(const struct view *view, const struct origins *origins,
                       const struct view_piece *piece) {
    enum { MOST_MOBILE = SIGN_BESIDE_MOBILE - 1, MOST_IMMOBILE = 2 };
    if (piece->moved || piece->start == SQUARE_NONE || view->rules->sight) return SIGN_ALOOF;
    const squareset beside = view->rules->board.neighbours[piece->start];
    int immobile = squareset_count(beside & origins->immobile);
    int mobile = squareset_count(beside & origins->mobile);
    if (immobile > MOST_IMMOBILE) immobile = MOST_IMMOBILE;
    if (mobile > MOST_MOBILE) mobile = MOST_MOBILE;
    return SIGN_BESIDE + immobile * SIGN_BESIDE_MOBILE + mobile;
}

void signs_of(const struct view *view, const struct origins *origins,
              const struct view_piece *piece, uint8_t signs[SIGN_SORTS]) {
    signs[0] = (uint8_t)start_sign(view, piece);
    signs[1] = (uint8_t)moves_sign(view, piece);
    signs[2] = (uint8_t)(SIGN_DARED + piece->dared);
    signs[3] = (uint8_t)(SIGN_FLED + piece->fled);
    signs[4] =
        (uint8_t)(SIGN_STOOD + (piece->stood >= 1) + (piece->stood >= 2) + (piece->stood >= 4));
    signs[5] = (uint8_t)beside_sign(view, origins, piece);
}

/* The group of a piece with these possible kinds, added if it is new. A piece of known kind shows
 * no signs. */
static int group_find(struct belief *belief, const struct view *view, const struct origins *origins,
                      const struct view_piece *piece, kindset may_be) {
    uint8_t signs[SIGN_SORTS] = {0};
    bool known = !(may_be & (may_be - 1));
    if (!known) signs_of(view, origins, piece, signs);
    int group = 0;
    while (group < belief->groups && (belief->may_be[group] != may_be ||
                                      memcmp(belief->signs[group], signs, sizeof signs) != 0))
        group++;
    if (group == belief->groups) {
        belief->groups++;
        belief->may_be[group] = may_be;
        belief->known[group] = known;
        belief->size[group] = 0;
        memcpy(belief->signs[group], signs, sizeof signs);
    }
    belief->size[group]++;
    return group;
}

static void weigh(struct belief *belief, const struct rules *rules, const struct habits *habits) {
    for (int group = 0; group < belief->groups; group++) {
        float *weight = belief->weight[group];
        const uint8_t *signs = belief->signs[group];
        memset(weight, 0, sizeof belief->weight[group]);
        for (int kind = 1; kind <= rules->kinds; kind++) {
            if (!(belief->may_be[group] >> kind & 1)) continue;
            weight[kind] = 1;
            for (int i = 0; i < SIGN_SORTS && !belief->known[group]; i++) {
                uint16_t ratio = habits->ratio[signs[i]][kind];
                weight[kind] *= (float)(ratio ? ratio : 1) / HABIT_UNIT;
            }
        }
    }
}

/* Scales the chances of each group to sum one. */
static void scale_rows(struct belief *belief, int kinds) {
    for (int group = 0; group < belief->groups; group++) {
        float *weight = belief->weight[group], sum = 0;
        for (int kind = 1; kind <= kinds; kind++) sum += weight[kind];
        float by = sum > 0 ? 1 / sum : 0;
        for (int kind = 1; kind <= kinds; kind++) weight[kind] *= by;
    }
}

/* Scales those of each kind to the number of pieces of it. */
static void scale_columns(struct belief *belief, int kinds, const float count[KINDS_MAX]) {
    float sum[KINDS_MAX] = {0};
    for (int group = 0; group < belief->groups; group++)
        for (int kind = 1; kind <= kinds; kind++)
            sum[kind] += belief->weight[group][kind] * (float)belief->size[group];
    for (int kind = 1; kind <= kinds; kind++)
        sum[kind] = sum[kind] > 0 ? count[kind] / sum[kind] : 0;
    for (int group = 0; group < belief->groups; group++)
        for (int kind = 1; kind <= kinds; kind++) belief->weight[group][kind] *= sum[kind];
}

void belief_make(struct belief *belief, const struct view *view, const struct habits *habits) {
    const struct rules *rules = view->rules;
    enum side enemy = side_other((enum side)view->side);
    kindset may_be[2 * BOARD_SQUARES_MAX];
    float count[KINDS_MAX] = {0};
    struct origins origins;
    belief->groups = 0;
    origins_read(view, &origins);
    view_all_may_be(view, may_be);
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        count[kind] = (float)(view->start[enemy][kind] - view->captured[enemy][kind]);
    bool hidden = false;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side != enemy || view_piece_counted(piece)) continue;
        int group = group_find(belief, view, &origins, piece, may_be[i]);
        belief->group_of[i] = (uint8_t)group;
        hidden |= !belief->known[group];
    }
    weigh(belief, rules, habits);
    for (int i = 0; hidden && i < ROUNDS; i++) {
        scale_rows(belief, rules->kinds);
        scale_columns(belief, rules->kinds, count);
    }
    scale_rows(belief, rules->kinds);
    for (int group = 0; group < belief->groups; group++) {
        memset(belief->chance[group], 0, sizeof belief->chance[group]);
        for (int kind = 1; kind <= rules->kinds; kind++) {
            const float weight = belief->weight[group][kind];
            const bool sure = belief->known[group] && weight > 0;
            belief->chance[group][kind] = sure ? CHANCE_ONE : (int16_t)(weight * CHANCE_ONE);
        }
    }
}
