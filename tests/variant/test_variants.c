/* The stock variants agree with the rule sheets: board, army, labels, settings and outcomes, each
 * read back from the loaded rules. And every example of variants/README.md loads. */
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;

enum { STANDARD, GALAXY, QUICK };

static const struct {
    int files, ranks, zone_ranks;
    const char *lakes;
} BOARDS[] = {
    [STANDARD] = {10, 10, 4, "c5 c6 d5 d6 g5 g6 h5 h6"},
    [GALAXY] = {10, 8, 3, "c4 c5 d4 d5 g4 g5 h4 h5"},
    [QUICK] = {8, 8, 3, "c4 c5 f4 f5"},
};

enum { ARMY_KINDS = 14 };

static const char *const KINDS[ARMY_KINDS] = {
    "flag",     "bomb",       "spy",     "saboteur", "spotter", "scout",   "miner",
    "sergeant", "lieutenant", "captain", "major",    "colonel", "general", "marshal"};

/* One row of the tables of the rules: boards, armies, settings. */
struct row {
    const char *name;
    int board;
    int army[ARMY_KINDS];
    int sum;
    bool filled;
    enum first_side first;
    int two_squares;
    enum chase_rule chase;
};

static const struct row ROWS[] = {
    {"original",
     STANDARD,
     {1, 6, 1, 0, 0, 8, 5, 4, 4, 4, 3, 2, 1, 1},
     40,
     true,
     FIRST_RED,
     3,
     CHASE_ISF},
    {"classic",
     STANDARD,
     {1, 6, 1, 0, 0, 8, 5, 4, 4, 4, 3, 2, 1, 1},
     40,
     true,
     FIRST_RED,
     5,
     CHASE_NONE},
    {"milton-bradley",
     STANDARD,
     {1, 6, 1, 0, 0, 8, 5, 4, 4, 4, 3, 2, 1, 1},
     40,
     true,
     FIRST_CHOSEN,
     0,
     CHASE_NONE},
    {"russian",
     STANDARD,
     {1, 6, 1, 0, 0, 8, 5, 4, 4, 4, 3, 2, 1, 1},
     40,
     true,
     FIRST_RED,
     3,
     CHASE_RUSSIAN},
    {"infiltrator",
     STANDARD,
     {1, 6, 1, 1, 0, 7, 5, 4, 4, 4, 3, 2, 1, 1},
     40,
     true,
     FIRST_RED,
     3,
     CHASE_ISF},
    {"duel",
     STANDARD,
     {1, 2, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 1, 1},
     10,
     false,
     FIRST_RED,
     3,
     CHASE_ISF},
    {"barrage",
     STANDARD,
     {1, 1, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 1},
     8,
     false,
     FIRST_RED,
     3,
     CHASE_ISF},
    {"quick",
     QUICK,
     {1, 2, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 1, 1},
     10,
     false,
     FIRST_RED,
     3,
     CHASE_ISF},
    {"galaxy",
     GALAXY,
     {1, 6, 1, 0, 2, 5, 5, 2, 2, 2, 1, 1, 1, 1},
     30,
     true,
     FIRST_RED,
     3,
     CHASE_NONE},
    {"galaxy-duel",
     GALAXY,
     {1, 2, 1, 0, 1, 1, 2, 0, 0, 0, 0, 0, 1, 1},
     10,
     false,
     FIRST_RED,
     3,
     CHASE_NONE},
    {"lightning",
     STANDARD,
     {1, 2, 1, 0, 0, 4, 2, 2, 2, 2, 1, 1, 1, 1},
     20,
     false,
     FIRST_RED,
     3,
     CHASE_ISF},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static struct rules *loaded[ROW_COUNT];

static struct rules *load(const char *name) {
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, name, &fault);
    if (!rules) print_error("%s: %s:%d: %s\n", name, fault.file, fault.line, fault.text);
    return rules;
}

static int load_all(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    if (!folders_find(&folders, &fault)) return -1;
    for (int i = 0; i < ROW_COUNT; i++)
        if (!(loaded[i] = load(ROWS[i].name))) return -1;
    return 0;
}

static int free_all(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) rules_free(loaded[i]);
    return 0;
}

static const struct rules *rules_of(const char *name) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(ROWS[i].name, name) == 0) return loaded[i];
    fail_msg("no row %s", name);
    return NULL;
}

