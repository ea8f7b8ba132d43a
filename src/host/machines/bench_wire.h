/* bench_wire.h - what goes through the pipes between a worker and its bench. */
#ifndef ENSIGN_HOST_MACHINES_BENCH_WIRE_H
#define ENSIGN_HOST_MACHINES_BENCH_WIRE_H

#include "slip.h"

/* The first number of a frame. */
enum bench_word {
    BENCH_BEGINS = 1, /* to it: threads, terms */
    BENCH_PLAYS,      /* to it: thread, pair */
    BENCH_ANSWER,     /* to it: the answer to its question; empty: none came */
    BENCH_ASKS,       /* from it: a question */
    BENCH_READY,      /* from it: everything is loaded */
    BENCH_FAILS,      /* from it: a fault, of the scripts or of its host; the last frame */
    BENCH_PLAYED      /* from it: thread, games */
};

enum { BENCH_FRAME_MAX = 40 << 20 /* two of the longest records, and more */ };

#endif
