/* `ensign analyse`: how the chances stood, each side's by what that side knew. */
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

#define BOT "tests/data/appraiser.lua"
#define RED "M..2....../...9..2.../3.S......3/....BFB..."

/* A bot whose `appraise` is this. */
#define APPRAISES(body)                                                                            \
    "return { api = 1, move = function(view) return view:moves()[1] end,\n"                        \
    "appraise = function(view) " body " end }\n"

static char folder[] = "/tmp/ensign-test-XXXXXX", game[64];

static int make_game(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(game, sizeof game, "%s/game.rec", folder);
    struct program_run run = PROGRAM("play", "duel", "--red", "rookie", "--blue", "rookie",
                                     "--plain", "--seed", "1", "-o", game);
    bool played = !run.exit_code;
    program_clear(&run);
    return !played;
}

static int remove_game(void **state) {
    (void)state;
    unlink(game);
    return rmdir(folder);
}

/* A record of duel in a fresh file. */
static void write_game(char path[64], const char *blue, const char *moves, const char *end) {
    char text[1024];
    snprintf(text, sizeof text,
             "[Variant \"duel\"]\n[Red \"ann\"]\n[Blue \"bob\"]\n[Seed \"7\"]\n[RedSetup \"" RED
             "\"]\n[BlueSetup \"%s\"]\n%s\n%s\n",
             blue, end, moves);
    program_file(path, ".rec", text, strlen(text));
}

static json_t *analysed(const char *record, const char *bot, const char *option) {
    struct program_run run = PROGRAM("analyse", record, "--bot", bot, "--json", option);
    if (run.exit_code) fail_msg("%s", run.err);
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    program_clear(&run);
    return document;
}

static double number_of(const json_t *object, const char *key) {
    return json_real_value(json_object_get(object, key));
}

static json_t *of_side(const json_t *document, const char *key, const char *side) {
    return json_object_get(json_object_get(document, key), side);
}

static double chance_at(const json_t *document, const char *side, size_t ply) {
    return json_real_value(json_array_get(of_side(document, "chances", side), ply));
}

static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-6) fail_msg("%f, but %f is expected", a, b);
}

static void the_table_has_one_best_move_a_ply_whose_chance_is_the_movers(void **state) {
    (void)state;
    struct program_run run = PROGRAM("analyse", game, "--bot", "admiral", "--seed", "1");
    int rows = 0;
    for (char *rest = run.out, *line; (line = strsep(&rest, "\n"));) {
        int ply, played, best, chance[2];
        char side[8], moves[2][32];
        if (sscanf(line, "%d %7s %31s %d %% %31s %d %% %d %% %d %%", &ply, side, moves[0], &played,
                   moves[1], &best, &chance[0], &chance[1]) != 8)
            continue;
        rows++;
        if (played > best || best != chance[!strcmp(side, "Blue")]) fail_msg("%s", line);
        if (!strcmp(moves[0], moves[1])) assert_int_equal(played, best);
    }
    assert_true(rows > 20);
    program_clear(&run);
}

static void each_ply_has_both_chances_and_the_mover_that_of_its_best_move(void **state) {
    (void)state;
    json_t *document = analysed(game, BOT, NULL), *ply;
    const json_t *plies = json_object_get(document, "plies");
    const size_t count = json_array_size(plies);
    size_t at;
    bool differ = false;
    assert_true(count > 20 && count + 1 == json_array_size(of_side(document, "chances", "red")) &&
                count + 1 == json_array_size(of_side(document, "chances", "blue")));
    json_array_foreach(plies, at, ply) {
        const char *side = json_string_value(json_object_get(ply, "side"));
        assert_string_equal(side, at % 2 ? "blue" : "red");
        assert_near(number_of(ply, "best_chance"), chance_at(document, side, at));
        assert_true(number_of(ply, "chance") <= number_of(ply, "best_chance"));
        assert_null(json_object_get(ply, "bot_move")); /* there is one best move */
        double sum = chance_at(document, "red", at) + chance_at(document, "blue", at);
        differ = differ || fabs(sum - 1) > 0.01;
    }
    assert_true(differ); /* neither side sees what the other does */
    assert_near(chance_at(document, "red", count), 0);
    assert_near(chance_at(document, "blue", count), 1);
    json_decref(document);
}

static void a_game_without_a_result_ends_with_what_the_bots_say(void **state) {
    (void)state;
    char path[64];
    write_game(path, RED, "1. a4-a5 j7-j6", "[Result \"*\"]\n");
    json_t *document = analysed(path, BOT, NULL);
    assert_true(chance_at(document, "red", 2) > 0.2 && chance_at(document, "red", 2) < 0.8);
    json_decref(document);
    unlink(path);
}