static kind_id kind_of(const struct rules *rules, const char *name) {
    kind_id id = rules_kind(rules, name, strlen(name));
    if (id == KIND_NONE) fail_msg("%s has no %s", rules->name, name);
    return id;
}

static const struct kind *piece(const struct rules *rules, const char *name) {
    return &rules->kind[kind_of(rules, name)];
}

static const struct ability *ability_of(const struct rules *rules, const char *kind,
                                        const char *name) {
    for (int i = 0; i < rules->abilities; i++)
        if (rules->ability[i].actor == kind_of(rules, kind) &&
            strcmp(rules->ability[i].name, name) == 0)
            return &rules->ability[i];
    fail_msg("%s has no %s", kind, name);
    return NULL;
}

/* "c5 c6" as a set of squares. */
static squareset squares(const struct rules *rules, const char *text) {
    squareset set = 0;
    for (const char *at = text; *at; at += strspn(at, " ")) {
        char file;
        int rank, used;
        assert_int_equal(sscanf(at, "%c%d%n", &file, &rank, &used), 2);
        set |= squareset_of(board_square(&rules->board, file - 'a', rank - 1));
        at += used;
    }
    return set;
}

static square at(const struct rules *rules, const char *text) {
    squareset set = squares(rules, text);
    return squareset_pop(&set);
}

static void assert_same(squareset got, squareset expected) {
    assert_true(got == expected);
}

static void boards_lakes_and_zones_are_those_of_the_sheets(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct board *board = &loaded[i]->board;
        assert_int_equal(board->files, BOARDS[ROWS[i].board].files);
        assert_int_equal(board->ranks, BOARDS[ROWS[i].board].ranks);
        assert_same(board->lakes, squares(loaded[i], BOARDS[ROWS[i].board].lakes));
        assert_int_equal(board->zone_ranks[RED], BOARDS[ROWS[i].board].zone_ranks);
        assert_int_equal(squareset_count(board->zone[BLUE]),
                         board->files * BOARDS[ROWS[i].board].zone_ranks);
        assert_int_equal(loaded[i]->zone_filled, ROWS[i].filled);
    }
}

static void armies_are_those_of_the_sheets(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        int kinds = 0;
        for (int k = 0; k < ARMY_KINDS; k++) {
            kind_id id = rules_kind(loaded[i], KINDS[k], strlen(KINDS[k]));
            int count = id == KIND_NONE ? 0 : loaded[i]->start[RED].count[id];
            if (count != ROWS[i].army[k])
                fail_msg("%s: %d %s, expected %d", ROWS[i].name, count, KINDS[k], ROWS[i].army[k]);
            kinds += count > 0;
        }
        assert_int_equal(loaded[i]->kinds, kinds);
        assert_int_equal(loaded[i]->start[RED].size, ROWS[i].sum);
    }
}

static void first_side_and_repetition_rules_are_those_of_the_sheets(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        assert_string_equal(loaded[i]->name, ROWS[i].name);
        assert_int_equal(loaded[i]->first, ROWS[i].first);
        assert_int_equal(loaded[i]->two_squares, ROWS[i].two_squares);
        assert_int_equal(loaded[i]->chase, ROWS[i].chase);
    }
}

static void draw_limits_and_reveal_policy_are_the_usual_ones(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        assert_int_equal(loaded[i]->limits.no_attack, 200);
        assert_int_equal(loaded[i]->limits.plies, 4000);
        for (kind_id a = 1; a <= loaded[i]->kinds; a++)
            for (kind_id d = 1; d <= loaded[i]->kinds; d++)
                assert_int_equal(loaded[i]->after_battle[a][d], AFTER_BATTLE_REVEAL);
    }
}

static void only_russian_draws_without_miners(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        bool russian = strcmp(ROWS[i].name, "russian") == 0;
        kindset miners = kindset_of(kind_of(loaded[i], "miner"));
        assert_int_equal(loaded[i]->draw_without, russian ? miners : 0);
    }
}

