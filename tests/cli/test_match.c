/* `ensign match` as scripts and people use it. */
#include "base/files.h"
#include "program.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void the_output_is_the_same_for_any_number_of_jobs_and_again(void **state) {
    (void)state;
    static const char *const jobs[] = {"1", "2", "4", "1"};
    struct program_run first = {0};
    for (int i = 0; i < 4; i++) {
        struct program_run run = PROGRAM("match", "rookie", "hunter", "raider", "-v", "duel", "-n",
                                         "10", "--seed", "3", "--json", "-j", jobs[i]);
        assert_int_equal(run.exit_code, 0);
        assert_string_equal(run.err, "");
        if (i == 0) {
            first = run;
            continue;
        }
        assert_string_equal(run.out, first.out);
        program_clear(&run);
    }
    program_clear(&first);
}

static void json_is_the_documented_document(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", "rookie", "hunter", "-v", "duel", "-n", "6", "--seed", "9", "--json");
    assert_int_equal(run.exit_code, 0);
    json_error_t error;
    json_t *document = json_loads(run.out, 0, &error);
    assert_non_null(document);
    const char *variant, *hash, *red, *blue, *result, *reason, *name, *setup[2];
    json_t *games, *players, *forfeits, *cross;
    int calls, fuel, seed, plies, wins, losses, draws, planned, played, complete, pairs[5];
    json_int_t game_seed;
    assert_int_equal(json_unpack_ex(document, &error, JSON_STRICT,
                                    "{s:s, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:s}", "variant",
                                    &variant, "seed", &seed, "planned", &planned, "played", &played,
                                    "complete", &complete, "games", &games, "players", &players,
                                    "cross", &cross, "hash", &hash),
                     0);
    assert_int_equal(planned, 6);
    assert_int_equal(played, 6);
    assert_true(complete);
    assert_int_equal(json_array_size(cross), 2);
    assert_string_equal(variant, "duel");
    assert_int_equal(seed, 9);
    assert_int_equal(strlen(hash), 16);
    assert_int_equal(json_array_size(games), 6);
    assert_int_equal(json_array_size(players), 2);
    int results = 0;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(json_unpack_ex(json_array_get(games, i), &error, JSON_STRICT,
                                        "{s:s, s:s, s:s, s:s, s:i, s:I, s:{s:s, s:s!}}", "red",
                                        &red, "blue", &blue, "result", &result, "reason", &reason,
                                        "plies", &plies, "seed", &game_seed, "setups", "red",
                                        &setup[0], "blue", &setup[1]),
                         0);
        assert_string_equal(red, i % 2 ? "hunter" : "rookie");
        assert_string_equal(blue, i % 2 ? "rookie" : "hunter");
        assert_true(plies > 0 && game_seed >= 0);
        assert_int_equal(strlen(setup[0]), strlen("..2...S..B/M...9.F2../...B...3../.......3.."));
        results += !strcmp(result, i % 2 ? "blue" : "red"); /* games that the rookie won */
    }
    json_t *elo, *low, *high;
    json_t *score, *los, *rating, *rating_low, *rating_high, *fuel_mean;
    assert_int_equal(
        json_unpack_ex(json_array_get(players, 0), &error, JSON_STRICT,
                       "{s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:[i,i,i,i,i!], s:o, "
                       "s:o, s:o, s:i, s:{s:o, s:i!}}",
                       "name", &name, "wins", &wins, "losses", &losses, "draws", &draws, "forfeits",
                       &forfeits, "score", &score, "elo", &elo, "elo_low", &low, "elo_high", &high,
                       "los", &los, "pentanomial", &pairs[0], &pairs[1], &pairs[2], &pairs[3],
                       &pairs[4], "rating", &rating, "rating_low", &rating_low, "rating_high",
                       &rating_high, "calls", &calls, "fuel", "mean", &fuel_mean, "greatest",
                       &fuel),
        0);
    assert_int_equal(pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4], 3);
    assert_true(fabs(json_real_value(score) - (wins + draws / 2.0) / 6) < 0.0001);
    assert_true(json_real_value(los) >= 0 && json_real_value(los) <= 1);
    assert_true(json_is_real(rating));
    assert_true(json_is_null(rating_low) || json_real_value(rating_low) < json_real_value(rating));
    assert_true(json_is_null(rating_high) ||
                json_real_value(rating_high) > json_real_value(rating));
    assert_string_equal(name, "rookie");
    assert_true(calls > 6 && json_real_value(fuel_mean) > 0 && json_real_value(fuel_mean) <= fuel);
    assert_int_equal(wins, results);
    assert_int_equal(wins + losses + draws, 6);
    assert_int_equal(json_object_size(forfeits), 0);
    assert_true(json_is_real(elo) || json_is_null(elo));
    json_decref(document);
    program_clear(&run);
}

