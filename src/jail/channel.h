/* channel.h - messages between two processes over pipes.
 *
 * A frame is a header (length and sequence number) and a body that fits into the receiver's room.
 * The two sides speak in turn: a frame, its answer, the next frame. Both run the same program, so
 * integers and structs travel as they lie in memory; the host still checks every value that a
 * locked process sends. */
#ifndef ENSIGN_JAIL_CHANNEL_H
#define ENSIGN_JAIL_CHANNEL_H

#include <stdatomic.h>
#include <sys/types.h>

#include "frame.h"

enum channel_result {
    CHANNEL_OK,
    CHANNEL_CLOSED,   /* the other side closed its pipe before a frame */
    CHANNEL_CUT,      /* the other side closed its pipe within a frame */
    CHANNEL_LATE,     /* the deadline passed */
    CHANNEL_LONG,     /* the frame is longer than the room for it */
    CHANNEL_SURPLUS,  /* more than one frame came */
    CHANNEL_ORDER,    /* unexpected sequence number */
    CHANNEL_GIVEN_UP, /* see struct channel_watch */
    CHANNEL_FAILED    /* system error; see errno */
};

enum {
    CHANNEL_FOREVER = -1,
    CHANNEL_MOMENT = 100,  /* ms of waiting between two looks at a process */
    CHANNEL_STOPPED = 1000 /* a wait that ends so many ms too late: the host was stopped */
};

/* The process that a thread waits for, with a deadline. If it has not computed for a moment, as one
 * that was stopped, the thread stands by (base/standby.h) until the wait is over. */
struct channel_watch {
    pid_t pid;
    const atomic_bool *give_up; /* ends the wait when it becomes true; NULL: nothing does */
    int64_t held_up; /* ms that the host was stopped, or read files for the process, since whoever
                        set the deadline set this to 0: the deadline is so much later */

    /* Private to channel.c. */
    int64_t used; /* its processor time in ns at the last look; 0: there was none */
    bool stands_by;
};

/* Sends one frame. `deadline` is a time of clock_ms() or CHANNEL_FOREVER; with a deadline the
 * descriptor must be non-blocking. */
enum channel_result channel_send(int to, struct frame *frame, uint32_t sequence, int64_t deadline);

/* Receives exactly one frame. `*sequence` is the expected number; 0 accepts any and stores it. Who
 * waits with CHANNEL_FOREVER trusts the sender: what follows a frame may then stay unread. */
enum channel_result channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                    int64_t deadline);

/* Receives the next of frames that may follow one another without answers; waits as long as it
 * takes. Their sequence numbers are not read. */
enum channel_result channel_next(int from, struct frame *frame);

#endif
