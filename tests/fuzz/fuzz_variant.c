/* Variant files. One that loads must be playable: its set-ups can be drawn and fifty random plies
 * be played and taken back. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct rules *rules =
        variant_load_text(fuzz_folders(), "fuzz.lua", (const char *)data, size, &fault);
    if (!rules) {
        fuzz_require_fault(&fault);
        return 0;
    }
    struct random random = random_stream(size, STREAM_RED_SETUP, 0);
    struct setup red, blue;
    if (setup_random(rules, &random, &red, &fault) && setup_random(rules, &random, &blue, &fault)) {
        struct position position;
        fuzz_require(setup_check(rules, &red, &fault), "a random set-up is legal");
        position_from_setups(rules, &red, &blue, RED, &position);
        fuzz_require(position_check(rules, &position, &fault), "its position is too");
        fuzz_play(rules, &position, size, 50);
    } else {
        fuzz_require_fault(&fault);
    }
    rules_free(rules);
    return 0;
}