static void labels_and_letters_count_up_to_ten_or_down_to_one(void **state) {
    (void)state;
    static const struct {
        const char *name, *high, *low;
    } labels[] = {{"marshal", "10", "1"}, {"general", "9", "2"}, {"colonel", "8", "3"},
                  {"major", "7", "4"},    {"captain", "6", "5"}, {"lieutenant", "5", "6"},
                  {"sergeant", "4", "7"}, {"miner", "3", "8"},   {"scout", "2", "9"},
                  {"spy", "S", "S"},      {"bomb", "B", "B"},    {"flag", "F", "F"}};
    for (int i = 0; i < ROW_COUNT; i++) {
        bool low = strcmp(ROWS[i].name, "milton-bradley") == 0;
        for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
            kind_id id = rules_kind(loaded[i], labels[k].name, strlen(labels[k].name));
            if (id == KIND_NONE) continue;
            const struct kind *kind = &loaded[i]->kind[id];
            const char *label = low ? labels[k].low : labels[k].high;
            assert_string_equal(kind->label, label);
            assert_int_equal(kind->letter, strcmp(label, "10") == 0 ? 'M' : label[0]);
        }
    }
    assert_int_equal(piece(rules_of("infiltrator"), "saboteur")->letter, 'X');
    assert_int_equal(piece(rules_of("galaxy"), "spotter")->letter, 'P');
    assert_string_equal(piece(rules_of("galaxy"), "spotter")->label, "1");
}

static void stock_variants_name_their_edition_or_none(void **state) {
    (void)state;
    static const char *const unprinted[] = {"barrage", "quick", "lightning"};
    for (int i = 0; i < ROW_COUNT; i++) {
        bool printed = true;
        for (int k = 0; k < 3; k++)
            if (strcmp(ROWS[i].name, unprinted[k]) == 0) printed = false;
        assert_int_equal(loaded[i]->edition[0] != 0, printed);
        assert_true(loaded[i]->title[0] != 0);
    }
}

/* The outcome of the common game, from names and ranks as the rules state it. */
static enum outcome common_outcome(const char *attacker, int attack, const char *defender,
                                   int defence) {
    if (strcmp(defender, "flag") == 0) return ATTACKER_WINS;
    if (strcmp(defender, "bomb") == 0)
        return strcmp(attacker, "miner") == 0 ? ATTACKER_WINS : DEFENDER_WINS;
    if (strcmp(attacker, "spy") == 0 && strcmp(defender, "marshal") == 0) return ATTACKER_WINS;
    if (attack == defence) return BOTH_FALL;
    return attack > defence ? ATTACKER_WINS : DEFENDER_WINS;
}

static enum outcome lightning_outcome(const char *attacker, int attack, const char *defender,
                                      int defence) {
    if (strcmp(defender, "bomb") == 0 && strcmp(attacker, "miner") != 0) return BOTH_FALL;
    enum outcome common = common_outcome(attacker, attack, defender, defence);
    return common == BOTH_FALL ? ATTACKER_WINS : common;
}

static int strength(const char *variant, const char *name) {
    static const struct {
        const char *name;
        int rank;
    } ranks[] = {{"spy", 1},   {"saboteur", 1}, {"spotter", 1},    {"scout", 2},
                 {"miner", 3}, {"sergeant", 4}, {"lieutenant", 5}, {"captain", 6},
                 {"major", 7}, {"colonel", 8},  {"general", 9},    {"marshal", 10}};
    if (strncmp(variant, "galaxy", 6) == 0 && strcmp(name, "spy") == 0) return 0;
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
        if (strcmp(ranks[i].name, name) == 0) return ranks[i].rank;
    return -1;
}

static void every_battle_of_every_variant_ends_as_the_rules_say(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct rules *rules = loaded[i];
        bool lightning = strcmp(rules->name, "lightning") == 0;
        for (kind_id a = 1; a <= rules->kinds; a++) {
            if (rules->kind[a].movement == MOVEMENT_NONE) continue;
            for (kind_id d = 1; d <= rules->kinds; d++) {
                const char *attacker = rules->kind[a].name, *defender = rules->kind[d].name;
                int attack = strength(rules->name, attacker);
                int defence = strength(rules->name, defender);
                enum outcome expected = (lightning ? lightning_outcome : common_outcome)(
                    attacker, attack, defender, defence);
                if (rules_outcome(rules, a, d) != expected)
                    fail_msg("%s: %s attacks %s: %d, expected %d", rules->name, attacker, defender,
                             (int)rules_outcome(rules, a, d), (int)expected);
            }
        }
    }
}

static void the_galaxy_spy_falls_to_an_attacking_spotter(void **state) {
    (void)state;
    const struct rules *rules = rules_of("galaxy");
    kind_id spy = kind_of(rules, "spy"), spotter = kind_of(rules, "spotter");
    assert_int_equal(rules_outcome(rules, spotter, spy), ATTACKER_WINS);
    assert_string_equal(piece(rules, "spy")->label, "S");
}

