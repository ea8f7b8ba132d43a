/* notation.h - squares and moves as text; README.md describes the forms.
 *
 * Writers return the length they needed, like snprintf, and always end what they wrote with 0.
 * Readers take a length, accept what is written here and nothing else, and place their fault at
 * line and column of the given text. */
#ifndef ENSIGN_CORE_TEXT_NOTATION_H
#define ENSIGN_CORE_TEXT_NOTATION_H

#include "core/play/legal.h"

enum { SQUARE_TEXT_MAX = 4, MOVE_TEXT_MAX = 96 };

/* "a1". `out` holds SQUARE_TEXT_MAX bytes. */
size_t square_write(const struct board *board, square at, char *out);

/* Reads a square from the start of `text`; returns the bytes used, 0 if there is none. A square
 * beyond the board is read as SQUARE_NONE. */
size_t square_read(const struct board *board, const char *text, size_t length, square *at);

/* "a4-a5", "a4xa5", "e7@e9=bomb", "e6-e7@e8=marshal"; the ability's name stands before the target
 * ("e7@sabotage:e9=bomb") when the piece has several. `game` is the position before the move. `out`
 * holds MOVE_TEXT_MAX bytes. */
size_t move_write(const struct game *game, struct move move, char *out);

/* Reads a move and judges it. Unless it is LEGAL `fault` (may be NULL) says why in words:
 * STATUS_TEXT where the text means no move (ILLEGAL_TEXT, ILLEGAL_OFF_BOARD), and then `move` is
 * left alone; else STATUS_ILLEGAL_MOVE. */
enum verdict move_read(const struct game *game, const char *text, size_t length, struct move *move,
                       struct fault *fault);

#endif
