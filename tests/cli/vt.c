/* vt.c - what a terminal would show of the bytes that a program has written to it. */
#include "vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 16 };

static void blank(struct vt *vt, int row, int from, int to) {
    for (int column = from; column < to && column < VT_COLUMNS_MAX; column++) {
        strcpy(vt->glyph[row][column], " ");
    }
}

void vt_resize(struct vt *vt, int rows, int columns) {
    vt->rows = rows;
    vt->columns = columns;
    vt->top = 0;
    vt->bottom = rows - 1;
    if (vt->row >= rows) vt->row = rows - 1;
    if (vt->column >= columns) vt->column = columns - 1;
    vt->wraps = false;
}

void vt_open(struct vt *vt, int rows, int columns) {
    memset(vt, 0, sizeof *vt);
    vt_resize(vt, rows, columns);
    for (int row = 0; row < VT_ROWS_MAX; row++) blank(vt, row, 0, VT_COLUMNS_MAX);
}

/* Moves the lines from `row` to the bottom of the region up or (negative) down. */
static void scroll(struct vt *vt, int row, int lines) {
    for (; lines > 0; lines--) {
        for (int at = row; at < vt->bottom; at++) {
            memcpy(vt->glyph[at], vt->glyph[at + 1], sizeof vt->glyph[at]);
        }
        blank(vt, vt->bottom, 0, VT_COLUMNS_MAX);
    }
    for (; lines < 0; lines++) {
        for (int at = vt->bottom; at > row; at--) {
            memcpy(vt->glyph[at], vt->glyph[at - 1], sizeof vt->glyph[at]);
        }
        blank(vt, row, 0, VT_COLUMNS_MAX);
    }
}

static void line_feed(struct vt *vt) {
    if (vt->row == vt->bottom) {
        scroll(vt, vt->top, 1);
    } else if (vt->row + 1 < vt->rows) {
        vt->row++;
    }
}

static void put(struct vt *vt, const char *glyph) {
    if (vt->wraps) {
        vt->column = 0;
        line_feed(vt);
        vt->wraps = false;
    }
    strcpy(vt->glyph[vt->row][vt->column], glyph);
    if (glyph != vt->last) strcpy(vt->last, glyph);
    if (vt->column + 1 < vt->columns) {
        vt->column++;
    } else {
        vt->wraps = true;
    }
}

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

static void erase_display(struct vt *vt, int how) {
    int from = how == 0 ? vt->row + 1 : 0, to = how == 1 ? vt->row : vt->rows;
    if (how == 0) blank(vt, vt->row, vt->column, vt->columns);
    if (how == 1) blank(vt, vt->row, 0, vt->column + 1);
    for (int row = from; row < to; row++) blank(vt, row, 0, VT_COLUMNS_MAX);
}

static void insert_cells(struct vt *vt, int count) {
    for (int column = vt->columns - 1; column >= vt->column; column--) {
        const char *from = column - count >= vt->column ? vt->glyph[vt->row][column - count] : " ";
        memmove(vt->glyph[vt->row][column], from, strlen(from) + 1);
    }
}

static void delete_cells(struct vt *vt, int count) {
    for (int column = vt->column; column < vt->columns; column++) {
        const char *from = column + count < vt->columns ? vt->glyph[vt->row][column + count] : " ";
        memmove(vt->glyph[vt->row][column], from, strlen(from) + 1);
    }
}

