/* `ensign replay` as scripts and people use it. */
#include "games/length.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TAGS                                                                                       \
    "[Variant \"duel\"]\n"                                                                         \
    "[Red \"anna\"]\n"                                                                             \
    "[Blue \"boris\"]\n"                                                                           \
    "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"                                 \
    "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"

static const char sample[] = TAGS "[Result \"blue\"]\n"
                                  "[Reason \"resigned\"]\n"
                                  "\n"
                                  "1. a4-a5 j7-j6 2. a5-a6 {north!} j6-j5 3. a6-a7 j5-j4\n";

static struct program_run replay(const char *input, const char *option, const char *value) {
    return program_run(input, (const char *const[]){"replay", "-", option, value, NULL});
}

static json_t *replay_json(const char *input, int exit_code) {
    struct program_run run =
        program_run(input, (const char *const[]){"replay", "-", "--verify", "--json", NULL});
    if (run.exit_code != exit_code) fail_msg("exit code %d: %s", run.exit_code, run.err);
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    program_clear(&run);
    return document;
}

static void a_legal_record_verifies(void **state) {
    (void)state;
    struct program_run run = replay(sample, "--verify", NULL);
    assert_string_equal(run.out, "-: legal, 6 plies, blue (resigned)\n");
    program_expect(run, 0, "");
}

static void one_ply_is_no_plies(void **state) {
    (void)state;
    struct program_run run = replay(TAGS "1. a4-a5\n", "--verify", NULL);
    assert_string_equal(run.out, "-: legal, 1 ply, *\n");
    program_expect(run, 0, "");
    run = program_run(TAGS "[Result \"red\"]\n1. a4-a5\n",
                      (const char *const[]){"replay", "-", "--verify", NULL});
    assert_string_equal(run.out, "-: not legal, 1 ply, *\n");
    program_expect(run, 1, "after 1 ply the game is not over");
}

static void json_says_legal_plies_result_and_reason(void **state) {
    (void)state;
    json_t *document = replay_json(sample, 0), *illegal;
    int legal, plies;
    const char *result, *reason;
    json_error_t error;
    assert_int_equal(json_unpack_ex(document, &error, JSON_STRICT, "{s:b, s:i, s:s, s:s, s:o}",
                                    "legal", &legal, "plies", &plies, "result", &result, "reason",
                                    &reason, "illegal", &illegal),
                     0);
    assert_true(legal);
    assert_int_equal(plies, 6);
    assert_string_equal(result, "blue");
    assert_string_equal(reason, "resigned");
    assert_true(json_is_null(illegal));
    json_decref(document);
}