static squareset reach(const struct rules *rules, const char *kind, const char *from,
                       squareset occupied) {
    return movement_reach(&rules->movement[piece(rules, kind)->movement], RED, at(rules, from),
                          occupied);
}

static void scouts_run_others_step_and_flag_and_bombs_stay(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct rules *rules = loaded[i];
        assert_int_equal(piece(rules, "flag")->movement, MOVEMENT_NONE);
        assert_int_equal(piece(rules, "bomb")->movement, MOVEMENT_NONE);
        assert_true(piece(rules, "flag")->flag);
        assert_same(reach(rules, "miner", "a1", 0), squares(rules, "a2 b1"));
        assert_int_equal(squareset_count(reach(rules, "scout", "a1", 0)),
                         rules->board.files + rules->board.ranks - 2);
    }
}

static void a_lightning_captain_goes_two_squares_straight_or_round_a_corner(void **state) {
    (void)state;
    const struct rules *rules = rules_of("lightning");
    assert_same(reach(rules, "captain", "a1", 0), squares(rules, "a2 a3 b1 c1 b2"));
    /* Round one corner or the other, but not through both. */
    assert_same(reach(rules, "captain", "a1", squares(rules, "a2")), squares(rules, "a2 b1 c1 b2"));
    assert_same(reach(rules, "captain", "a1", squares(rules, "a2 b1")), squares(rules, "a2 b1"));
    assert_same(reach(rules, "captain", "c4", 0), squares(rules, "c3 c2 b4 a4 d4 e4 b3 d3 b5"));
}

static void a_saboteur_aims_two_squares_over_pieces_but_not_lakes_in_enemy_land(void **state) {
    (void)state;
    const struct rules *rules = rules_of("infiltrator");
    const struct ability *ability = ability_of(rules, "saboteur", "sabotage");
    assert_int_equal(ability->when, ABILITY_INSTEAD);
    assert_int_equal(ability->aims, AIM_ENEMY);
    assert_int_equal(ability->asks, ASKS_KIND);
    assert_true(ability->attacks);
    assert_int_equal(ability->limit, 0);
    assert_int_equal(ability->choices, rules->army);
    assert_same(ability->targets[RED][at(rules, "e8")], squares(rules, "e9 e10 e7 e6 d8 c8 f8 g8"));
    assert_same(ability->targets[RED][at(rules, "c7")], squares(rules, "c8 c9 b7 a7 d7 e7"));
    assert_same(ability->targets[RED][at(rules, "e6")], 0);
    assert_same(ability->targets[BLUE][at(rules, "e8")], 0);
    assert_same(ability->targets[BLUE][at(rules, "a4")], squares(rules, "a5 a6 a3 a2 b4 c4"));
}

static void a_guess_removes_its_target_only_when_right_and_shows_the_guesser(void **state) {
    (void)state;
    static const struct {
        const char *variant, *kind, *ability;
    } guesses[] = {{"infiltrator", "saboteur", "sabotage"},
                   {"galaxy", "spotter", "spot"},
                   {"galaxy-duel", "spotter", "spot"}};
    for (int i = 0; i < 3; i++) {
        const struct rules *rules = rules_of(guesses[i].variant);
        const struct ability *ability = ability_of(rules, guesses[i].kind, guesses[i].ability);
        for (kind_id target = 1; target <= rules->kinds; target++)
            for (kind_id guess = 1; guess <= rules->kinds; guess++)
                assert_int_equal(ability->effects[target][guess],
                                 target == guess ? EFFECT_REMOVE_TARGET | EFFECT_REVEAL_ACTOR
                                                 : EFFECT_REVEAL_ACTOR);
    }
}

static void a_spotter_spots_neighbours_anywhere_also_after_a_step(void **state) {
    (void)state;
    const struct rules *rules = rules_of("galaxy");
    const struct ability *ability = ability_of(rules, "spotter", "spot");
    assert_int_equal(ability->when, ABILITY_INSTEAD | ABILITY_AFTER_STEP);
    assert_int_equal(ability->asks, ASKS_KIND);
    assert_true(ability->attacks);
    assert_same(ability->targets[RED][at(rules, "a1")], squares(rules, "a2 b1"));
    assert_same(ability->targets[BLUE][at(rules, "c3")], squares(rules, "b3 c2 d3"));
}

