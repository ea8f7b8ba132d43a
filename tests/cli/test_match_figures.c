/* Set-ups, fuel and time of a match: in its documents, its table and its store, which
 * bots/MATCHES.md describes. */
#include "program.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DUEL "-v", "duel", "-n", "4", "--seed", "5"

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/ensign-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static int add_row(void *text, int count, char **values, char **names) {
    (void)names;
    for (int i = 0; i < count; i++)
        fprintf(text, "%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    fputs("\n", text);
    return 0;
}

/* The rows of a query in the folder's store, a line each; the caller frees. */
static char *query(const char *sql) {
    char path[96], *text = NULL;
    size_t length;
    sqlite3 *database;
    snprintf(path, sizeof path, "%s/match.sqlite", folder);
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(database, sql, add_row, out, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
    fclose(out);
    return text;
}

/* The document that a run has printed; clears the run. */
static json_t *document_of(struct program_run run) {
    json_t *document = json_loads(run.out, 0, NULL);
    if (run.exit_code || !document) fail_msg("%s%s", run.out, run.err);
    program_clear(&run);
    return document;
}

static json_t *player_of(const json_t *document, size_t player) {
    return json_array_get(json_object_get(document, "players"), player);
}

static double figure(const json_t *document, size_t player, const char *what, const char *which) {
    const json_t *figures = json_object_get(player_of(document, player), what);
    return json_number_value(json_object_get(figures, which));
}

static void events_and_the_document_go_together_a_value_a_line(void **state) {
    (void)state;
    json_t *alone = document_of(PROGRAM("match", "raider", "rookie", DUEL, "--json"));
    struct program_run run = PROGRAM("match", "raider", "rookie", DUEL, "--json", "--events");
    const json_t *games = json_object_get(alone, "games");
    char *rest = run.out;
    assert_int_equal(run.exit_code, 0);
    for (size_t i = 0; i < 6; i++) {
        char *line = strsep(&rest, "\n");
        json_t *value = json_loads(line, 0, NULL);
        if (!value) fail_msg("%s", line);
        const char *event = json_string_value(json_object_get(value, "event"));
        if (i == 5) {
            assert_null(event);
            assert_true(json_equal(value, alone));
        } else {
            assert_string_equal(event, i < 4 ? "game" : "match");
        }
        if (i < 4)
            assert_true(json_equal(json_object_get(value, "setups"),
                                   json_object_get(json_array_get(games, i), "setups")));
        json_decref(value);
    }
    assert_string_equal(rest, "");
    json_decref(alone);
    program_clear(&run);
}

static void every_game_tells_the_set_ups_of_its_row(void **state) {
    (void)state;
    json_t *document =
               document_of(PROGRAM("match", "raider", "rookie", DUEL, "--json", "-o", folder)),
           *game;
    size_t at;
    char *text = NULL, *rows = query("SELECT red_setup, blue_setup FROM game ORDER BY number");
    size_t length;
    FILE *told = open_memstream(&text, &length);
    json_array_foreach(json_object_get(document, "games"), at, game) {
        const char *red, *blue;
        assert_int_equal(json_unpack(game, "{s:{s:s, s:s}}", "setups", "red", &red, "blue", &blue),
                         0);
        fprintf(told, "%s|%s\n", red, blue);
    }
    fclose(told);
    assert_string_equal(text, rows);
    free(text);
    free(rows);
    json_decref(document);
}

static void a_refused_set_up_is_null(void **state) {
    (void)state;
    static const char text[] = "return { api = 1, setup = function() return 'F' end,\n"
                               "  move = function(view) return view:moves()[1] end }\n";
    char script[64];
    program_file(script, ".lua", text, sizeof text - 1);
    struct program_run run = PROGRAM("match", "rookie", script, "-v", "duel", "-n", "2", "--json");
    assert_int_equal(run.exit_code, 1);
    json_t *document = json_loads(run.out, 0, NULL), *blue, *fuel;
    assert_int_equal(json_unpack(document, "{s:[{s:{s:o}}, o], s:[{s:o}, o]}", "games", "setups",
                                 "blue", &blue, &(json_t *){NULL}, "players", "fuel", &fuel,
                                 &(json_t *){NULL}),
                     0);
    assert_true(json_is_null(blue));
    /* Nobody was asked for a move. */
    assert_true(json_is_null(fuel));
    json_decref(document);
    program_clear(&run);
    remove(script);
}

static void fuel_is_the_same_in_processes_and_without_them_for_any_number_of_jobs(void **state) {
    (void)state;
    struct program_run one = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "2", "--seed",
                                     "5", "--json", "-j", "1");
    struct program_run three = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "2",
                                       "--seed", "5", "--json", "-j", "3");
    struct program_run trusted = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "2",
                                         "--seed", "5", "--json", "-j", "2", "--trust");
    assert_string_equal(one.out, three.out);
    assert_string_equal(one.out, trusted.out);
    assert_null(strstr(one.out, "\"time\""));
    json_t *document = document_of(one);
    for (size_t i = 0; i < 2; i++) {
        assert_true(json_integer_value(json_object_get(player_of(document, i), "calls")) > 4);
        assert_true(figure(document, i, "fuel", "mean") > 10);
        assert_true(figure(document, i, "fuel", "mean") < figure(document, i, "fuel", "greatest"));
    }
    assert_true(figure(document, 0, "fuel", "mean") > 3 * figure(document, 1, "fuel", "mean"));
    json_decref(document);
    program_clear(&three);
    program_clear(&trusted);
}

