/* kind_names.h - finds the kind that somebody means. */
#ifndef ENSIGN_LUA_KIND_NAMES_H
#define ENSIGN_LUA_KIND_NAMES_H

#include "language.h"

/* The kind with this name (in English or in the language), letter or label, in either case, or
 * KIND_NONE. Reads `length` bytes of `text`; blanks at the end do not count. */
kind_id kind_called(const struct language *language, const struct rules *rules, const char *text,
                    size_t length);

#endif
