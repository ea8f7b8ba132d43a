/* Random games of a variant: their figures add up, and a call that fails is found. */
#include "host/check/trial.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

static void the_figures_of_a_trial_add_up(void **state) {
    (void)state;
    static const char *const names[] = {"duel", "galaxy-duel", "lightning", "examples/fog.lua"};
    for (int i = 0; i < 4; i++) {
        struct fault fault = {0};
        char path[64];
        snprintf(path, sizeof path, i < 3 ? "%s" : "variants/%s", names[i]);
        struct rules *rules = variant_load(&folders, path, &fault);
        assert_non_null(rules);
        struct trial trial;
        const struct trial_options options = {.rules = rules, .games = 30, .seed = 5};
        if (!trial_run(&options, &trial, &fault)) fail_msg("%s: %s", path, fault.text);
        uint64_t ends = 0, moves = 0;
        for (int reason = 0; reason < REASON_COUNT; reason++) ends += trial.reasons[reason];
        for (kind_id kind = 1; kind <= rules->kinds; kind++) moves += trial.moves[kind];
        assert_int_equal(trial.games, 30);
        assert_int_equal(ends, 30);
        assert_int_equal(moves, trial.plies);
        assert_int_equal(trial.wins[RED] + trial.wins[BLUE] + trial.draws, 30);
        assert_int_equal(trial.first_wins + trial.first_losses + trial.draws, 30);
        assert_true(trial.shortest <= trial.longest && trial.longest <= trial.plies);
        rules_free(rules);
    }
}

/* A variant that is asked about each end of a turn, and what it does then. */
enum manner { HONEST, FAILING };

struct fake {
    struct calls calls;
    enum manner manner;
    uint32_t asked;
};

static bool fake_ask(struct calls *calls, enum call call, const struct game *game,
                     const struct play *play, struct call_answer *answer, struct fault *fault) {
    struct fake *fake = (struct fake *)calls;
    (void)call;
    (void)game;
    (void)play;
    fake->asked++;
    if (fake->manner == FAILING && fake->asked > 5)
        return fault_set(fault, STATUS_SCRIPT, "in ending: no answer");
    answer->result = RESULT_NONE;
    return true;
}

static void fake_place(struct calls *calls, enum call call, struct fault *fault) {
    (void)calls;
    (void)call;
    fault_place(fault, "fake.lua", 7, 0);
}

static void fake_close(struct calls *calls) {
    (void)calls;
}

static bool run_fake(enum manner manner, struct trial *trial, struct fault *fault) {
    struct fake fake = {
        {.declared = 1u << CALL_ENDING, .ask = fake_ask, .place = fake_place, .close = fake_close},
        manner,
        0};
    struct rules *rules = variant_load(&folders, "duel", fault);
    assert_non_null(rules);
    rules->calls = &fake.calls;
    const struct trial_options options = {.rules = rules, .games = 10, .seed = 1};
    bool played = trial_run(&options, trial, fault);
    rules->calls = NULL;
    rules_free(rules);
    return played;
}

static void an_honest_call_passes_and_is_counted(void **state) {
    (void)state;
    struct fault fault = {0};
    struct trial trial;
    assert_true(run_fake(HONEST, &trial, &fault));
    assert_true(trial.calls[CALL_ENDING].asked >= trial.plies);
    assert_int_equal(trial.calls[CALL_ENDING].moved, 0);
}

static void a_call_that_fails_ends_the_trial_with_its_fault(void **state) {
    (void)state;
    struct fault fault = {0};
    struct trial trial;
    assert_false(run_fake(FAILING, &trial, &fault));
    assert_string_equal(fault.text, "in ending: no answer (ply 4)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figures_of_a_trial_add_up),
        cmocka_unit_test(an_honest_call_passes_and_is_counted),
        cmocka_unit_test(a_call_that_fails_ends_the_trial_with_its_fault),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
