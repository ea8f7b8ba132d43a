/* lines.c - reads a text line by line, skipping a byte order mark in front. */
#include "lines.h"

#include <string.h>

struct lines lines_of(const char *text, size_t length) {
    struct lines lines = {.text = text, .length = length, .line = text, .column = 1};
    if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) lines.at = 3;
    return lines;
}

bool lines_next(struct lines *lines) {
    while (lines->at < lines->length) {
        const char *line = lines->text + lines->at;
        const char *end = memchr(line, '\n', lines->length - lines->at);
        size_t length = end ? (size_t)(end - line) : lines->length - lines->at, blanks = 0;
        lines->at += length + 1;
        lines->number++;
        while (length && lines_blank(line[length - 1])) length--;
        while (blanks < length && lines_blank(line[blanks])) blanks++;
        if (blanks == length) continue;
        lines->line = line + blanks;
        lines->line_length = length - blanks;
        lines->column = (int)blanks + 1;
        return true;
    }
    return false;
}
