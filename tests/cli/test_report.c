/* `ensign report` as people and programs use it. */
#include "games/fabricated.h"
#include "program.h"
#include "variant/variant.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HOSTILE "</script><script>alert(1)</script>"

static const char RECORD[] = "[Variant \"duel\"]\n"
                             "[Red \"anna\"]\n"
                             "[Blue \"boris " HOSTILE "\"]\n"
                             "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
                             "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
                             "[Result \"blue\"]\n"
                             "[Reason \"resigned\"]\n"
                             "\n"
                             "1. a4-a5 j7-j6 2. a5-a6 j6-j5 3. a6-a7 j5-j4\n";

enum { GAMES = 12 };

/* A match of two players in a folder of its own. */
static void make_match(char folder[64], const char *name) {
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct rules *rules = variant_load(&folders, "duel", &fault);
    assert_non_null(rules);
    const struct fabrication plan = {.variant = "duel",
                                     .names = {name, "boris"},
                                     .players = 2,
                                     .pairs = GAMES / 2,
                                     .plies = 200};
    snprintf(folder, 64, "/tmp/ensign-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    fabricated_match(folder, rules, &plan);
    rules_free(rules);
}

static void remove_match(const char *folder) {
    char path[128];
    for (int g = 1; g <= GAMES; g++) {
        snprintf(path, sizeof path, "%s/%04d.rec", folder, g);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/match.sqlite", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/page.html", folder);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

/* The JSON that the page carries in the element of this id. */
static json_t *carried(const char *page, const char *id) {
    char start[64];
    snprintf(start, sizeof start, "id=\"%s\">", id);
    const char *text = strstr(page, start);
    assert_non_null(text);
    text += strlen(start);
    const char *end = strstr(text, "</script>");
    assert_non_null(end);
    json_error_t error;
    json_t *document = json_loadb(text, (size_t)(end - text), 0, &error);
    if (!document) fail_msg("%s", error.text);
    return document;
}

static json_t *json_of(struct program_run run) {
    if (run.exit_code) fail_msg("exit code %d: %s", run.exit_code, run.err);
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    program_clear(&run);
    return document;
}

static void the_page_carries_the_numbers_that_json_prints(void **state) {
    (void)state;
    char folder[64];
    make_match(folder, "anna");
    struct program_run run = PROGRAM("report", folder, "-o", "-");
    json_t *printed = json_of(PROGRAM("report", folder, "--json"));
    json_t *numbers = carried(run.out, "numbers"), *films = carried(run.out, "films");
    assert_int_equal(json_array_size(json_object_get(printed, "games")), GAMES);
    json_object_del(printed, "games");
    assert_true(json_equal(printed, numbers));
    assert_int_equal(json_array_size(films), GAMES);
    json_decref(films);
    json_decref(numbers);
    json_decref(printed);
    program_expect(run, 0, "");
    remove_match(folder);
}

static void as_many_games_can_be_replayed_as_were_asked_for(void **state) {
    (void)state;
    char folder[64];
    make_match(folder, "anna");
    struct program_run run = PROGRAM("report", folder, "-o", "-", "--games", "5");
    json_t *films = carried(run.out, "films");
    assert_int_equal(json_array_size(films), 6); /* three pairs */
    json_decref(films);
    program_expect(run, 0, "");
    remove_match(folder);
}

static void names_cannot_leave_the_data(void **state) {
    (void)state;
    char folder[64];
    make_match(folder, HOSTILE);
    struct program_run run = PROGRAM("report", folder, "-o", "-");
    assert_null(strstr(run.out, HOSTILE));
    assert_null(strstr(run.out, "<script>alert"));
    json_t *numbers = carried(run.out, "numbers");
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(numbers, "players"), 0), "name")),
                        HOSTILE);
    json_decref(numbers);
    program_expect(run, 0, "");
    remove_match(folder);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_begins(const char *path, const char *text) {
    char read[32] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(read, 1, strlen(text), file) == strlen(text));
    fclose(file);
    assert_string_equal(read, text);
}

static void the_page_takes_the_place_of_an_older_one(void **state) {
    (void)state;
    char folder[64], page[128];
    struct stat about;
    make_match(folder, "anna");
    snprintf(page, sizeof page, "%s/page.html", folder);
    write_text(page, "old");
    struct program_run run = PROGRAM("report", folder, "-o", page);
    assert_non_null(strstr(run.out, "12 games, 12 of them"));
    program_expect(run, 0, "");
    assert_int_equal(stat(page, &about), 0);
    assert_true(about.st_size > 20000);
    remove_match(folder);
}

