/* screen_curses.h - the terminal as a screen. */
#ifndef ENSIGN_CLI_SCREEN_SCREEN_CURSES_H
#define ENSIGN_CLI_SCREEN_SCREEN_CURSES_H

#include "base/fault.h"
#include "screen.h"

/* Can standard input and output carry a screen? Not when one of them is no terminal, or the
 * terminal (TERM) cannot place its cursor. */
bool screen_curses_usable(void);

/* Takes the terminal; screen_close() gives it back. While the screen is open SIGINT, SIGTERM and
 * SIGHUP close it (see screen->signal), and a crash restores the terminal before the process dies.
 * One screen at a time. `screen` must stay where it is. Colours are used unless NO_COLOR is set.
 * False with a fault. */
bool screen_curses_open(struct screen *screen, struct fault *fault);

#endif
