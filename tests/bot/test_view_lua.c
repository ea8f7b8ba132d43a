/* Answers of a bot's view in known positions, and refused arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include "bot/view_methods.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;

static int open_variant(const char *variant, const char *position) {
    table = bot_table_open(variant);
    bot_table_place(table, position);
    return 0;
}

static int open_original(void **state) {
    (void)state;
    return open_variant("original",
                        "rFa1 rMe3 r3e4 r2a4 rBb1 bFj10 b9j9 bBj8 b4e5 bSa10 b2c10 red");
}

static int open_infiltrator(void **state) {
    (void)state;
    return open_variant("infiltrator", "rFa1 rXe7 r3e4 bFj10 b9j9 bBe9 b4e5 red");
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

/* Plays random games of a variant and compares the texts of all moves with those of the core. */
static void assert_same_texts(const char *variant) {
    table = bot_table_open(variant);
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    struct bot *bot = bot_table_bot(table,
                                    "local n = 0\n"
                                    "return { api = 1, move = function(view)\n"
                                    "  n = n % #view:moves() + 1\n"
                                    "  return view:text(view:moves()[n])\n"
                                    "end }",
                                    SANDBOX_DEFAULTS);
    assert_non_null(bot);
    int abilities = 0;
    for (int turns = 0; turns < 400 || (abilities == 0 && turns < 4000); turns++) {
        if (turns % 100 == 0) bot_table_deal(table, &random);
        if (table->count == 0) continue;
        char text[MOVE_TEXT_MAX];
        struct bot_answer answer;
        for (size_t i = 0; i < table->count; i++) {
            /* The counter runs across turns, so that each list begins where the last one ended. */
            assert_true(bot_table_ask(table, bot, &answer));
            struct move move;
            assert_int_equal(move_read(&table->game, answer.text, strlen(answer.text), &move, NULL),
                             LEGAL);
            move_write(&table->game, move, text);
            assert_string_equal(answer.text, text);
            abilities += move.ability != ABILITY_NONE;
        }
        move_write(&table->game, table->moves[random_below(&random, (uint32_t)table->count)], text);
        bot_table_play(table, text);
    }
    assert_true(abilities > 0);
    bot_free(bot);
    bot_table_close(table);
}

static void moves_are_written_as_the_core_writes_them(void **state) {
    (void)state;
    assert_same_texts("infiltrator");
    assert_same_texts("galaxy-duel");
    assert_same_texts("lightning");
}

#define HOLDS(expression) assert_true(bot_table_holds(table, expression))

#define assert_error(expression, part) bot_table_expect_error(table, expression, part)

static void squares_have_numbers_and_names(void **state) {
    (void)state;
    HOLDS("view:files() == 10 and view:ranks() == 10");
    HOLDS("view:square('a1') == 1 and view:square('b1') == 2 and view:square('j10') == 100");
    HOLDS("view:square(5, 7) == view:square('e7') and view:square(11, 1) == nil");
    HOLDS("view:name(1) == 'a1' and view:name(100) == 'j10'");
    HOLDS("view:file('e7') == 5 and view:rank('e7') == 7 and view:depth('e7') == 7");
    HOLDS("view:is_lake('c5') and not view:is_lake('b5')");
    HOLDS("same(view:neighbours('a1'), '2 11') and same(view:neighbours('e5'), '35 46 55')");
    HOLDS("view:zone_ranks() == 4 and view:zone_filled()");
}

static void distances_go_round_lakes_and_ways_round_pieces(void **state) {
    (void)state;
    HOLDS("view:distance('a1', 'j10') == 18 and view:distance('a1', 'a1') == 0");
    HOLDS("view:distance('c4', 'c7') == 5 and view:distance('a1', 'c5') == nil");
    HOLDS("view:distances('a1')[100] == 18 and view:distances('a1')[view:square 'c5'] == 255");
    HOLDS("view:distances({ 'a1', 'j10' })[99] == 1 and view:distances({})[1] == 255");
    assert_error("view:distances { 'a1', 'k1' }", "view:distances: argument 1 must be a square");
    HOLDS("view:distance('e2', 'e6') == 4 and view:way('e2', 'e6') == 6");
}

static void the_rules_can_be_read(void **state) {
    (void)state;
    HOLDS("view:variant() == 'original' and #view:kinds() == 12");
    HOLDS("view:army('scout') == 8 and view:letter('bomb') == 'B' and view:label('spy') == 'S'");
    HOLDS("view:strength('marshal') == 10 and view:strength('scout') == 2");
    HOLDS("view:mobile('spy') and not view:mobile('bomb') and view:is_flag('flag')");
    HOLDS("view:outcome('spy', 'marshal') == 'attacker'");
    HOLDS("view:outcome('marshal', 'spy') == 'attacker'");
    HOLDS("view:outcome('major', 'major') == 'both'");
    HOLDS("view:outcome('marshal', 'bomb') == 'defender'");
    HOLDS("view:outcome('bomb', 'marshal') == nil");
    HOLDS("#view:abilities('scout') == 0");
}

