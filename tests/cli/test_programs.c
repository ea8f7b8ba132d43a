/* bots/programs: what its page shows is run, and every example plays. */
#include "host/seat/message.h"
#include "host/support.h"
#include "program.h"
#include "programs_page.h"

#include <jansson.h>
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

/* Two games of the program against the rookie, of which nobody forfeits one, as JSON. */
static char *games_of(const char *command, const char *variant) {
    char player[256];
    snprintf(player, sizeof player, "json:%s", command);
    struct program_run run =
        PROGRAM("match", player, "rookie", "-v", variant, "-n", "2", "--seed", "5", "--json");
    char *out = strdup(run.out);
    program_expect(run, 0, "");
    return out;
}

/* It plays a game with guesses, one in which fallen pieces return, one with attacks that may not be
 * made and one with fog; the same seed gives the same games again. */
static void plays(const char *command) {
    static const char *const variants[] = {"infiltrator", "lightning", "jungle",
                                           "variants/examples/fog.lua",
                                           "variants/examples/fog.lua"};
    char *out[5];
    for (int i = 0; i < 5; i++) out[i] = games_of(command, variants[i]);
    assert_string_equal(out[3], out[4]);
    for (int i = 0; i < 5; i++) free(out[i]);
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

/* Fails unless the page has the word in quotes, or as code, perhaps as an optional key. */
static void assert_told(const char *page, const char *word) {
    static const char *const forms[] = {"`%s`", "\"%s\"", "`[%s]`"};
    char form[96];
    for (int i = 0; i < 3; i++) {
        snprintf(form, sizeof form, forms[i], word);
        if (strstr(page, form)) return;
    }
    fail_msg("the page does not tell of \"%s\"", word);
}

/* The keys of all messages, and the types, which are constants, in a part of the schema. Returns
 * how many there were. */
static int assert_schema_told(const char *page, json_t *part) {
    const char *key;
    json_t *value;
    size_t index;
    int count = 0;
    json_object_foreach(json_object_get(part, "properties"), key, value) {
        json_t *constant = json_object_get(value, "const");
        assert_told(page, key);
        if (json_is_string(constant)) assert_told(page, json_string_value(constant));
        count++;
    }
    json_object_foreach(part, key, value) count += assert_schema_told(page, value);
    json_array_foreach(part, index, value) count += assert_schema_told(page, value);
    return count;
}

static void the_page_tells_of_every_key_and_type_of_the_schema(void **state) {
    (void)state;
    char *page = programs_page();
    json_t *schema = json_loads(message_schema(), 0, NULL);
    assert_non_null(schema);
    assert_true(assert_schema_told(page, schema) > 100);
    json_decref(schema);
    free(page);
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
        cmocka_unit_test(the_page_tells_of_every_key_and_type_of_the_schema),
        cmocka_unit_test(the_python_player_plays),
        cmocka_unit_test(the_c_player_plays),
        cmocka_unit_test(the_javascript_player_plays),
        cmocka_unit_test(the_lua_player_plays),
        cmocka_unit_test(lists_of_bots_do_not_name_the_programs),
    };
    return cmocka_run_group_tests_name("cli/programs", tests, make_folder, remove_folder);
}