static void without_limits_games_go_on_and_their_records_say_so(void **state) {
    (void)state;
    char folder[64] = "/tmp/ensign-test-XXXXXX", match[80], path[112];
    size_t length;
    assert_non_null(mkdtemp(folder));
    snprintf(match, sizeof match, "%s/match", folder);
    program_expect(PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "2", "--seed", "1",
                           "--no-limits", "-o", match),
                   0, "");
    /* Resumed, the match plays a lost game again. */
    snprintf(path, sizeof path, "%s/0002.rec", match);
    unlink(path);
    program_expect(PROGRAM("match", "--resume", "-o", match), 0, "");
    for (int game = 1; game <= 2; game++) {
        snprintf(path, sizeof path, "%s/000%d.rec", match, game);
        char *record = files_read(path, 1 << 20, &length, NULL);
        assert_non_null(record);
        assert_non_null(strstr(record, "[Limits \"none\"]"));
        free(record);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/match.sqlite", match);
    unlink(path);
    assert_int_equal(rmdir(match), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void forfeits_are_counted_in_json_and_told_on_standard_error(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "rookie", "tests/data/mistaken.lua", "-v", "duel",
                                     "-n", "2", "--seed", "1", "--json");
    assert_int_equal(run.exit_code, 1);
    json_t *document = json_loads(run.out, 0, NULL);
    int count = 0;
    assert_int_equal(json_unpack(document, "{s:[o, {s:{s:i}}]}", "players", &(json_t *){NULL},
                                 "forfeits", "forfeit-error", &count),
                     0);
    assert_int_equal(count, 2);
    assert_non_null(strstr(run.err, "game 1: mistaken (blue) forfeits: "));
    assert_non_null(strstr(run.err, "tests/data/mistaken.lua:5: in move"));
    assert_non_null(strstr(run.err, "\n>    5 | "));
    json_decref(document);
    program_clear(&run);
}

static void what_breaks_a_bot_after_the_end_is_told_and_changes_nothing(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", "rookie", "tests/data/late.lua", "-v", "duel", "-n", "2");
    assert_int_equal(run.exit_code, 0);
    assert_null(strstr(run.out, "forfeit-"));
    assert_non_null(strstr(
        run.err, "game 1: late (blue) failed after the end: tests/data/late.lua:9: in finish"));
    assert_non_null(strstr(run.err, "\n>    9 | "));
    assert_non_null(strstr(run.err, "game 2: late (red) failed after the end: "));
    program_clear(&run);
}

static void little_fuel_makes_a_bot_forfeit(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "rookie", "tests/data/endless.lua", "-v", "duel",
                                     "-n", "2", "--fuel", "200000", "--seed", "1");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "forfeit-fuel 2"));
    program_clear(&run);
}

static void an_odd_number_of_games_is_rounded_up_aloud(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "rookie", "rookie", "-v", "duel", "-n", "3");
    assert_non_null(strstr(run.out, "4 games in 2 pairs"));
    program_expect(run, 0, "playing 4 games");
}

static void records_are_written_and_verify(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    program_expect(
        PROGRAM("match", "rookie", "raider", "-v", "infiltrator", "-n", "2", "-o", folder), 0, "");
    for (int i = 1; i <= 2; i++) {
        snprintf(path, sizeof path, "%s/%04d.rec", folder, i);
        program_expect(PROGRAM("replay", "--verify", path), 0, "");
    }
    program_expect(PROGRAM("match", "rookie", "raider", "-n", "2", "-o", folder), 2,
                   "the folder holds a match, which --resume goes on with");
    static const char *const files[] = {"0001.rec", "0002.rec", "match.sqlite"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The line of a tag in a record of the folder. */
static const char *tag_line(const char *folder, int number, const char *tag, char line[256]) {
    char path[64], start[32];
    snprintf(path, sizeof path, "%s/%04d.rec", folder, number);
    snprintf(start, sizeof start, "[%s ", tag);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, 256, file) && strncmp(line, start, strlen(start)) != 0) line[0] = 0;
    fclose(file);
    assert_true(line[0]);
    return line;
}

