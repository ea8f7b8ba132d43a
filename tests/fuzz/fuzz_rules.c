/* Compiled rules from a loader's process, changed at any place or made up. Accepted rules must be
 * playable, and survive another trip over the wire unchanged. */
#include "core/know/integrity.h"
#include "core/rules/refusal.h"
#include "fuzz.h"
#include "jail/rules_codec.h"

#include <stdlib.h>
#include <string.h>

enum { MADE_UP = 0x80, CHANGE = 5 /* bytes: where (4), by what */ };

/* The input as a frame: the rules of a stock variant, chosen by the first byte, with changes; or,
 * if that byte is MADE_UP or more, what follows it as it is. */
static bool open_frame(struct frame *frame, const uint8_t *data, size_t size) {
    if (!size || !frame_open(frame, 1 << 20)) return false;
    if (data[0] >= MADE_UP) {
        frame_put(frame, data + 1, size - 1);
        return !frame->broken;
    }
    rules_put(frame, fuzz_rules(data[0]));
    fuzz_require(!frame->broken, "stock rules fit into a frame");
    for (size_t at = 1; at + CHANGE <= size; at += CHANGE) {
        uint32_t where;
        memcpy(&where, data + at, sizeof where);
        frame->bytes[CHANNEL_HEADER + where % frame->length] ^= data[at + 4];
    }
    return true;
}

static void require_same_again(const struct rules *rules) {
    struct frame once, again;
    fuzz_require(frame_open(&once, RULES_WIRE_MAX) && frame_open(&again, RULES_WIRE_MAX), "memory");
    rules_put(&once, rules);
    fuzz_require(!once.broken, "rules that were taken fit into a frame");
    struct rules *taken = rules_take(&once, NULL);
    fuzz_require(taken != NULL, "rules that were taken are taken again");
    rules_put(&again, taken);
    fuzz_require(once.length == again.length && !memcmp(once.bytes + CHANNEL_HEADER,
                                                        again.bytes + CHANNEL_HEADER, once.length),
                 "rules come out as they went in");
    rules_free(taken);
    frame_close(&once);
    frame_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct frame frame = {0};
    if (!open_frame(&frame, data, size)) {
        frame_close(&frame);
        return 0;
    }
    struct rules *rules = rules_take(&frame, &fault);
    frame_close(&frame);
    /* Battles decided by calls need calls, which the loader checks. */
    struct refusals refusals;
    if (!rules || rules_have_outcome(rules, ASK_THE_VARIANT) || !rules_finish(rules, &refusals)) {
        if (!rules) fuzz_require_fault(&fault);
        rules_free(rules);
        return 0;
    }
    require_same_again(rules);
    struct random random = random_stream(size, STREAM_PLAYOUT, 0);
    struct setup red, blue;
    if (setup_random(rules, RED, &random, &red, &fault) &&
        setup_random(rules, RED, &random, &blue, &fault)) {
        struct position position;
        position_from_setups(rules, &red, &blue, RED, &position);
        if (position_check(rules, &position, &fault)) fuzz_play(rules, &position, size, 50);
    }
    rules_free(rules);
    return 0;
}