static void the_page_never_replaces_what_it_is_made_from(void **state) {
    (void)state;
    char folder[64], path[96], link[96], alone[64];
    make_match(folder, "anna");
    snprintf(link, sizeof link, "%s/link.html", folder);
    static const char *const names[] = {"match.sqlite", "0001.rec", "0012.rec"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        program_expect(PROGRAM("report", folder, "-o", path), 2, "give another path");
        assert_int_equal(symlink(path, link), 0);
        program_expect(PROGRAM("report", folder, "-o", link), 2, "give another path");
        unlink(link);
        assert_begins(path, i ? "[Variant" : "SQLite format 3");
    }
    program_file(alone, ".rec", RECORD, sizeof RECORD - 1);
    snprintf(link, sizeof link, "%s.html", alone);
    assert_int_equal(symlink(alone, link), 0);
    program_expect(PROGRAM("report", path, alone, "-o", alone), 2, "give another path");
    program_expect(PROGRAM("report", alone, "-o", link), 2, "give another path");
    assert_begins(alone, "[Variant");
    unlink(link);
    unlink(alone);
    remove_match(folder);
}

/* Whoever made a folder may have put a link there under the name that a page gets by itself. */
static void a_page_that_nobody_named_follows_no_link(void **state) {
    (void)state;
    char folder[64], victim[64], record[96], here[1024];
    make_match(folder, "anna");
    snprintf(record, sizeof record, "%s/0001.rec", folder);
    program_file(victim, ".txt", "mine", 4);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(symlink(victim, "report.html") | symlink(victim, "0001.html"), 0);
    struct program_run match = PROGRAM("report", "."), game = PROGRAM("report", "0001.rec");
    program_expect(match, 2, "report.html: is a link");
    program_expect(game, 2, "0001.html: is a link");
    assert_begins(victim, "mine");
    struct program_run named = PROGRAM("report", ".", "-o", "report.html");
    program_expect(named, 0, "");
    assert_begins(victim, "<!DOCTYPE html>");
    unlink("report.html");
    unlink("0001.html");
    unlink(victim);
    assert_int_equal(chdir(here), 0);
    remove_match(folder);
}

static void a_single_record_has_a_page_too(void **state) {
    (void)state;
    char path[64];
    program_file(path, ".rec", RECORD, sizeof RECORD - 1);
    struct program_run run = PROGRAM("report", path, "-o", "-");
    assert_null(strstr(run.out, HOSTILE));
    json_t *numbers = carried(run.out, "numbers"), *films = carried(run.out, "films");
    assert_true(json_is_false(json_object_get(numbers, "match")));
    assert_int_equal(json_array_size(films), 1);
    json_decref(films);
    json_decref(numbers);
    program_expect(run, 0, "");
    unlink(path);
}

static void a_page_of_records_leaves_that_of_the_match_alone(void **state) {
    (void)state;
    char folder[64], record[96], here[1024];
    struct stat about;
    make_match(folder, "anna");
    snprintf(record, sizeof record, "%s/0001.rec", folder);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    struct program_run match = PROGRAM("report", folder), game = PROGRAM("report", record);
    int of_match = stat("report.html", &about), of_game = stat("0001.html", &about);
    unlink("report.html");
    unlink("0001.html");
    assert_int_equal(chdir(here), 0);
    assert_non_null(strstr(match.out, "report.html: 12 games, 12 of them to step through"));
    assert_non_null(strstr(game.out, "0001.html: 1 game, 1 of them to step through"));
    assert_int_equal(of_match, 0);
    assert_int_equal(of_game, 0);
    program_expect(match, 0, "");
    program_expect(game, 0, "");
    remove_match(folder);
}

static void records_of_several_variants_are_told_apart(void **state) {
    (void)state;
    static const char other[] =
        "[Variant \"barrage\"]\n[RedSetup \"M..2....../...9..2.../3.S......./....BF....\"]\n"
        "[BlueSetup \"M..2....../...9..2.../3.S......./....BF....\"]\n\n1. a4-a5\n";
    char first[64], second[64], strange[64];
    program_file(first, ".rec", RECORD, sizeof RECORD - 1);
    program_file(second, ".rec", RECORD, sizeof RECORD - 1);
    program_file(strange, ".rec", other, sizeof other - 1);
    struct program_run run = PROGRAM("report", first, second, "-o", "-");
    json_t *numbers = carried(run.out, "numbers");
    assert_int_equal(json_integer_value(json_object_get(numbers, "played")), 2);
    json_decref(numbers);
    program_expect(run, 0, "");
    run = PROGRAM("report", first, strange, second, "-o", "-");
    json_t *duels = carried(run.out, "numbers"), *others = carried(run.out, "numbers-2");
    json_t *films = carried(run.out, "films-2");
    assert_string_equal(json_string_value(json_object_get(duels, "variant")), "duel");
    assert_int_equal(json_integer_value(json_object_get(duels, "played")), 2);
    assert_string_equal(json_string_value(json_object_get(others, "variant")), "barrage");
    assert_int_equal(json_integer_value(json_object_get(others, "played")), 1);
    assert_int_equal(json_array_size(films), 1);
    json_decref(duels), json_decref(others), json_decref(films);
    program_expect(run, 0, "");
    unlink(first);
    unlink(second);
    unlink(strange);
}

