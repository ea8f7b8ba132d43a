/* hand.h - a thread that plays pairs: with a nursery of its own, so that threads do not wait for
 * each other, and with its bots on a processor that is not shared, if there is one. */
#ifndef ENSIGN_HOST_MATCH_HAND_H
#define ENSIGN_HOST_MATCH_HAND_H

#include "base/processors.h"
#include "jail/nursery.h"

struct hand {
    const struct processors *processors; /* to choose from */
    struct nursery *nursery;             /* NULL: bots run in this process */
    struct nursery *twin;                /* the same, if it is its own */
    struct processor_claim claim;
    int64_t settle_at; /* when to look for a better processor; a time of clock_ms() */
};

/* `nursery` (may be NULL) is that of all threads; the first thread uses it itself. */
struct hand hand_open(const struct processors *processors, struct nursery *nursery, bool first);

/* To be called before each pair: from time to time it looks for a processor that is not shared. */
void hand_settle(struct hand *hand);

void hand_close(struct hand *hand);

#endif
