/* bench_stranger: whole games by the rules, and its arguments. */
#include "printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* An illegal move, a late one or an end before the game's would be a forfeit, with exit code 1. */
static void it_plays_whole_games_by_the_rules(void **state) {
    char out[4096];
    (void)state;
    if (printed(ENSIGN_PROGRAM,
                "match \"ucc:'" ENSIGN_BENCH_STRANGER
                "' 1\" hunter -v milton-bradley -n 4 --seed 5",
                out, sizeof out) != 0)
        fail_msg("%s", out);
    assert_non_null(strstr(out, "4 games in 2 pairs"));
    assert_null(strstr(out, "forfeit-"));
}

static void wrong_use_is_refused(void **state) {
    char out[1024];
    (void)state;
    assert_int_equal(printed(ENSIGN_BENCH_STRANGER, "0", out, sizeof out), 2);
    assert_non_null(strstr(out, "MS is 1 to 5000"));
    assert_int_equal(printed(ENSIGN_BENCH_STRANGER, "20 missing.txt", out, sizeof out), 2);
    assert_string_equal(out, "bench_stranger: cannot open missing.txt\n");
    assert_int_equal(printed(ENSIGN_BENCH_STRANGER, "20 /dev/null", out, sizeof out), 2);
    assert_string_equal(out, "bench_stranger: no set-up with the army of 40\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_plays_whole_games_by_the_rules),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests_name("bench/stranger", tests, NULL, NULL);
}