static void the_worst_moves_cost_most_and_luck_is_apart(void **state) {
    (void)state;
    json_t *document = analysed(game, BOT, NULL), *move, *ply;
    for (int side = 0; side < 2; side++) {
        const char *name = side ? "blue" : "red";
        const json_t *worst = of_side(document, "worst", name);
        const json_t *plies = json_object_get(document, "plies");
        double least = 1, most = 0;
        size_t at;
        assert_in_range(json_array_size(worst), 1, 3);
        json_array_foreach(worst, at, move) {
            size_t played = (size_t)json_integer_value(json_object_get(move, "ply"));
            double loss = number_of(move, "loss");
            assert_true(loss >= 0.01 && loss <= least);
            least = loss;
            assert_near(loss, number_of(move, "best_chance") - number_of(move, "chance"));
            assert_near(number_of(move, "luck"),
                        chance_at(document, name, played) - number_of(move, "chance"));
        }
        json_array_foreach(plies, at, ply) {
            const char *mover = json_string_value(json_object_get(ply, "side"));
            double loss = number_of(ply, "best_chance") - number_of(ply, "chance");
            if (!strcmp(mover, name) && loss > most) most = loss;
        }
        assert_near(most, number_of(json_array_get(worst, 0), "loss"));
    }
    json_decref(document);
}

/* A marshal that attacks a piece that has not moved, and another move that keeps more. */
static void an_attack_on_an_unknown_piece_says_what_it_was(void **state) {
    (void)state;
    static const char fears[] = APPRAISES(
        "if #view:moves() == 0 then return view:left(view:side(), 'marshal') > 0 and 0.4 or 0.1 end\n"
        "local list = {}\n"
        "for i, move in ipairs(view:moves()) do list[i] = view:is_attack(move) and 0.35 or 0.6 end\n"
        "return list");
    char path[64], bot[64];
    program_file(bot, ".lua", fears, strlen(fears));
    write_game(path, "3..2.....M/...9..2.../3.S......./....BFB...",
               "1. a4-a5 j7-j6 2. a5-a6 j6-j5 3. a6xa7", "[Result \"*\"]\n");
    struct program_run run = PROGRAM("analyse", path, "--bot", bot);
    if (!strstr(run.out, "\n  ply 5, a6xa7: 35 % to win, ")) fail_msg("%s%s", run.out, run.err);
    if (!strstr(run.out, " kept 60 %; the unknown piece attacked was Marshal, "))
        fail_msg("%s", run.out);
    program_clear(&run);
    unlink(path);
    unlink(bot);
}

/* The bytes of a side's half of the answer, by what it knew. */
static char *half(const char *blue, const char *side, const char *option) {
    char path[64];
    write_game(path, blue, "1. a4-a5 a7-a6 2. j2-j3 a6-a7 3. j3-j4 j7-j6", "[Result \"*\"]\n");
    json_t *document = analysed(path, BOT, option), *ply;
    json_t *kept = json_pack("{s:O, s:O}", "chances", of_side(document, "chances", side), "worst",
                             of_side(document, "worst", side));
    json_t *plies = json_array();
    size_t at;
    json_array_foreach(json_object_get(document, "plies"), at, ply) {
        if (!strcmp(json_string_value(json_object_get(ply, "side")), side))
            json_array_append(plies, ply);
    }
    json_object_set_new(kept, "plies", plies);
    char *text = json_dumps(kept, JSON_SORT_KEYS);
    json_decref(kept);
    json_decref(document);
    unlink(path);
    assert_non_null(text);
    return text;
}

static void no_byte_of_a_sides_chances_depends_on_hidden_ranks(void **state) {
    (void)state;
    static const char one[] = "3..2.....M/...9..2.../3.S......./....BFB...";
    static const char other[] = "2..9.....3/...2..M.../B.3......./....SFB...";
    for (int i = 0; i < 2; i++) {
        const char *option = i ? "--trust" : NULL;
        char *red = half(one, "red", option), *same = half(other, "red", option);
        char *blue = half(one, "blue", option), *differs = half(other, "blue", option);
        assert_string_equal(red, same);
        assert_string_not_equal(blue, differs);
        free(red), free(same), free(blue), free(differs);
    }
}

