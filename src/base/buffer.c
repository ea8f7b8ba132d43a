/* buffer.c - arrays and texts that grow by doubling. Sizes are checked against the ceiling before
 * they are computed, so none can overflow. */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 1024 };

void *array_grown(void *array, size_t count, size_t size, size_t ceiling) {
    if (count >= ceiling) return NULL;
    if (count & (count - 1)) return array;
    size_t room = !count ? 1 : count > ceiling / 2 ? ceiling : 2 * count;
    return room <= SIZE_MAX / size ? realloc(array, room * size) : NULL;
}

struct buffer buffer_of(size_t ceiling) {
    return (struct buffer){.ceiling = ceiling < SIZE_MAX / 2 ? ceiling : SIZE_MAX / 2 - 1};
}

void buffer_clear(struct buffer *buffer) {
    free(buffer->text);
    *buffer = buffer_of(buffer->ceiling);
}

bool buffer_reserve(struct buffer *buffer, size_t more) {
    if (more > buffer->ceiling - buffer->length) buffer->broken = true;
    if (buffer->broken) return false;
    size_t needed = buffer->length + more + 1;
    if (needed <= buffer->room) return true;
    size_t room = 2 * needed < FIRST_BYTES ? FIRST_BYTES : 2 * needed;
    if (room > buffer->ceiling + 1) room = buffer->ceiling + 1;
    char *text = realloc(buffer->text, room);
    if (!text) {
        buffer->broken = true;
        return false;
    }
    text[buffer->length] = 0;
    buffer->text = text;
    buffer->room = room;
    return true;
}

bool buffer_add(struct buffer *buffer, const void *bytes, size_t length) {
    if (!buffer_reserve(buffer, length)) return false;
    if (length) memcpy(buffer->text + buffer->length, bytes, length); /* `bytes` may be NULL */
    buffer->length += length;
    buffer->text[buffer->length] = 0;
    return true;
}

bool buffer_add_text(struct buffer *buffer, const char *text) {
    return buffer_add(buffer, text, strlen(text));
}

char *buffer_take(struct buffer *buffer) {
    char *text = buffer->broken || !buffer_reserve(buffer, 0) ? NULL : buffer->text;
    if (!text) free(buffer->text);
    buffer->text = NULL;
    buffer_clear(buffer);
    return text;
}
