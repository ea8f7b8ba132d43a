/* Scripts that were written to break the host, each as a bot's file and as its `move`. They come
 * from the folder of shared data and are skipped where that is missing. */
#include "base/clock.h"
#include "base/files.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/referee.h"
#include "jail/channel.h"
#include "processes.h"
#include "support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    DEADLINE = 10000,
    CALLBACKS = 8,
    CHILDREN_MAX = 64,
    ATTACKS_MAX = 256,
    ATTACKS_TO_PEACE = 8
};

static const struct sandbox_limits limits = {.fuel = 5000000, .memory = 16 << 20};

static struct rules *rules;
static struct template *template;
static char folder[64], bot_path[128], peace[16384];

/* Plays; the record's text is to be freed. A bot that cannot even be loaded gives NULL. */
static char *play(const char *red, struct referee_report *report, struct fault *fault) {
    struct player_options options = {.folders = support_folders(),
                                     .rules = rules,
                                     .limits = limits,
                                     .deadline = DEADLINE,
                                     .template = template};
    struct referee_options referee = {.first = RED, .limits = &(struct limits){0, 60}};
    struct player players[2] = {{0}, {0}};
    struct player *const seats[2] = {&players[RED], &players[BLUE]};
    char *text = NULL;
    bool opened = player_open(&players[RED], &options, red, &(const struct chance){{9}}, fault);
    if (opened) {
        struct record *record = record_new();
        assert_non_null(record);
        assert_true(
            player_open(&players[BLUE], &options, "rookie", &(const struct chance){{9, 1}}, fault));
        if (!referee_play(rules, seats, &referee, record, report, fault))
            fail_msg("the host failed: %s", fault->text);
        text = record_write(record);
        assert_non_null(text);
        record_free(record);
    }
    for (int side = RED; side <= BLUE; side++)
        if (players[side].close) players[side].close(players[side].self);
    return text;
}

/* Whether a fault is useful to a person. */
static bool is_tidy(const struct fault *fault) {
    static const enum status script_ends[] = {STATUS_TEXT,   STATUS_SETUP, STATUS_ILLEGAL_MOVE,
                                              STATUS_SCRIPT, STATUS_FUEL,  STATUS_TIME,
                                              STATUS_MEMORY, STATUS_CRASH};
    bool known = false;
    for (size_t i = 0; i < sizeof script_ends / sizeof *script_ends; i++)
        known |= fault->status == script_ends[i];
    for (const char *c = fault->text; *c; c++) known &= (unsigned char)*c >= 0x20 && *c != 0x7f;
    return known && fault->text[0] && !strstr(fault->text, "0x");
}

