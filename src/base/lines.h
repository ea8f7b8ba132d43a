/* lines.h - reads a text line by line, skipping blank lines. */
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

struct lines lines_of(const char *text, size_t length);

/* The next line that is not blank. False at the end, where number and line stay. */
bool lines_next(struct lines *lines);

#endif
