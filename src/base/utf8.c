/* utf8.c - decoding, and the table of unsafe characters. */
#include "utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t utf8_read(const char *text, uint32_t *character) {
    const unsigned char *byte = (const unsigned char *)text;
    static const uint8_t lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t length = 0;
    if (byte[0] < 0x80) length = 1;
    if (byte[0] >= 0xC2 && byte[0] < 0xE0) length = 2;
    if (byte[0] >= 0xE0 && byte[0] < 0xF0) length = 3;
    if (byte[0] >= 0xF0 && byte[0] < 0xF5) length = 4;
    uint32_t value = byte[0] & lead_bits[length];
    for (size_t i = 1; i < length; i++) {
        if (!utf8_continues(text[i])) return 0;
        value = value << 6 | (byte[i] & 0x3F);
    }
    bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return 0;
    *character = value;
    return length;
}

size_t utf8_length(const char *text) {
    uint32_t character;
    return utf8_read(text, &character);
}

size_t utf8_write(char out[4], uint32_t character) {
    static const unsigned char heads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, character >>= 6)
        out[i] = (char)(0x80 | (character & 0x3F));
    out[0] = (char)(heads[length] | character);
    return length;
}

uint32_t utf8_of_windows_1252(char byte) {
    static const uint16_t from_0x80[] = {
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
    const unsigned char code = (unsigned char)byte;
    return code >= 0x80 && code < 0xA0 ? from_0x80[code - 0x80] : code;
}

size_t utf8_cut(const char *text, size_t length) {
    while (length && utf8_continues(text[length])) length--;
    return length;
}

size_t utf8_read_part(const char *text, size_t length, uint32_t *character) {
    char begin[5] = "";
    size_t given = 0;
    while (given < 4 && given < length && text[given]) given++;
    memcpy(begin, text, given);
    return length ? utf8_read(begin, character) : 0;
}

static bool is_safe(uint32_t character) {
    static const struct {
        uint32_t first, last;
    } UNSAFE[] = {
        {0x00, 0x1F},       /* C0 */
        {0x7F, 0x9F},       /* DEL, C1 */
        {0xAD, 0xAD},       /* soft hyphen */
        {0x61C, 0x61C},     /* Arabic letter mark */
        {0x115F, 0x1160},   /* Hangul fillers */
        {0x180B, 0x180F},   /* Mongolian selectors and separator */
        {0x200B, 0x200F},   /* zero width, joiners, marks of direction */
        {0x2028, 0x202E},   /* ends of lines, embeddings and overrides of direction */
        {0x2060, 0x206F},   /* invisible operators, isolates */
        {0x3164, 0x3164},   /* Hangul filler */
        {0xFE00, 0xFE0F},   /* selectors of variants of the character before */
        {0xFEFF, 0xFEFF},   /* zero width, the mark of byte order */
        {0xFFA0, 0xFFA0},   /* Hangul filler */
        {0xFFF9, 0xFFFB},   /* annotations */
        {0xE0000, 0xE0FFF}, /* tags, more selectors */
    };
    for (size_t i = 0; i < sizeof UNSAFE / sizeof *UNSAFE; i++)
        if (character >= UNSAFE[i].first && character <= UNSAFE[i].last) return false;
    return true;
}

static bool is_selector(uint32_t character) {
    return (character >= 0xFE00 && character <= 0xFE0F) ||
           (character >= 0x180B && character <= 0x180F && character != 0x180E) ||
           (character >= 0xE0100 && character <= 0xE01EF);
}

static bool is_joiner(uint32_t character) {
    return character == 0x200C || character == 0x200D;
}

/* Length of the tags at `text` that name the region of a flag, with their end; 0 if there are none.
 */
static size_t tags_length(const char *text, size_t length) {
    enum { FIRST = 0xE0030, LAST = 0xE007A, END = 0xE007F, TAGS_MAX = 6 };
    size_t at = 0;
    for (int tags = 0; tags <= TAGS_MAX; tags++) {
        uint32_t character;
        size_t bytes = utf8_read_part(text + at, length - at, &character);
        at += bytes;
        if (bytes && character == END) return at;
        if (!bytes || character < FIRST || character > LAST) return 0;
    }
    return 0;
}

/* Length of what belongs to the safe character before it. Behind letters of Latin and most signs of
 * ASCII selectors and joiners would only make two names look the same. */
static size_t length_of_rest(const char *text, size_t length, uint32_t character) {
    enum { COPYRIGHT = 0xA9, ARABIC = 0x600, BLACK_FLAG = 0x1F3F4 };
    const bool varies = character >= COPYRIGHT || strchr("#*0123456789", (int)character);
    uint32_t next;
    size_t rest = character == BLACK_FLAG ? tags_length(text, length) : 0;
    size_t bytes = utf8_read_part(text + rest, length - rest, &next);
    if (bytes && varies && is_selector(next)) {
        rest += bytes;
        bytes = utf8_read_part(text + rest, length - rest, &next);
    }
    if (!bytes || character < ARABIC || !is_joiner(next)) return rest;
    const size_t behind = utf8_read_part(text + rest + bytes, length - rest - bytes, &next);
    return behind && is_safe(next) && next >= ARABIC ? rest + bytes : rest;
}

size_t utf8_safe_length(const char *text, size_t length) {
    uint32_t character;
    size_t bytes = utf8_read_part(text, length, &character);
    if (!bytes || !is_safe(character)) return 0;
    return bytes + length_of_rest(text + bytes, length - bytes, character);
}

size_t utf8_part(const char *text, size_t length) {
    uint32_t character;
    size_t at = 0;
    for (size_t bytes = 1; at < length && bytes; at += bytes)
        bytes = text[at] ? utf8_read_part(text + at, length - at, &character) : 1;
    return at;
}

const char *utf8_wide(const char *text, size_t length) {
    static const struct {
        size_t length;
        const char *start, *name;
    } MARKS[] = {{4, "\xFF\xFE\0\0", "UTF-32"},
                 {4, "\0\0\xFE\xFF", "UTF-32"},
                 {2, "\xFF\xFE", "UTF-16"},
                 {2, "\xFE\xFF", "UTF-16"}};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (length >= MARKS[i].length && !memcmp(text, MARKS[i].start, MARKS[i].length))
            return MARKS[i].name;
    return length > 1 && !text[0] != !text[1] ? "UTF-16" : NULL;
}

bool utf8_is_safe(const char *text, size_t length) {
    for (size_t at = 0, bytes; at < length; at += bytes)
        if (!(bytes = utf8_safe_length(text + at, length - at))) return false;
    return true;
}

const char *utf8_name(const char *text, size_t length, char out[UTF8_REASON_MAX]) {
    uint32_t character;
    if (!utf8_read_part(text, length, &character)) {
        snprintf(out, UTF8_REASON_MAX, "byte 0x%02x", (unsigned char)*text);
    } else if (character < 0x20 || character == 0x7F) {
        snprintf(out, UTF8_REASON_MAX, "control character U+%04" PRIX32 " (byte 0x%02" PRIx32 ")",
                 character, character);
    } else {
        snprintf(out, UTF8_REASON_MAX,
                 character < 0xA0 ? "control character U+%04" PRIX32
                                  : "invisible character U+%04" PRIX32,
                 character);
    }
    return out;
}

const char *utf8_reason(const char *text, size_t length, size_t most, char out[UTF8_REASON_MAX]) {
    char name[UTF8_REASON_MAX];
    uint32_t character;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        if ((bytes = utf8_safe_length(text + at, length - at))) continue;
        bool read = utf8_read_part(text + at, length - at, &character);
        snprintf(out, UTF8_REASON_MAX, "%s%.40s at byte %zu",
                 read ? "" : "not UTF-8: ", utf8_name(text + at, length - at, name), at + 1);
        return out;
    }
    if (length <= most) return NULL;
    snprintf(out, UTF8_REASON_MAX, "too long: %zu bytes, at most %zu", length, most);
    return out;
}

