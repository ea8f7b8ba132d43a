/* carrier.h - who plays the pairs of a match: threads of this process (tournament.c), or other
 * machines (host/machines/). */
#ifndef ENSIGN_HOST_MATCH_CARRIER_H
#define ENSIGN_HOST_MATCH_CARRIER_H

#include "ledger.h"

/* The pairs of a match, to be played. */
struct consignment {
    const struct tournament *match;
    const struct tournament_options *options;
    struct ledger *ledger;
    atomic_bool *stop;
};

/* The next pair from number `from` on that is not finished; the match's count of pairs if there is
 * none. */
uint32_t consignment_next(const struct consignment *consignment, uint32_t from);

/* The pair as pair_play() takes it, for one thread, with its games posted to the ledger. */
struct pair consignment_pair(const struct consignment *consignment, struct nursery *nursery,
                             uint32_t number);

struct carrier {
    /* Has all pairs played, until `stop`, and their games posted to the ledger. A fault goes to the
     * ledger too (ledger_fail()). True if games had to be struck (ledger_strike()): the match is
     * counted anew, and what is missing then is to be carried. */
    bool (*carry)(void *self, const struct consignment *consignment);
    void *self;
};

#endif
