/* What bots/programs/ensign/ promises of the library in Python: a test is a function of
 * python/check.py. Debian's Python is tried first, since it is the one that has Debian's numpy;
 * where neither has numpy the tests are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/sanitized.h"

static const char *python;

static int find_python(void **state) {
    (void)state;
    static const char *const names[] = {"/usr/bin/python3", "python3"};
    for (int i = 0; i < 2 && !python; i++) {
        char command[128];
        snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", names[i]);
        if (system(command) == 0) python = names[i];
    }
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
    python = NULL; /* which is not instrumented */
#endif
#endif
    if (!python) print_message("skipped: no Python with numpy\n");
    return setenv("ENSIGN_LIBRARY", ENSIGN_LIBRARY, 1);
}

/* Sanitizers of a library have to be there before the program that loads it. */
static const char *preload(void) {
    return sanitized() ? "LD_PRELOAD=$(clang -print-file-name=libclang_rt.asan-$(uname -m).so) "
                         "ASAN_OPTIONS=detect_leaks=0 "
                       : "";
}

static void check(const char *function) {
    char command[1024];
    if (!python) skip();
    snprintf(command, sizeof command, "%s %s -B " ENSIGN_ROOT "/tests/lib/python/check.py %s 2>&1",
             preload(), python, function);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char said[1 << 14], line[256];
    const size_t length = fread(said, 1, sizeof said - 1, pipe);
    said[length] = '\0';
    snprintf(line, sizeof line, "%s\n", function);
    if (pclose(pipe) || !strstr(said, line)) fail_msg("%s", said);
}

#define CHECKED(function)                                                                          \
    static void function(void **state) {                                                           \
        (void)state;                                                                               \
        check(#function);                                                                          \
    }
CHECKED(arrays_hold_what_their_names_say)
CHECKED(masks_are_the_actions_that_are_legal)
CHECKED(the_same_seed_gives_the_same_games)
CHECKED(actions_and_texts_go_both_ways)
CHECKED(rules_travel_as_bytes)
CHECKED(single_games_are_copied_saved_and_taken_back)
CHECKED(samples_cannot_be_told_apart)
CHECKED(set_ups_are_the_callers)
CHECKED(wrong_use_is_an_exception)
CHECKED(an_illegal_action_names_its_games_and_the_others_are_played)
CHECKED(a_closed_batch_is_not_used)
CHECKED(arrays_that_are_replaced_are_not_written_to)
CHECKED(only_what_was_installed_with_it_is_used)
CHECKED(another_thread_in_a_batch_is_refused)
CHECKED(one_environment_has_the_form_of_gymnasium)
CHECKED(an_opponent_plays_the_other_side)
CHECKED(pettingzoo_finds_what_it_expects)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_hold_what_their_names_say),
        cmocka_unit_test(masks_are_the_actions_that_are_legal),
        cmocka_unit_test(the_same_seed_gives_the_same_games),
        cmocka_unit_test(actions_and_texts_go_both_ways),
        cmocka_unit_test(rules_travel_as_bytes),
        cmocka_unit_test(single_games_are_copied_saved_and_taken_back),
        cmocka_unit_test(samples_cannot_be_told_apart),
        cmocka_unit_test(set_ups_are_the_callers),
        cmocka_unit_test(wrong_use_is_an_exception),
        cmocka_unit_test(an_illegal_action_names_its_games_and_the_others_are_played),
        cmocka_unit_test(a_closed_batch_is_not_used),
        cmocka_unit_test(arrays_that_are_replaced_are_not_written_to),
        cmocka_unit_test(only_what_was_installed_with_it_is_used),
        cmocka_unit_test(another_thread_in_a_batch_is_refused),
        cmocka_unit_test(one_environment_has_the_form_of_gymnasium),
        cmocka_unit_test(an_opponent_plays_the_other_side),
        cmocka_unit_test(pettingzoo_finds_what_it_expects),
    };
    return cmocka_run_group_tests_name("lib/python", tests, find_python, NULL);
}
