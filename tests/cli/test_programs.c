/* bots/programs: what its page shows is run, and every example plays. */
#include "host/support.h"
#include "program.h"
#include "programs_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[64];

static void shell(const char *format, ...) {
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && length < (int)sizeof command);
    if (system(command) != 0) fail_msg("%s failed", command);
}

/* Programs leave compiled modules beside the files of the page, so it goes with all in it. */
static int make_folder(void **state) {
    (void)state;
    support_folder(folder);
    programs_environment();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    shell("rm -rf -- %s", folder);
    return 0;
}

/* The output of two games of the program against the rookie, of which nobody forfeits one. */
static char *games_of(const char *command, const char *variant) {
    char player[256];
    snprintf(player, sizeof player, "json:%s", command);
    struct program_run run =
        PROGRAM("match", player, "rookie", "-v", variant, "-n", "2", "--seed", "5");
    char *out = strdup(run.out);
    program_expect(run, 0, "");
    return out;
}

/* It plays a game with guesses, one with fog and one in which fallen pieces return; the same seed
 * gives the same games again. */
static void plays(const char *command) {
    static const char *const variants[] = {"infiltrator", "lightning", "variants/examples/fog.lua",
                                           "variants/examples/fog.lua"};
    char *out[4];
    for (int i = 0; i < 4; i++) out[i] = games_of(command, variants[i]);
    assert_string_equal(out[2], out[3]);
    for (int i = 0; i < 4; i++) free(out[i]);
}

static void every_program_of_the_page_plays(void **state) {
    (void)state;
    static const char mark[] = "#!/usr/bin/env python3\n# example: ";
    int count = 0;
    shell("cp %splayer.py %s", PROGRAMS, folder);
    for (char *code; (code = programs_block(mark, count)); count++) {
        const char *name = code + strlen(mark);
        char path[160];
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(name, "\n"), name);
        programs_write(path, code);
        free(games_of(path, "duel"));
        free(code);
    }
    assert_int_equal(count, 2);
}

static void the_python_player_plays(void **state) {
    (void)state;
    plays(PROGRAMS "player.py");
}

static void the_c_player_plays(void **state) {
    (void)state;
    plays(ENSIGN_PLAYER_IN_C);
}

static void the_javascript_player_plays(void **state) {
    (void)state;
    plays(PROGRAMS "player.js");
}

static void the_lua_player_plays(void **state) {
    (void)state;
    plays(PROGRAMS "player.lua");
}

static void lists_of_bots_do_not_name_the_programs(void **state) {
    (void)state;
    struct program_run run = PROGRAM("list", "bots");
    assert_non_null(strstr(run.out, "rookie"));
    assert_null(strstr(run.out, "player"));
    assert_null(strstr(run.out, "programs"));
    program_clear(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_of_the_page_plays),
        cmocka_unit_test(the_python_player_plays),
        cmocka_unit_test(the_c_player_plays),
        cmocka_unit_test(the_javascript_player_plays),
        cmocka_unit_test(the_lua_player_plays),
        cmocka_unit_test(lists_of_bots_do_not_name_the_programs),
    };
    return cmocka_run_group_tests_name("cli/programs", tests, make_folder, remove_folder);
}
