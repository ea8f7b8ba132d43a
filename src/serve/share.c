/* share.c - a head for a page, and a board drawn square by square into a picture of few colours. */
#include "share.h"

#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PAGE_BYTES = 1 << 16, EDGE = 630, MARGIN = 15 };

bool share_path(const char *path, char id[ROOM_ID_MAX], bool *picture) {
    static const char folder[] = "/game/", end[] = ".png";
    if (strncmp(path, folder, sizeof folder - 1) != 0) return false;
    path += sizeof folder - 1;
    const size_t length =
        strspn(path, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    *picture = !strcmp(path + length, end);
    if (!length || length >= ROOM_ID_MAX || (path[length] && !*picture)) return false;
    memcpy(id, path, length);
    id[length] = 0;
    return true;
}

/* Adds a text as it stands in an attribute. */
static void add_escaped(struct buffer *out, const char *text) {
    for (; *text; text++) {
        const char *safe = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (safe)
            buffer_add_text(out, safe);
        else
            buffer_add(out, text, 1);
    }
}

static void add_meta(struct buffer *out, const char *how, const char *name, const char *value,
                     const char *more) {
    buffer_add_text(out, "<meta ");
    buffer_add_text(out, how);
    buffer_add_text(out, "=\"");
    buffer_add_text(out, name);
    buffer_add_text(out, "\" content=\"");
    add_escaped(out, value);
    add_escaped(out, more);
    buffer_add_text(out, "\">\n");
}

static void add_head(struct buffer *out, const struct room_card *card, const char *id,
                     const char *origin) {
    char picture[ROOM_ID_MAX + 16], edge[16];
    snprintf(picture, sizeof picture, "game/%s.png", id);
    snprintf(edge, sizeof edge, "%d", EDGE);
    add_meta(out, "name", "description", card->about, "");
    buffer_add_text(out, "<title>");
    add_escaped(out, card->title);
    buffer_add_text(out, " – Ensign</title>\n");
    add_meta(out, "property", "og:site_name", "Ensign", "");
    add_meta(out, "property", "og:type", "website", "");
    add_meta(out, "property", "og:title", card->title, "");
    add_meta(out, "property", "og:description", card->about, "");
    add_meta(out, "property", "og:image", origin, picture);
    add_meta(out, "property", "og:image:width", edge, "");
    add_meta(out, "property", "og:image:height", edge, "");
    add_meta(out, "name", "twitter:card", "summary", "");
}

bool share_page(const struct net_page *index, const struct room_card *card, const char *id,
                const char *origin, struct net_page *page) {
    static const char begin[] = "<meta name=\"description\"", end[] = "</title>\n";
    struct buffer out = buffer_of(PAGE_BYTES);
    char *text = strndup(index->bytes, index->length);
    char *from = text ? strstr(text, begin) : NULL, *to = from ? strstr(from, end) : NULL;
    if (to) {
        buffer_add(&out, text, (size_t)(from - text));
        add_head(&out, card, id, origin);
        buffer_add_text(&out, to + sizeof end - 1);
    }
    free(text);
    const size_t length = out.length;
    char *bytes = buffer_take(&out);
    *page = (struct net_page){
        .type = "text/html; charset=utf-8", .bytes = bytes, .length = length, .owned = bytes};
    return bytes;
}

/* The colours of the page (style.css, light). */
enum colour { PAPER, LAND, LINE, LAKE, RED_PIECE, BLUE_PIECE, INK, COLOURS };
static const unsigned char PALETTE[COLOURS][3] = {
    {0xf4, 0xf1, 0xea}, {0xe9, 0xe2, 0xcf}, {0xcf, 0xc5, 0xab}, {0xa9, 0xcb, 0xd8},
    {0xb5, 0x38, 0x2f}, {0x27, 0x59, 0x9c}, {0xff, 0xff, 0xff}};

/* Letters of 5 x 7 points, row by row from the top, the left point in the highest of five bits. */
enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7 };
static const char GLYPHS[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const unsigned char GLYPH[][GLYPH_HEIGHT] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},      {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},       {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},   {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30},
    {14, 17, 16, 16, 16, 17, 14}, {28, 18, 17, 17, 17, 18, 28}, {31, 16, 16, 30, 16, 16, 31},
    {31, 16, 16, 30, 16, 16, 16}, {14, 17, 16, 23, 17, 17, 15}, {17, 17, 17, 31, 17, 17, 17},
    {14, 4, 4, 4, 4, 4, 14},      {7, 2, 2, 2, 2, 18, 12},      {17, 18, 20, 24, 20, 18, 17},
    {16, 16, 16, 16, 16, 16, 31}, {17, 27, 21, 21, 17, 17, 17}, {17, 17, 25, 21, 19, 17, 17},
    {14, 17, 17, 17, 17, 17, 14}, {30, 17, 17, 30, 16, 16, 16}, {14, 17, 17, 17, 21, 18, 13},
    {30, 17, 17, 30, 20, 18, 17}, {15, 16, 16, 14, 1, 1, 30},   {31, 4, 4, 4, 4, 4, 4},
    {17, 17, 17, 17, 17, 17, 14}, {17, 17, 17, 17, 17, 10, 4},  {17, 17, 17, 21, 21, 21, 10},
    {17, 17, 10, 4, 10, 17, 17},  {17, 17, 17, 10, 4, 4, 4},    {31, 1, 2, 4, 8, 16, 31}};

