/* logbook.h - what a script prints, until the owner of the script takes it.
 *
 * Printing costs no fuel, draws no chance, runs no script and takes no memory of the Lua state: a
 * game is the same whether anybody reads its logs or not. Without a logbook nothing is even
 * formatted. */
#ifndef ENSIGN_LUA_LOGBOOK_H
#define ENSIGN_LUA_LOGBOOK_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    LOGBOOK_MAX = 8 << 10, /* bytes between two clearings */
    LOGBOOK_ROOM = LOGBOOK_MAX + 64
};

struct logbook {
    char text[LOGBOOK_ROOM]; /* whole lines of safe characters (base/utf8.h) */
    size_t length;
    bool cut;    /* something did not fit; the last line says so */
    bool closed; /* what is printed now is dropped */

    /* Writes an object of the host, the userdata at `index`, by logbook_add(); false if it is
     * another. NULL: there are none. */
    bool (*show)(void *context, lua_State *lua, int index, struct logbook *book);
    void *context;
};

void logbook_clear(struct logbook *book);

/* Adds text, with a final 0 behind it, of which unsafe characters become '?'; line ends stay. */
void logbook_add(struct logbook *book, const char *text, size_t length);

/* Adds the values from argument `first` on as one line. Tables are shown with their contents,
 * without calling metamethods. */
void logbook_print(struct logbook *book, lua_State *lua, int first);

#endif
