/* event.c - the words for events. */
#include "event.h"

const char *event_name(enum event_type type) {
    static const char *const names[] = {
        [EVENT_MOVE] = "move",     [EVENT_BATTLE] = "battle", [EVENT_ABILITY] = "ability",
        [EVENT_REMOVE] = "remove", [EVENT_REVEAL] = "reveal", [EVENT_CONCEAL] = "conceal",
        [EVENT_SWAP] = "swap",     [EVENT_PLACE] = "place",   [EVENT_LEARN] = "learn",
        [EVENT_HOLD] = "hold",     [EVENT_COUNT] = "count",   [EVENT_END] = "end"};
    return names[type];
}
