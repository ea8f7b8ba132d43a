#include "hand.h"

#include "base/clock.h"

enum { SETTLE_MILLISECONDS = 250 };

struct hand hand_open(const struct processors *processors, struct nursery *nursery, bool first) {
    struct hand hand = {.processors = processors, .nursery = nursery, .claim = PROCESSOR_UNCLAIMED};
    if (nursery && !first) hand.twin = nursery_twin(nursery, NULL);
    if (hand.twin) hand.nursery = hand.twin;
    return hand;
}

void hand_settle(struct hand *hand) {
    int64_t now = clock_ms();
    if (!hand->nursery || now < hand->settle_at) return;
    hand->settle_at = now + SETTLE_MILLISECONDS;
    if (!processors_claim(hand->processors, &hand->claim)) return;
    struct processors processors;
    processors_get(0, &processors);
    processors_set(nursery_process(hand->nursery), &processors);
}

void hand_close(struct hand *hand) {
    processors_release(hand->processors, &hand->claim);
    nursery_close(hand->twin);
}