/* A control sequence: its final byte, its numbers, and whether it began with '?'. */
static void control(struct vt *vt, char final, const int *number, bool private) {
    int first = number[0], one = first ? first : 1;
    if (final == 'h' || final == 'l') {
        if (private && (first == 1049 || first == 47)) vt->other = final == 'h';
        if (private && first == 25) vt->hides_cursor = final == 'l';
        return;
    }
    if (private || final == 'm' || final == 'n' || final == 't' || final == 'c') return;
    vt->wraps = vt->wraps && (final == 'b' || final == 'K' || final == 'X');
    switch (final) {
    case 'A':
        vt->row = clamp(vt->row - one, vt->rows - 1);
        break;
    case 'B':
        vt->row = clamp(vt->row + one, vt->rows - 1);
        break;
    case 'C':
        vt->column = clamp(vt->column + one, vt->columns - 1);
        break;
    case 'D':
        vt->column = clamp(vt->column - one, vt->columns - 1);
        break;
    case 'G':
        vt->column = clamp(one - 1, vt->columns - 1);
        break;
    case 'd':
        vt->row = clamp(one - 1, vt->rows - 1);
        break;
    case 'H':
        vt->row = clamp(one - 1, vt->rows - 1);
        vt->column = clamp(number[1] - 1, vt->columns - 1);
        break;
    case 'J':
        erase_display(vt, first);
        break;
    case 'K':
        blank(vt, vt->row, first == 0 ? vt->column : 0, first == 1 ? vt->column + 1 : vt->columns);
        break;
    case 'X':
        blank(vt, vt->row, vt->column, vt->column + one);
        break;
    case 'L':
        scroll(vt, vt->row, -one);
        break;
    case 'M':
        scroll(vt, vt->row, one);
        break;
    case 'S':
        scroll(vt, vt->top, one);
        break;
    case 'T':
        scroll(vt, vt->top, -one);
        break;
    case '@':
        insert_cells(vt, one);
        break;
    case 'P':
        delete_cells(vt, one);
        break;
    case 'b':
        while (one--) put(vt, vt->last);
        break;
    case 'r':
        vt->top = clamp(one - 1, vt->rows - 1);
        vt->bottom = number[1] ? clamp(number[1] - 1, vt->rows - 1) : vt->rows - 1;
        vt->row = vt->column = 0;
        break;
    default:
        fprintf(stderr, "vt: unknown sequence ending with '%c'\n", final);
        abort();
    }
}

/* Bytes of the escape sequence at `text`; 0 while it is not complete. */
static size_t escape(struct vt *vt, const char *text, size_t length) {
    int number[ARGUMENTS_MAX] = {0}, count = 0;
    if (length < 2) return 0;
    if (text[1] == '(' || text[1] == ')') return length < 3 ? 0 : 3;
    if (text[1] == 'M') {
        if (vt->row == vt->top) {
            scroll(vt, vt->top, -1);
        } else if (vt->row) {
            vt->row--;
        }
    }
    if (text[1] != '[') return 2;
    size_t at = 2;
    bool private = at < length && (text[at] == '?' || text[at] == '>');
    for (at += private; at < length; at++) {
        char byte = text[at];
        if (byte >= '0' && byte <= '9') {
            number[count] = number[count] * 10 + byte - '0';
        } else if (byte == ';') {
            if (count + 1 < ARGUMENTS_MAX) count++;
        } else if (byte >= '@' && byte <= '~') {
            control(vt, byte, number, private);
            return at + 1;
        }
    }
    return 0;
}

/* Bytes of what stands at `text`; 0 while it is not complete. */
static size_t take(struct vt *vt, const char *text, size_t length) {
    unsigned char byte = (unsigned char)*text;
    char glyph[VT_GLYPH_MAX] = "";
    switch (byte) {
    case '\033':
        return escape(vt, text, length);
    case '\r':
        vt->column = 0;
        vt->wraps = false;
        return 1;
    case '\n':
        line_feed(vt);
        return 1;
    case '\b':
        vt->column -= vt->column > 0;
        vt->wraps = false;
        return 1;
    case '\t':
        vt->column = clamp((vt->column / 8 + 1) * 8, vt->columns - 1);
        return 1;
    default:
        break;
    }
    size_t bytes = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (bytes > length) return 0;
    memcpy(glyph, text, bytes);
    if (byte >= ' ') put(vt, glyph);
    return bytes;
}

void vt_read(struct vt *vt, const char *output, size_t length) {
    while (vt->used < length) {
        size_t bytes = take(vt, output + vt->used, length - vt->used);
        if (!bytes) return;
        vt->used += bytes;
    }
}

const char *vt_row(const struct vt *vt, int row) {
    static char text[VT_COLUMNS_MAX * VT_GLYPH_MAX];
    size_t length = 0, end = 0;
    for (int column = 0; column < vt->columns; column++) {
        const char *glyph = vt->glyph[row][column];
        memcpy(text + length, glyph, strlen(glyph));
        length += strlen(glyph);
        if (strcmp(glyph, " ") != 0) end = length;
    }
    text[end] = 0;
    return text;
}

bool vt_shows(const struct vt *vt, const char *text) {
    for (int row = 0; row < vt->rows; row++) {
        if (strstr(vt_row(vt, row), text)) return true;
    }
    return false;
}

char *vt_text(const struct vt *vt) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int row = 0; row < vt->rows; row++) fprintf(out, "%s\n", vt_row(vt, row));
    fclose(out);
    return text;
}