/* Of a variant whose armies nobody places. */
static void both_games_of_a_pair_have_the_armies_that_were_drawn(void **state) {
    (void)state;
    static const char *const files[] = {"0001.rec", "0002.rec", "0003.rec", "0004.rec",
                                        "match.sqlite"};
    const char *melee = "variants/examples/melee.lua";
    char folder[] = "/tmp/ensign-test-XXXXXX", path[64], line[5][256];
    assert_non_null(mkdtemp(folder));
    program_expect(PROGRAM("match", "rookie", "raider", "-v", melee, "-n", "4", "--seed", "3", "-j",
                           "2", "-o", folder),
                   0, "");
    for (int i = 1; i <= 4; i++) {
        snprintf(path, sizeof path, "%s/%04d.rec", folder, i);
        program_expect(PROGRAM("replay", "--verify", path, "-v", melee), 0, "");
        tag_line(folder, i, "RedSetup", line[i]);
    }
    assert_string_equal(line[1], line[2]);
    assert_string_equal(line[3], line[4]);
    assert_string_not_equal(line[1], line[3]);
    assert_string_equal(tag_line(folder, 1, "BlueSetup", line[1]),
                        tag_line(folder, 2, "BlueSetup", line[2]));
    program_expect(PROGRAM("match", "rookie", "raider", "-v", melee, "--setups", "duel-open"), 2,
                   "each game of \"melee\" draws the armies: only \"random\" ones fit");
    program_expect(
        PROGRAM("play", melee, "--red", "rookie", "--blue", "raider", "--setup", "duel-open"), 2,
        "each game of \"melee\" draws the armies");
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void events_are_the_document_in_lines(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "raider", "tests/data/mistaken.lua", "-v", "duel",
                                     "-n", "4", "--seed", "1", "--events", "-j", "3");
    struct program_run whole = PROGRAM("match", "raider", "tests/data/mistaken.lua", "-v", "duel",
                                       "-n", "4", "--seed", "1", "--json");
    json_t *document = json_loads(whole.out, 0, NULL);
    const char *line = run.out;
    for (size_t i = 0; i < 5; i++) {
        json_t *event = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        assert_non_null(event);
        assert_string_equal(json_string_value(json_object_get(event, "event")),
                            i < 4 ? "game" : "match");
        json_t *same = i < 4 ? json_array_get(json_object_get(document, "games"), i) : document;
        if (i < 4) {
            assert_int_equal(json_integer_value(json_object_get(event, "game")), i + 1);
            assert_non_null(strstr(json_string_value(json_object_get(event, "forfeit")),
                                   "mistaken.lua:5: in move"));
        }
        const char *key;
        json_t *value;
        json_object_foreach(same, key, value) {
            if (!strcmp(key, "games")) continue;
            if (!json_equal(value, json_object_get(event, key))) fail_msg("%s: %s", key, line);
        }
        json_decref(event);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
    json_decref(document);
    program_clear(&whole);
    program_clear(&run);
}

static void two_players_are_compared_and_several_rated(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "4");
    assert_non_null(strstr(run.out, "pairs, by points of raider: 0 "));
    assert_non_null(strstr(run.out, "     Elo     95 % interval      LOS\n"));
    assert_null(strstr(run.out, "score %"));
    program_clear(&run);
    run = PROGRAM("match", "rookie", "raider", "hunter", "-v", "duel", "-n", "20", "-s", "2");
    /* The strongest is on top. */
    assert_non_null(strstr(run.out, "\n 1 hunter     -"));
    assert_non_null(strstr(run.out, "\n 3 rookie  "));
    assert_non_null(strstr(run.out, "  rating     95 % interval"));
    assert_null(strstr(run.err, "failed after the end"));
    program_clear(&run);
    run = PROGRAM("match", "rookie", "raider", "hunter", "-v", "duel", "-n", "2", "--gauntlet");
    assert_non_null(strstr(run.out, "Duel: 4 games in 2 pairs"));
    program_clear(&run);
}

