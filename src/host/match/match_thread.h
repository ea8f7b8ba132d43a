/* match_thread.h - a thread that plays pairs: with a template of its own, so that threads do not
 * wait for each other, and with its bots on a processor that is not shared, if there is one. */
#ifndef ENSIGN_HOST_MATCH_MATCH_THREAD_H
#define ENSIGN_HOST_MATCH_MATCH_THREAD_H

#include "base/processors.h"
#include "jail/zygote.h"

struct match_thread {
    const struct processors *processors; /* to choose from */
    struct template *template;           /* NULL: bots run in this process */
    struct template *twin;               /* the same, if it is its own */
    struct processor_claim claim;
    int64_t settle_at; /* when to look for a better processor; a time of clock_ms() */
};

/* `template` (may be NULL) is that of all threads; the first thread uses it itself. */
struct match_thread match_thread_open(const struct processors *processors,
                                      struct template *template, bool first);

/* To be called before each pair: from time to time it looks for a processor that is not shared. */
void match_thread_settle(struct match_thread *hand);

void match_thread_close(struct match_thread *hand);

#endif
