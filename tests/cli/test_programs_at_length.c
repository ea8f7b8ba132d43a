/* bots/programs at length: the first program of its page, fifteen lines, plays every stock variant
 * and every example without forfeiting (two games of each, with ENSIGN_LONG=1 a hundred); how well
 * player.py plays; the tournament. */
#include "host/support.h"
#include "program.h"
#include "programs_page.h"

#include <glob.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void extract_program(const char *path) {
    char *code = programs_block("#!/usr/bin/env python3\n# example: first.py\n", 0);
    int lines = 0;
    assert_non_null(code);
    for (const char *at = code; *at; at++) lines += *at == '\n';
    assert_true(lines <= 15);
    programs_write(path, code);
    free(code);
}

static void the_first_program_plays_every_variant(void **state) {
    (void)state;
    const char *games = getenv("ENSIGN_LONG") ? "100" : "2";
    char path[128], player[160];
    glob_t variants;
    snprintf(path, sizeof path, "%s/first.py", test_folder);
    snprintf(player, sizeof player, "json:%s", path);
    extract_program(path);
    assert_int_equal(glob(ENSIGN_ROOT "/variants/*.lua", 0, NULL, &variants), 0);
    assert_int_equal(glob(ENSIGN_ROOT "/variants/examples/*.lua", GLOB_APPEND, NULL, &variants), 0);
    assert_true(variants.gl_pathc >= 11 + 11);
    for (size_t i = 0; i < variants.gl_pathc; i++)
        program_expect(PROGRAM("match", player, "rookie", "-v", variants.gl_pathv[i], "-n", games,
                               "--seed", "7"),
                       0, "");
    globfree(&variants);
}

static double score_against(const char *opponent) {
    struct program_run run = PROGRAM("match", "json:" PROGRAMS "player.py", opponent, "-v", "duel",
                                     "-n", "10", "--seed", "5", "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    json_t *player = json_array_get(json_object_get(document, "players"), 0);
    double score = json_number_value(json_object_get(player, "score"));
    assert_int_equal(run.exit_code, 0);
    json_decref(document);
    program_clear(&run);
    return score;
}

static void the_python_player_beats_rookie_and_holds_its_own_against_raider(void **state) {
    (void)state;
    assert_true(score_against("rookie") >= 0.8);
    assert_true(score_against("raider") >= 0.5);
}

/* Runs the tournament of these programs, after the words of a shell. */
static void expect_tournament(const char *words, const char *programs) {
    static const char *const names[] = {">rookie<", ">raider<", ">hunter<", ">seer<",
                                        ">player.py<"};
    char path[1024], picture[1 << 14] = "";
    snprintf(path, sizeof path, "%s python3 %stournament.py 2 %s >%s/table", words, programs,
             test_folder, test_folder);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/ratings.svg", test_folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(picture, 1, sizeof picture - 1, file) > 0);
    fclose(file);
    for (int i = 0; i < 5; i++)
        if (!strstr(picture, names[i])) fail_msg("%s is not in %s", names[i], picture);
    assert_non_null(strstr(picture, "20 games"));
    snprintf(path, sizeof path, "%s/pass.lua", test_folder);
    program_expect(PROGRAM("check", path, "--seconds", "5"), 0, "");
}

static void the_tournament_draws_its_ratings(void **state) {
    (void)state;
    expect_tournament("", PROGRAMS);
}

static void so_does_an_installed_one_with_the_program_installed_with_it(void **state) {
    (void)state;
    char command[1024], programs[256];
    snprintf(command, sizeof command,
             "cmake --install \"$(dirname '%s')\" --prefix %s/installed >%s/said 2>&1",
             ENSIGN_PROGRAM, test_folder, test_folder);
    assert_int_equal(system(command), 0);
    snprintf(programs, sizeof programs, "%s/installed/share/ensign/bots/programs/", test_folder);
    expect_tournament("env -u ENSIGN -u ENSIGN_DATA PATH=/usr/bin:/bin", programs);
    snprintf(command, sizeof command, "rm -r %s/installed", test_folder);
    assert_int_equal(system(command), 0);
}

static int use_interpreters(void **state) {
    (void)state;
    programs_environment();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_program_plays_every_variant, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test(the_python_player_beats_rookie_and_holds_its_own_against_raider),
        cmocka_unit_test_setup_teardown(the_tournament_draws_its_ratings, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(so_does_an_installed_one_with_the_program_installed_with_it,
                                        make_test_folder, remove_test_folder),
    };
    return cmocka_run_group_tests_name("cli/programs_at_length", tests, use_interpreters, NULL);
}
