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
#include <stdint.h>

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

/* What a bot prints, on its way to the person who runs the host.
 *
 * A log is built from what the bot's process holds, its side's view. It goes to that person and
 * nowhere else: no player is told of it. The host checks everything again that a process sends. */

enum { LOG_GAME_MAX = 1 << 20 }; /* bytes of one bot in one game; lua/logbook.h limits a turn */

/* A line: the ply that is being played (`move`) or was played last, and the bot's function. */
struct log_line {
    uint32_t ply;
    const char *callback; /* "load", "setup", "start", "move", "observe", "finish" */
    const char *text;     /* safe to print, without a line end */
};

struct log_sink {
    void (*take)(void *context, const struct log_line *line);
    void *context;
};

/* The log of one bot in one game. */
struct log {
    const struct log_sink *sink; /* NULL: nobody reads it */
    size_t used;
};

/* Passes on the lines of a text; once the game's bytes are used up, a last line says so. */
void log_tell(struct log *log, uint32_t ply, const char *callback, const char *text, size_t length);

#endif
