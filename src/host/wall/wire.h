/* wire.h - messages between two processes over pipes.
 *
 * A frame is a header (length and sequence number) and a body of at most as many bytes as the
 * reader has room for. The two sides speak in turn: a frame, its answer, the next frame. Both are
 * the same program, so that integers and structs travel as they lie in memory; what comes from a
 * bot's process is nevertheless checked by whoever takes it out. */
#ifndef ENSIGN_HOST_WALL_WIRE_H
#define ENSIGN_HOST_WALL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_result {
    WIRE_OK,
    WIRE_CLOSED,  /* the other side is gone, and said nothing */
    WIRE_CUT,     /* it is gone in the middle of a frame */
    WIRE_LATE,    /* the deadline passed */
    WIRE_LONG,    /* the frame is longer than the room for it */
    WIRE_SURPLUS, /* more than one frame came */
    WIRE_ORDER,   /* the sequence number is not the one expected */
    WIRE_FAILED   /* the system refused; errno says why */
};

enum { WIRE_HEADER = 8, WIRE_FOREVER = -1 };

/* A body under way. */
struct frame {
    unsigned char *bytes; /* header and room; owned */
    size_t room;          /* largest body, in bytes */
    size_t length;        /* of the body */
    size_t at;            /* of the body: how much has been taken out */
    bool broken;          /* more was put in or taken out than there is room for or was sent */
};

/* False without memory. */
bool frame_open(struct frame *frame, size_t room);
void frame_close(struct frame *frame);

/* Begins a new body. */
void frame_clear(struct frame *frame);

/* Appends, and takes from the front. Once something did not fit `broken` stays set and nothing is
 * copied any more; what could not be taken is filled with 0. */
void frame_put(struct frame *frame, const void *data, size_t size);
void frame_take(struct frame *frame, void *data, size_t size);

/* The same for numbers, and for texts, which travel as their length and their bytes. A text that is
 * taken must fit into `size` bytes with a final 0 and hold no other 0. */
void frame_put_number(struct frame *frame, uint32_t number);
uint32_t frame_take_number(struct frame *frame);
void frame_put_text(struct frame *frame, const char *text);
void frame_take_text(struct frame *frame, char *out, size_t size);

/* Sends one frame. `deadline` is a time of clock_ms() or WIRE_FOREVER; with a deadline the
 * descriptor must be a non-blocking one. */
enum wire_result wire_send(int to, struct frame *frame, uint32_t sequence, int64_t deadline);

/* Receives the one frame that is due. `*sequence` is the number expected; 0 takes any and stores
 * it. */
enum wire_result wire_receive(int from, struct frame *frame, uint32_t *sequence, int64_t deadline);

#endif
