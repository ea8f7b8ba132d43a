/* executor.h - who plays the pairs of a match: threads of this process (tournament.c), or other
 * machines (host/machines/). */
#ifndef ENSIGN_HOST_MATCH_EXECUTOR_H
#define ENSIGN_HOST_MATCH_EXECUTOR_H

#include "result_writer.h"

/* The pairs of a match, to be played. */
struct batch {
    const struct tournament *match;
    const struct tournament_options *options;
    struct result_writer *writer;
    atomic_bool *stop;
};

/* The next pair from number `from` on that is not finished; the match's count of pairs if there is
 * none. */
uint32_t consignment_next(const struct batch *batch, uint32_t from);

/* The pair as pair_play() takes it, for one thread, with its games posted to the result writer. */
struct pair consignment_pair(const struct batch *batch, struct template *template, uint32_t number);

struct executor {
    /* Has all pairs played, until `stop`, and their games posted to the result writer. A fault goes
     * to the writer too (result_writer_fail()). */
    void (*carry)(void *self, const struct batch *batch);
    void *self;
};

#endif
