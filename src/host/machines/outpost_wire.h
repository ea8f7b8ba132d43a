/* outpost_wire.h - what goes through the pipes between a worker and its outpost. */
#ifndef ENSIGN_HOST_MACHINES_OUTPOST_WIRE_H
#define ENSIGN_HOST_MACHINES_OUTPOST_WIRE_H

#include "slip.h"

/* The first number of a frame. */
enum outpost_word {
    OUTPOST_BEGINS = 1, /* to it: threads, terms */
    OUTPOST_PLAYS,      /* to it: thread, pair */
    OUTPOST_ANSWER,     /* to it: the answer to its question; empty: none came */
    OUTPOST_ASKS,       /* from it: a question */
    OUTPOST_READY,      /* from it: everything is loaded */
    OUTPOST_FAILS,      /* from it: a fault, of the scripts or of its host; the last frame */
    OUTPOST_PLAYED      /* from it: thread, games */
};

enum { OUTPOST_FRAME_MAX = 40 << 20 /* two of the longest records, and more */ };

#endif
