/* lines.h - where lines of a text from outside begin and end, and a reader of them.
 *
 * A line ends with LF, CR, CR LF or LF CR, as Lua counts the lines of a file; a byte order mark
 * before the first is no part of it. */
#ifndef ENSIGN_BASE_LINES_H
#define ENSIGN_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
    const char *text;
    size_t length, at;
    int number;       /* of the line read last, from 1; 0 before the first */
    int column;       /* of its first character, from 1 */
    const char *line; /* without surrounding blanks; no final 0 */
    size_t line_length;
};

/* Is it a blank within a line? */
static inline bool lines_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Bytes of the end of a line that begins at `at`, which is at most `end`; 0: it does not end
 * there. */
size_t lines_break(const char *at, const char *end);

/* Length of the line at the start of `text`, without its end. */
size_t lines_length(const char *text, size_t length);

/* Number of the line that holds `at`, from 1. */
int lines_number(const char *text, const char *at);

/* Bytes of the byte order mark at the start of `text`: 3 or 0. */
size_t lines_mark(const char *text, size_t length);

struct lines lines_of(const char *text, size_t length);

/* The next line that is not blank. False at the end, where number and line stay. */
bool lines_next(struct lines *lines);

#endif
