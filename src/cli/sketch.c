/* sketch.c - a position as one side knows it, in which moves are looked up. */
#include "sketch.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void sketch_make(struct sketch *sketch, const struct view *view) {
    const struct rules *rules = view->rules;
    kind_id anything = (kind_id)__builtin_ctz(rules->mobile);
    struct position position = {.to_move = (enum side)view->to_move};
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        kind_id kind = piece->kind == KIND_NONE ? anything : piece->kind;
        position.at[piece->at] = cell_of((enum side)piece->side, kind);
    }
    static const struct limits no_limits = {0, 0};
    game_start(&sketch->game, rules, &position, &no_limits, sketch->plies, 1);
    memcpy(sketch->game.start[view->side], view->start[view->side], sizeof sketch->game.start[0]);
    memcpy(sketch->game.uses, view->uses, sizeof sketch->game.uses);
}

bool sketch_tidy(const struct board *board, const char *line, char tidy[MOVE_TEXT_MAX]) {
    char text[MOVE_TEXT_MAX];
    square at;
    if (strlen(line) + 2 > MOVE_TEXT_MAX) return false;
    for (size_t i = 0; i <= strlen(line); i++) text[i] = (char)tolower((unsigned char)line[i]);
    size_t first = square_read(board, text, strlen(text), &at);
    if (!first) return false;
    const char *rest = text + first + strspn(text + first, " \t");
    bool attack = *rest == 'x';
    if (*rest == '-' || attack) rest += 1 + strspn(rest + 1, " \t");
    if (*rest == '@') {
        snprintf(tidy, MOVE_TEXT_MAX, "%.*s%s", (int)first, text, rest);
        return true;
    }
    if (!square_read(board, rest, strlen(rest), &at)) return false;
    snprintf(tidy, MOVE_TEXT_MAX, "%.*s%c%s", (int)first, text, attack ? 'x' : '-', rest);
    return true;
}
