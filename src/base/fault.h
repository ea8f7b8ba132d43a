/* fault.h - what went wrong, where, and what would have been right.
 *
 * Whatever can fail on account of its input fills a `struct fault`; nothing below the command line
 * prints. One table gives each status its name and the exit code of the program. A fault is one
 * line of text without its place; `file`, `line` and `column` are kept apart so that editors can be
 * served, and are empty or 0 where they are not known. */
#ifndef ENSIGN_BASE_FAULT_H
#define ENSIGN_BASE_FAULT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum status {
    STATUS_OK,
    STATUS_TEXT,         /* malformed text: a move, set-up, position, record or Lua source */
    STATUS_RULES,        /* a variant that cannot be played as it is written */
    STATUS_SETUP,        /* a set-up that its variant does not allow */
    STATUS_ILLEGAL_MOVE, /* a move that the rules refuse */
    STATUS_SCRIPT,       /* a Lua error inside a script */
    STATUS_FUEL,         /* a script used up its work units */
    STATUS_TIME,         /* a script passed its deadline */
    STATUS_MEMORY,       /* a script passed its memory cap */
    STATUS_CRASH,        /* a player's process died */
    STATUS_KILLED,       /* a player's process was killed or stopped, but not by host or player */
    STATUS_NOT_FOUND,    /* no such file, variant, bot or kind */
    STATUS_USAGE,        /* wrong use of a command */
    STATUS_NO_MEMORY,    /* the host itself could not allocate */
    STATUS_SYSTEM,       /* the host itself failed: files, threads, processes */
    STATUS_COUNT
};

enum { FAULT_FILE_MAX = 256, FAULT_TEXT_MAX = 640 };

struct fault {
    enum status status;
    int line;   /* from 1; 0 when unknown */
    int column; /* from 1; 0 when unknown */
    char file[FAULT_FILE_MAX];
    char text[FAULT_TEXT_MAX]; /* safe UTF-8 (utf8.h), no final newline */
};

/* "ok", "text", …; never NULL. */
const char *status_name(enum status status);

/* What the program exits with: 0 done, 1 the input fell short, 2 wrong use, 3 the host failed. */
int status_exit_code(enum status status);

/* Fills `fault` (which may be NULL) with `status` and the formatted text, keeping its place.
 * What is not safe in it becomes '?' (utf8.h), a text that is too long is cut at a character's
 * border. Always returns false, so that `return fault_set(…)` reads well. */
bool fault_set(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool fault_setv(struct fault *fault, enum status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Says where; `file` NULL keeps the file, line or column 0 keeps theirs. `fault` may be NULL. */
void fault_place(struct fault *fault, const char *file, int line, int column);

/* Writes "file:line:column: text" without what is unknown. Returns the length that was needed. */
size_t fault_format(const struct fault *fault, char *out, size_t size);

#endif
