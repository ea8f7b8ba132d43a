/* Files of set-ups. The first byte selects the variant. */
#include "fuzz.h"

#include "host/setups/setup_tally.h"

#include <string.h>

static void count_complaint(void *context, const struct fault *fault) {
    fuzz_require_fault(fault);
    ++*(size_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const struct rules *rules = fuzz_rules(data[0]);
    const char *text = (const char *)data + 1;
    struct setup_pool setups, strict;
    struct setup_tally tally;
    struct fault fault = {0};
    size_t complaints = 0;
    if (!setup_pool_survey(rules, RED, text, size - 1, count_complaint, &complaints, &setups,
                           &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    int line = 0;
    for (size_t i = 0; i < setups.count; i++) {
        fuzz_require(setup_check(rules, RED, &setups.list[i], &fault), "what is kept is valid");
        fuzz_require(setups.origins[i].line > line, "lines go up");
        line = setups.origins[i].line;
    }
    bool read = setup_pool_read(rules, RED, text, size - 1, &strict, &fault);
    fuzz_require(read == !complaints, "a file without a fault is read, another is not");
    fuzz_require(!read || strict.count == setups.count, "and alike");
    fuzz_require(setup_tally(rules, &setups, &tally, &fault), "there is memory");
    fuzz_require(tally.distinct + tally.repeats == setups.count, "each is new or a repeat");
    fuzz_require(tally.repeats + tally.mirrors == tally.twin_count, "each twin is named");
    fuzz_require(2 * tally.mirrors + tally.symmetric <= tally.distinct, "mirrors come in pairs");
    setup_tally_clear(&tally);
    setup_pool_clear(&setups);
    if (read) setup_pool_clear(&strict);
    return 0;
}