static void a_test_that_is_decided_says_so(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", "raider", "rookie", "-v", "duel", "--sprt", "0,200", "-s", "1");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "SPRT: decided for H1, +200 Elo rather than +0; LLR "));
    program_clear(&run);
    run = PROGRAM("match", "raider", "rookie", "-v", "duel", "--sprt", "0,2", "-n", "2", "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    const char *decision;
    double llr, lower, upper;
    assert_int_equal(json_unpack(document, "{s:{s:s, s:F, s:F, s:F}}", "sprt", "decision",
                                 &decision, "llr", &llr, "lower", &lower, "upper", &upper),
                     0);
    assert_string_equal(decision, "undecided");
    assert_true(lower < llr && llr < upper);
    json_decref(document);
    program_clear(&run);
}

static void families_of_set_ups_are_compared_by_name(void **state) {
    (void)state;
    static const char strong[] = "M..2....../...9..2.../3.S......3/....BFB...\n";
    static const char weak[] = "F9.2....../......2.../3.S......3/...MB.B...\n";
    char path[2][64], line[96];
    program_file(path[0], ".txt", strong, sizeof strong - 1);
    program_file(path[1], ".txt", weak, sizeof weak - 1);
    struct program_run run = PROGRAM("match", "raider", "-v", "duel", "-n", "10", "--setups",
                                     path[0], "--versus", path[1]);
    assert_int_equal(run.exit_code, 0);
    snprintf(line, sizeof line, "pairs, by points of %s: ", strrchr(path[0], '/') + 1);
    assert_non_null(strstr(run.out, line));
    assert_non_null(strstr(run.out, "both played by raider"));
    program_clear(&run);
    run = PROGRAM("match", "raider", "-v", "duel", "-n", "4", "--setups", path[0], "--versus",
                  "random");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "\nrandom "));
    program_clear(&run);
    program_expect(PROGRAM("match", "raider", "-v", "duel", "--versus", path[0]), 2,
                   "--setups with the first is expected");
    program_expect(PROGRAM("match", "raider", "rookie", "-v", "duel", "--setups", path[0],
                           "--versus", path[1]),
                   2, "one bot is expected");
    unlink(path[0]);
    unlink(path[1]);
}

static void set_ups_may_come_from_a_file(void **state) {
    (void)state;
    static const char setup[] = "M..2....../...9..2.../3.S......3/....BFB...\n";
    char path[64];
    program_file(path, ".txt", setup, sizeof setup - 1);
    program_expect(PROGRAM("match", "rookie", "rookie", "-v", "duel", "-n", "2", "--setups", path),
                   0, "");
    program_expect(
        PROGRAM("match", "rookie", "rookie", "-v", "barrage", "-n", "2", "--setups", path), 1,
        path);
    unlink(path);
}

static void a_bot_that_cannot_be_loaded_falls_short_wherever_it_is_named(void **state) {
    (void)state;
    static const char text[] = "return {\n  api = 1,,\n}\n";
    char path[64];
    program_file(path, ".lua", text, sizeof text - 1);
    program_expect(PROGRAM("match", "rookie", path, "-v", "duel"), 1, ":2: ");
    program_expect(PROGRAM("play", "duel", "--red", "rookie", "--blue", path), 1, ":2: ");
    program_expect(PROGRAM("check", path, "-v", "duel"), 1, ":2: ");
    unlink(path);
}

static void wrong_use_is_one_line_and_exit_code_2(void **state) {
    (void)state;
    program_expect(PROGRAM("match"), 2, "0 players");
    program_expect(PROGRAM("match", "rookie"), 2, "1 player: 2 to 64 are expected (see");
    program_expect(PROGRAM("match", "rookie", "--setups", "random"), 2,
                   "2 to 64 are expected, or --versus with other set-ups");
    program_expect(PROGRAM("match", "rookie", "human"), 2, "only bots");
    program_expect(PROGRAM("match", "rookie", "rokie"), 2, "did you mean \"rookie\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "-v", "dual"), 2, "did you mean \"duel\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "--sede", "1"), 2,
                   "did you mean \"--seed\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "-n"), 2, "\"-n\" needs a value");
    program_expect(PROGRAM("match", "rookie", "rookie", "-n", "none"), 2, "--games is \"none\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "-j", "0"), 2, "--jobs is \"0\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "-j", "-1"), 2, "--jobs is \"-1\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "--seed", "99999999999999999999"), 2,
                   "--seed");
    program_expect(PROGRAM("match", "rookie", "rookie", "--first", "green"), 2, "\"green\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "--sprt", "5"), 2, "--sprt \"5\"");
    program_expect(PROGRAM("match", "rookie", "rookie", "raider", "--sprt", "0,5"), 2,
                   "2 players are expected");
    program_expect(PROGRAM("match", "--resume"), 2, "-o FOLDER is expected");
    program_expect(PROGRAM("match", "--resume", "-o", "no-folder"), 2, "match.sqlite");
    program_expect(PROGRAM("match", "--resume", "-o", "x", "--fuel", "2000"), 2,
                   "--resume and --fuel do not go together");
    program_expect(PROGRAM("match", "--resume", "-o", "x", "rookie"), 2,
                   "\"rookie\" does not go with --resume");
    program_expect(PROGRAM("match", "rookie", "rookie", "--key", "/dev/null"), 2,
                   "--key goes with --over only");
    program_expect(PROGRAM("match", "rookie", "rookie", "--creds", "/dev/null"), 2,
                   "--creds goes with --over only");
    program_expect(PROGRAM("match", "rookie", "rookie", "--setups", "no.txt"), 2, "no.txt");
    program_expect(PROGRAM("match", "rookie", "tests/data"), 2, "tests/data");
    program_expect(PROGRAM("mach"), 2, "did you mean \"match\"");
}