static void write_bot(const char *before, const char *attack, size_t length, const char *after) {
    FILE *file = fopen(bot_path, "wb");
    assert_non_null(file);
    fputs(before, file);
    fwrite(attack, 1, length, file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
}

/* The next game is the one that would have been played without the attacks. */
static void expect_peace(void) {
    struct referee_report report = {0};
    struct fault fault = {0};
    char *text = play("rookie", &report, &fault);
    assert_non_null(text);
    assert_string_equal(text, peace);
    free(text);
}

/* `loses`: it is nothing but an attack, and not one that plays on. */
static void survive(const char *name, bool loses) {
    struct referee_report report = {0};
    struct fault fault = {0};
    int64_t begun = clock_ms();
    char *text = play(bot_path, &report, &fault);
    int64_t took = clock_ms() - begun;
    const struct fault *why = text ? &report.forfeit : &fault;
    if (took > CALLBACKS * DEADLINE) fail_msg("%s took %d ms", name, (int)took);
    bool forfeited = !text || loses || report.forfeit.status != STATUS_OK;
    if (forfeited && !is_tidy(why))
        fail_msg("%s: %s: \"%s\"", name, status_name(why->status), why->text);
    if (text && forfeited) assert_int_equal(report.result, RESULT_BLUE);
    free(text);
    static int survived;
    if (++survived % ATTACKS_TO_PEACE == 0) expect_peace();
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the attacks of a group, a folder in theirs ("" for the folder itself), sorted; skips the
 * test if there are none. */
static int list_attacks(const char *group, char path[1024], char *names[ATTACKS_MAX]) {
    const char *shared = getenv("ENSIGN_SHARED");
    int count = 0;
    if (shared)
        snprintf(path, 1024, "%s/attacks/%s", shared, group);
    else
        snprintf(path, 1024, "%s/../shared/attacks/%s", ENSIGN_ROOT, group);
    DIR *attacks = opendir(path);
    if (!attacks) skip();
    for (struct dirent *entry; (entry = readdir(attacks));)
        if (strstr(entry->d_name, ".lua") && count < ATTACKS_MAX)
            names[count++] = strdup(entry->d_name);
    closedir(attacks);
    qsort(names, (size_t)count, sizeof *names, compare);
    return count;
}

static void survive_all(const char *group, const char *before, const char *after) {
    char path[1024], file[1400], *names[ATTACKS_MAX];
    int count = list_attacks(group, path, names);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        size_t length;
        snprintf(file, sizeof file, "%s/%s", path, names[i]);
        char *attack = files_read(file, 1 << 20, &length, NULL);
        assert_non_null(attack);
        write_bot(before, attack, length, after);
        survive(names[i], group[0] == 0);
        free(attack);
        free(names[i]);
    }
    expect_peace();
    pid_t children[CHILDREN_MAX];
    int left = processes_of(template_process(template), children, CHILDREN_MAX);
    if (left > 4) fail_msg("%d processes are left, no more than 4 wait for a game", left);
}

static void every_attack_as_a_bots_file_ends_tidily(void **state) {
    (void)state;
    survive_all("", "", "");
    survive_all("heap", "", "");
    survive_all("variants", "", "");
    survive_all("reckoning", "", "");
}

static void every_attack_as_a_move_ends_tidily(void **state) {
    (void)state;
    survive_all("", "return { api = 1, move = function(view) ", "\nend }\n");
}

static void every_attack_as_a_start_ends_tidily(void **state) {
    (void)state;
    survive_all("", "return { api = 1, move = function() return '' end, start = function() ",
                "\nend }\n");
}

/* Attacks on our own API, which the shared ones leave out. */
static void attacks_on_the_view_and_the_answer_end_tidily(void **state) {
    (void)state;
    static const char *const moves[] = {
        "local t = {} t.t = t return t",
        "return 0/0",
        "return 1/0",
        "return -1",
        "return math.maxinteger",
        "return ('x'):rep(1 << 20)",
        "return '\\0'",
        "return 'a4-a5\\n\\27[2J'",
        "return setmetatable({}, { __index = function() error('read') end })",
        "return view",
        "return function() end",
        "return nil",
        "return view.moves({})",
        "return view.moves(view, view, view)",
        "return view:text(1 << 62)",
        "return view:kind(-1)",
        "return view:random(math.mininteger)",
        "return view:random(0)",
        "getmetatable(view).__index = nil",
        "setmetatable(view, {})",
        "view.moves = nil",
        "getmetatable(view).__gc(view)",
        "getmetatable('').__index = nil",
        "require '../../../etc/passwd'",
        "require 'bots.rookie'",
        "require(('a.'):rep(60) .. 'a')",
        "require(1 / 0)",
        "coroutine.wrap(function() return 1 end)()",
        "for i = 1, 1e9 do print(i) end",
        "local function f() return f() end f()",
        "error(view)",
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        "error(('long '):rep(100000))",
        "string.rep = nil return ('x'):rep(2)",
        "kept = kept or view:moves() return kept[99]",
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        write_bot("return { api = 1, move = function(view) ", moves[i], strlen(moves[i]),
                  "\nend }\n");
        survive(moves[i], true);
    }
    expect_peace();
}

static int open_all(void **state) {
    (void)state;
    struct referee_report report;
    struct fault fault = {0};
    rules = support_rules("duel");
    support_folder(folder);
    snprintf(bot_path, sizeof bot_path, "%s/attack.lua", folder);
    const struct player_options options = {
        .folders = support_folders(), .rules = rules, .limits = limits};
    template = player_template(&options, &fault);
    assert_non_null(template);
    char *text = play("rookie", &report, &fault);
    assert_non_null(text);
    snprintf(peace, sizeof peace, "%s", text);
    free(text);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    pid_t pid = template_process(template), children[CHILDREN_MAX];
    int count = processes_of(pid, children, CHILDREN_MAX);
    template_close(template);
    bool ended = process_ends(pid);
    for (int i = 0; i < count && i < CHILDREN_MAX; i++) ended &= process_ends(children[i]);
    support_remove(folder);
    rules_free(rules);
    return ended ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_attack_as_a_bots_file_ends_tidily, open_all,
                                        close_all),
        cmocka_unit_test_setup_teardown(every_attack_as_a_move_ends_tidily, open_all, close_all),
        cmocka_unit_test_setup_teardown(every_attack_as_a_start_ends_tidily, open_all, close_all),
        cmocka_unit_test_setup_teardown(attacks_on_the_view_and_the_answer_end_tidily, open_all,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
