#include "initiative.h"

bool initiative_is_due(const struct mind *mind, const struct view *view) {
    const uint32_t half = view->limits.no_attack / 2;
    if (view->quiet < (half && half < PRESS_AFTER ? half : PRESS_AFTER)) return false;
    return evaluation_chance(&mind->evaluation) > CHANCE_CERTAIN / 2;
}

void initiative_read(struct initiative *press, const struct view *view) {
    const struct board *board = &view->rules->board;
    squareset free = board->land;
    press->rules = view->rules;
    press->enemies = 0;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        if (piece->side != view->side)
            press->enemies |= squareset_of(piece->at);
        else if (!(view->rules->mobile & kindset_of(piece->kind)))
            free &= ~squareset_of(piece->at);
    }
    board_steps(board, free, press->enemies, press->steps);
}

bool initiative_has(const struct initiative *press, struct move move) {
    const bool acts = move.ability != ABILITY_NONE && press->rules->ability[move.ability].attacks;
    return squareset_has(press->enemies, move.to) ||
           (acts && squareset_has(press->enemies, move.target)) ||
           press->steps[move.to] < press->steps[move.from];
}