/* A bot moves by the texts of errors: its own, its module's and of one that is not there. */
static void where_a_bot_lies_changes_no_game(void **state) {
    static const char bot[] =
        "local helper = require \"helper\"\n"
        "return {api = 1, move = function(view)\n"
        "  local text = \"\"\n"
        "  for _, f in ipairs{ function() return nil .. 1 end, helper, error, require } do\n"
        "    text = text .. tostring(select(2, pcall(f, \"nosuch\")))\n"
        "  end\n"
        "  local sum = 0\n"
        "  for i = 1, #text do sum = (sum * 33 + text:byte(i)) % 1000003 end\n"
        "  local moves = view:moves()\n"
        "  return moves[sum % #moves + 1]\n"
        "end}\n",
                      helper[] = "return function() return {} < {} end\n";
    static const char *const folders[] = {"", "/a-folder",
                                          "/a-folder/in-which-it-is-far-from-home"};
    struct tempdir dir;
    struct fault fault = {0};
    char *first = NULL;
    (void)state;
    assert_true(tempdir_make(&dir, &fault));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[2][512];
        snprintf(path[0], sizeof path[0], "%s%s/helper.lua", dir.path, folders[i]);
        snprintf(path[1], sizeof path[1], "%s%s/bot.lua", dir.path, folders[i]);
        assert_true(files_folders(path[0], SIZE_MAX, &fault));
        assert_true(files_write_anew(path[0], helper, strlen(helper), &fault));
        assert_true(files_write_anew(path[1], bot, strlen(bot), &fault));
        struct program_run run =
            PROGRAM("match", path[1], "rookie", "-v", "duel", "-n", "6", "--seed", "7", "--json");
        assert_int_equal(run.exit_code, 0);
        if (first) assert_string_equal(run.out, first);
        if (!first) first = strdup(run.out);
        program_clear(&run);
    }
    free(first);
    tempdir_remove(&dir);
}

static void what_can_be_found_is_listed(void **state) {
    (void)state;
    struct program_run run = PROGRAM("list", "--json");
    json_t *document = json_loads(run.out, 0, NULL), *entry;
    size_t index;
    bool original = false, rookie = false;
    json_array_foreach(json_object_get(document, "variants"), index, entry) {
        if (strcmp(json_string_value(json_object_get(entry, "name")), "original") != 0) continue;
        original = json_integer_value(json_object_get(entry, "pieces")) == 40 &&
                   json_integer_value(json_object_get(entry, "files")) == 10;
    }
    json_array_foreach(json_object_get(document, "bots"), index, entry) {
        rookie |= !strcmp(json_string_value(json_object_get(entry, "title")), "Rookie");
    }
    assert_true(original && rookie);
    json_decref(document);
    program_expect(run, 0, "");
    run = PROGRAM("list", "bots");
    assert_non_null(strstr(run.out, "Rookie"));
    assert_null(strstr(run.out, "Original"));
    program_expect(run, 0, "");
    program_expect(PROGRAM("list", "bolts"), 2, "\"bolts\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_is_the_same_for_any_number_of_jobs_and_again),
        cmocka_unit_test(json_is_the_documented_document),
        cmocka_unit_test(without_limits_games_go_on_and_their_records_say_so),
        cmocka_unit_test(forfeits_are_counted_in_json_and_told_on_standard_error),
        cmocka_unit_test(what_breaks_a_bot_after_the_end_is_told_and_changes_nothing),
        cmocka_unit_test(little_fuel_makes_a_bot_forfeit),
        cmocka_unit_test(an_odd_number_of_games_is_rounded_up_aloud),
        cmocka_unit_test(records_are_written_and_verify),
        cmocka_unit_test(both_games_of_a_pair_have_the_armies_that_were_drawn),
        cmocka_unit_test(events_are_the_document_in_lines),
        cmocka_unit_test(two_players_are_compared_and_several_rated),
        cmocka_unit_test(a_test_that_is_decided_says_so),
        cmocka_unit_test(families_of_set_ups_are_compared_by_name),
        cmocka_unit_test(set_ups_may_come_from_a_file),
        cmocka_unit_test(a_bot_that_cannot_be_loaded_falls_short_wherever_it_is_named),
        cmocka_unit_test(wrong_use_is_one_line_and_exit_code_2),
        cmocka_unit_test(where_a_bot_lies_changes_no_game),
        cmocka_unit_test(what_can_be_found_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