static void own_kinds_are_known_and_others_are_not(void **state) {
    (void)state;
    HOLDS("view:side() == 'red' and view:other_side() == 'blue' and view:forward() == 1");
    HOLDS("view:kind(view:at('e3')) == 'marshal' and view:is_mine(view:at('e3'))");
    HOLDS("view:owner(view:at('e5')) == 'blue' and view:kind(view:at('e5')) == nil");
    HOLDS("view:at('e6') == nil and #view:mine() == 5 and #view:enemies() == 6");
    HOLDS("view:name(view:where(view:at('e5'))) == 'e5'");
    HOLDS("not view:shown(view:at('e3')) and not view:moved(view:at('e3'))");
    HOLDS("#view:may_be(view:at('e5')) == 6 and view:can_be(view:at('e5'), 'bomb')");
    HOLDS("not view:can_be(view:at('e5'), 'marshal')");
}

static void a_blue_bot_sees_its_own_side(void **state) {
    (void)state;
    bot_table_play(table, "e3-f3");
    HOLDS("view:side() == 'blue' and view:forward() == -1 and view:depth('e7') == 4");
    HOLDS("view:kind(view:at('e5')) == 'sergeant' and view:kind(view:at('e4')) == nil");
    HOLDS("view:moved(view:at('f3')) and not view:can_be(view:at('f3'), 'bomb')");
}

static void moves_and_battles_narrow_what_a_piece_may_be(void **state) {
    (void)state;
    bot_table_play(table, "e4xe5");
    HOLDS("view:kind(view:at('e5')) == 'sergeant' and view:shown(view:at('e5'))");
    HOLDS("view:captured('red', 'miner') == 1 and view:left('red', 'miner') == 0");
    bot_table_play(table, "c10-f10");
    HOLDS("view:kind(view:at('e5')) == 'sergeant' and view:kind(view:at('f10')) == 'scout'");
    HOLDS("view:captured('red', 'miner') == 1 and view:ply() == 2 and view:quiet() == 1");
}

static void pieces_keep_their_numbers_and_their_first_square(void **state) {
    (void)state;
    bot_table_play(table, "a4-a9");
    bot_table_play(table, "j9-i9");
    HOLDS("view:name(view:start_of(view:at('a9'))) == 'a4'");
    HOLDS("view:name(view:start_of(view:at('i9'))) == 'j9'");
}

static void chances_follow_the_counts(void **state) {
    (void)state;
    HOLDS("view:chance(view:at('e3'), 'marshal') == 1");
    HOLDS("math.abs(view:chance(view:at('e5'), 'bomb') - 1 / 6) < 1e-9");
    HOLDS("view:chance(view:at('e5'), 'marshal') == 0");
    bot_table_play(table, "e3-f3");
    bot_table_play(table, "e5-f5");
    /* Of five that have not moved two are immobile; the one that moved is one of four kinds. */
    HOLDS("math.abs(view:chance(view:at('j9'), 'bomb') - 1 / 5) < 1e-9");
    HOLDS("view:chance(view:at('f5'), 'bomb') == 0");
    HOLDS("math.abs(view:chance(view:at('f5'), 'spy') - 1 / 4) < 1e-9");
}

static void odds_weigh_the_outcomes(void **state) {
    (void)state;
    HOLDS("(view:odds('marshal', 'scout')) == 1");
    HOLDS("select(2, view:odds('scout', 'scout')) == 1");
    HOLDS("select(3, view:odds('scout', 'bomb')) == 1");
    HOLDS("(view:odds('bomb', 'scout')) == 0 and select(3, view:odds('bomb', 'scout')) == 0");
    HOLDS("math.abs(view:odds('marshal', view:at('e5')) - 5 / 6) < 1e-9");
    /* If it attacks it is neither flag nor bomb: one in four is the spy. */
    HOLDS("math.abs(view:odds(view:at('e5'), 'marshal') - 1 / 4) < 1e-9");
}

