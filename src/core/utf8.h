/* utf8.h - one character of a text that may be anything. */
#ifndef ENSIGN_CORE_UTF8_H
#define ENSIGN_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed UTF-8 sequence at `text`, which ends with 0; 0 if there is none
 * (overlong forms and surrogates are none). The 0 itself is a sequence of one byte. */
size_t utf8_length(const char *text);

/* The same, and the character. */
size_t utf8_read(const char *text, uint32_t *character);

/* A control character, U+0080..U+009F included. */
static inline bool utf8_is_control(uint32_t character) {
    return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

/* Can these bytes be shown on a line: well-formed and without control characters? A 0 is one. */
bool utf8_is_line(const char *text, size_t length);

#endif
