/* Variant files. One that is refused has an error, every one of them a line of text. One that loads
 * must be playable: its own tests can be tried, its set-ups drawn, and fifty random plies be played
 * and taken back. */
#include "base/fault.h"
#include "fuzz.h"
#include "host/check/claim.h"

#include <stdlib.h>

/* Loads the text and tries its tests; NULL if it is refused. */
static struct rules *examine(const uint8_t *data, size_t size) {
    struct faults *faults = faults_new();
    struct claims claims;
    fuzz_require(faults, "memory");
    struct rules *rules =
        variant_examine_text(fuzz_folders(), "fuzz.lua", (const char *)data, size, faults, &claims);
    fuzz_require(!rules == (faults->errors > 0), "what is refused has an error");
    for (int i = 0; rules && i < claims.count; i++)
        claim_holds(rules, &claims, &claims.list[i], faults);
    for (size_t i = 0; i < faults->count; i++) fuzz_require_fault(&faults->list[i].fault);
    claims_clear(&claims);
    free(faults);
    return rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct rules *rules = examine(data, size);
    if (!rules) return 0;
    struct random random = random_stream(size, STREAM_RED_SETUP, 0);
    struct setup red, blue;
    if (setup_random(rules, RED, &random, &red, &fault) &&
        setup_random(rules, RED, &random, &blue, &fault)) {
        struct position position;
        fuzz_require(setup_check(rules, RED, &red, &fault), "a random set-up is legal");
        position_from_setups(rules, &red, &blue, RED, &position);
        fuzz_require(position_check(rules, &position, &fault), "its position is too");
        fuzz_play(rules, &position, size, 50);
    } else {
        fuzz_require_fault(&fault);
    }
    rules_free(rules);
    return 0;
}
