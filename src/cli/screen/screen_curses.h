/* screen_curses.h - the terminal as a screen. */
#ifndef ENSIGN_CLI_SCREEN_SCREEN_CURSES_H
#define ENSIGN_CLI_SCREEN_SCREEN_CURSES_H

#include "base/fault.h"
#include "lua/language.h"
#include "screen.h"

#include <sys/types.h>
#include <unistd.h>

/* Are standard input and output a terminal that can position its cursor (TERM)? If only the kind of
 * terminal is in the way, a line on standard error says so. */
#if ENSIGN_SCREEN
bool screen_curses_usable(const struct language *language);
#else /* false; says so on a terminal */
static inline bool screen_curses_usable(const struct language *language) {
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        language_line(stderr, language,
                      "ensign: plain lines instead of the screen: this program was built without "
                      "ENSIGN_SCREEN");
    return false;
}
#endif

/* Takes over the terminal; screen_close() restores it. While the screen is open SIGINT, SIGTERM and
 * SIGHUP close it (see screen->signal), and a crash restores the terminal before the process dies.
 * One screen at a time. `screen` must not move in memory. Colours are used unless NO_COLOR is set.
 * False with a fault. */
bool screen_curses_open(struct screen *screen, struct fault *fault);

#endif
