/* picture.c - fills pictures from views, games and boards. */
#include "picture.h"

#include "columns.h"

#include <stdio.h>
#include <string.h>

void picture_label(const struct kind *kind, char out[LABEL_MAX + 2]) {
    int columns = columns_of(kind->label, SIZE_MAX);
    if (columns == 2)
        snprintf(out, LABEL_MAX + 2, "%s", kind->label);
    else if (columns == 1)
        snprintf(out, LABEL_MAX + 2, " %s", kind->label);
    else
        snprintf(out, LABEL_MAX + 2, " %c", kind->letter);
}

static void picture_start(struct picture *picture, const struct board *board,
                          const struct rules *rules) {
    memset(picture, 0, sizeof *picture);
    picture->board = board;
    picture->rules = rules;
    for (square at = 0; at < board->squares; at++)
        if (squareset_has(board->lakes, at)) picture->at[at].type = PICTURE_LAKE;
}

void picture_board(struct picture *picture, const struct board *board) {
    picture_start(picture, board, NULL);
    for (square at = 0; at < board->squares; at++) {
        for (int side = RED; side <= BLUE; side++) {
            if (!squareset_has(board->zone[side], at)) continue;
            picture->at[at].type = PICTURE_ZONE;
            picture->at[at].side = (uint8_t)side;
        }
    }
}

void picture_rules(struct picture *picture, const struct rules *rules) {
    if (rules->armies != ARMIES_GIVEN) {
        picture_board(picture, &rules->board);
        return;
    }
    struct setup setups[2];
    struct position position;
    for (int side = RED; side <= BLUE; side++) setup_given(rules, (enum side)side, &setups[side]);
    position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
    picture_cells(picture, rules, position.at);
}

void picture_view(struct picture *picture, const struct view *view) {
    picture_start(picture, &view->rules->board, view->rules);
    picture->below = (enum side)view->side;
    squareset dark = view->rules->board.land & ~view_sees(view);
    while (dark) picture->at[squareset_pop(&dark)].type = PICTURE_DARK;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        struct picture_square *shown = &picture->at[piece->at];
        shown->side = piece->side;
        shown->kind = piece->kind;
        shown->betrayed = piece->side == view->side && piece->shown && !view->rules->open;
        if (piece->kind != KIND_NONE) {
            shown->type = PICTURE_PIECE;
        } else {
            kindset left = view_may_be(view, i);
            shown->type = piece->moved ? PICTURE_MOVED : PICTURE_BACK;
            shown->deduced = left && !(left & (left - 1));
            if (shown->deduced) shown->kind = (kind_id)__builtin_ctz(left);
        }
    }
}

void picture_views(struct picture *picture, const struct view *red, const struct view *blue) {
    struct picture other;
    picture_view(picture, red);
    picture_view(&other, blue);
    for (square at = 0; at < picture->board->squares; at++) {
        bool blues_own = other.at[at].type == PICTURE_PIECE && other.at[at].side == BLUE;
        if (blues_own || picture->at[at].type == PICTURE_DARK) picture->at[at] = other.at[at];
    }
}

void picture_cells(struct picture *picture, const struct rules *rules, const cell *cells) {
    picture_start(picture, &rules->board, rules);
    for (square at = 0; at < rules->board.squares; at++) {
        if (cells[at] == CELL_EMPTY) continue;
        picture->at[at].type = PICTURE_PIECE;
        picture->at[at].side = (uint8_t)cell_side(cells[at]);
        picture->at[at].kind = cell_kind(cells[at]);
    }
}

void picture_game(struct picture *picture, const struct game *game) {
    picture_cells(picture, game->rules, game->at);
    if (!game->ply_count) return;
    struct move last = game->plies[game->ply_count - 1].move;
    picture_mark(picture, last.from, last.to, last.target);
}

void picture_mark(struct picture *picture, square from, square to, square target) {
    const square squares[] = {from, to, target};
    for (int i = 0; i < 3; i++)
        if (squares[i] != SQUARE_NONE) picture->at[squares[i]].marked = true;
}
