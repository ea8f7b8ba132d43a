#include "match_thread.h"

#include "base/clock.h"

enum { SETTLE_MILLISECONDS = 250 };

struct match_thread match_thread_open(const struct processors *processors,
                                      struct template *template, bool first) {
    struct match_thread hand = {
        .processors = processors, .template = template, .claim = PROCESSOR_UNCLAIMED};
    if (template && !first) hand.twin = template_twin(template, NULL);
    if (hand.twin) hand.template = hand.twin;
    return hand;
}

void match_thread_settle(struct match_thread *hand) {
    int64_t now = clock_ms();
    if (!hand->template || now < hand->settle_at) return;
    hand->settle_at = now + SETTLE_MILLISECONDS;
    if (!processors_claim(hand->processors, &hand->claim)) return;
    struct processors processors;
    processors_get(0, &processors);
    processors_set(template_process(hand->template), &processors);
}

void match_thread_close(struct match_thread *hand) {
    processors_release(hand->processors, &hand->claim);
    template_close(hand->twin);
}
