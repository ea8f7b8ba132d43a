/* Records: each can be written, read again, and replayed without a crash. */
#include "fuzz.h"

#include "host/playback.h"

#include <stdlib.h>
#include <string.h>

static void require_same(const struct record *a, const struct record *b) {
    fuzz_require(a->tag_count == b->tag_count, "as many tags are read again");
    for (size_t i = 0; i < a->tag_count; i++) {
        fuzz_require(strcmp(a->tags[i].name, b->tags[i].name) == 0, "a tag keeps its name");
        fuzz_require(strcmp(a->tags[i].value, b->tags[i].value) == 0, "a tag keeps its value");
    }
    fuzz_require(a->move_count == b->move_count, "as many moves are read again");
    for (size_t i = 0; i < a->move_count; i++)
        fuzz_require(strcmp(a->moves[i].text, b->moves[i].text) == 0, "a move keeps its text");
}

static void replay(const struct record *record) {
    const char *variant = record_tag(record, "Variant");
    const struct rules *rules = variant ? fuzz_rules_named(variant) : NULL;
    if (!rules) return;
    struct playback found;
    struct fault fault = {0};
    if (!playback_open(&found, record, rules, &fault) || !playback_run(&found, UINT32_MAX, &fault))
        fuzz_require_fault(&fault);
    playback_close(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct record *record = record_read((const char *)data, size, &fault);
    fuzz_require(record != NULL, "a record is always returned");
    if (record->damaged) fuzz_require_fault(&fault);
    char *text = record_write(record);
    fuzz_require(text != NULL, "a record can be written");
    struct record *again = record_read(text, strlen(text), &fault);
    fuzz_require(again != NULL, "what was written is read");
    /* A malformed move is kept verbatim; read again it is just as malformed. */
    fuzz_require(record->damaged || !again->damaged, "what was written is not damaged");
    require_same(record, again);
    replay(record);
    free(text);
    record_free(again);
    record_free(record);
    return 0;
}
