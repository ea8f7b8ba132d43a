/* filled_position.c - a position as one side knows it, for listing and judging its moves.
 *
 * The latest plain moves are taken back, which needs no ranks, and played again, to restore the
 * counters of the repetition rules. */
#include "filled_position.h"

#include "core/play/calls.h"

#include <string.h>

void filled_position_make(struct filled_position *filled, const struct view *view) {
    static const struct limits no_limits = {0, 0};
    const struct rules *rules = view->rules;
    struct game *game = &filled->game;
    kind_id anything = (kind_id)__builtin_ctz(rules->mobile);
    struct position position = {.to_move = (enum side)view->to_move};
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        kind_id kind = piece->kind == KIND_NONE ? anything : piece->kind;
        position.at[piece->at] = cell_of((enum side)piece->side, kind);
    }
    int count = view->recent_count;
    for (int i = count; i-- > 0;) {
        position.at[view->recent[i].from] = position.at[view->recent[i].to];
        position.at[view->recent[i].to] = CELL_EMPTY;
        position.to_move = side_other(position.to_move);
    }
    game_start(game, rules, &position, &no_limits, filled->plies, VIEW_RECENT + 1);
    game->calls = NULL; /* the variant must not be asked about invented ranks */
    if (rules->calls) calls_take(NULL);
    for (int i = 0; i < count; i++) game_play(game, view->recent[i], NULL);
    game_stop(game, RESULT_NONE, REASON_NONE);
    memcpy(game->start[view->side], view->start[view->side], sizeof game->start[0]);
    memcpy(game->uses, view->uses, sizeof game->uses);
    game->marks = view->marks;
    game->counters = view->counters;
    filled->before = view->plies - (uint32_t)count;
}