static void a_wrong_answer_is_one_clear_line(void **state) {
    (void)state;
    static const struct {
        const char *bot, *says;
    } wrong[] = {
        {APPRAISES("return 0.5"), "in appraise: returned number, expected a list of chances"},
        {APPRAISES("return {}"), "in appraise: returned 0 chances, expected "},
        {APPRAISES("local l = {} for i = 1, #view:moves() do l[i] = 2 end return l"),
         "in appraise: returned a list whose entry 1 is no number from 0 to 1"},
        {APPRAISES("local l = {} for i = 1, #view:moves() do l[i] = 0 / 0 end return l"),
         "in appraise: returned a list whose entry 1 is no number from 0 to 1"},
        {APPRAISES("local l = {} for i = 1, #view:moves() do l[i] = 0 end return l"),
         "in appraise: returned table, expected a number from 0 to 1, as the other side is to move"},
        {APPRAISES(""), "in appraise: returned nil: it has no opinion on this variant"},
        {APPRAISES("error 'not learned'"), "not learned"},
        {"return { api = 1, move = function() end }\n", "it has no function appraise"},
        {"return { api = 1, appraise = 3, move = function() end }\n",
         "appraise is a number, expected a function"},
        {APPRAISES("while true do end"), "in appraise"},
    };
    for (size_t i = 0; i < 2 * (sizeof wrong / sizeof *wrong); i++) {
        char bot[64];
        program_file(bot, ".lua", wrong[i / 2].bot, strlen(wrong[i / 2].bot));
        struct program_run run = PROGRAM("analyse", game, "--bot", bot, i % 2 ? "--trust" : NULL);
        program_expect(run, strstr(wrong[i / 2].says, "no function") ? 2 : 1, wrong[i / 2].says);
        unlink(bot);
    }
}

static void what_is_no_whole_game_is_said(void **state) {
    (void)state;
    char path[64];
    write_game(path, RED, "1. a4-a5 j7-j6 2. a5-a9", "[Result \"*\"]\n");
    program_expect(PROGRAM("analyse", path, "--bot", BOT), 1, "ply 3: move \"a5-a9\"");
    unlink(path);
    write_game(path, RED, "1. a4-a5 j7-", "[Result \"*\"]\n");
    program_expect(PROGRAM("analyse", path, "--bot", BOT), 1, ":9:10: ");
    unlink(path);
    write_game(path, RED, "1. a4-a5 j7-j6\n[Variant \"duel\"]", "[Result \"*\"]\n");
    program_expect(PROGRAM("analyse", path, "--bot", BOT), 1, "tags come first");
    unlink(path);
    static const char unknown[] = "[Variant \"dual\"]\n[Result \"*\"]\n";
    program_file(path, ".rec", unknown, strlen(unknown));
    program_expect(PROGRAM("analyse", path, "--bot", BOT), 1, ":1:11: no variant \"dual\"");
    unlink(path);
    program_expect(PROGRAM("analyse", "/tmp/none.rec", "--bot", BOT), 2, "/tmp/none.rec");
    program_expect(PROGRAM("analyse", "-", "--bot", BOT), 2, "not standard input");
    program_expect(PROGRAM("analyse", game, "--bot", "json:cat"), 2, "a bot in Lua is expected");
    program_expect(PROGRAM("analyse", game, "--bot", "nobody"), 2, "no bot \"nobody\"");
}

static void it_says_the_same_with_and_without_the_wall_and_of_any_variant(void **state) {
    (void)state;
    static const char *const variants[] = {"duel", "galaxy-duel", "variants/examples/fog.lua",
                                           "variants/examples/medic.lua"};
    char path[80];
    snprintf(path, sizeof path, "%s/other.rec", folder);
    for (int i = 0; i < 4; i++) {
        struct program_run run = PROGRAM("play", variants[i], "--red", "hunter", "--blue", "raider",
                                         "--plain", "--seed", "3", "-o", path);
        assert_int_equal(run.exit_code, 0);
        program_clear(&run);
        struct program_run walled =
            PROGRAM("analyse", path, "-v", variants[i], "--bot", BOT, "--seed", "5");
        struct program_run trusted =
            PROGRAM("analyse", path, "-v", variants[i], "--bot", BOT, "--trust", "--seed", "9");
        if (walled.exit_code) fail_msg("%s: %s", variants[i], walled.err);
        assert_string_equal(walled.out, trusted.out);
        program_clear(&walled);
        program_clear(&trusted);
        unlink(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_one_best_move_a_ply_whose_chance_is_the_movers),
        cmocka_unit_test(each_ply_has_both_chances_and_the_mover_that_of_its_best_move),
        cmocka_unit_test(a_game_without_a_result_ends_with_what_the_bots_say),
        cmocka_unit_test(the_worst_moves_cost_most_and_luck_is_apart),
        cmocka_unit_test(an_attack_on_an_unknown_piece_says_what_it_was),
        cmocka_unit_test(no_byte_of_a_sides_chances_depends_on_hidden_ranks),
        cmocka_unit_test(a_wrong_answer_is_one_clear_line),
        cmocka_unit_test(what_is_no_whole_game_is_said),
        cmocka_unit_test(it_says_the_same_with_and_without_the_wall_and_of_any_variant),
    };
    return cmocka_run_group_tests_name("cli/analyse", tests, make_game, remove_game);
}
