/* `check json:COMMAND`: sound programs pass, and every misbehaviour of tests/host/programs/actor.c
 * is found, with all that repeats it. */
#include "host/check/compliance.h"

#include "processes.h"
#include "support.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <cmocka.h>

enum { QUICK = 300, PATIENT = 20000, POSITIONS = 20 }; /* ms: one that expires, one that does not */

struct tested {
    struct faults *faults;
    json_t *facts;
    bool whole;
};

static atomic_bool stop;
static uint32_t positions = POSITIONS;

static struct tested run(const struct compliance_terms *terms) {
    struct tested tested = {faults_new(), json_object(), false};
    assert_non_null(tested.faults);
    tested.whole = compliance_test(terms, tested.faults, tested.facts);
    return tested;
}

static void tested_clear(struct tested *tested) {
    free(tested->faults);
    json_decref(tested->facts);
}

/* Tests the actor with these steps, as a shell reads them. */
static struct tested test(const char *variant, int deadline, const char *steps) {
    char command[1024];
    snprintf(command, sizeof command, "json:'%s' - %s", ENSIGN_ACTOR, steps);
    return run(&(const struct compliance_terms){.folders = support_folders(),
                                                .program = command,
                                                .variant = variant,
                                                .positions = positions,
                                                .deadline = deadline,
                                                .seed = 7,
                                                .stop = &stop});
}

static bool holds(const struct faults *faults, bool warning, const char *words) {
    for (size_t i = 0; i < faults->count; i++)
        if (faults->list[i].warning == warning && strstr(faults->list[i].fault.text, words))
            return true;
    return false;
}

/* The only fault in duel is this. */
static void expect(int deadline, const char *steps, bool warning, const char *words) {
    struct tested tested = test("duel", deadline, steps);
    if (tested.faults->count != 1 || !holds(tested.faults, warning, words))
        fail_msg("%s: %zu faults, %s", steps, tested.faults->count,
                 tested.faults->list[0].fault.text);
    assert_true(holds(tested.faults, warning, "duel, seed 7, game "));
    assert_int_equal(json_array_size(json_object_get(tested.facts, "found")), 1);
    assert_true(tested.whole == warning);
    tested_clear(&tested);
}

static int stock_variants(void) {
    glob_t found;
    assert_int_equal(glob("variants/*.lua", 0, NULL, &found), 0);
    const int count = (int)found.gl_pathc;
    globfree(&found);
    return count;
}

static void a_sound_program_passes_in_every_variant(void **state) {
    (void)state;
    struct tested tested = test(NULL, PATIENT, "");
    for (size_t i = 0; i < tested.faults->count; i++)
        print_error("%s\n", tested.faults->list[i].fault.text);
    assert_true(tested.whole);
    assert_int_equal(tested.faults->count, 0);
    const json_t *variants = json_object_get(tested.facts, "variants");
    assert_int_equal(json_array_size(variants), stock_variants());
    for (size_t i = 0; i < json_array_size(variants); i++)
        assert_true(json_integer_value(json_object_get(json_array_get(variants, i), "positions")) >=
                    POSITIONS);
    tested_clear(&tested);
}

static void harmless_habits_are_no_faults(void **state) {
    (void)state;
    static const char *const habits[] = {"flood-errors flood-errors", "ok child",
                                         "'{\"type\":\"setup\",\"setup\":\"duel-open\"}'",
                                         "ok '{\"type\":\"draw\"}' ok"};
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        struct tested tested = test("duel", PATIENT, habits[i]);
        if (!tested.whole || tested.faults->count)
            fail_msg("%s: %s", habits[i], tested.faults->list[0].fault.text);
        tested_clear(&tested);
    }
}

static void illegal_answers_are_found_with_the_position(void **state) {
    (void)state;
    expect(PATIENT, "'{\"type\":\"setup\",\"setup\":\"M9/x\"}'", false,
           "row 1 has 2 squares, expected 10");
    expect(PATIENT, "ok '{\"type\":\"move\",\"move\":\"a1-j10\"}'", false, "a1-j10");
    expect(PATIENT, "ok '{\"type\":\"move\",\"move\":\"north\"}'", false, "; the position: ..b?");
    expect(PATIENT, "ok ok '{\"type\":\"draw\"}' '{\"type\":\"draw\"}'", false, "declined");
    expect(PATIENT, "ok flood-line", false, "a line of more than 65535 bytes");
    expect(PATIENT, "ok flood-lines", false, "more than 64 lines");
    expect(PATIENT, "ok flood-blanks", false, "only blank ones");
    expect(PATIENT, "ok long", false, "a line of more than 65535 bytes");
}

static void answers_that_do_not_come_are_found(void **state) {
    (void)state;
    expect(QUICK, "silence", false, "no set-up within 300 ms");
    expect(QUICK, "ok ok silence", false, "no move within 300 ms");
    expect(QUICK, "ok half", false, "no move within 300 ms");
    expect(QUICK, "ok stop", false, "no move within 300 ms");
    expect(PATIENT, "ok leave", false, "exit code 3");
    expect(PATIENT, "ok half-leave", false, "exit code 3");
    expect(PATIENT, "ok crash", false, "signal 11");
    expect(PATIENT, "ok close", false, "output is closed");
}

