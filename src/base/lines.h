/* lines.h - a text read line by line, blank lines passed over. */
#ifndef ENSIGN_BASE_LINES_H
#define ENSIGN_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
    const char *text;
    size_t length, at;
    int number;       /* of the line read last, from 1; 0 before the first */
    int column;       /* of its first character, from 1 */
    const char *line; /* without blanks around it; not ended by 0 */
    size_t line_length;
};

struct lines lines_of(const char *text, size_t length);

/* The next line that is not blank. False at the end, where number and line stay. */
bool lines_next(struct lines *lines);

#endif
