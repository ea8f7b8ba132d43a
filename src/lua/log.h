/* log.h - what a bot prints, on its way to the person who runs the host.
 *
 * A log is built from what the bot's process holds, its side's view. It goes to that person and
 * nowhere else: no player is told of it. The host checks everything again that a process sends. */
#ifndef ENSIGN_LUA_LOG_H
#define ENSIGN_LUA_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
