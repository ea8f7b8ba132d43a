/* Loaded variants as bytes: what an enemy may have sent is refused or safe. */
#include "base/random.h"
#include "core/play/calls.h"
#include "host/support.h"
#include "jail/loader.h"
#include "jail/variant_codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FRAME_ROOM = 4 << 20, CHANGES = 400, CUTS = 300 };

static const char *const VARIANTS[] = {"duel", "variants/examples/phalanx.lua"};

static struct frame sent, got;

static void send_variant(const char *name) {
    struct rules *rules = loader_variant(support_folders(), name, NULL);
    assert_non_null(rules);
    frame_clear(&sent);
    variant_put(&sent, rules);
    assert_false(sent.broken);
    rules_free(rules);
}

static struct rules *take(struct fault *fault) {
    got.at = 0;
    got.broken = false;
    return variant_take(&got, support_folders()->scripts, fault);
}

static void copy_sent(size_t length) {
    frame_clear(&got);
    frame_put(&got, sent.bytes + CHANNEL_HEADER, length);
}

/* Fails unless this is the fault of a refused answer. */
static void assert_refused(const struct fault *fault) {
    assert_int_equal(fault->status, STATUS_CRASH);
    assert_non_null(strstr(fault->text, "makes no sense"));
}

static void changed_bytes_are_refused_or_harmless(void **state) {
    (void)state;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        int refused = 0;
        send_variant(VARIANTS[i]);
        for (int change = 0; change < CHANGES; change++) {
            struct fault fault = {0};
            copy_sent(sent.length);
            /* Half of them at the ends, where lengths and numbers are dense. */
            uint32_t range = (uint32_t)(change % 2 ? sent.length : 2000);
            size_t at = random_below(&random, range);
            if (change % 4 == 0) at = sent.length - 1 - at;
            got.bytes[CHANNEL_HEADER + at] ^= (unsigned char)(1u << random_below(&random, 8));
            struct rules *rules = take(&fault);
            if (!rules) assert_refused(&fault);
            refused += !rules;
            rules_free(rules);
        }
        assert_in_range(refused, 1, CHANGES);
    }
}

static void a_cut_variant_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        send_variant(VARIANTS[i]);
        for (size_t cut = 0; cut < CUTS; cut++) {
            struct fault fault = {0};
            copy_sent(cut % 2 ? sent.length - cut : sent.length * cut / CUTS);
            assert_null(take(&fault));
            assert_refused(&fault);
        }
    }
}

static void surplus_bytes_are_refused(void **state) {
    (void)state;
    struct fault fault = {0};
    send_variant("duel");
    frame_put_number(&sent, 0);
    copy_sent(sent.length);
    assert_null(take(&fault));
    assert_refused(&fault);
}

static int open_frames(void **state) {
    (void)state;
    return frame_open(&sent, FRAME_ROOM) && frame_open(&got, FRAME_ROOM) ? 0 : -1;
}

static int close_frames(void **state) {
    (void)state;
    frame_close(&sent);
    frame_close(&got);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_bytes_are_refused_or_harmless),
        cmocka_unit_test(a_cut_variant_is_refused),
        cmocka_unit_test(surplus_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, open_frames, close_frames);
}
