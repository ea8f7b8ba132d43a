/* utf8.h - one character of a text that may be anything.
 *
 * Names and texts of others reach terminals, lines of text and JSON. A character is safe there if
 * it does nothing but stand for itself: it is no control character, ends no line, does not turn the
 * direction of what stands around it, and can be seen. Every text from outside passes
 * utf8_safe_length() before it is shown, by one of those that call it. */
#ifndef ENSIGN_BASE_UTF8_H
#define ENSIGN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed UTF-8 sequence at `text`, which ends with 0; 0 if there is none
 * (overlong forms and surrogates are none). The 0 itself is a sequence of one byte. */
size_t utf8_length(const char *text);

/* The same, and the character. */
size_t utf8_read(const char *text, uint32_t *character);

/* Does the byte continue a sequence, so that no character begins there? */
static inline bool utf8_continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The longest whole characters within the first `length` bytes of a text that has at least that
 * many, with its final 0: their bytes. */
size_t utf8_cut(const char *text, size_t length);

/* Bytes of the character that the `length` bytes at `text` begin with; 0 if they begin with none,
 * or with one that is not safe, as the final 0. Bytes behind a 0 are not looked at. */
size_t utf8_safe_length(const char *text, size_t length);

/* Are all characters of the first `length` bytes safe? */
bool utf8_is_safe(const char *text, size_t length);

/* Puts '?' in the place of each character that is not safe and of each byte that begins none. The
 * text does not grow. */
void utf8_make_safe(char *text);

#endif
