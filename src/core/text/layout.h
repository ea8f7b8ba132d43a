/* layout.h - set-ups and positions as text.
 *
 * Writers add a final 0 and return the length without it. Readers take a length, accept the
 * writers' output with blanks and comments between the ranks, and place faults at line and column
 * of the text. */
#ifndef ENSIGN_CORE_TEXT_LAYOUT_H
#define ENSIGN_CORE_TEXT_LAYOUT_H

#include "core/play/position.h"

enum {
    SETUP_TEXT_MAX = BOARD_SQUARES_MAX + BOARD_LINES_MAX + 1,
    POSITION_TEXT_MAX = 2 * BOARD_SQUARES_MAX + BOARD_LINES_MAX + 8
};

/* One line, ranks joined with '/', front rank first. `out` holds SETUP_TEXT_MAX bytes. */
size_t setup_write(const struct rules *rules, enum side side, const struct setup *setup, char *out);

/* Ranks are separated by '/' or line ends; blank lines and comments from '#' are skipped; letters
 * may be of either case, and a label ("10", "1") stands for a letter where none is like its start.
 * Does not check the set-up: see setup_check(). */
bool setup_read(const struct rules *rules, enum side side, const char *text, size_t length,
                struct setup *setup, struct fault *fault);

/* "…/…/… red". `out` holds POSITION_TEXT_MAX bytes. */
size_t position_write(const struct rules *rules, const struct position *position, char *out);
bool position_read(const struct rules *rules, const char *text, size_t length,
                   struct position *position, struct fault *fault);

#endif
