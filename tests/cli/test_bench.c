/* `ensign bench`: its table and its JSON, on a small variant with short runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"plies_per_second",
                                   "batch_plies_per_second",
                                   "listed_plies_per_second",
                                   "sampled_plies_per_second",
                                   "perft_leaves_per_second",
                                   "perft_bulk_leaves_per_second",
                                   "games_per_second",
                                   "two_jobs_games_per_second",
                                   "bot_turn_seconds",
                                   "child_turn_seconds",
                                   "exchange_seconds",
                                   "lua_rounds_per_second",
                                   "lua_uncounted_rounds_per_second",
                                   "load_seconds",
                                   "copy_seconds"};
enum { KEYS = sizeof keys / sizeof keys[0] };

static json_t *bench_json(const char *variant) {
    struct program_run run = PROGRAM("bench", "-v", variant, "--seconds", "0.02", "--json");
    json_error_t error;
    assert_int_equal(run.exit_code, 0);
    json_t *document = json_loads(run.out, 0, &error);
    if (!document) fail_msg("line %d: %s", error.line, error.text);
    program_clear(&run);
    return document;
}

static void the_document_holds_every_figure_and_its_spread(void **state) {
    (void)state;
    json_t *document = bench_json("duel");
    assert_string_equal(json_string_value(json_object_get(document, "variant")), "duel");
    for (int i = 0; i < KEYS; i++) {
        json_t *spread = json_object_get(json_object_get(document, "spread"), keys[i]);
        double median = json_real_value(json_object_get(document, keys[i]));
        if (median <= 0) fail_msg("%s is %f", keys[i], median);
        assert_true(json_real_value(json_array_get(spread, 0)) <= median);
        assert_true(json_real_value(json_array_get(spread, 1)) >= median);
    }
    assert_in_range(json_integer_value(json_object_get(document, "state_bytes")), 1024, 1 << 20);
    assert_true(json_is_null(json_object_get(document, "listed_because")));
    json_decref(document);
}

/* Sixteen files of eight squares do not fit the words of lanes. */
static void a_variant_that_lanes_cannot_hold_is_named_with_the_reason(void **state) {
    (void)state;
    static const char variant[] =
        "return { api = 1, extends = \"duel\", title = \"Long\",\n"
        "  board = { files = 16, ranks = 8, lakes = {} }, zone = { ranks = 3 } }\n";
    char path[64];
    program_file(path, ".lua", variant, sizeof variant - 1);
    json_t *document = bench_json(path);
    assert_true(json_is_string(json_object_get(document, "listed_because")));
    json_decref(document);
    struct program_run run = PROGRAM("bench", "-v", path, "--seconds", "0.02");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "moves are listed, because"));
    program_clear(&run);
    remove(path);
}

static void the_table_shows_medians_and_spreads(void **state) {
    (void)state;
    struct program_run run = PROGRAM("bench", "-v", "duel", "--seconds", "0.02");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "duel: moves are drawn unlisted"));
    assert_non_null(strstr(run.out, "random playouts, many at once"));
    assert_non_null(strstr(run.out, "least to greatest\n"));
    const char *row = strstr(run.out, "random playouts, one at a time");
    double median, least, greatest;
    assert_non_null(row);
    assert_int_equal(sscanf(row, "%*[^0-9]%lf Mplies/s %lf to %lf\n", &median, &least, &greatest),
                     3);
    assert_true(0 < least && least <= median && median <= greatest);
    program_clear(&run);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    program_expect(PROGRAM("bench", "--seconds", "0"), 2, "--seconds is \"0\"");
    program_expect(PROGRAM("bench", "--seconds", "soon"), 2, "--seconds is \"soon\"");
    program_expect(PROGRAM("bench", "duel"), 2, "unexpected argument \"duel\"");
    program_expect(PROGRAM("bench", "-v", "duell", "--seconds", "0.1"), 2, "did you mean");
    program_expect(PROGRAM("bench", "--jsen"), 2, "json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_holds_every_figure_and_its_spread),
        cmocka_unit_test(a_variant_that_lanes_cannot_hold_is_named_with_the_reason),
        cmocka_unit_test(the_table_shows_medians_and_spreads),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests_name("cli/bench", tests, NULL, NULL);
}
