/* hand.h - what a person does in a turn at the screen: the cursor, the piece that is taken up, and
 * the questions that lead to a move. */
#ifndef ENSIGN_CLI_SCREEN_HAND_H
#define ENSIGN_CLI_SCREEN_HAND_H

#include "chart.h"
#include "core/know/sketch.h"
#include "dialog.h"
#include "host/player.h"
#include "pointing.h"

enum { HAND_TEXT_MAX = FAULT_TEXT_MAX };

struct hand {
    struct screen *screen;
    const struct backdrop *behind; /* of its dialogs */
    const struct language *language;
    square cursor;
    char message[HAND_TEXT_MAX]; /* why something cannot be; empty: nothing to say */

    /* While it is this person's turn. */
    const struct view *view; /* NULL: it is not */
    struct pointing pointing;
    struct sketch sketch;
};

/* Before the first turn of `side`: the cursor is put in the middle of its front rank. */
void hand_start(struct hand *hand, const struct board *board, enum side side);

/* The turn begins: `moves` are offered and stay where they are until it ends, as does `view`. */
void hand_take(struct hand *hand, const struct view *view, const struct move *moves, size_t count);
void hand_leave(struct hand *hand);

/* Adds the cursor, the piece that is taken up and where it may go. */
void hand_mark(const struct hand *hand, struct chart_marks *marks);

/* Points at a square, as a click or Enter does. True when `answer` is complete. */
bool hand_point(struct hand *hand, square at, struct answer *answer);

/* A key of a turn: Enter, space, Tab, ':', 'r', 'd', Escape; and those that move the cursor, which
 * also work out of turn. `*used` tells whether it was one of them. `below` is the side at the
 * bottom of the board. True when `answer` is complete. */
bool hand_key(struct hand *hand, const struct chart *chart, int key, struct answer *answer,
              bool *used);

#endif
