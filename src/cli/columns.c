/* columns.c - measuring, cutting, padding and wrapping text in terminal columns. */
#define _GNU_SOURCE /* wcwidth */
#include "columns.h"

#include "base/utf8.h"

#include <string.h>
#include <wchar.h>

/* One character: its bytes, its columns, and the text printed for it: itself, without selectors and
 * joiners, whose columns no terminal agrees on, or "?". */
struct glyph {
    size_t bytes, shown_bytes;
    const char *shown;
    int columns;
};

static struct glyph glyph_at(const char *text) {
    uint32_t character = 0;
    const size_t bytes = utf8_read(text, &character), safe = utf8_safe_length(text, SIZE_MAX);
    const int columns = safe ? wcwidth((wchar_t)character) : -1;
    struct glyph glyph = {.bytes = safe, .shown = text, .shown_bytes = bytes, .columns = columns};
    if (columns >= 0) return glyph;
    if (!safe) glyph.bytes = bytes ? bytes : 1;
    glyph.shown = "?";
    glyph.shown_bytes = 1;
    glyph.columns = 1;
    return glyph;
}

int columns_of(const char *text, size_t length) {
    int columns = 0;
    for (size_t at = 0; at < length && text[at];) {
        struct glyph glyph = glyph_at(text + at);
        columns += glyph.columns;
        at += glyph.bytes;
    }
    return columns;
}

int columns_cut(char *out, size_t size, const char *text, int columns) {
    int taken = 0;
    size_t used = 0;
    while (*text) {
        struct glyph glyph = glyph_at(text);
        if (taken + glyph.columns > columns || used + glyph.shown_bytes + 1 > size) break;
        memcpy(out + used, glyph.shown, glyph.shown_bytes);
        used += glyph.shown_bytes;
        taken += glyph.columns;
        text += glyph.bytes;
    }
    if (size) out[used] = 0;
    return taken;
}

size_t columns_break(const char *text, int columns) {
    size_t at = 0, behind_blank = 0;
    for (int taken = 0; text[at] && text[at] != '\n';) {
        struct glyph glyph = glyph_at(text + at);
        taken += glyph.columns;
        if (taken > columns && text[at] != ' ' && at) return behind_blank ? behind_blank : at;
        at += glyph.bytes;
        if (text[at - 1] == ' ') behind_blank = at;
    }
    return at;
}

/* Prints the first `length` bytes. */
static int print_part(FILE *out, const char *text, size_t length) {
    int columns = 0;
    for (size_t at = 0; at < length && text[at];) {
        struct glyph glyph = glyph_at(text + at);
        fwrite(glyph.shown, 1, glyph.shown_bytes, out);
        columns += glyph.columns;
        at += glyph.bytes;
    }
    return columns;
}

int columns_print(FILE *out, const char *text, int columns) {
    int taken = columns_of(text, SIZE_MAX), width = columns < 0 ? -columns : columns;
    int blanks = width > taken ? width - taken : 0;
    if (columns < 0) fprintf(out, "%*s", blanks, "");
    print_part(out, text, SIZE_MAX);
    if (columns >= 0) fprintf(out, "%*s", blanks, "");
    return taken + blanks;
}

void columns_wrap(FILE *out, const char *text, int column, int indent, int limit) {
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column + columns_of(text, word) + 1 > limit && column > indent) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            column += fprintf(out, " ");
        }
        column += print_part(out, text, word);
        text += word + strspn(text + word, " ");
    }
    fputc('\n', out);
}
