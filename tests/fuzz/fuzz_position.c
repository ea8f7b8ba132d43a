/* Position texts. The first byte selects the variant. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const struct rules *rules = fuzz_rules(data[0]);
    const char *text = (const char *)data + 1;
    struct position position, again;
    struct fault fault = {0};
    memset(&position, 0, sizeof position);
    memset(&again, 0, sizeof again);
    if (!position_read(rules, text, size - 1, &position, &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    char written[POSITION_TEXT_MAX];
    size_t length = position_write(rules, &position, written);
    fuzz_require(length < POSITION_TEXT_MAX && length == strlen(written),
                 "a written position fits");
    fuzz_require(position_read(rules, written, length, &again, &fault), "what was written is read");
    fuzz_require(memcmp(position.at, again.at, rules->board.squares) == 0, "it reads the same");
    fuzz_require(position.to_move == again.to_move, "the side to move reads the same");
    if (!position_check(rules, &position, &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    fuzz_play(rules, &position, size, 30);
    return 0;
}