static void time_is_told_when_it_is_asked_for_and_kept(void **state) {
    (void)state;
    struct program_run first =
        PROGRAM("match", "raider", "rookie", DUEL, "--json", "--verbose", "-o", folder);
    struct program_run again = PROGRAM("match", "--resume", "-o", folder);
    assert_string_equal(first.out, again.out);
    program_clear(&again);
    json_t *document = document_of(first);
    for (size_t i = 0; i < 2; i++) {
        char sql[256], sums[96];
        double calls = json_number_value(json_object_get(player_of(document, i), "calls"));
        snprintf(sql, sizeof sql,
                 "SELECT sum(calls), max(fuel_greatest), sum(fuel), sum(ms), max(ms_greatest) FROM "
                 "usage JOIN game ON number = game WHERE iif(side = 'red', red, blue) = %zu",
                 i);
        char *row = query(sql);
        double kept[5];
        assert_int_equal(
            sscanf(row, "%lf|%lf|%lf|%lf|%lf", &kept[0], &kept[1], &kept[2], &kept[3], &kept[4]),
            5);
        assert_true(kept[0] == calls && kept[1] == figure(document, i, "fuel", "greatest"));
        /* A half is rounded as the document rounds it. */
        snprintf(sums, sizeof sums, "%.1f %.4f %.4f", round(kept[2] / calls / 0.1) * 0.1,
                 round(kept[3] / calls / 0.0001) * 0.0001, round(kept[4] / 0.0001) * 0.0001);
        char told[96];
        snprintf(told, sizeof told, "%.1f %.4f %.4f", figure(document, i, "fuel", "mean"),
                 figure(document, i, "time", "mean"), figure(document, i, "time", "greatest"));
        assert_string_equal(told, sums);
        assert_true(kept[4] > 0 && kept[4] <= kept[3]);
        free(row);
    }
    json_decref(document);
}

static void the_table_tells_fuel_and_time(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "raider", "rookie", DUEL);
    const char *block = strstr(run.out, "\nfor a move     calls   fuel: mean ");
    assert_non_null(block);
    int calls, greatest;
    double fuel, ms, ms_greatest;
    const char *row = strstr(block, "\nraider ");
    assert_non_null(row);
    assert_int_equal(
        sscanf(row, "\nraider %d %lf %d %lf %lf", &calls, &fuel, &greatest, &ms, &ms_greatest), 5);
    assert_true(calls > 4 && fuel < greatest && ms > 0 && ms <= ms_greatest);
    program_clear(&run);
}

static void an_external_program_has_time_and_no_fuel(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", "ucc:tests/host/ucc/walker.sh", "rookie", "-v", "milton-bradley", "-n",
                "2", "--json", "--verbose", "-o", folder);
    json_t *document = document_of(run);
    assert_true(json_is_null(json_object_get(player_of(document, 0), "fuel")));
    assert_true(figure(document, 0, "time", "greatest") > 0);
    assert_true(figure(document, 1, "fuel", "greatest") > 0);
    json_decref(document);
    char *rows = query("SELECT count(*) FROM usage JOIN game ON number = game WHERE "
                       "(fuel IS NULL) = (iif(side = 'red', red, blue) = 0) AND ms_greatest > 0");
    assert_string_equal(rows, "4\n");
    free(rows);
}

