/* player_name.h - what people may call themselves, in any script: the one rule for all names that
 * others see.
 *
 * A letter is a character with the marks that it bears; an emoji of several characters is one, and
 * so is a flag. The page counts them in the same way (src/serve/page/name.js). */
#ifndef ENSIGN_BASE_PLAYER_NAME_H
#define ENSIGN_BASE_PLAYER_NAME_H

#include "fault.h"

enum {
    PLAYER_NAME_LETTERS = 40,
    PLAYER_NAME_BYTES = 400, /* 10 a letter; an emoji may have 35 */
};

/* Can it be a name? It has at most so many letters, one of which at least is to be seen, and no
 * unsafe character (utf8.h). False with a STATUS_TEXT fault. */
bool player_name_check(const char *name, struct fault *fault);

#endif
