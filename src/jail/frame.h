/* frame.h - a message's body, or rules as bytes, being written or read.
 *
 * Integers and structs lie in it as in memory. A reader of bytes that came from others checks every
 * value. */
#ifndef ENSIGN_JAIL_FRAME_H
#define ENSIGN_JAIL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHANNEL_HEADER = 8 }; /* bytes in front of the body, for what channel.h sends */

struct channel_watch; /* channel.h */

/* Its memory grows with the body: a room of megabytes costs what is used. */
struct frame {
    unsigned char *bytes; /* header and body; owned, and moved by what makes the body longer */
    size_t size;          /* of that memory */
    size_t room;          /* largest body, in bytes */
    size_t length;        /* of the body */
    size_t at;            /* bytes of the body taken so far */
    bool broken;          /* a put exceeded the room or memory, or a take the length */
    struct channel_watch *watch; /* while it is sent or received; NULL: nobody */
};

/* False without memory. */
bool frame_open(struct frame *frame, size_t room);
void frame_close(struct frame *frame);

/* Memory for a body of `length` bytes, at most the room. False without it. */
bool frame_reserve(struct frame *frame, size_t length);

/* Begins a new body. */
void frame_clear(struct frame *frame);

/* Append to the body, and take from its front. Once something does not fit, `broken` stays set,
 * nothing more is copied, and takes yield 0. */
void frame_put(struct frame *frame, const void *data, size_t size);
void frame_take(struct frame *frame, void *data, size_t size);

/* The same for numbers, and for texts, which travel as length and bytes. A text must fit into
 * `size` bytes with a final 0 when it is taken, and contain no other 0. */
void frame_put_number(struct frame *frame, uint32_t number);
uint32_t frame_take_number(struct frame *frame);
void frame_put_text(struct frame *frame, const char *text);
void frame_take_text(struct frame *frame, char *out, size_t size);

/* Bytes at the end of the body, behind everything else: up to `size` of them. */
void frame_put_tail(struct frame *frame, const char *bytes, size_t length);
size_t frame_take_tail(struct frame *frame, char *out, size_t size);

#endif
