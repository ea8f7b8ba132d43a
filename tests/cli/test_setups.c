/* `ensign setups`: the library, one picture, files judged. */
#include "cli/setups/heat.h"
#include "program.h"
#include "variant/variant.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FIRST "M..2....../...9..2.../3.S......3/....BFB..."
#define MIRROR "......2..M/...2..9.../3......S.3/...BFB...."

static void assert_says(const struct program_run *run, const char *text) {
    if (!strstr(run->out, text)) fail_msg("no \"%s\" in:\n%s%s", text, run->out, run->err);
}

static void the_library_is_listed_by_army_with_ideas(void **state) {
    (void)state;
    struct program_run run = PROGRAM("setups");
    assert_says(&run, "original, classic, milton-bradley, russian\n");
    assert_says(&run, "  corner-fortress\n    [");
    assert_says(&run, "]\n    The flag sits in a corner");
    assert_says(&run, "\nbarrage\n");
    program_expect(run, 0, "");
    run = PROGRAM("setups", "-v", "duel");
    assert_null(strstr(run.out, "corner-fortress"));
    assert_says(&run, "  duel-corner\n"
                      "      .    .  [ 2]   .    .    .    .  [ 2]   .    . \n");
    program_expect(run, 0, "");
    run = PROGRAM("list", "setups");
    assert_says(&run, "  duel-corner           duel\n");
    program_expect(run, 0, "");
}

static void a_variant_without_set_ups_says_so(void **state) {
    (void)state;
    static const char lua[] = "return { api = 1, extends = \"duel\", title = \"Odd\",\n"
                              "  army = { scout = 1 } }\n";
    char path[64];
    program_file(path, ".lua", lua, strlen(lua));
    struct program_run run = PROGRAM("setups", "-v", path);
    assert_says(&run, "The library has no set-up for ");
    program_expect(run, 0, "");
    unlink(path);
}

static void a_name_is_drawn_with_its_idea(void **state) {
    (void)state;
    struct program_run run = PROGRAM("setups", "duel-corner");
    assert_says(&run, " 1   .    .  [ 3]   .    .    .    .    .  [ B] [ F] 1\n");
    assert_says(&run, "behind both bombs");
    program_expect(run, 0, "");
    program_expect(PROGRAM("setups", "duel-conner"), 2, "did you mean \"duel-corner\"?");
    program_expect(PROGRAM("setups", "blitz", "-v", "duel"), 2, "no set-up \"blitz\" for \"duel\"");
}

static void all_wrong_lines_of_a_file_are_named_and_the_rest_is_drawn(void **state) {
    (void)state;
    char path[64], place[96];
    static const char text[] = "2 " FIRST "\nM..2\n" MIRROR "\n1 M..2....../...9\n" FIRST "\n";
    program_file(path, ".txt", text, strlen(text));
    struct program_run run = PROGRAM("setups", path, "-v", "duel", "--list");
    assert_says(&run, "set-ups of duel: 3, seen 4 times\n");
    assert_says(&run, "  line 3 mirrors line 1\n  line 5 repeats line 1\n");
    assert_says(&run, "Marshal 10, up to 75 %");
    snprintf(place, sizeof place, "%s:2:5: ", path);
    assert_non_null(strstr(run.err, place));
    snprintf(place, sizeof place, "%s:4:18: ", path);
    assert_non_null(strstr(run.err, place));
    assert_int_equal(run.exit_code, 1);
    for (const char *line = run.out;
         *line;) { /* in columns: the bytes that continue one have none */
        int columns = 0;
        for (; *line && *line != '\n'; line++) columns += (*line & 0xC0) != 0x80;
        assert_true(columns <= 80);
        line += *line == '\n';
    }
    program_clear(&run);
    unlink(path);
}

static void programs_get_the_same_as_json(void **state) {
    (void)state;
    struct program_run run =
        program_run("3 " FIRST "\nM..\n1 " MIRROR "\n",
                    (const char *const[]){"setups", "-", "-v", "duel", "--json", "--list", NULL});
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    assert_int_equal(json_integer_value(json_object_get(document, "setups")), 2);
    assert_int_equal(json_integer_value(json_object_get(document, "seen")), 4);
    assert_int_equal(json_integer_value(json_object_get(document, "mirrors")), 1);
    json_t *fault = json_array_get(json_object_get(document, "faults"), 0);
    assert_int_equal(json_integer_value(json_object_get(fault, "line")), 2);
    json_t *marshal = json_object_get(json_object_get(document, "heat"), "marshal");
    double share = json_real_value(json_array_get(json_array_get(marshal, 0), 0));
    assert_true(share > 0.7499 && share < 0.7501);
    json_decref(document);
    program_expect(run, 1, "");
    run = PROGRAM("setups", "blitz", "--json");
    document = json_loads(run.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(document, "name")), "blitz");
    json_t *variants = json_object_get(document, "variants");
    assert_int_equal(json_array_size(variants), 4);
    assert_string_equal(json_string_value(json_array_get(variants, 1)), "classic");
    json_decref(document);
    program_expect(run, 0, "");
}

