#include "carrier.h"

static void post(void *context, struct finished *finished) {
    ledger_post(context, finished);
}

uint32_t consignment_next(const struct consignment *consignment, uint32_t from) {
    const uint32_t count = consignment->match->game_count / 2;
    while (from < count && ledger_has(consignment->ledger, 2 * from) &&
           ledger_has(consignment->ledger, 2 * from + 1))
        from++;
    return from;
}

struct pair consignment_pair(const struct consignment *consignment, struct nursery *nursery,
                             uint32_t number) {
    struct ledger *ledger = consignment->ledger;
    struct pair pair = {.match = consignment->match,
                        .options = consignment->options,
                        .nursery = nursery,
                        .stop = consignment->stop,
                        .number = number,
                        .has = {ledger_has(ledger, 2 * number), ledger_has(ledger, 2 * number + 1)},
                        .finished = post,
                        .context = ledger};
    if (pair.has[0]) ledger_setups(ledger, 2 * number, pair.stood);
    return pair;
}