/* As the folder of one's own games: an unreadable record costs only itself. */
static void a_folder_of_mixed_records_has_one_report(void **state) {
    (void)state;
    static const char other[] =
        "[Variant \"barrage\"]\n[RedSetup \"M..2....../...9..2.../3.S......./....BF....\"]\n"
        "[BlueSetup \"M..2....../...9..2.../3.S......./....BF....\"]\n\n1. a4-a5\n";
    static const char *const names[] = {"a.rec", "b.rec", "c.rec", "torn.rec", "lost.rec"};
    const char *const texts[] = {RECORD, other, RECORD, "[Variant \"duel\"", "[Variant \"nil\"]\n"};
    char folder[] = "/tmp/ensign-te*t-XXXXXX", path[64],
         page[64]; /* a name that looks like a pattern */
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "w");
        fputs(texts[i], file);
        fclose(file);
    }
    struct program_run run = PROGRAM("report", folder, "--json");
    json_t *reports = json_loads(run.out, 0, NULL);
    assert_int_equal(json_array_size(reports), 2);
    const char *variants[2];
    int played[2];
    assert_int_equal(json_unpack(reports, "[{s:s, s:i}, {s:s, s:i}]", "variant", &variants[0],
                                 "played", &played[0], "variant", &variants[1], "played",
                                 &played[1]),
                     0);
    assert_string_equal(variants[0], "duel");
    assert_string_equal(variants[1], "barrage");
    assert_true(played[0] == 2 && played[1] == 1);
    json_decref(reports);
    assert_non_null(strstr(run.err, "torn.rec:1:"));
    assert_non_null(strstr(run.err, "lost.rec:1:"));
    assert_int_equal(run.exit_code, 1);
    program_clear(&run);
    snprintf(page, sizeof page, "%s/page.html", folder);
    run = PROGRAM("report", folder, "-o", page);
    assert_non_null(strstr(run.out, "page.html: 3 games, 3 of them to step through"));
    assert_int_equal(run.exit_code, 1);
    program_clear(&run);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    program_expect(PROGRAM("report", folder), 2, "no match is there");
    unlink(page);
    rmdir(folder);
}

static void wrong_use_is_told_in_a_line(void **state) {
    (void)state;
    char folder[64];
    make_match(folder, "anna");
    program_expect(PROGRAM("report"), 2, "a match's folder or a record is expected");
    program_expect(PROGRAM("report", folder, folder), 2, "is a folder: one folder alone");
    program_expect(PROGRAM("report", folder, "--games", "0"), 2, "--games is \"0\"");
    program_expect(PROGRAM("report", "tests", "-o", "-"), 2, "match.sqlite");
    program_expect(PROGRAM("report", "nowhere.rec", "-o", "-"), 2, "nowhere.rec");
    program_expect(PROGRAM("report", folder, "-o", "/nowhere/page.html"), 3, "/nowhere/page.html");
    remove_match(folder);
}

static void a_record_that_is_gone_falls_short_but_the_page_is_written(void **state) {
    (void)state;
    char folder[64], path[128];
    make_match(folder, "anna");
    snprintf(path, sizeof path, "%s/0002.rec", folder);
    unlink(path);
    struct program_run run = PROGRAM("report", folder, "-o", "-");
    json_t *numbers = carried(run.out, "numbers");
    assert_int_equal(json_integer_value(json_object_get(numbers, "unread")), 1);
    json_decref(numbers);
    program_expect(run, 1, "0002.rec");
    remove_match(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_carries_the_numbers_that_json_prints),
        cmocka_unit_test(as_many_games_can_be_replayed_as_were_asked_for),
        cmocka_unit_test(names_cannot_leave_the_data),
        cmocka_unit_test(the_page_takes_the_place_of_an_older_one),
        cmocka_unit_test(the_page_never_replaces_what_it_is_made_from),
        cmocka_unit_test(a_page_that_nobody_named_follows_no_link),
        cmocka_unit_test(a_single_record_has_a_page_too),
        cmocka_unit_test(a_page_of_records_leaves_that_of_the_match_alone),
        cmocka_unit_test(records_of_several_variants_are_told_apart),
        cmocka_unit_test(a_folder_of_mixed_records_has_one_report),
        cmocka_unit_test(wrong_use_is_told_in_a_line),
        cmocka_unit_test(a_record_that_is_gone_falls_short_but_the_page_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