static void an_untidy_end_is_found(void **state) {
    (void)state;
    expect(PATIENT, "@silence", false, "still running half a second after the end");
    expect(PATIENT, "@leave", false, "after the end it left with exit code 3");
    expect(PATIENT, "@crash", false, "after the end it left with signal 11");
}

static void lines_that_are_no_answers_are_a_warning(void **state) {
    (void)state;
    expect(PATIENT, "ok '+{\"type\":\"thinking\"}' ok", true, "1 of its lines were no answers");
    expect(PATIENT, "ok +rubbish ok", true, "of its lines were no answers");
}

static void a_program_that_ignores_its_seed_is_warned_of(void **state) {
    (void)state;
    expect(PATIENT, "ok whim whim whim whim whim whim whim whim", true,
           "the same seed gave another move at ply");
}

static void nonsense_from_the_host_is_to_be_survived(void **state) {
    (void)state;
    struct tested tested = test("duel", PATIENT, "'!picky'");
    assert_true(holds(tested.faults, false, "with messages and keys that it does not know: "));
    tested_clear(&tested);
    expect(PATIENT, "'!rigid'", true, "with lines that are no messages: ");
}

static void a_single_variant_repeats_what_was_found_among_all(void **state) {
    (void)state;
    static const char steps[] = "ok ok ok ok '{\"type\":\"move\",\"move\":\"a1-a9\"}'";
    struct tested all = test(NULL, PATIENT, steps), one = test("quick", PATIENT, steps);
    assert_int_equal(all.faults->errors, stock_variants());
    assert_int_equal(one.faults->errors, 1);
    assert_true(holds(all.faults, false, one.faults->list[0].fault.text));
    tested_clear(&all);
    tested_clear(&one);
}

static void games_that_end_early_leave_positions_out(void **state) {
    (void)state;
    positions = 200;
    struct tested tested =
        test("duel", PATIENT, "ok '{\"type\":\"resign\"}' '{\"type\":\"resign\"}'");
    positions = POSITIONS;
    assert_false(tested.whole);
    assert_true(holds(tested.faults, true, "games end early by its answers"));
    tested_clear(&tested);
}

static struct tested test_ucc(const char *script, const char *variant) {
    char command[1024];
    snprintf(command, sizeof command, "ucc:tests/host/ucc/%s", script);
    return run(&(const struct compliance_terms){.folders = support_folders(),
                                                .program = command,
                                                .variant = variant,
                                                .positions = positions,
                                                .deadline = PATIENT,
                                                .stop = &stop});
}

static void programs_of_the_line_protocol_play_the_variants_that_it_can_express(void **state) {
    (void)state;
    struct tested tested = test_ucc("walker.sh", NULL);
    for (size_t i = 0; i < tested.faults->count; i++)
        print_error("%s\n", tested.faults->list[i].fault.text);
    assert_int_equal(json_array_size(json_object_get(tested.facts, "variants")), 4);
    assert_true(tested.whole);
    tested_clear(&tested);
    tested = test_ucc("walker.sh", "duel");
    assert_int_equal(tested.faults->list[0].fault.status, STATUS_USAGE);
    tested_clear(&tested);
    tested = test_ucc("cheat.sh army", "original");
    assert_true(holds(tested.faults, false, "original, seed 0, game 0 as red: "));
    tested_clear(&tested);
}

static void a_program_that_is_not_there_is_one_error(void **state) {
    (void)state;
    struct tested tested = run(&(const struct compliance_terms){.folders = support_folders(),
                                                                .program = "json:./no-such-program",
                                                                .positions = positions,
                                                                .deadline = PATIENT,
                                                                .stop = &stop});
    assert_int_equal(tested.faults->errors, 1);
    assert_int_equal(tested.faults->list[0].fault.status, STATUS_NOT_FOUND);
    tested_clear(&tested);
}

/* What processes leave behind comes to this one. */
static int adopt(void **state) {
    (void)state;
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int none_is_left(void **state) {
    (void)state;
    return processes_end() ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_teardown(name, none_is_left)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_sound_program_passes_in_every_variant),
        TEST(harmless_habits_are_no_faults),
        TEST(illegal_answers_are_found_with_the_position),
        TEST(answers_that_do_not_come_are_found),
        TEST(an_untidy_end_is_found),
        TEST(lines_that_are_no_answers_are_a_warning),
        TEST(a_program_that_ignores_its_seed_is_warned_of),
        TEST(nonsense_from_the_host_is_to_be_survived),
        TEST(a_single_variant_repeats_what_was_found_among_all),
        TEST(games_that_end_early_leave_positions_out),
        TEST(programs_of_the_line_protocol_play_the_variants_that_it_can_express),
        TEST(a_program_that_is_not_there_is_one_error),
    };
    return cmocka_run_group_tests(tests, adopt, NULL);
}
