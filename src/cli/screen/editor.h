/* editor.h - a set-up while somebody makes it: what stands in the zone, and the pieces that are
 * still to be placed.
 *
 * Whatever is done, zone and rest together hold the army of the variant, no piece more or less, and
 * it can be undone. Squares are as red would stand; whose army it is, is of no interest here. */
#ifndef ENSIGN_CLI_SCREEN_EDITOR_H
#define ENSIGN_CLI_SCREEN_EDITOR_H

#include "core/play/position.h"

enum { EDITOR_STEPS_MAX = 200 }; /* that can be undone */

struct editor {
    const struct rules *rules;
    struct setup setup;
    uint8_t left[KINDS_MAX]; /* pieces that are still to be placed, by kind */
    int done, undone;        /* steps that can be undone, and done again */
    int latest;              /* where in `steps` the next one goes */
    struct setup steps[EDITOR_STEPS_MAX];
};

/* Begins with a set-up of which no more is kept than the army has, in the zone; NULL: empty. */
void editor_start(struct editor *editor, const struct rules *rules, const struct setup *setup);

/* Puts a piece that is left on a square of the zone; what stood there is left then. False if none
 * of that kind is left or the square is not in the zone. */
bool editor_place(struct editor *editor, square at, kind_id kind);

/* Takes a piece from the board. False if none stands there. */
bool editor_lift(struct editor *editor, square at);

/* Exchanges what stands on two squares of the zone, one of which may be empty. False if both are,
 * or if one is not in the zone. */
bool editor_swap(struct editor *editor, square a, square b);

/* Exchanges left and right. */
void editor_mirror(struct editor *editor);

/* Places what is left at random or, where nothing is, the whole army. False with a fault if nothing
 * valid was found. */
bool editor_shuffle(struct editor *editor, struct random *random, struct fault *fault);

void editor_clear(struct editor *editor);

/* Takes a set-up in place of what there is. */
void editor_fill(struct editor *editor, const struct setup *setup);

/* False if there is nothing to undo, or to do again. */
bool editor_undo(struct editor *editor);
bool editor_redo(struct editor *editor);

/* Pieces that are left, of all kinds. */
int editor_left(const struct editor *editor);

/* The next square of the zone without a piece, from `from` on, front rank first and round to the
 * beginning; SQUARE_NONE if all are taken. */
square editor_free(const struct editor *editor, square from);

#endif