/* Two set-ups, one of them seen three times, drawn with colours. */
static void coloured_maps_hold_the_share_of_each_square_in_percent(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    struct setup_pool setups;
    struct setup_tally tally;
    static const char text[] = "3 " FIRST "\n" MIRROR "\n";
    char *drawn = NULL;
    size_t size = 0;
    assert_true(folders_find(&folders, &fault));
    struct rules *duel = variant_load(&folders, "duel", &fault);
    assert_non_null(duel);
    assert_true(setup_pool_read(duel, RED, text, strlen(text), &setups, &fault));
    assert_true(setup_tally(duel, &setups, &tally, &fault));
    FILE *out = open_memstream(&drawn, &size);
    assert_non_null(out);
    heat_draw(&(struct terminal){.out = out, .colour = true}, NULL, duel, RED, &tally);
    fclose(out);
    const char *marshal = strstr(drawn, "Marshal 10, up to 75 %");
    assert_non_null(marshal);
    const char *rank = strstr(marshal, "\n 4 ");
    assert_non_null(rank);
    const char *full = strstr(rank, "m75\033[0m"), *quarter = strstr(rank, "m25\033[0m");
    assert_true(full && quarter && full < quarter && quarter < strchr(rank + 1, '\n'));
    free(drawn);
    setup_tally_clear(&tally);
    setup_pool_clear(&setups);
    rules_free(duel);
}

static void play_takes_a_name(void **state) {
    (void)state;
    struct program_run run =
        program_run("quit\n", (const char *const[]){"play", "duel", "--setup", "duel-hunt",
                                                    "--seed", "1", "--trust", NULL});
    assert_says(&run, " 4 [10] [ 2]   . ");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    program_expect(PROGRAM("play", "duel", "--setup", "duel-hurt"), 2,
                   "did you mean \"duel-hunt\"?");
    program_expect(PROGRAM("play", "duel", "--setup", "blitz"), 1, "does not fit \"duel\"");
}

static void matches_take_names(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "rookie", "--setups", "duel-hunt", "--versus",
                                     "duel-open", "-v", "duel", "-n", "2", "--json", "-j", "1");
    assert_says(&run, "\"duel-hunt\"");
    assert_says(&run, "\"duel-open\"");
    program_expect(run, 0, "");
    program_expect(PROGRAM("match", "rookie", "--setups", "duel-hurt", "--versus", "duel-open",
                           "-v", "duel", "-n", "2"),
                   2, "did you mean \"duel-hunt\"?");
}

/* In a data folder of its own. */
static void ones_own_set_ups_are_renamed_and_deleted_and_no_others(void **state) {
    (void)state;
    char home[] = "/tmp/ensign-test-XXXXXX", path[128], folder[96];
    assert_non_null(mkdtemp(home));
    setenv("XDG_DATA_HOME", home, 1);
    static const char *const steps[] = {"/ensign", "/variants", "/setups"};
    strcpy(folder, home);
    for (int i = 0; i < 3; i++) assert_int_equal(mkdir(strcat(folder, steps[i]), 0700), 0);
    snprintf(path, sizeof path, "%s/mine.txt", folder);
    FILE *file = fopen(path, "w");
    fputs("# idea: none\n" FIRST "\n", file);
    fclose(file);
    program_expect(PROGRAM("setups", "mine", "--rename", "duel-corner"), 2,
                   "The library already has a set-up \"duel-corner\"");
    program_expect(PROGRAM("setups", "mine", "--rename", "My Own"), 2,
                   "A name starts with a lowercase letter");
    program_expect(PROGRAM("setups", "mien", "--delete"), 2, "did you mean \"mine\"?");
    program_expect(PROGRAM("setups", "duel-corner", "--delete"), 2,
                   "\"duel-corner\" is not one of your own set-ups: variants/setups/");
    program_expect(PROGRAM("setups", "duel-corner", "--rename", "other"), 2,
                   "\"duel-corner\" is not one of your own set-ups");
    program_expect(PROGRAM("setups", path, "--delete"), 2, "is not one of your own set-ups");
    program_expect(PROGRAM("setups", "mine", "blitz", "--rename", "other"), 2,
                   "--rename NEW: one NAME is expected");
    program_expect(PROGRAM("setups", "--delete"), 2, "--delete: a NAME is expected");
    program_expect(PROGRAM("setups", "duel-corner"), 0, "");
    struct program_run run = PROGRAM("setups", "mine", "--rename", "other");
    assert_says(&run, "The set-up is in ");
    assert_says(&run, "/ensign/variants/setups/other.txt\n");
    program_expect(run, 0, "");
    run = PROGRAM("setups", "other");
    assert_says(&run, "idea: none");
    program_expect(run, 0, "");
    program_expect(PROGRAM("setups", "mine"), 2, "no set-up \"mine\"");
    run = PROGRAM("setups", "other", "--delete");
    assert_says(&run, "Deleted: ");
    program_expect(run, 0, "");
    for (int i = 0; i < 3; i++) { /* nothing is left in them */
        assert_int_equal(rmdir(folder), 0);
        *strrchr(folder, '/') = 0;
    }
    assert_int_equal(rmdir(home), 0);
    unsetenv("XDG_DATA_HOME");
}

int main(void) {
    unsetenv("XDG_DATA_HOME");
    setenv("XDG_STATE_HOME", "/tmp", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_is_listed_by_army_with_ideas),
        cmocka_unit_test(a_variant_without_set_ups_says_so),
        cmocka_unit_test(a_name_is_drawn_with_its_idea),
        cmocka_unit_test(all_wrong_lines_of_a_file_are_named_and_the_rest_is_drawn),
        cmocka_unit_test(programs_get_the_same_as_json),
        cmocka_unit_test(coloured_maps_hold_the_share_of_each_square_in_percent),
        cmocka_unit_test(play_takes_a_name),
        cmocka_unit_test(matches_take_names),
        cmocka_unit_test(ones_own_set_ups_are_renamed_and_deleted_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
