/* Foreign records: the kept part of one is legal, and survives being written as GSN. */
#include "fuzz.h"

#include "host/foreign/formats.h"
#include "host/foreign/gsn.h"
#include "host/playback.h"

#include <stdlib.h>
#include <string.h>

static const struct rules *stock(void *context, const char *variant, struct fault *fault) {
    (void)context, (void)fault;
    return fuzz_rules_named(variant);
}

static void check_complaint(void *context, const struct fault *fault) {
    (void)context;
    fuzz_require_fault(fault);
}

static const struct foreign_help help = {
    .rules = stock, .complain = check_complaint, .note = check_complaint};

static void check_gsn(const struct record *record, const struct game *game) {
    struct foreign foreign;
    struct fault fault = {0};
    char *text = NULL;
    if (foreign_take(&foreign, record, game, &fault)) text = gsn_write(&foreign, &fault);
    if (!text) {
        fuzz_require_fault(&fault);
    } else if (game->ply_count) {
        struct record *back = formats_import(text, strlen(text), NULL, &help);
        fuzz_require(back != NULL, "our own GSN is read");
        fuzz_require(back->move_count == record->move_count, "with all its moves");
        record_free(back);
    }
    foreign_clear(&foreign);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct record *record = formats_import((const char *)data, size, NULL, &help);
    if (!record) return 0;
    struct fault fault = {0};
    struct playback found = {0};
    char *text = record_write(record);
    fuzz_require(text != NULL, "what was kept can be written");
    struct record *again = record_read(text, strlen(text), &fault);
    fuzz_require(again && !again->damaged, "and read again");
    const struct rules *rules = fuzz_rules_named(record_tag(again, "Variant"));
    fuzz_require(rules != NULL, "its variant is a stock one");
    bool legal =
        playback_open(&found, again, rules, &fault) && playback_run(&found, UINT32_MAX, &fault);
    fuzz_require(legal, fault.text);
    fuzz_require(found.legal && found.plies == record->move_count, "down to the last move");
    if (record_tag(again, "Position") || record_tag(again, "RedSetup"))
        check_gsn(again, &found.session->game);
    playback_close(&found);
    free(text);
    record_free(again);
    record_free(record);
    return 0;
}
