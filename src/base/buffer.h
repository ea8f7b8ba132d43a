/* buffer.h - growing arrays and texts, each with a ceiling set by its owner. */
#ifndef ENSIGN_BASE_BUFFER_H
#define ENSIGN_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Returns `array`, possibly moved, with room for one more than its `count` items of `size` bytes.
 * NULL if it holds `ceiling` items or memory runs out; the array is then unchanged. The room
 * doubles whenever the count is a power of two, so an array must be grown by this function alone,
 * from NULL on. */
void *array_grown(void *array, size_t count, size_t size, size_t ceiling);

/* Bytes with a final 0. After an overflow or a failed allocation `broken` stays set and nothing
 * more is added. */
struct buffer {
    char *text; /* NULL until something is added; owned until buffer_take() */
    size_t length;
    size_t room;    /* including the 0 */
    size_t ceiling; /* of `length` */
    bool broken;
};

/* An empty buffer. The caller frees with buffer_clear(). */
struct buffer buffer_of(size_t ceiling);
void buffer_clear(struct buffer *buffer);

/* Makes room for `more` bytes after the text. False if the buffer is broken. */
bool buffer_reserve(struct buffer *buffer, size_t more);

bool buffer_add(struct buffer *buffer, const void *bytes, size_t length);
bool buffer_add_text(struct buffer *buffer, const char *text);

/* Returns the text, for the caller to free, and empties the buffer. NULL if it is broken. */
char *buffer_take(struct buffer *buffer);

#endif
