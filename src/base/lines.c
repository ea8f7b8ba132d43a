/* lines.c - ends of lines in every form, and a reader that skips blank lines. */
#include "lines.h"

#include <string.h>

size_t lines_break(const char *at, const char *end) {
    if (at == end || (*at != '\n' && *at != '\r')) return 0;
    return at + 1 < end && at[1] != *at && (at[1] == '\n' || at[1] == '\r') ? 2 : 1;
}

/* Looked for piece by piece: where only one kind of end occurs, the other would be looked for in
 * the whole rest of the text, line after line. */
size_t lines_length(const char *text, size_t length) {
    enum { PIECE = 256 };
    for (size_t at = 0; at < length; at += PIECE) {
        const size_t piece = length - at < PIECE ? length - at : PIECE;
        const char *feed = memchr(text + at, '\n', piece);
        const size_t before = feed ? (size_t)(feed - text) - at : piece;
        const char *carriage = memchr(text + at, '\r', before);
        if (carriage) return (size_t)(carriage - text);
        if (feed) return at + before;
    }
    return length;
}

int lines_number(const char *text, const char *at) {
    int number = 1;
    for (size_t step; text < at; text += step ? step : 1) {
        step = lines_break(text, at);
        number += step > 0;
    }
    return number;
}

size_t lines_mark(const char *text, size_t length) {
    return length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

struct lines lines_of(const char *text, size_t length) {
    return (struct lines){
        .text = text, .length = length, .at = lines_mark(text, length), .line = text, .column = 1};
}

bool lines_next(struct lines *lines) {
    while (lines->at < lines->length) {
        const char *line = lines->text + lines->at;
        size_t length = lines_length(line, lines->length - lines->at), blanks = 0;
        lines->at += length + lines_break(line + length, lines->text + lines->length);
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
