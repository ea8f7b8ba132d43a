/* utf8.c - one character of a text that may be anything. */
#include "utf8.h"

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
        if ((byte[i] & 0xC0) != 0x80) return 0;
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

bool utf8_is_line(const char *text, size_t length) {
    for (const char *at = text; at < text + length;) {
        uint32_t character;
        size_t bytes = utf8_read(at, &character);
        if (!bytes || utf8_is_control(character)) return false;
        at += bytes;
    }
    return true;
}
