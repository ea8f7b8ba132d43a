/* Set-up texts. The first byte selects the variant. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const struct rules *rules = fuzz_rules(data[0]);
    const char *text = (const char *)data + 1;
    struct setup setup, again;
    struct fault fault = {0};
    memset(&setup, 0, sizeof setup);
    memset(&again, 0, sizeof again);
    if (!setup_read(rules, RED, text, size - 1, &setup, &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    char written[SETUP_TEXT_MAX];
    size_t length = setup_write(rules, RED, &setup, written);
    fuzz_require(length < SETUP_TEXT_MAX && length == strlen(written), "a written set-up fits");
    fuzz_require(setup_read(rules, RED, written, length, &again, &fault),
                 "what was written is read");
    fuzz_require(memcmp(&setup, &again, sizeof setup) == 0, "it reads the same");
    if (!setup_check(rules, RED, &setup, &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    struct position position;
    position_from_setups(rules, &setup, &setup, RED, &position);
    fuzz_play(rules, &position, size, 30);
    return 0;
}