/* A picture, each row after a byte 0: that it is not filtered (PNG, 9.2). */
struct drawing {
    unsigned char *points;
};

static void fill(const struct drawing *drawing, int x, int y, int width, int height,
                 enum colour colour) {
    for (int row = y; row < y + height; row++)
        memset(drawing->points + row * (EDGE + 1) + 1 + x, (int)colour, (size_t)width);
}

/* A square with round corners; a disc if they are half as large. */
static void fill_round(const struct drawing *drawing, int x, int y, int size, int corner,
                       enum colour colour) {
    for (int row = 0; row < size; row++) {
        const int near = row < size - 1 - row ? row : size - 1 - row;
        const int up = corner - near;
        int inset = 0;
        if (up > 0)
            while (inset < corner &&
                   (corner - inset) * (corner - inset) + up * up > corner * corner)
                inset++;
        fill(drawing, x + inset, y + row, size - 2 * inset, 1, colour);
    }
}

static void draw_label(const struct drawing *drawing, const char *label, int x, int y, int size) {
    const int letters = (int)strlen(label), width = letters * (GLYPH_WIDTH + 1) - 1;
    int point = size / 2 / GLYPH_HEIGHT;
    while (point > 1 && width * point > size * 3 / 4) point--;
    x += (size - width * point) / 2;
    y += (size - GLYPH_HEIGHT * point) / 2;
    for (; *label; label++, x += (GLYPH_WIDTH + 1) * point) {
        const char upper = *label >= 'a' && *label <= 'z' ? (char)(*label - 'a' + 'A') : *label;
        const char *known = strchr(GLYPHS, upper);
        for (int row = 0; known && row < GLYPH_HEIGHT; row++)
            for (int column = 0; column < GLYPH_WIDTH; column++)
                if (GLYPH[known - GLYPHS][row] >> (GLYPH_WIDTH - 1 - column) & 1)
                    fill(drawing, x + column * point, y + row * point, point, point, INK);
    }
}

static void draw_square(const struct drawing *drawing, const struct card_square *shown, int x,
                        int y, int size) {
    fill(drawing, x, y, size, size, LINE);
    fill(drawing, x, y, size - 1, size - 1, shown->type == CARD_LAKE ? LAKE : LAND);
    if (shown->type != CARD_RED && shown->type != CARD_BLUE) return;
    const int inset = size / 10, piece = size - 2 * inset;
    if (shown->type == CARD_RED)
        fill_round(drawing, x + inset, y + inset, piece, piece / 6, RED_PIECE);
    else
        fill_round(drawing, x + inset, y + inset, piece, piece / 2, BLUE_PIECE);
    draw_label(drawing, shown->label, x + inset, y + inset, piece);
}

static void draw_board(const struct drawing *drawing, const struct room_card *card) {
    const int lines = card->files > card->ranks ? card->files : card->ranks;
    const int size = (EDGE - 2 * MARGIN) / lines;
    const int left = (EDGE - size * card->files) / 2, top = (EDGE - size * card->ranks) / 2;
    fill(drawing, 0, 0, EDGE, EDGE, PAPER);
    for (int rank = 0; rank < card->ranks; rank++)
        for (int file = 0; file < card->files; file++)
            draw_square(drawing, &card->at[rank * card->files + file], left + file * size,
                        top + (card->ranks - 1 - rank) * size, size);
}

static void add_number(struct buffer *out, uint32_t number) {
    const unsigned char bytes[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                                    (unsigned char)(number >> 8), (unsigned char)number};
    buffer_add(out, bytes, sizeof bytes);
}

/* A chunk of PNG: length, name, data, checksum. */
static void add_chunk(struct buffer *out, const char *name, const void *data, size_t length) {
    add_number(out, (uint32_t)length);
    const size_t from = out->length;
    buffer_add(out, name, 4);
    buffer_add(out, data, length);
    if (out->broken) return;
    add_number(out, (uint32_t)crc32(0, (const Bytef *)out->text + from, (uInt)(length + 4)));
}

static void write_png(struct buffer *out, const unsigned char *data, size_t length) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    /* Width, height, 8 bits a point, of a palette. */
    static const unsigned char header[] = {0,          0, EDGE >> 8, EDGE & 255, 0, 0, EDGE >> 8,
                                           EDGE & 255, 8, 3,         0,          0, 0};
    buffer_add(out, signature, sizeof signature);
    add_chunk(out, "IHDR", header, sizeof header);
    add_chunk(out, "PLTE", PALETTE, sizeof PALETTE);
    add_chunk(out, "IDAT", data, length);
    add_chunk(out, "IEND", "", 0);
}

bool share_picture(const struct room_card *card, struct net_page *page) {
    enum { POINTS = EDGE * (EDGE + 1) };
    const struct drawing drawing = {calloc(1, POINTS)};
    uLongf length = compressBound(POINTS);
    Bytef *data = malloc(length);
    struct buffer out = buffer_of(PAGE_BYTES);
    if (drawing.points && data) {
        draw_board(&drawing, card);
        if (compress2(data, &length, drawing.points, POINTS, Z_BEST_SPEED) == Z_OK)
            write_png(&out, data, length);
    }
    free(drawing.points);
    free(data);
    const size_t bytes = out.length;
    char *text = buffer_take(&out);
    *page = (struct net_page){.type = "image/png", .bytes = text, .length = bytes, .owned = text};
    return text;
}
