/* knowledge.c - inference from a view.
 *
 * The probabilities use the counts alone, not habits of set-ups: hidden kinds are dealt evenly over
 * hidden pieces, immobile kinds over those that have not moved. That is exact if nothing else is
 * known about the pieces, and close otherwise. */
#include "knowledge.h"

#include <string.h>

void knowledge_turn(struct knowledge *knowledge, const struct view *view) {
    knowledge->view = view;
    knowledge->counted = false;
    knowledge->judged = false;
}

kindset knowledge_may_be(struct knowledge *knowledge, int piece) {
    const struct view_piece *known = &knowledge->view->piece[piece];
    if (known->kind != KIND_NONE) return kindset_of(known->kind);
    if (!knowledge->judged) view_all_may_be(knowledge->view, knowledge->may_be);
    knowledge->judged = true;
    return knowledge->may_be[piece];
}

static void count_hidden(struct knowledge *knowledge) {
    const struct view *view = knowledge->view;
    kindset mobile = view->rules->mobile;
    for (int side = RED; side <= BLUE; side++) {
        knowledge->unmoved[side] = 0;
        for (int kind = 0; kind < KINDS_MAX; kind++)
            knowledge->unseen[side][kind] = view->start[side][kind] - view->captured[side][kind];
    }
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (view_piece_counted(piece)) continue;
        if (piece->kind != KIND_NONE)
            knowledge->unseen[piece->side][piece->kind]--;
        else
            knowledge->unmoved[piece->side] += (piece->may_be & ~mobile) != 0;
    }
    knowledge->counted = true;
}

static int count_of(const int *unseen, kindset set) {
    int sum = 0;
    for (; set; set &= set - 1) {
        int count = unseen[__builtin_ctz(set)];
        sum += count > 0 ? count : 0;
    }
    return sum;
}

/* Splits the probability `share` over the kinds of `set`, by the hidden pieces of each. */
static void split_share(const int *unseen, kindset set, double share, double chance[KINDS_MAX]) {
    int sum = count_of(unseen, set);
    for (kindset rest = set; rest && sum > 0; rest &= rest - 1) {
        int kind = __builtin_ctz(rest);
        chance[kind] = unseen[kind] > 0 ? share * unseen[kind] / sum : 0;
    }
}

void knowledge_chances(struct knowledge *knowledge, int piece, double chance[KINDS_MAX]) {
    kindset set = knowledge_may_be(knowledge, piece);
    memset(chance, 0, sizeof(double) * KINDS_MAX);
    if (!set) return;
    if (!(set & (set - 1))) {
        chance[__builtin_ctz(set)] = 1;
        return;
    }
    if (!knowledge->counted) count_hidden(knowledge);
    int side = knowledge->view->piece[piece].side;
    const int *unseen = knowledge->unseen[side];
    kindset mobile = set & knowledge->view->rules->mobile, still = set & ~mobile;
    int hidden_still = count_of(unseen, still), places = knowledge->unmoved[side];
    double share = 0;
    if (hidden_still > 0) share = hidden_still < places ? (double)hidden_still / places : 1;
    if (count_of(unseen, mobile) == 0) share = 1;
    split_share(unseen, still, share, chance);
    split_share(unseen, mobile, 1 - share, chance);
}

void knowledge_distances(const struct knowledge *knowledge, squareset from,
                         uint8_t steps[BOARD_SQUARES_MAX]) {
    const struct board *board = &knowledge->view->rules->board;
    board_steps(board, board->land, from & board->land, steps);
}

uint8_t knowledge_distance(struct knowledge *knowledge, square from, square to) {
    const struct board *board = &knowledge->view->rules->board;
    if (squareset_has(board->lakes, from)) return STEPS_NONE;
    if (!knowledge->mapped[from]) {
        board_steps(board, board->land, squareset_of(from), knowledge->steps[from]);
        knowledge->mapped[from] = true;
    }
    return knowledge->steps[from][to];
}

uint8_t knowledge_way(const struct knowledge *knowledge, square from, square to) {
    const struct view *view = knowledge->view;
    const struct board *board = &view->rules->board;
    if (squareset_has(board->lakes, from) || squareset_has(board->lakes, to)) return STEPS_NONE;
    squareset taken = 0;
    for (int i = 0; i < view->count; i++)
        if (view->piece[i].at != SQUARE_NONE) taken |= squareset_of(view->piece[i].at);
    uint8_t steps[BOARD_SQUARES_MAX];
    board_steps(board, (board->land & ~taken) | squareset_of(to), squareset_of(from), steps);
    return steps[to];
}
