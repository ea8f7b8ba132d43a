/* frame.c - bodies in memory that grows with them. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

bool frame_reserve(struct frame *frame, size_t length) {
    enum { SIZE_LEAST = 4096 };
    const size_t needed = CHANNEL_HEADER + length, most = CHANNEL_HEADER + frame->room;
    if (needed <= frame->size) return true;
    size_t size = 2 * needed < SIZE_LEAST ? SIZE_LEAST : 2 * needed;
    if (size > most) size = most;
    unsigned char *bytes = realloc(frame->bytes, size);
    if (!bytes) return false;
    frame->bytes = bytes;
    frame->size = size;
    return true;
}

bool frame_open(struct frame *frame, size_t room) {
    *frame = (struct frame){.room = room};
    return frame_reserve(frame, 0);
}

void frame_close(struct frame *frame) {
    free(frame->bytes);
    *frame = (struct frame){0};
}

void frame_clear(struct frame *frame) {
    frame->length = frame->at = 0;
    frame->broken = false;
}

void frame_put(struct frame *frame, const void *data, size_t size) {
    if (frame->broken || size > frame->room - frame->length ||
        !frame_reserve(frame, frame->length + size)) {
        frame->broken = true;
        return;
    }
    if (!size) return; /* `data` may be NULL */
    memcpy(frame->bytes + CHANNEL_HEADER + frame->length, data, size);
    frame->length += size;
}

void frame_take(struct frame *frame, void *data, size_t size) {
    if (frame->broken || size > frame->length - frame->at) {
        frame->broken = true;
        memset(data, 0, size);
        return;
    }
    memcpy(data, frame->bytes + CHANNEL_HEADER + frame->at, size);
    frame->at += size;
}

void frame_put_number(struct frame *frame, uint32_t number) {
    frame_put(frame, &number, sizeof number);
}

uint32_t frame_take_number(struct frame *frame) {
    uint32_t number;
    frame_take(frame, &number, sizeof number);
    return number;
}

void frame_put_text(struct frame *frame, const char *text) {
    frame_put_number(frame, (uint32_t)strlen(text));
    frame_put(frame, text, strlen(text));
}

void frame_take_text(struct frame *frame, char *out, size_t size) {
    uint32_t length = frame_take_number(frame);
    if (length >= size) {
        frame->broken = true;
        length = 0;
    }
    frame_take(frame, out, length);
    out[length] = 0;
    if (strlen(out) != length) frame->broken = true;
}

void frame_put_tail(struct frame *frame, const char *bytes, size_t length) {
    frame_put(frame, bytes, length);
    frame_put_number(frame, (uint32_t)length);
}

size_t frame_take_tail(struct frame *frame, char *out, size_t size) {
    uint32_t length = 0;
    size_t left = frame->length - frame->at;
    if (left < sizeof length) {
        frame->broken = true;
        return 0;
    }
    const unsigned char *end = frame->bytes + CHANNEL_HEADER + frame->length - sizeof length;
    memcpy(&length, end, sizeof length);
    if (length > size || length > left - sizeof length) {
        frame->broken = true;
        return 0;
    }
    memcpy(out, end - length, length);
    frame->length -= length + sizeof length;
    return length;
}
