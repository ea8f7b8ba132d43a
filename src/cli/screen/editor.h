/* editor.h - a set-up being edited: the pieces in the zone and those left to place.
 *
 * Invariant: zone and rest together are exactly the variant's army. Every step can be undone.
 * Squares are the side's own (board_own()). */
#ifndef ENSIGN_CLI_SCREEN_EDITOR_H
#define ENSIGN_CLI_SCREEN_EDITOR_H

#include "core/play/position.h"

enum { EDITOR_STEPS_MAX = 200 }; /* undo depth */

struct editor {
    const struct rules *rules;
    enum side side;
    struct setup setup;
    uint8_t left[KINDS_MAX]; /* pieces left to place, by kind */
    int done, undone;        /* steps to undo, to redo */
    int latest;              /* where in `steps` the next one goes */
    struct setup steps[EDITOR_STEPS_MAX];
};

/* Starts from a set-up (NULL: empty), dropping pieces beyond the army or where they may not start.
 */
void editor_start(struct editor *editor, const struct rules *rules, enum side side,
                  const struct setup *setup);

/* Places a piece on a square of the zone; a piece that stood there is left again. False if none of
 * that kind is left or it may not start there. */
bool editor_place(struct editor *editor, square at, kind_id kind);

/* Removes a piece from the board. False if the square is empty. */
bool editor_lift(struct editor *editor, square at);

/* May the kind start on this square? KIND_NONE: is the square in the zone? */
bool editor_allows(const struct editor *editor, square at, kind_id kind);

/* Swaps two squares of the zone; one may be empty. False if both are empty, or one is outside or
 * not for the piece that would stand there. */
bool editor_swap(struct editor *editor, square a, square b);

/* Mirrors left and right. */
void editor_mirror(struct editor *editor);

/* Places the pieces left at random or, if none is left, the whole army anew. False with a fault if
 * no legal set-up was found. */
bool editor_shuffle(struct editor *editor, struct random *random, struct fault *fault);

void editor_clear(struct editor *editor);

/* Replaces the set-up. */
void editor_fill(struct editor *editor, const struct setup *setup);

/* False if there is nothing to undo or redo. */
bool editor_undo(struct editor *editor);
bool editor_redo(struct editor *editor);

/* Number of pieces left to place. */
int editor_left(const struct editor *editor);

/* The next empty square of the zone from `from` on, front rank first, wrapping around; SQUARE_NONE
 * if none is empty. */
square editor_free(const struct editor *editor, square from);

#endif
