/* test_loader.c - scripts loaded in a locked process, and its results. */
#include "base/fault.h"
#include "bot/learned_lua.h"
#include "core/know/integrity.h"
#include "core/play/calls.h"
#include "core/rules/refusal.h"
#include "core/text/layout.h"
#include "games/length.h"
#include "host/check/trial.h"
#include "host/processes.h"
#include "host/support.h"
#include "jail/loader.h"
#include "jail/rules_codec.h"
#include "jail/zygote.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A new file of this ending with this text; the caller unlinks it. */
static void write_script(char path[64], const char *ending, const char *text) {
    snprintf(path, 64, "/tmp/ensign-test-XXXXXX%s", ending);
    int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static const char *const VARIANTS[] = {"original",
                                       "infiltrator",
                                       "galaxy",
                                       "lightning",
                                       "russian",
                                       "quick",
                                       "variants/examples/fog.lua",
                                       "variants/examples/airborne.lua",
                                       "variants/examples/rescue.lua",
                                       "variants/examples/pikes.lua",
                                       "variants/examples/heights.lua",
                                       "variants/examples/hounds.lua",
                                       "variants/examples/medic.lua",
                                       "variants/examples/phalanx.lua",
                                       "variants/examples/cordon.lua"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static void assert_same_movements(const struct rules *a, const struct rules *b) {
    assert_int_equal(a->movements, b->movements);
    for (int i = 0; i < a->movements; i++) {
        const struct movement *left = &a->movement[i], *right = &b->movement[i];
        assert_memory_equal(left->start, right->start, sizeof left->start);
        uint32_t nodes = left->start[BLUE][BOARD_SQUARES_MAX];
        assert_memory_equal(left->nodes, right->nodes, nodes * sizeof *left->nodes);
        assert_int_equal(left->bars != NULL, right->bars != NULL);
        if (left->bars) assert_memory_equal(left->bars, right->bars, nodes);
        assert_int_equal(left->apart, right->apart);
        assert_int_equal(left->near, right->near);
        assert_int_equal(left->step, right->step);
        assert_int_equal(left->pace, right->pace);
        assert_int_equal(left->run, right->run);
    }
}

/* All that a struct of rules holds, its pointers followed. */
static void assert_same_rules(const struct rules *a, const struct rules *b) {
    struct rules left = *a, right = *b;
    assert_same_movements(a, b);
    assert_int_equal(a->called_count, b->called_count);
    for (int i = 0; i < a->called_count; i++) { /* in any order */
        const struct called *called = &a->called[i];
        assert_string_equal(rules_called(b, called->kind, called->tag), called->text);
    }
    assert_int_equal(a->ability != NULL, b->ability != NULL);
    if (a->ability) assert_memory_equal(a->ability, b->ability, ABILITIES_MAX * sizeof *a->ability);
    assert_int_equal(a->sight != NULL, b->sight != NULL);
    if (a->sight) assert_memory_equal(a->sight, b->sight, sizeof *a->sight);
    assert_int_equal(a->battles != NULL, b->battles != NULL);
    if (a->battles) assert_memory_equal(a->battles, b->battles, sizeof *a->battles);
    assert_int_equal(a->calls != NULL, b->calls != NULL);
    if (a->calls) assert_int_equal(a->calls->declared, b->calls->declared);
    memset(left.movement, 0, sizeof left.movement);
    memset(right.movement, 0, sizeof right.movement);
    left.called = right.called = NULL;
    left.ability = right.ability = NULL;
    left.sight = right.sight = NULL;
    left.battles = right.battles = NULL;
    left.calls = right.calls = NULL;
    assert_memory_equal(&left, &right, sizeof left);
}

static struct rules *load_here(const char *name) {
    struct fault fault = {0};
    struct rules *rules = variant_load(support_folders(), name, &fault);
    if (!rules) fail_msg("%s: %s", name, fault.text);
    return rules;
}

static struct rules *load_locked(const char *name) {
    struct fault fault = {0};
    struct rules *rules = loader_variant(support_folders(), name, &fault);
    if (!rules) fail_msg("%s: %s", name, fault.text);
    return rules;
}

static void rules_are_the_same_on_both_sides_of_the_wall(void **state) {
    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct rules *here = load_here(VARIANTS[i]), *locked = load_locked(VARIANTS[i]);
        assert_same_rules(here, locked);
        rules_free(here);
        rules_free(locked);
    }
}

static void calls_answer_the_same_on_both_sides_of_the_wall(void **state) {
    (void)state;
    static const char *const asking[] = {"variants/examples/medic.lua",
                                         "variants/examples/cordon.lua",
                                         "variants/examples/phalanx.lua"};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
        struct rules *rules[2] = {load_here(asking[i]), load_locked(asking[i])};
        struct trial *trials = calloc(2, sizeof *trials);
        assert_non_null(trials);
        for (int side = 0; side < 2; side++) {
            struct fault fault = {0};
            const struct trial_options options = {.rules = rules[side], .games = 5, .seed = 3};
            if (!trial_run(&options, &trials[side], &fault)) fail_msg("%s", fault.text);
        }
        assert_memory_equal(&trials[0], &trials[1], sizeof *trials);
        free(trials);
        for (int side = 0; side < 2; side++) rules_free(rules[side]);
    }
}

