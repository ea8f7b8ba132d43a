/* suspicions.h - what a person thinks that hidden enemy pieces are.
 *
 * A mark belongs to a piece by the square on which it was first seen, so it moves with it. It is
 * shown while the piece is hidden and may still be of that kind. Marks are only for their owner's
 * screen and file: no view, record, event or bot has them. */
#ifndef ENSIGN_CLI_SUSPICIONS_H
#define ENSIGN_CLI_SUSPICIONS_H

#include "host/record.h"
#include "picture.h"

/* Of one side. All zero: no marks. */
struct suspicions {
    kind_id kind[BOARD_SQUARES_MAX]; /* by the first square of the piece; KIND_NONE: no mark */
};

/* The kinds that the piece on a square may be marked as; empty unless it is a hidden enemy. */
kindset suspicions_choices(const struct view *view, square at);

/* The first square of the piece on a square, which must have choices: its place in `kind`. */
square suspicions_place(const struct view *view, square at);

/* Adds the marks to a picture of this view. Where the rules limit sight, the mark of a piece that
 * has gone out of sight is dropped. */
void suspicions_show(struct suspicions *marks, const struct view *view, struct picture *picture);

/* Keeps the marks of a side in the tag "RedMarks" or "BlueMarks" of its owner's saved game, "c9
 * bomb, d8 marshal"; without marks the tag is empty. False if memory is short. */
bool suspicions_write(const struct suspicions *marks, const struct rules *rules, enum side side,
                      struct record *tags);

/* Reads that tag; what makes no sense is left out. */
void suspicions_read(struct suspicions *marks, const struct rules *rules, enum side side,
                     const struct record *tags);

#endif