static void lightning_rescues_from_the_back_rank_into_the_own_zone_twice_for_all(void **state) {
    (void)state;
    const struct rules *rules = rules_of("lightning");
    kindset users = 0;
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        users |= kindset_of(ability->actor);
        assert_string_equal(ability->name, "rescue");
        assert_int_equal(ability->asks, ASKS_CAPTURED);
        assert_int_equal(ability->aims, AIM_EMPTY);
        assert_int_equal(ability->when, ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK);
        assert_int_equal(ability->limit, 2);
        assert_true(tally_same(ability->tally, rules->ability[0].tally));
        assert_false(ability->attacks);
        assert_false(ability->choices & kindset_of(kind_of(rules, "bomb")));
        assert_true(ability->choices & kindset_of(kind_of(rules, "scout")));
        assert_int_equal(ability->effects[KIND_NONE][kind_of(rules, "scout")], EFFECT_PLACE);
        assert_same(ability->targets[RED][at(rules, "e10")], rules->board.zone[RED]);
        assert_same(ability->targets[RED][at(rules, "e9")], 0);
        assert_same(ability->targets[BLUE][at(rules, "e1")], rules->board.zone[BLUE]);
        assert_same(ability->targets[BLUE][at(rules, "e10")], 0);
    }
    assert_int_equal(users, rules->mobile & ~kindset_of(kind_of(rules, "scout")));
}

static void only_special_pieces_have_abilities(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        int expected = ROWS[i].army[3] > 0 || ROWS[i].army[4] > 0 ? 1 : 0;
        if (strcmp(ROWS[i].name, "lightning") == 0) expected = 9;
        assert_int_equal(loaded[i]->abilities, expected);
    }
}

static void kinds_come_flags_first_then_immobile_then_by_rank(void **state) {
    (void)state;
    const struct rules *rules = rules_of("infiltrator");
    static const char *const order[] = {"flag",    "bomb",     "saboteur",   "spy",     "scout",
                                        "miner",   "sergeant", "lieutenant", "captain", "major",
                                        "colonel", "general",  "marshal"};
    for (int i = 0; i < 13; i++) assert_string_equal(rules->kind[i + 1].name, order[i]);
}

static struct rules *load_mine(const char *text) {
    struct fault fault = {0};
    struct rules *rules =
        variant_load_text(&folders, "variants/mine.lua", text, strlen(text), &fault);
    if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return rules;
}

static void false_switches_off_what_is_inherited(void **state) {
    (void)state;
    struct rules *rules =
        load_mine("return { api = 1, extends = 'infiltrator', two_squares = false, chase = false,\n"
                  "limits = { plies = false }, pieces = { saboteur = { abilities = false },\n"
                  "spy = { beats = false } } }");
    assert_int_equal(rules->two_squares, 0);
    assert_int_equal(rules->chase, CHASE_NONE);
    assert_int_equal(rules->limits.plies, 0);
    assert_int_equal(rules->limits.no_attack, 200);
    assert_int_equal(rules->abilities, 0);
    assert_int_equal(rules_outcome(rules, kind_of(rules, "spy"), kind_of(rules, "marshal")),
                     DEFENDER_WINS);
    rules_free(rules);
}

static void lists_are_replaced_and_tables_of_names_are_merged(void **state) {
    (void)state;
    struct rules *rules =
        load_mine("return { api = 1, extends = 'original', board = { lakes = { 'e5', 1 + 45 } },\n"
                  "pieces = { scout = { label = 2.0, rank = 6 } } }");
    assert_same(rules->board.lakes, squares(rules, "e5 f5"));
    assert_int_equal(rules->board.files, 10);
    assert_int_equal(piece(rules, "scout")->rank, 6);
    assert_int_equal(piece(rules, "scout")->letter, '2');
    assert_string_equal(rules->title, "mine");
    rules_free(rules);
}

static void settings_that_no_stock_variant_uses_are_read(void **state) {
    (void)state;
    struct rules *rules = load_mine("return { api = 1, extends = 'original', first = 'blue',\n"
                                    "after_battle = 'conceal', title = 'Тайна' }");
    assert_int_equal(rules->first, FIRST_BLUE);
    assert_int_equal(rules->after_battle[rules->kinds][1], AFTER_BATTLE_CONCEAL);
    assert_string_equal(rules->title, "Тайна");
    rules_free(rules);
}