static void moves_are_listed_and_taken_apart(void **state) {
    (void)state;
    HOLDS("#view:attacks() == 2 and view:text(view:attacks()[2]) == 'e4xe5'");
    HOLDS("view:is_attack(view:attacks()[2]) and #view:ability_moves() == 0");
    HOLDS("view:name(view:from(view:attacks()[2])) == 'e4'");
    HOLDS("view:name(view:to(view:attacks()[2])) == 'e5'");
    HOLDS("#view:moves_of(view:at('e3')) == 3 and #view:moves_of(view:at('b1')) == 0");
    HOLDS("view:ability(view:moves()[1]) == nil and view:target(view:moves()[1]) == nil");
}

/* The first guess whose text is given. */
#define GUESS(text)                                                                                \
    "(function() for _, m in ipairs(view:ability_moves()) do"                                      \
    " if view:text(m) == '" text "' then return m end end end)()"

static void a_bot_is_told_why_a_move_is_refused(void **state) {
    (void)state;
    HOLDS("view:why('e3-f3') == true and view:why(view:moves()[1]) == true");
    HOLDS(
        "select(2, view:why 'e3-e1') == 'movement' and select(2, view:why 'a1-a2') == 'immobile-kind'");
    HOLDS("select(2, view:why 'nonsense') == 'text'");
    for (int i = 0; i < 3; i++) {
        bot_table_play(table, i % 2 ? "f3-e3" : "e3-f3");
        bot_table_play(table, i % 2 ? "i9-j9" : "j9-i9");
    }
    HOLDS("not view:why 'f3-e3' and select(2, view:why 'f3-e3') == 'two-squares'");
    HOLDS("table.concat(select(4, view:why 'f3-e3'), ' ') == '1 3 5'");
    HOLDS("#select(4, view:why 'f3-f2') == 0");
    assert_error("view:why(true)", "a move of view:moves()");
}

static void a_guess_names_ability_target_and_kind(void **state) {
    (void)state;
    HOLDS("same(view:abilities('saboteur'), 'sabotage')");
    HOLDS("view:ability(" GUESS("e7@e9=bomb") ") == 'sabotage'");
    HOLDS("view:name(view:target(" GUESS("e7@e9=bomb") ")) == 'e9'");
    HOLDS("view:choice(" GUESS("e7@e9=bomb") ") == 'bomb'");
    HOLDS("not view:is_attack(" GUESS("e7@e9=bomb") ")");
}

static void the_chance_of_a_guess_is_that_of_its_kind(void **state) {
    (void)state;
    HOLDS("math.abs(view:removes(" GUESS("e7@e9=bomb") ") - 1 / 4) < 1e-9");
    HOLDS("view:removes(" GUESS("e7@e9=marshal") ") == 0");
    HOLDS("view:places(" GUESS("e7@e9=bomb") ") == 0");
}

static void a_wrong_guess_rules_its_kind_out(void **state) {
    (void)state;
    struct bot *bot =
        bot_table_bot(table,
                      "return { api = 1, move = function(view)\n"
                      "  return table.concat(view:may_be(view:at('e9')), ' ') .. ' '\n"
                      "    .. view:chance(view:at('e9'), 'flag')\n"
                      "end }",
                      SANDBOX_DEFAULTS);
    assert_non_null(bot);
    table->bots[RED] = bot;
    bot_table_play(table, "e7@e9=sergeant");
    bot_table_play(table, "e5xe4");
    struct bot_answer answer;
    assert_true(bot_table_ask(table, bot, &answer));
    assert_null(strstr(answer.text, "sergeant"));
    assert_non_null(strstr(answer.text, "bomb"));
    table->bots[RED] = NULL;
    bot_free(bot);
}

static void an_ability_stands_in_the_history(void **state) {
    (void)state;
    struct bot *bot = bot_table_bot(table,
                                    "return { api = 1, move = function(view)\n"
                                    "  return table.concat(view:history(), ' ')\n"
                                    "end }",
                                    SANDBOX_DEFAULTS);
    assert_non_null(bot);
    table->bots[BLUE] = bot;
    bot_table_play(table, "e7@e9=bomb");
    bot_table_play(table, "e5xe4");
    struct bot_answer answer;
    assert_true(
        bot_move(bot, &table->view[BLUE], table->moves, table->count, &answer, &table->fault));
    assert_string_equal(answer.text, "e7@e9=bomb e5xe4");
    table->bots[BLUE] = NULL;
    bot_free(bot);
}

static void wrong_arguments_name_method_and_expectation(void **state) {
    (void)state;
    assert_error("view:at('k1')", "view:at: argument 1 must be a square 1-100 or a1-j10, not 'k1'");
    assert_error("view:at(0)", "view:at: argument 1 must be a square");
    assert_error("view:at({})", "not table");
    assert_error("view:at()", "view:at: argument 1 must be a square 1-100 or a1-j10, not nil");
    assert_error("view:kind(99)", "view:kind: argument 1 must be the number of a piece, 1-11");
    assert_error("view:army('sergant')", "view:army: argument 1 must be a kind (");
    assert_error("view:captured('green', 'spy')",
                 "view:captured: argument 1 must be 'red' or 'blue', not 'green'");
    assert_error("view:from(-1)", "view:from: argument 1 must be a move of view:moves()");
    assert_error("view:random(0)", "view:random: argument 1 must be a whole number");
    assert_error("view:odds(true, 'spy')", "view:odds: argument 1");
}

