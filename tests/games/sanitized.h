/* sanitized.h - whether this build has sanitizers, which make everything several times slower:
 * tests that repeat one thing then do it less often. */
#ifndef ENSIGN_TESTS_GAMES_SANITIZED_H
#define ENSIGN_TESTS_GAMES_SANITIZED_H

#include <stdbool.h>

static inline bool sanitized(void) {
#ifdef ENSIGN_SANITIZED
    return true;
#else
    return false;
#endif
}

#endif