static void json_names_the_illegal_move_and_its_rule(void **state) {
    (void)state;
    static const struct {
        const char *text, *move, *rule;
        int ply;
    } cases[] = {
        {TAGS "1. a4-a5 j7-j6 2. a5-c5", "a5-c5", "lake", 3},
        {TAGS "1. a4-a5 a4-a5", "a4-a5", "not-yours", 2},
        {TAGS "1. f1-f2", "f1-f2", "immobile-kind", 1},
        {TAGS "1. a4-a6", "a4-a6", "movement", 1},
        {TAGS "1. a4-a5 j7-j6 2. a5-z9", "a5-z9", "off-board", 3},
        {TAGS "1. a4-a5 j7-j6 2. a5-", "a5-", "text", 3},
        {TAGS "1. a4-a5 j7-j6 2. a5-a4 j6-j7 3. a4-a5 j7-j6 4. a5-a4", "a5-a4", "two-squares", 7},
        {TAGS "1. e1-e2", "e1-e2", "immobile-kind", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *document = replay_json(cases[i].text, 1);
        int legal, ply;
        const char *move, *rule;
        assert_int_equal(json_unpack(document, "{s:b, s:{s:i, s:s, s:s}}", "legal", &legal,
                                     "illegal", "ply", &ply, "move", &move, "rule", &rule),
                         0);
        assert_false(legal);
        assert_int_equal(ply, cases[i].ply);
        assert_string_equal(move, cases[i].move);
        assert_string_equal(rule, cases[i].rule);
        json_decref(document);
    }
}

static void the_position_after_a_ply_is_shown_with_the_moves_around_it(void **state) {
    (void)state;
    struct program_run run = replay(sample, "--ply", "3");
    assert_non_null(strstr(run.out, "anna"));
    assert_non_null(strstr(run.out, "after ply 3 of 6; blue to move"));
    assert_non_null(strstr(run.out, "[a5-a6]"));
    program_expect(run, 0, "");
    run = program_run(sample, (const char *const[]){"replay", "-", "--ply", "1", "--json", NULL});
    json_t *document = json_loads(run.out, 0, NULL);
    const char *position = json_string_value(json_object_get(document, "position"));
    assert_non_null(position);
    assert_non_null(strstr(position, "/rM........./...r2"));
    assert_non_null(strstr(position, " blue"));
    const char *red, *blue;
    assert_int_equal(json_unpack(document, "{s:{s:s, s:s}}", "setups", "red", &red, "blue", &blue),
                     0);
    assert_non_null(strstr(sample, red));
    assert_non_null(strstr(sample, blue));
    json_decref(document);
    program_expect(run, 0, "");
    program_expect(replay(sample, "--ply", "x"), 2, "--ply is \"x\"");
}

/* The document of --eyes after N plies of the sample; the caller frees. */
static json_t *knowledge(const char *eyes, const char *ply) {
    struct program_run run = program_run(
        sample, (const char *const[]){"replay", "-", "--json", "--eyes", eyes, "--ply", ply, NULL});
    json_t *document = json_loads(run.out, 0, NULL);
    program_expect(run, 0, "");
    assert_non_null(document);
    return document;
}

static const char *position_of(const json_t *document) {
    return json_string_value(json_object_get(document, "position"));
}

static void json_tells_what_an_onlooker_knew_at_a_ply(void **state) {
    (void)state;
    json_t *red = knowledge("red", "3"), *blue = knowledge("blue", "3");
    json_t *public = knowledge("public", "3"), *all = knowledge("all", "3");
    assert_non_null(strstr(position_of(red), "rM"));
    assert_null(strstr(position_of(red), "bM"));
    assert_non_null(strstr(position_of(blue), "bM"));
    assert_null(strstr(position_of(blue), "rM"));
    assert_null(strpbrk(position_of(public), "MFBS239"));
    assert_non_null(strstr(position_of(all), "rM"));
    assert_non_null(strstr(position_of(all), "bM"));
    assert_string_equal(json_string_value(json_object_get(blue, "to_move")), "blue");
    assert_int_equal(json_integer_value(json_object_get(blue, "ply")), 3);
    const json_t *last = json_object_get(blue, "last");
    assert_string_equal(json_string_value(json_object_get(last, "type")), "events");
    assert_string_equal(json_string_value(json_object_get(last, "move")), "a5-a6");
    assert_int_equal(json_array_size(json_object_get(last, "events")), 1);
    json_decref(red);
    json_decref(blue);
    json_decref(public);
    json_decref(all);
}

static void before_the_first_turn_nothing_was_told(void **state) {
    (void)state;
    json_t *document = knowledge("red", "0");
    assert_true(json_is_null(json_object_get(document, "last")));
    json_decref(document);
    program_expect(replay(sample, "--eyes", "red"), 2, "--eyes goes with --json");
    program_expect(replay(sample, "--eyes", "green"), 2, "--eyes is \"green\"");
}

static void a_ply_that_is_not_there_has_no_position(void **state) {
    (void)state;
    static const char illegal[] = TAGS "[Result \"red\"]\n[Reason \"flag\"]\n"
                                       "1. a4-a5 j7-j6 2. a5-c5 j6-j5 3. a5-a6\n";
    struct program_run run = replay(sample, "--ply", "7");
    assert_string_equal(run.out, "");
    program_expect(run, 2, "ply 7: the record ends with ply 6");
    run = replay(illegal, "--ply", "4");
    assert_string_equal(run.out, "");
    program_expect(run, 1, "ply 3: move \"a5-c5\" is not legal (lake)");
    run = replay(illegal, "--ply", "2");
    assert_non_null(strstr(run.out, "after ply 2 of 5; red to move"));
    program_expect(run, 0, "");
}

static void a_result_is_told_only_of_a_game_that_was_played_to_it(void **state) {
    (void)state;
    static const char illegal[] = TAGS "[Result \"red\"]\n[Reason \"flag\"]\n"
                                       "1. a4-a5 j7-j6 2. a5-c5 j6-j5 3. a5-a6\n";
    struct program_run run = replay(sample, "--ply", "6");
    assert_non_null(strstr(run.out, "Blue wins."));
    program_expect(run, 0, "");
    run = replay(sample, "--ply", "5");
    assert_null(strstr(run.out, " wins."));
    program_expect(run, 0, "");
    run = replay(illegal, "--plain", NULL);
    assert_null(strstr(run.out, " wins."));
    assert_non_null(strstr(run.out, "after ply 2 of 5; red to move"));
    program_expect(run, 1, "ply 3: move \"a5-c5\" is not legal (lake)");
}

static void several_records_are_judged_one_by_one(void **state) {
    (void)state;
    static const char wrong[] = TAGS "1. a4-a6";
    char good[64], bad[64];
    program_file(good, ".rec", sample, sizeof sample - 1);
    program_file(bad, ".rec", wrong, sizeof wrong - 1);
    struct program_run run = PROGRAM("replay", "--verify", "--json", good, bad, good);
    assert_int_equal(run.exit_code, 1);
    json_t *documents = json_loads(run.out, 0, NULL);
    assert_int_equal(json_array_size(documents), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *document = json_array_get(documents, i);
        assert_int_equal(json_is_true(json_object_get(document, "legal")), i != 1);
        assert_string_equal(json_string_value(json_object_get(document, "record")),
                            i == 1 ? bad : good);
    }
    json_decref(documents);
    program_expect(run, 1, bad);
    unlink(good);
    unlink(bad);
}

static void a_record_that_cannot_begin_is_not_shown_as_the_one_before_it(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "[Variant \"duel\"]\n[Red \"carla\"]\n1. a4-a5\n",
        "[Variant \"barrage\"]\n[Red \"carla\"]\n1. a4-a5\n",
        "[Variant \"dule\"]\n[Red \"carla\"]\n1. a4-a5\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char good[64], bad[64];
        program_file(good, ".rec", sample, sizeof sample - 1);
        program_file(bad, ".rec", wrong[i], strlen(wrong[i]));
        struct program_run run = PROGRAM("replay", "--plain", good, bad);
        const char *second = strstr(run.out, bad);
        assert_non_null(strstr(run.out, "after ply 6 of 6"));
        assert_non_null(second);
        assert_string_equal(second + strlen(bad), "\n");
        program_expect(run, 1, bad);
        unlink(good);
        unlink(bad);
    }
}