/* Kills the processes of bots and calls. Returns how many. */
static int kill_children_of_nurseries(void) {
    enum { ROOM = 32 };
    pid_t templates[ROOM], children[ROOM];
    int killed = 0, count = processes_of(zygote_process(), templates, ROOM);
    for (int i = 0; i < count && i < ROOM; i++) {
        int born = processes_of(templates[i], children, ROOM);
        for (int k = 0; k < born && k < ROOM; k++) killed += kill(children[k], SIGKILL) == 0;
    }
    return killed;
}

static void calls_whose_process_is_killed_are_asked_again(void **state) {
    (void)state;
    struct rules *rules = load_locked("variants/examples/cordon.lua");
    struct trial *trials = calloc(2, sizeof *trials);
    assert_non_null(trials);
    for (int i = 0; i < 2; i++) {
        struct fault fault = {0};
        const struct trial_options options = {.rules = rules, .games = 3, .seed = 3};
        if (!trial_run(&options, &trials[i], &fault)) fail_msg("%s", fault.text);
        if (i == 0) assert_true(kill_children_of_nurseries() > 0);
    }
    assert_memory_equal(&trials[0], &trials[1], sizeof *trials);
    free(trials);
    rules_free(rules);
}

static void a_call_that_breaks_is_placed_where_it_is_written(void **state) {
    (void)state;
    static const char text[] = "return { api = 1, extends = 'duel', calls = {\n"
                               "  turn_start = function(position)\n"
                               "    error('on purpose')\n"
                               "  end } }";
    char path[64];
    write_script(path, ".lua", text);
    struct rules *rules = load_locked(path);
    struct trial *trial = calloc(1, sizeof *trial);
    struct fault fault = {0};
    const struct trial_options options = {.rules = rules, .games = 1, .seed = 3};
    assert_false(trial_run(&options, trial, &fault));
    assert_int_equal(fault.status, STATUS_SCRIPT);
    assert_int_equal(fault.line, 3);
    assert_string_equal(fault.file, path);
    assert_non_null(strstr(fault.text, "on purpose"));
    free(trial);
    rules_free(rules);
    unlink(path);
}

static void faults_are_the_same_on_both_sides_of_the_wall(void **state) {
    (void)state;
    static const char *const texts[] = {
        "return { api = 1, extends = 'duel', army = { scot = 3 }, two_squares = 99 }",
        "return { api = 1, extends = 'nothing_of_that_name' }",
        "local x = 1 +",
        "return { api = 1, extends = 'duel', combat = function() error('no') end }",
        "return require 'pieces.standart'",
        "return 7",
        "return { api = 1, extends = 'duel', tests = { { title = 't', move = 'a4-a5' } } }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[64];
        write_script(path, ".lua", texts[i]);
        struct faults *here = faults_new(), *locked = faults_new();
        struct rules *a = variant_examine(support_folders(), path, here, NULL);
        struct rules *b = loader_examine(support_folders(), path, locked);
        assert_int_equal(a != NULL, b != NULL);
        assert_int_equal(here->errors, locked->errors);
        assert_int_equal(here->count, locked->count);
        for (size_t k = 0; k < here->count; k++) {
            const struct remark *left = &here->list[k], *right = &locked->list[k];
            assert_string_equal(left->fault.text, right->fault.text);
            assert_string_equal(left->fault.file, right->fault.file);
            assert_int_equal(left->fault.line, right->fault.line);
            assert_int_equal(left->fault.column, right->fault.column);
            assert_int_equal(left->fault.status, right->fault.status);
            assert_string_equal(left->key, right->key);
            assert_string_equal(left->page, right->page);
            assert_string_equal(left->expected, right->expected);
        }
        rules_free(a);
        rules_free(b);
        free(here);
        free(locked);
        unlink(path);
    }
}

