/* sanitized.h - whether this build has sanitizers, which make everything several times slower:
 * tests that repeat one thing then do it less often. */
#ifndef ENSIGN_TESTS_GAMES_SANITIZED_H
#define ENSIGN_TESTS_GAMES_SANITIZED_H

#include <stdbool.h>

static inline bool sanitized(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
    return false;
#endif
}

#endif