/* At every byte with ENSIGN_LONG=1. */
static void a_record_cut_off_anywhere_is_read_without_a_crash(void **state) {
    (void)state;
    for (size_t length = 0; length < sizeof sample; length += at_length() ? 1 : 5) {
        char cut[sizeof sample];
        memcpy(cut, sample, length);
        cut[length] = 0;
        struct program_run run = replay(cut, "--verify", NULL);
        if (run.exit_code > 1) fail_msg("%zu bytes: exit code %d", length, run.exit_code);
        assert_int_equal(run.exit_code == 0, !*run.err);
        if (*run.err) assert_int_equal(strncmp(run.err, "ensign: standard input", 22), 0);
        program_clear(&run);
    }
}

static void a_damaged_record_shows_what_is_left(void **state) {
    (void)state;
    struct program_run run =
        replay(TAGS "1. a4-a5 j7-j6 2. a5-a6 ?? 3. {never closed", "--ply", "3");
    assert_non_null(strstr(run.out, "after ply 3 of 3"));
    program_expect(run, 1, "standard input:6:25: found \"?\"");
}

static void bad_records_are_one_line_and_exit_code_1(void **state) {
    (void)state;
    program_expect(replay("\x01\x02\xff\xfe", "--verify", NULL), 1, "byte 0x01");
    program_expect(replay("", "--verify", NULL), 1, "\"Variant\" is missing");
    program_expect(replay("[Variant \"dule\"]", "--verify", NULL), 1,
                   "standard input:1:11: no variant \"dule\", did you mean \"duel\"");
    program_expect(replay("[Variant \"/etc/x.lua\"]", "--verify", NULL), 1, "a name is expected");
    program_expect(replay("[Variant \"x.lua\"]", "--verify", NULL), 1, "a name is expected");
    program_expect(replay("[Variant \"duel\"]", "--verify", NULL), 1, "RedSetup");
    program_expect(PROGRAM("replay", "no.rec"), 2, "no.rec: no such file");
    program_expect(PROGRAM("replay", "tests"), 2, "tests: is a folder");
    program_expect(PROGRAM("replay"), 2, "a record is expected");
    program_expect(PROGRAM("replay", "--verify", "--ply", "3", "x.rec"), 2, "--ply");
    program_expect(PROGRAM("replay", "--verfy", "x.rec"), 2, "did you mean \"--verify\"");
}

static void the_variant_may_be_given_instead_of_the_tag(void **state) {
    (void)state;
    const char *untagged = strchr(sample, '\n') + 1;
    program_expect(replay(untagged, "--variant", "duel"), 0, "");
    program_expect(replay(untagged, "-v", "variants/duel.lua"), 0, "");
    program_expect(replay(untagged, "-v", "dule"), 2, "no variant \"dule\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_legal_record_verifies),
        cmocka_unit_test(one_ply_is_no_plies),
        cmocka_unit_test(json_says_legal_plies_result_and_reason),
        cmocka_unit_test(json_names_the_illegal_move_and_its_rule),
        cmocka_unit_test(the_position_after_a_ply_is_shown_with_the_moves_around_it),
        cmocka_unit_test(json_tells_what_an_onlooker_knew_at_a_ply),
        cmocka_unit_test(before_the_first_turn_nothing_was_told),
        cmocka_unit_test(a_ply_that_is_not_there_has_no_position),
        cmocka_unit_test(a_result_is_told_only_of_a_game_that_was_played_to_it),
        cmocka_unit_test(several_records_are_judged_one_by_one),
        cmocka_unit_test(a_record_that_cannot_begin_is_not_shown_as_the_one_before_it),
        cmocka_unit_test(a_record_cut_off_anywhere_is_read_without_a_crash),
        cmocka_unit_test(a_damaged_record_shows_what_is_left),
        cmocka_unit_test(bad_records_are_one_line_and_exit_code_1),
        cmocka_unit_test(the_variant_may_be_given_instead_of_the_tag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
