/* buffer.h - arrays and texts that grow, each up to a ceiling that its owner must name. */
#ifndef ENSIGN_BASE_BUFFER_H
#define ENSIGN_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Returns `array` with room for one more than its `count` items of `size` bytes, possibly moved;
 * NULL, with the array as it was, if it holds `ceiling` items or there is no memory. The room
 * doubles whenever the count is a power of two, so only an array that this function alone makes and
 * grows may be passed; NULL is the empty one. */
void *array_grown(void *array, size_t count, size_t size, size_t ceiling);

/* Bytes with a final 0. Once something did not fit or memory ran out, `broken` stays set and
 * nothing more is added. */
struct buffer {
    char *text; /* NULL until something was added; the buffer's until buffer_take() */
    size_t length;
    size_t room;    /* with the 0 */
    size_t ceiling; /* of `length` */
    bool broken;
};

/* An empty buffer; buffer_clear() frees what grows in it. */
struct buffer buffer_of(size_t ceiling);
void buffer_clear(struct buffer *buffer);

/* Makes room for `more` bytes behind the text. False if the buffer is broken. */
bool buffer_reserve(struct buffer *buffer, size_t more);

bool buffer_add(struct buffer *buffer, const void *bytes, size_t length);
bool buffer_add_text(struct buffer *buffer, const char *text);

/* The text, for the caller to free, and an empty buffer; NULL if it is broken. */
char *buffer_take(struct buffer *buffer);

#endif