static void a_circle_by_other_paths_is_found(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-circle-XXXXXX", a[64], b[64], link[64];
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.lua", folder);
    snprintf(b, sizeof b, "%s/b.lua", folder);
    snprintf(link, sizeof link, "%s/c.lua", folder);
    FILE *file = fopen(a, "wb");
    fputs("return { api = 1, extends = 'b' }", file);
    fclose(file);
    file = fopen(b, "wb");
    fputs("return { api = 1, extends = 'c' }", file);
    fclose(file);
    assert_int_equal(symlink("a.lua", link), 0);
    struct fault fault = {0};
    assert_null(loader_variant(support_folders(), a, &fault));
    assert_non_null(strstr(fault.text, "circle"));
    unlink(a);
    unlink(b);
    unlink(link);
    rmdir(folder);
}

static void put_file(const char *folder, const char *name, const char *text) {
    char path[FOLDER_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Plays a few moves, so that all calls are asked, by more than one Lua state. */
static void play_a_little(const struct rules *rules) {
    struct position position;
    struct ply history[20];
    struct game game;
    struct setup setups[2];
    struct fault fault = {0};
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, &random, &setups[side], &fault));
    position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
    game_start(&game, rules, &position, NULL, history, 20);
    for (int i = 0; i < 8 && !calls_failed() && !game_over(&game); i++) {
        struct move *moves = calloc(rules->moves_max, sizeof *moves);
        assert_non_null(moves);
        assert_true(game_moves(&game, moves, rules->moves_max) > 0);
        game_play(&game, moves[0], NULL);
        free(moves);
    }
    if (calls_take(&fault)) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

/* Two games with one process: what it saw of the first must not decide in the second. */
static void a_process_carries_nothing_from_one_game_into_another(void **state) {
    (void)state;
    static const char text[] = "local seen = {}\n"
                               "return { api = 1, extends = 'duel', title = 'Spy', calls = {\n"
                               "  legal = function(position, move)\n"
                               "    local before = #seen\n"
                               "    for _, square in ipairs(position:squares('blue')) do\n"
                               "      seen[#seen + 1] = position:kind_at(square)\n"
                               "    end\n"
                               "    return before == 0, 'seen before'\n"
                               "  end } }\n";
    char folder[] = "/tmp/ensign-spy-XXXXXX", path[96];
    assert_non_null(mkdtemp(folder));
    put_file(folder, "spy.lua", text);
    snprintf(path, sizeof path, "%s/spy.lua", folder);
    struct rules *rules = load_locked(path);
    for (int games = 0; games < 2; games++) play_a_little(rules);
    rules_free(rules);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void each_file_of_a_variant_requires_what_lies_beside_it(void **state) {
    (void)state;
    static const char *const names[] = {"a/game.lua", "a/word.lua", "b/base.lua",
                                        "b/word.lua", "a",          "b"};
    char folder[] = "/tmp/ensign-beside-XXXXXX", path[96];
    assert_non_null(mkdtemp(folder));
    for (int i = 4; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    put_file(folder, "a/word.lua", "return 'a'");
    put_file(folder, "b/word.lua", "return 'b'");
    put_file(folder, "a/game.lua",
             "assert(require 'word' == 'a')\n"
             "return { api = 1, extends = '../b/base.lua', title = 'Game',\n"
             "combat = function() assert(require 'word' == 'a') return 'both' end,\n"
             "calls = { ending = function() assert(require 'word' == 'a') end } }");
    put_file(folder, "b/base.lua",
             "assert(require 'word' == 'b')\n"
             "return { api = 1, extends = 'duel', title = 'Base',\n"
             "calls = { legal = function() assert(require 'word' == 'b') return true end } }");
    snprintf(path, sizeof path, "%s/a/game.lua", folder);
    for (int locked = 0; locked < 2; locked++) {
        struct fault fault = {0};
        struct rules *rules = locked ? loader_variant(support_folders(), path, &fault)
                                     : variant_load(support_folders(), path, &fault);
        if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
        play_a_little(rules);
        rules_free(rules);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void a_variant_with_calls_may_lie_in_a_folder_of_a_long_name(void **state) {
    (void)state;
    enum { LEVELS = 4, NAME = 200 };
    char folder[FOLDER_PATH_MAX] = "/tmp/ensign-long-XXXXXX", name[NAME + 1];
    struct fault fault = {0};
    assert_non_null(mkdtemp(folder));
    memset(name, 'n', NAME), name[NAME] = 0;
    for (int i = 0; i < LEVELS; i++) {
        strcat(strcat(folder, "/"), name);
        assert_int_equal(mkdir(folder, 0700), 0);
    }
    put_file(folder, "v.lua",
             "return { api = 1, extends = 'duel', title = 'V',\n"
             "calls = { ending = function() return 'draw', 'short' end } }");
    strcat(folder, "/v.lua");
    struct rules *rules = loader_variant(support_folders(), folder, &fault);
    if (!rules) fail_msg("%s", fault.text);
    play_a_little(rules);
    rules_free(rules);
    for (int i = -1; i <= LEVELS; i++, *strrchr(folder, '/') = 0)
        assert_int_equal(remove(folder), 0);
}

static void a_variant_can_read_no_file_that_is_not_a_script_of_its_own(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-reach-XXXXXX", deep[64], secret[64], variant[64];
    assert_non_null(mkdtemp(folder));
    snprintf(deep, sizeof deep, "%s/in", folder);
    snprintf(secret, sizeof secret, "%s/secret.lua", folder);
    snprintf(variant, sizeof variant, "%s/in/v.lua", folder);
    assert_int_equal(mkdir(deep, 0700), 0);
    FILE *file = fopen(secret, "wb");
    fputs("return {}", file);
    fclose(file);
    file = fopen(variant, "wb");
    fputs("local ok, why = pcall(require, 'secret') error(why)", file);
    fclose(file);
    struct fault fault = {0};
    assert_null(loader_variant(support_folders(), variant, &fault));
    assert_non_null(strstr(fault.text, "no module 'secret'"));
    unlink(secret);
    unlink(variant);
    rmdir(deep);
    rmdir(folder);
}

static void bots_and_languages_are_examined_behind_the_wall(void **state) {
    (void)state;
    char path[64];
    struct bot_card card;
    struct faults *faults = faults_new();
    assert_true(loader_bot(support_folders(), "bots/lieutenant.lua", &card, faults));
    assert_string_equal(card.title, "Lieutenant");
    assert_string_equal(card.about, "plays sensibly, and slips now and then");
    assert_int_equal(card.level, LEVEL_MEDIUM);
    write_script(path, ".lua", "return { mov = 1 }");
    assert_false(loader_bot(support_folders(), path, &card, faults));
    assert_true(faults->errors >= 2);
    unlink(path);
    free(faults);
    struct fault fault = {0};
    struct language *locked = loader_language(support_folders(), "uk", &fault);
    struct language *here = language_load(support_folders(), "uk", &fault);
    assert_non_null(locked);
    assert_non_null(here);
    assert_string_equal(language_tag(locked), "uk");
    assert_string_equal(language_name(locked), language_name(here));
    for (int part = 0; part < LANGUAGE_PARTS; part++) {
        size_t count = language_count(here, (enum language_part)part);
        assert_int_equal(language_count(locked, (enum language_part)part), count);
        for (size_t i = 0; i < count; i++) {
            const char *key[2], *text[2];
            language_entry(here, (enum language_part)part, i, &key[0], &text[0]);
            language_entry(locked, (enum language_part)part, i, &key[1], &text[1]);
            assert_string_equal(key[0], key[1]);
            assert_string_equal(text[0], text[1]);
        }
    }
    language_free(locked);
    language_free(here);
    write_script(path, ".lua",
                 "return { api = 1, name = 'X', kinds = {}, texts = { ['{1}'] = 'x' } }");
    assert_null(loader_language(support_folders(), path, &fault));
    assert_non_null(strstr(fault.text, "lacks {1}"));
    unlink(path);
}

static void expect_unlearned(const char *path, const struct rules *rules, int code,
                             const char *why) {
    struct fault fault = {0};
    struct learned *learned = malloc(sizeof *learned);
    assert_non_null(learned);
    if (loader_learned(support_folders(), path, rules, learned, &fault))
        fail_msg("%s is read", path);
    free(learned);
    assert_int_equal(status_exit_code(fault.status), code);
    assert_string_equal(fault.file, path);
    assert_null(strchr(fault.text, '\n'));
    if (!strstr(fault.text, why)) fail_msg("%s, not %s", fault.text, why);
}

/* The file says the same read here and behind the wall, and has at least that many styles. */
static void expect_same_learned(const char *variant, const char *path, int styles_min) {
    struct fault fault = {0};
    struct learned *both = calloc(2, sizeof *both);
    struct rules *rules = support_rules(variant);
    assert_non_null(both);
    if (!loader_learned(support_folders(), path, rules, &both[0], &fault) ||
        !learned_lua_load(support_folders(), path, rules, &both[1], &fault))
        fail_msg("%s", fault.text);
    assert_memory_equal(&both[0], &both[1], sizeof both[0]);
    assert_in_range(both[0].styles, styles_min, LEARNED_STYLES_MAX);
    assert_in_range(both[0].style[0].setups, 20, LEARNED_SETUPS_MAX);
    rules_free(rules);
    free(both);
}

#define ONE_STYLE "local one = require 'learned.quick'.styles[1] "

static void what_was_learned_is_read_behind_the_wall(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"return 3", "returns a number, expected a table as \"ensign learn --table\" writes it"},
        {"return {", "unexpected symbol"},
        {"while true do end", "out of fuel"},
        {"return {}", "what was learned: own must be a table, not nil"},
        {"return { own = { spie = {} } }", "own: 'spie' is not a kind of this variant"},
        {"return { own = { spy = { hiden = 1 } } }", "own: unknown term 'hiden'"},
        {"return { own = { spy = { hidden = 65537 } } }",
         "own: hidden must be a whole number from -65536 to 65536"},
        {ONE_STYLE "one.setups = 'none' return one",
         "setups must be a list of set-ups, not string"},
        {ONE_STYLE "one.setups[2] = {} return one", "setups: number 2 is a table, not a text"},
        {ONE_STYLE "one.setups[3] = 'FFFFFFFF' return one", "setups: number 3: "},
        {ONE_STYLE "for i = 1, 65 do one.setups[i] = '' end return one",
         "setups has more than 64 set-ups"},
        {"return { styles = 2 }", "styles must be a list of styles, not number"},
        {"return { styles = {} }", "styles must be 1 to 16, not 0"},
        {"local styles = {} for i = 1, 17 do styles[i] = {} end return { styles = styles }",
         "styles must be 1 to 16, not 17"},
        {"return { styles = { 3 } }", "styles: number 1 must be a table, not number"},
        {"return { styles = { {} } }", "what was learned: own must be a table, not nil"},
        {ONE_STYLE "one.share = nil return { styles = { one } }",
         "styles: share must be a whole number from 1 to 1000000"},
        {ONE_STYLE "one.share = 0 return { styles = { one } }",
         "styles: share must be a whole number from 1 to 1000000"},
        {ONE_STYLE "one.share = 1 return { styles = { one, 0 } }",
         "styles: number 2 must be a table, not number"},
        {"local one = { share = 1, styles = {} } return { styles = { one } }",
         "what was learned: has several styles; draw one with toolkit.style"},
    };
    char path[64];
    expect_same_learned("barrage", "scripts/learned/barrage.lua", 1);
    expect_same_learned("duel", "scripts/learned/duel.lua", 2);
    struct rules *rules = support_rules("quick");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_script(path, ".lua", wrong[i][0]);
        expect_unlearned(path, rules, 1, wrong[i][1]);
        unlink(path);
    }
    expect_unlearned("bots/admiral.lua", rules, 1, "is a bot, expected a table");
    expect_unlearned("scripts/learned/galaxy.lua", rules, 1, "is not a kind of this variant");
    expect_unlearned("/tmp/there is none.lua", rules, 2, "no such file");
    rules_free(rules);
}

static void tests_and_games_that_take_too_long_are_left_out(void **state) {
    (void)state;
    static const char slow[] =
        "local function burn() for i = 1, 400000 do end end\n"
        "return { api = 1, extends = 'duel', calls = { turn_start = function() burn() end } }";
    char path[64];
    write_script(path, ".lua", slow);
    struct loader_trial trial = {
        .work = &TRIAL_WORK, .judge = true, .games = 100000, .seed = 1, .seconds = 1};
    struct faults *faults = faults_new();
    struct rules *rules = loader_try(support_folders(), path, &trial, faults);
    assert_non_null(rules);
    assert_true(trial.played);
    assert_true(trial.trial.games < 100000);
    rules_free(rules);
    free(faults);
    unlink(path);
}

/* Plays at random, with the core held against itself; the rules are whatever was accepted. */
static void play_some(const struct rules *rules) {
    struct fault fault = {0};
    struct rules copy = *rules;
    copy.calls = NULL;
    const struct trial_options options = {.rules = &copy, .games = 1, .seed = 1, .deadline = 1};
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial_run(&options, trial, &fault);
    free(trial);
    struct setup red, blue;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    if (!setup_random(&copy, RED, &random, &red, &fault) ||
        !setup_random(&copy, RED, &random, &blue, &fault))
        return;
    struct position position;
    struct ply plies[40];
    struct game game;
    struct move *moves = malloc((copy.moves_max + 1) * sizeof *moves);
    assert_non_null(moves);
    position_from_setups(&copy, &red, &blue, RED, &position);
    game_start(&game, &copy, &position, NULL, plies, 40);
    for (int i = 0; i < 30 && !game_over(&game); i++) {
        size_t count = game_moves(&game, moves, copy.moves_max);
        if (!count) break;
        game_play(&game, moves[random_below(&random, (uint32_t)count)], NULL);
        if (!integrity_game(&game, &fault)) fail_msg("%s", fault.text);
    }
    free(moves);
}

/* What a loader sends, with a byte changed: it is refused, or can be played. Four times as many
 * bytes with ENSIGN_LONG=1. */
static void changed_rules_are_refused_or_playable(void **state) {
    (void)state;
    static const char *const names[] = {"duel", "infiltrator", "variants/examples/fog.lua"};
    unsigned refused = 0, accepted = 0;
    for (int n = 0; n < 3; n++) {
        struct rules *rules = load_here(names[n]);
        struct frame frame, changed;
        assert_true(frame_open(&frame, RULES_WIRE_MAX));
        rules_put(&frame, rules);
        assert_false(frame.broken);
        assert_true(frame_open(&changed, frame.length));
        const size_t most = at_length() ? 4000 : 1000;
        size_t step = frame.length > most ? frame.length / most : 1;
        while (step % 2 == 0 || step % 3 == 0) step++; /* any bit, and whole bytes */
        for (size_t at = 0; at < frame.length; at += step) {
            frame_clear(&changed);
            frame_put(&changed, frame.bytes + CHANNEL_HEADER, frame.length);
            changed.bytes[CHANNEL_HEADER + at] ^= (unsigned char)(at % 3 ? 1u << at % 8 : 0xFF);
            struct fault fault = {0};
            struct rules *taken = rules_take(&changed, &fault);
            struct refusals refusals;
            bool finished = taken && rules_finish(taken, &refusals);
            if (finished) play_some(taken);
            *(finished ? &accepted : &refused) += 1;
            rules_free(taken);
        }
        /* Cut short anywhere it is refused. */
        for (size_t length = 0; length < frame.length; length += 97) {
            frame_clear(&frame);
            frame.length = length;
            assert_null(rules_take(&frame, NULL));
            frame.length = changed.length;
        }
        frame_close(&frame);
        frame_close(&changed);
        rules_free(rules);
    }
    assert_true(refused > 100 && accepted > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_the_same_on_both_sides_of_the_wall),
        cmocka_unit_test(calls_answer_the_same_on_both_sides_of_the_wall),
        cmocka_unit_test(calls_whose_process_is_killed_are_asked_again),
        cmocka_unit_test(a_call_that_breaks_is_placed_where_it_is_written),
        cmocka_unit_test(faults_are_the_same_on_both_sides_of_the_wall),
        cmocka_unit_test(a_circle_by_other_paths_is_found),
        cmocka_unit_test(a_process_carries_nothing_from_one_game_into_another),
        cmocka_unit_test(each_file_of_a_variant_requires_what_lies_beside_it),
        cmocka_unit_test(a_variant_with_calls_may_lie_in_a_folder_of_a_long_name),
        cmocka_unit_test(a_variant_can_read_no_file_that_is_not_a_script_of_its_own),
        cmocka_unit_test(bots_and_languages_are_examined_behind_the_wall),
        cmocka_unit_test(what_was_learned_is_read_behind_the_wall),
        cmocka_unit_test(tests_and_games_that_take_too_long_are_left_out),
        cmocka_unit_test(changed_rules_are_refused_or_playable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