static void a_method_needs_the_view_before_its_colon(void **state) {
    (void)state;
    assert_error("view.at(5)", "view.at must be called with a colon: view:at()");
    assert_error("view.side()", "view.side must be called with a colon: view:side()");
}

static void scripts_cannot_reach_into_the_view(void **state) {
    (void)state;
    HOLDS("getmetatable(view) == false and tostring(view):find('0x') == nil");
    HOLDS("not pcall(function() view.x = 1 end)");
    HOLDS("not pcall(setmetatable, view, {})");
}

/* Every method with every pair of odd values: an answer or an error, and the view still works. */
static void no_argument_breaks_a_method(void **state) {
    (void)state;
    static const luaL_Reg *const lists[] = {VIEW_BOARD_METHODS, VIEW_RULES_METHODS,
                                            VIEW_PIECE_METHODS, VIEW_MOVE_METHODS};
    char expression[2048];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const luaL_Reg *method = lists[i]; method->name; method++) {
            snprintf(expression, sizeof expression,
                     "(function()\n"
                     "  local odd = { true, -1, 0, 1, 7, 128, 1.5, 1e300, -1e300, 0 / 0, 1 << 40,\n"
                     "    (1 << 63) - 1, '', 'e7', 'k9', 'marshal', 'red', 'x\\0y',\n"
                     "    ('long'):rep(10000), {}, { 1, 'b2' }, { {} }, view, pcall }\n"
                     "  for i = 0, #odd do for j = 0, #odd do\n"
                     "    pcall(view.%s, view, odd[i], odd[j])\n"
                     "  end end\n"
                     "  return view:side() == 'red'\n"
                     "end)()",
                     method->name);
            HOLDS(expression);
        }
    }
}

static void one_view_serves_all_callbacks(void **state) {
    (void)state;
    struct bot *bot = bot_table_bot(table,
                                    "local kept\n"
                                    "return { api = 1, move = function(view)\n"
                                    "  local fresh = kept == nil or kept == view\n"
                                    "  kept = view\n"
                                    "  return fresh and kept:side() or 'another view'\n"
                                    "end }",
                                    SANDBOX_DEFAULTS);
    assert_non_null(bot);
    struct bot_answer answer;
    assert_true(bot_table_ask(table, bot, &answer));
    assert_true(bot_table_ask(table, bot, &answer));
    assert_string_equal(answer.text, "red");
    bot_free(bot);
}

int main(void) {
#define ORIGINAL(test) cmocka_unit_test_setup_teardown(test, open_original, close_table)
#define INFILTRATOR(test) cmocka_unit_test_setup_teardown(test, open_infiltrator, close_table)
    const struct CMUnitTest tests[] = {
        ORIGINAL(squares_have_numbers_and_names),
        ORIGINAL(distances_go_round_lakes_and_ways_round_pieces),
        ORIGINAL(the_rules_can_be_read),
        ORIGINAL(own_kinds_are_known_and_others_are_not),
        ORIGINAL(a_blue_bot_sees_its_own_side),
        ORIGINAL(moves_and_battles_narrow_what_a_piece_may_be),
        ORIGINAL(pieces_keep_their_numbers_and_their_first_square),
        ORIGINAL(chances_follow_the_counts),
        ORIGINAL(odds_weigh_the_outcomes),
        ORIGINAL(a_bot_is_told_why_a_move_is_refused),
        ORIGINAL(moves_are_listed_and_taken_apart),
        INFILTRATOR(a_guess_names_ability_target_and_kind),
        INFILTRATOR(the_chance_of_a_guess_is_that_of_its_kind),
        INFILTRATOR(a_wrong_guess_rules_its_kind_out),
        INFILTRATOR(an_ability_stands_in_the_history),
        cmocka_unit_test(moves_are_written_as_the_core_writes_them),
        ORIGINAL(wrong_arguments_name_method_and_expectation),
        ORIGINAL(a_method_needs_the_view_before_its_colon),
        ORIGINAL(scripts_cannot_reach_into_the_view),
        ORIGINAL(no_argument_breaks_a_method),
        INFILTRATOR(no_argument_breaks_a_method),
        ORIGINAL(one_view_serves_all_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