static void all_effects_have_their_words(void **state) {
    (void)state;
    struct rules *rules = load_mine(
        "local effects = { bomb = { remove = 'both' }, scout = { reveal = 'both' },\n"
        "  miner = { conceal = 'target', reveal = 'actor' }, major = { swap = true },\n"
        "  colonel = { win = true }, general = { lose = true }, marshal = { draw = true } }\n"
        "return { api = 1, extends = 'original', pieces = { captain = { abilities = { try = {\n"
        "  aims = { 'enemy', 'own' }, targets = function(b, s, at) return b:neighbours(at) end,\n"
        "  resolve = function(actor, target) return effects[target] or {} end } } } } }");
    const struct ability *ability = ability_of(rules, "captain", "try");
    static const struct {
        const char *name;
        int effects;
    } expected[] = {{"bomb", EFFECT_REMOVE_TARGET | EFFECT_REMOVE_ACTOR},
                    {"scout", EFFECT_REVEAL_TARGET | EFFECT_REVEAL_ACTOR},
                    {"miner", EFFECT_CONCEAL_TARGET | EFFECT_REVEAL_ACTOR},
                    {"major", EFFECT_SWAP},
                    {"colonel", EFFECT_WIN},
                    {"general", EFFECT_LOSE},
                    {"marshal", EFFECT_DRAW},
                    {"spy", 0}};
    for (int i = 0; i < 8; i++)
        assert_int_equal(ability->effects[kind_of(rules, expected[i].name)][KIND_NONE],
                         expected[i].effects);
    assert_int_equal(ability->aims, AIM_ENEMY | AIM_OWN);
    rules_free(rules);
}

/* Loads the blocks that begin with "-- example: NAME"; returns how many there were. */
static int load_examples(const char *readme) {
    FILE *file = fopen(readme, "rb");
    assert_non_null(file);
    static char text[1 << 17];
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    int examples = 0;
    for (char *next = text; (next = strstr(next, "```lua\n-- example: ")) != NULL;) {
        next += strlen("```lua\n");
        char *end = strstr(next, "\n```");
        assert_non_null(end);
        char path[96];
        snprintf(path, sizeof path, "variants/%.*s.lua",
                 (int)strcspn(next + strlen("-- example: "), "\n"), next + strlen("-- example: "));
        struct fault fault = {0};
        struct rules *rules = variant_load_text(&folders, path, next, (size_t)(end - next), &fault);
        if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
        rules_free(rules);
        examples++;
        next = end;
    }
    return examples;
}

static void every_example_of_the_readmes_loads(void **state) {
    (void)state;
    assert_true(load_examples(ENSIGN_ROOT "/variants/README.md") >= 8);
    assert_true(load_examples(ENSIGN_ROOT "/README.md") >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_lakes_and_zones_are_those_of_the_sheets),
        cmocka_unit_test(armies_are_those_of_the_sheets),
        cmocka_unit_test(first_side_and_repetition_rules_are_those_of_the_sheets),
        cmocka_unit_test(draw_limits_and_reveal_policy_are_the_usual_ones),
        cmocka_unit_test(only_russian_draws_without_miners),
        cmocka_unit_test(labels_and_letters_count_up_to_ten_or_down_to_one),
        cmocka_unit_test(stock_variants_name_their_edition_or_none),
        cmocka_unit_test(every_battle_of_every_variant_ends_as_the_rules_say),
        cmocka_unit_test(the_galaxy_spy_falls_to_an_attacking_spotter),
        cmocka_unit_test(scouts_run_others_step_and_flag_and_bombs_stay),
        cmocka_unit_test(a_lightning_captain_goes_two_squares_straight_or_round_a_corner),
        cmocka_unit_test(a_saboteur_aims_two_squares_over_pieces_but_not_lakes_in_enemy_land),
        cmocka_unit_test(a_guess_removes_its_target_only_when_right_and_shows_the_guesser),
        cmocka_unit_test(a_spotter_spots_neighbours_anywhere_also_after_a_step),
        cmocka_unit_test(lightning_rescues_from_the_back_rank_into_the_own_zone_twice_for_all),
        cmocka_unit_test(only_special_pieces_have_abilities),
        cmocka_unit_test(kinds_come_flags_first_then_immobile_then_by_rank),
        cmocka_unit_test(false_switches_off_what_is_inherited),
        cmocka_unit_test(lists_are_replaced_and_tables_of_names_are_merged),
        cmocka_unit_test(settings_that_no_stock_variant_uses_are_read),
        cmocka_unit_test(all_effects_have_their_words),
        cmocka_unit_test(every_example_of_the_readmes_loads),
    };
    return cmocka_run_group_tests(tests, load_all, free_all);
}
