/* source_map.h - where the Lua of a file begins, and where it writes a key of the table it
 * returns. */
#ifndef ENSIGN_LUA_SOURCE_MAP_H
#define ENSIGN_LUA_SOURCE_MAP_H

#include <stddef.h>

struct source_place {
    int line, column; /* from 1; 0 when nothing was found */
    int depth;        /* parts of the key that were found */
};

/* Bytes before the Lua of a file: a byte order mark, and a first line that begins with '#' (of an
 * executable script), as Lua's own loader skips them. The line's end stays: lines keep their
 * numbers. */
size_t source_head(const char *text, size_t length);

/* `text` has `length` bytes and a final 0.
 *
 * Finds a key such as "army.scout" in the constructor that `text` returns, directly or by a local
 * variable. If only the first parts of the key are there, the place is theirs; if none is, that of
 * `return`. A number in brackets is an element of a list ("beats[2]", "tests[3].move"). */
struct source_place source_map_find(const char *text, size_t length, const char *key);

#endif