static void a_match_of_another_format_is_refused_and_its_records_are_reported_on(void **state) {
    (void)state;
    json_decref(document_of(PROGRAM("match", "raider", "rookie", DUEL, "--json", "-o", folder)));
    free(query("PRAGMA user_version = 2"));
    program_expect(PROGRAM("match", "--resume", "-o", folder), 1,
                   "is a match of format 2; this program reads format 3");
    program_expect(PROGRAM("report", folder, "--json"), 1, "is a match of format 2");
    char record[256];
    snprintf(record, sizeof record, "%s/0001.rec", folder);
    struct program_run run = PROGRAM("report", record, "--json");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
}

/* BLAKE2b by another program. */
static void a_record_has_the_hash_that_b2sum_prints(void **state) {
    (void)state;
    json_decref(document_of(PROGRAM("match", "raider", "rookie", DUEL, "--json", "-o", folder)));
    char *hash = query("SELECT hash FROM game WHERE number = 2"), command[512], printed[32];
    snprintf(command, sizeof command, "b2sum -l 128 %s/0002.rec | cut -c -16", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(printed, sizeof printed, pipe));
    pclose(pipe);
    assert_string_equal(hash, printed);
    free(hash);
}

static char *matches_page(void) {
    FILE *file = fopen(ENSIGN_ROOT "/bots/MATCHES.md", "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    fclose(file);
    return text;
}

/* The page's rows "| `table` | `column` | type | meaning |" as lines "table|column|type". */
static char *described_columns(void) {
    char *page = matches_page(), *rest = page, *text = NULL, *line;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    char *section = strstr(rest, "\n## match.sqlite\n");
    assert_non_null(section);
    rest = section + 1;
    while ((line = strsep(&rest, "\n")) && strncmp(line, "| key of `meta`", 15) != 0) {
        char table[32], column[32], type[32], meaning[8];
        if (sscanf(line, "| `%31[^`]` | `%31[^`]` | %31[^|]| %7c", table, column, type, meaning) !=
            4)
            continue;
        type[strlen(type) - 1] = 0; /* the blank before the next bar */
        fprintf(out, "%s|%s|%s\n", table, column, type);
    }
    fclose(out);
    free(page);
    return text;
}

static void the_page_describes_every_column_of_the_store(void **state) {
    (void)state;
    program_expect(
        PROGRAM("match", "rookie", "rookie", "-v", "duel", "-n", "2", "--trust", "-o", folder), 0,
        "");
    char *tables = query("SELECT t.name, c.name, lower(c.type) || iif(c.\"notnull\" OR c.pk, '', "
                         "' or NULL') FROM sqlite_schema AS t, pragma_table_info(t.name) AS c "
                         "WHERE t.type = 'table' ORDER BY t.rowid, c.cid");
    char *described = described_columns();
    assert_string_equal(described, tables);
    free(described);
    free(tables);
}

static void the_page_describes_every_property_of_a_match(void **state) {
    (void)state;
    json_decref(document_of(PROGRAM("match", "raider", "rookie", DUEL, "--json", "--sprt", "0,50",
                                    "--setups", "random", "--trust", "-o", folder)));
    char *keys = query("SELECT key FROM meta"), *rest = keys, *key;
    char *page = matches_page(), *section = strstr(page, "\n| key of `meta`"), wanted[64];
    assert_non_null(section);
    *strstr(section + 1, "\n\n") = 0;
    int count = 0;
    for (; (key = strsep(&rest, "\n")) && *key; count++) {
        snprintf(wanted, sizeof wanted, "`%s`", key);
        if (!strstr(section, wanted)) fail_msg("bots/MATCHES.md does not describe the key %s", key);
    }
    assert_true(count > 12);
    free(page);
    free(keys);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_and_the_document_go_together_a_value_a_line),
        IN_FOLDER(every_game_tells_the_set_ups_of_its_row),
        cmocka_unit_test(a_refused_set_up_is_null),
        cmocka_unit_test(fuel_is_the_same_in_processes_and_without_them_for_any_number_of_jobs),
        IN_FOLDER(time_is_told_when_it_is_asked_for_and_kept),
        cmocka_unit_test(the_table_tells_fuel_and_time),
        IN_FOLDER(an_external_program_has_time_and_no_fuel),
        IN_FOLDER(a_match_of_another_format_is_refused_and_its_records_are_reported_on),
        IN_FOLDER(a_record_has_the_hash_that_b2sum_prints),
        IN_FOLDER(the_page_describes_every_column_of_the_store),
        IN_FOLDER(the_page_describes_every_property_of_a_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
