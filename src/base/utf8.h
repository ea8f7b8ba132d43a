/* utf8.h - characters of untrusted text.
 *
 * Names and texts from outside reach terminals, line-based formats and JSON. A safe character is
 * visible, no control character, and affects neither line breaks nor the direction of text. What
 * belongs to it is safe behind it: a selector of its variant, the tags of a flag, and a joiner
 * between it and the next one. Every
 * text from outside passes utf8_safe_length(), directly or through its callers, before it is
 * shown. */
#ifndef ENSIGN_BASE_UTF8_H
#define ENSIGN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed UTF-8 sequence at the start of `text`, a C string; 0 if there is none.
 * Overlong forms and surrogates are malformed. The final 0 is a sequence of one byte. */
size_t utf8_length(const char *text);

/* The same, and the character. */
size_t utf8_read(const char *text, uint32_t *character);

/* The same of the `length` bytes at `text`, which need no final 0. */
size_t utf8_read_part(const char *text, size_t length, uint32_t *character);

/* Writes a character, without a final 0. Returns its length. */
size_t utf8_write(char out[4], uint32_t character);

/* The character that a byte stands for in windows-1252, which holds all of ISO 8859-1 that is
 * printable; U+FFFD for the five that it leaves free. */
uint32_t utf8_of_windows_1252(char byte);

/* Is the byte a continuation byte? */
static inline bool utf8_continues(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The largest number of bytes, at most `length`, that ends between two characters. The text has at
 * least `length` bytes and a final 0. */
size_t utf8_cut(const char *text, size_t length);

/* Length of the safe character at the start of the `length` bytes at `text`, with what belongs to
 * it; 0 if there is none. The final 0 is not safe, and bytes after it are not read. */
size_t utf8_safe_length(const char *text, size_t length);

/* Length of the part at the start of the `length` bytes at `text` that is well-formed UTF-8. */
size_t utf8_part(const char *text, size_t length);

/* "UTF-16" or "UTF-32" if the text seems to be in one of them, by its byte order mark or by the
 * zero in its first letter; else NULL. */
const char *utf8_wide(const char *text, size_t length);

/* Are all characters of the first `length` bytes safe? */
bool utf8_is_safe(const char *text, size_t length);

enum { UTF8_REASON_MAX = 96 };

/* Names the character at the start of the `length` bytes at `text` (at least one), which is not
 * safe: "byte 0xe9" where there is none, "control character U+0007 (byte 0x07)", "invisible
 * character U+200B". Returns `out`. */
const char *utf8_name(const char *text, size_t length, char out[UTF8_REASON_MAX]);

/* Why the text cannot be shown on one line: "not UTF-8: byte 0xe9 at byte 4", "control character
 * U+0007 (byte 0x07) at byte 4", or "too long: 99 bytes, at most 63"; NULL if it can. */
const char *utf8_reason(const char *text, size_t length, size_t most, char out[UTF8_REASON_MAX]);

/* Length of the part at the start of `text` that equals the `length` bytes at `start` but for the
 * case of Latin and Cyrillic letters (and ё for е); 0 if it does not begin with them. */
size_t utf8_begins(const char *text, const char *start, size_t length);

/* Replaces each unsafe character and each malformed byte with '?'. The text does not grow. */
void utf8_make_safe(char *text);

#endif
