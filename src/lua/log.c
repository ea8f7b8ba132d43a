/* log.c - cuts a text into lines and keeps to the bytes of a game. */
#include "log.h"

#include "base/utf8.h"
#include "lua/logbook.h"

#include <stdio.h>
#include <string.h>

void log_tell(struct log *log, uint32_t ply, const char *callback, const char *text,
              size_t length) {
    char line[LOGBOOK_ROOM];
    for (size_t at = 0; at < length && log->used <= LOG_GAME_MAX;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        size_t kept = size < sizeof line ? size : sizeof line - 1;
        memcpy(line, text + at, kept);
        line[kept] = 0;
        utf8_make_safe(line);
        at += size + 1;
        log->used += size + 1;
        if (log->used > LOG_GAME_MAX)
            snprintf(line, sizeof line, "(cut: more than %d bytes in this game)", LOG_GAME_MAX);
        log->sink->take(log->sink->context, &(const struct log_line){ply, callback, line});
    }
}
