/* picture.h - the visible contents of a board, square by square.
 *
 * One picture serves a side's view, an uncovered game and an empty board; line mode (terminal.h)
 * and the screen (chart.h) draw it. The functions that fill it decide what is visible. */
#ifndef ENSIGN_CLI_PICTURE_H
#define ENSIGN_CLI_PICTURE_H

#include "core/know/view.h"
#include "core/play/game.h"

enum picture_type {
    PICTURE_FREE,
    PICTURE_LAKE,
    PICTURE_DARK,  /* out of sight: its contents are unknown */
    PICTURE_ZONE,  /* free, in the set-up zone of `side` */
    PICTURE_PIECE, /* of a known kind */
    PICTURE_BACK,  /* a piece of unknown kind that has not moved */
    PICTURE_MOVED  /* a piece of unknown kind that has moved */
};

struct picture_square {
    uint8_t type; /* enum picture_type */
    uint8_t side;
    kind_id kind;
    kind_id guess; /* of an unknown piece: what the person has marked it as; KIND_NONE: nothing */
    bool betrayed; /* own piece whose kind the enemy knows */
    bool deduced;  /* enemy piece that was never shown but can only be of `kind` */
    bool marked;   /* part of the last move */
};

struct picture {
    const struct board *board;
    const struct rules *rules; /* NULL where no piece is shown */
    enum side below;           /* whose back rank is drawn at the bottom */
    struct picture_square at[BOARD_SQUARES_MAX];
};

/* Fill a picture without marks: the set-up zones; the same, or the armies where the rules
 * give them; one side's view; both sides' views together, which show every piece; the pieces of a
 * position. */
void picture_board(struct picture *picture, const struct board *board);
void picture_rules(struct picture *picture, const struct rules *rules);
void picture_view(struct picture *picture, const struct view *view);
void picture_views(struct picture *picture, const struct view *red, const struct view *blue);
void picture_cells(struct picture *picture, const struct rules *rules, const cell *cells);

/* An uncovered game with its last move marked. */
void picture_game(struct picture *picture, const struct game *game);

/* Marks the squares of a move; SQUARE_NONE is skipped. */
void picture_mark(struct picture *picture, square from, square to, square target);

/* The label in exactly two columns; a longer one is replaced by the kind's letter. */
void picture_label(const struct kind *kind, char out[LABEL_MAX + 2]);

#endif