static uint32_t small(uint32_t letter) {
    if (letter >= 'A' && letter <= 'Z') return letter + 32;
    if (letter >= 0xC0 && letter <= 0xDE && letter != 0xD7) return letter + 32; /* Latin-1 */
    if (letter >= 0x100 && letter <= 0x137) return letter | 1;
    if (letter >= 0x139 && letter <= 0x148) return letter + (letter & 1);
    if (letter >= 0x14A && letter <= 0x177) return letter | 1;
    if (letter >= 0x179 && letter <= 0x17E) return letter + (letter & 1); /* Ž */
    if (letter >= 0x400 && letter <= 0x40F) letter += 80;
    if (letter >= 0x410 && letter <= 0x42F) return letter + 32;
    if (letter == 0x451) return 0x435;
    return letter == 0x490 ? 0x491 : letter; /* Ґ */
}

size_t utf8_begins(const char *text, const char *start, size_t length) {
    size_t used = 0;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        uint32_t one, other;
        bytes = utf8_safe_length(start + at, length - at);
        size_t same = utf8_safe_length(text + used, SIZE_MAX);
        if (!bytes || !same) return 0;
        utf8_read(text + used, &one);
        utf8_read(start + at, &other);
        if (small(one) != small(other)) return 0;
        used += same;
    }
    return used;
}

void utf8_make_safe(char *text) {
    char *in = text, *out = in;
    while (*in) {
        size_t length = utf8_length(in), safe = utf8_safe_length(in, SIZE_MAX);
        if (safe)
            memmove(out, in, safe);
        else
            *out = '?';
        out += safe ? safe : 1;
        in += safe ? safe : length ? length : 1;
    }
    *out = 0;
}
