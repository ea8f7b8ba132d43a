/* source_map.h - where in a Lua text a key of the table that it returns is written. */
#ifndef ENSIGN_LUA_SOURCE_MAP_H
#define ENSIGN_LUA_SOURCE_MAP_H

#include <stddef.h>

struct source_place {
    int line, column; /* from 1; 0 when nothing was found */
    int depth;        /* how many parts of the key were found */
};

/* `text` has `length` bytes and a 0 behind them.
 *
 * The place of a key such as "army.scout" in the constructor that `text` returns, directly or as
 * the local variable it ends with. If only the first parts of the key are written there, their
 * place; if none is, that of `return`. A number in brackets is an element of a list ("beats[2]",
 * "tests[3].move"). */
struct source_place source_map_find(const char *text, size_t length, const char *key);

#endif
