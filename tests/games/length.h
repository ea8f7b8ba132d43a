/* length.h - whether tests that repeat one thing do so as often as their claim says: ENSIGN_LONG=1,
 * which `./test --long` sets. */
#ifndef ENSIGN_TESTS_GAMES_LENGTH_H
#define ENSIGN_TESTS_GAMES_LENGTH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool at_length(void) {
    const char *text = getenv("ENSIGN_LONG");
    return text && !strcmp(text, "1");
}

#endif
