/* Processes of bots, and their template, killed and stopped from outside: no bot loses a game by
 * it.
 */
#define _GNU_SOURCE /* sigabbrev_np */
#include "base/standby.h"
#include "host/match/tournament.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/referee.h"
#include "processes.h"
#include "support.h"
#include "walled.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { SHORT = 300 }; /* a deadline in ms that is to pass */

/* All processes of a template, including those waiting for a game. */
static void signal_children(const struct template *template, int number) {
    pid_t children[CHILDREN_MAX];
    int count = processes_of(template_process(template), children, CHILDREN_MAX);
    assert_in_range(count, 1, CHILDREN_MAX);
    for (int i = 0; i < count; i++) {
        kill(children[i], number);
        if (number == SIGSTOP) assert_true(process_stops(children[i]));
    }
}

/* Asks a bot whose process has got that signal for its set-up; why there was none. */
static struct fault ask_after(int number, bool catches_up) {
    struct fault fault = {0};
    struct player player;
    struct view view;
    struct setup setup = {{0}};
    const cell none[BOARD_SQUARES_MAX] = {0};
    const uint8_t army[KINDS_MAX] = {0};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct player_options options = walled_options(template, number == SIGSTOP ? SHORT : PATIENT);
    options.catches_up = catches_up;
    if (!player_open(&player, &options, "rookie", &(const struct chance){{1}}, &fault))
        fail_msg("%s", fault.text);
    view_start(&view, walled_rules, RED, none, 0, army, RED, walled_rules->limits);
    signal_children(template, number);
    bool laid = player.setup(player.self, &view, &setup, &fault);
    assert_int_equal(laid, fault.status == STATUS_OK);
    if (laid) assert_true(setup_check(walled_rules, RED, &setup, &fault));
    player.close(player.self);
    template_close(template);
    return fault;
}

static void signals_that_a_locked_process_cannot_send_itself_are_not_its_fault(void **state) {
    (void)state;
    static const int outside[] = {SIGKILL, SIGTERM, SIGHUP,  SIGINT,
                                  SIGUSR1, SIGALRM, SIGABRT, SIGSTOP};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        struct fault fault = ask_after(outside[i], false);
        char name[32];
        snprintf(name, sizeof name, "SIG%s, from outside", sigabbrev_np(outside[i]));
        if (fault.status != STATUS_KILLED || !strstr(fault.text, name)) fail_msg("%s", fault.text);
        assert_non_null(strstr(fault.file, "rookie.lua"));
        assert_int_equal(ask_after(outside[i], true).status, STATUS_OK);
    }
}

/* It is asked again, and answers as it would have. */
static void a_crash_that_does_not_repeat_was_sent_from_outside(void **state) {
    (void)state;
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct fault fault = ask_after(own[i], true);
        if (fault.status != STATUS_OK) fail_msg("SIG%s: %s", sigabbrev_np(own[i]), fault.text);
        assert_int_equal(ask_after(own[i], false).status, STATUS_CRASH);
    }
}

/* A player in this process that lets the other one's processes be killed before each of its moves.
 */
struct killer {
    struct player inner;
    const struct template *template;
    int number;  /* 0: does nothing */
    int orphans; /* times that the template is killed instead */
};

static bool killer_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    struct killer *killer = self;
    return killer->inner.setup(killer->inner.self, view, setup, fault);
}

static bool killer_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    struct killer *killer = self;
    const pid_t process = template_process(killer->template);
    if (killer->orphans-- > 0) {
        kill(process, SIGKILL);
        assert_true(process_ends(process));
    } else if (killer->number) {
        signal_children(killer->template, killer->number);
    }
    return killer->inner.move(killer->inner.self, view, moves, count, answer, fault);
}

/* The record of a game of the bot at `path`, red, whose process is killed again and again, or that
 * of its template, so often. */
static char *play_killed(const char *path, int number, int orphans) {
    struct fault fault = {0};
    struct killer killer = {
        .template = walled_template(SANDBOX_DEFAULTS), .number = number, .orphans = orphans};
    struct player_options options = walled_options((struct template *)killer.template, PATIENT);
    struct player red = {0}, blue = {.name = "killer", .self = &killer};
    options.catches_up = true;
    blue.setup = killer_setup, blue.move = killer_move;
    if (!player_open(&red, &options, path, &(const struct chance){{1}}, &fault))
        fail_msg("%s", fault.text);
    options.template = NULL;
    assert_true(
        player_open(&killer.inner, &options, "rookie", &(const struct chance){{2}}, &fault));
    struct player *const players[2] = {&red, &blue};
    struct referee_options referee = {.first = RED, .limits = &(struct limits){.plies = 40}};
    struct referee_report report;
    struct record *record = record_new();
    if (!referee_play(walled_rules, players, &referee, record, &report, &fault))
        fail_msg("%s", fault.text);
    red.close(red.self);
    killer.inner.close(killer.inner.self);
    template_close((struct template *)killer.template);
    char *text = record_write(record);
    record_free(record);
    return text;
}

static void a_bot_in_play_goes_on_as_if_its_process_had_not_been_killed(void **state) {
    (void)state;
    static const char bot[] = "local seen, started = 0, false\n"
                              "return { api = 1, start = function(view) started = true end,\n"
                              "observe = function(view, event) seen = seen + 1 end,\n"
                              "move = function(view) local moves = view:moves() assert(started)\n"
                              "return moves[(seen * 7 + view:random(#moves)) % #moves + 1] end }\n";
    char path[128];
    const char *const bots[] = {walled_bot("watcher", bot, path), "hunter"};
    for (int i = 0; i < 2; i++) {
        char *whole = play_killed(bots[i], 0, 0);
        static const int numbers[] = {SIGKILL, SIGABRT, SIGSEGV, 0};
        for (int n = 0; n < 4; n++) {
            char *broken = play_killed(bots[i], numbers[n], numbers[n] ? 0 : TEMPLATE_TRIES - 1);
            assert_null(strstr(whole, "orfeit"));
            assert_string_equal(whole, broken);
            free(broken);
        }
        free(whole);
    }
}

/* Files of bots that are read from the disk; whoever asks for "fatal.lua" is killed, some times. */
struct trap {
    struct reader reader;
    const struct template *template;
    int times, sprung, number; /* of the signal; 0: SIGKILL */
};

static long trap_size(void *context, const char *path) {
    struct trap *trap = context;
    if (strstr(path, "/fatal.lua") && trap->sprung < trap->times) {
        trap->sprung++;
        signal_children(trap->template, trap->number ? trap->number : SIGKILL);
    }
    return READER_DISK.size(NULL, path);
}

static long trap_read(void *context, const char *path, char *out, size_t size) {
    (void)context;
    return READER_DISK.read(NULL, path, out, size);
}

/* A match of a bot that asks for a file in the middle of each game. */
static struct tournament *play_trapped_against(struct trap *trap, const struct rules *rules,
                                               const char *path, const char *opponent,
                                               uint32_t games, struct fault *fault) {
    struct folders folders = *support_folders();
    const char *const players[] = {path, opponent};
    struct tournament_options options = {.folders = &folders,
                                         .rules = rules,
                                         .players = players,
                                         .player_count = 2,
                                         .games = games,
                                         .jobs = 1,
                                         .chance = {{5}},
                                         .limits = SANDBOX_DEFAULTS,
                                         .deadline = PATIENT};
    const struct player_options bots = {
        .folders = &folders, .rules = rules, .limits = SANDBOX_DEFAULTS};
    options.template = player_template(&bots, fault);
    assert_non_null(options.template);
    trap->template = options.template;
    trap->reader = (struct reader){trap_size, trap_read, trap};
    folders.reader = &trap->reader;
    struct tournament *match = tournament_run(&options, fault);
    template_close(options.template);
    return match;
}

static struct tournament *play_trapped(struct trap *trap, const char *path, struct fault *fault) {
    return play_trapped_against(trap, walled_rules, path, "rookie", 4, fault);
}

/* Only one that crashes each time has done it by itself. */
static void a_game_of_a_match_whose_bot_crashed_is_played_again(void **state) {
    (void)state;
    static const struct {
        int number, times;
        bool same;
    } cases[] = {{SIGABRT, 1, true}, {SIGABRT, 2, true}, {SIGSEGV, 1, true}, {SIGSEGV, 9, false}};
    char path[128], module[128];
    struct fault fault = {0};
    walled_bot("fatal", "return 1", module);
    walled_bot("trapped",
               "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
               "if n == 3 then require 'fatal' end\n"
               "local m = view:moves() return m[view:random(#m)] end }",
               path);
    struct trap never = {.times = 0};
    struct tournament *whole = play_trapped(&never, path, &fault);
    if (!whole) fail_msg("%s", fault.text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trap trap = {.times = cases[i].times, .number = cases[i].number};
        struct tournament *match = play_trapped(&trap, path, &fault);
        if (!match) fail_msg("%s", fault.text);
        assert_int_equal(match->games[0].hash == whole->games[0].hash, cases[i].same);
        assert_int_equal(match->games[0].reason == REASON_FORFEIT_CRASH, !cases[i].same);
        tournament_free(match);
    }
    tournament_free(whole);
}

/* A program may have killed the bot to play the same armies once more. */
static void a_game_against_a_program_is_played_again_with_other_chance(void **state) {
    (void)state;
    static const char program[] = "ucc:" ENSIGN_ROOT "/tests/host/ucc/walker.sh";
    char path[128], module[128];
    struct fault fault = {0};
    struct rules *rules = support_rules("milton-bradley");
    walled_bot("fatal", "return 1", module);
    walled_bot("trapped",
               "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
               "if n == 3 then require 'fatal' end\n"
               "local m = view:moves() return m[view:random(#m)] end }",
               path);
    struct trap never = {.times = 0}, once = {.times = 1};
    struct tournament *whole = play_trapped_against(&never, rules, path, program, 2, &fault);
    if (!whole) fail_msg("%s", fault.text);
    struct tournament *broken = play_trapped_against(&once, rules, path, program, 2, &fault);
    if (!broken) fail_msg("%s", fault.text);
    assert_int_equal(once.sprung, 1);
    assert_true(whole->games[0].hash != broken->games[0].hash);
    tournament_free(whole);
    tournament_free(broken);
    rules_free(rules);
}

static void a_game_of_a_match_is_played_again_with_the_same_hash(void **state) {
    (void)state;
    char path[128], module[128];
    struct fault fault = {0};
    walled_bot("fatal", "return 1", module);
    walled_bot("trapped",
               "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
               "if n == 6 then require 'fatal' end\n"
               "local m = view:moves() return m[view:random(#m)] end }",
               path);
    struct trap never = {.times = 0}, twice = {.times = 2}, always = {.times = 1000};
    struct tournament *whole = play_trapped(&never, path, &fault);
    if (!whole) fail_msg("%s", fault.text);
    struct tournament *broken = play_trapped(&twice, path, &fault);
    if (!broken) fail_msg("%s", fault.text);
    assert_int_equal(twice.sprung, 2);
    assert_int_equal(whole->forfeit_count, 0);
    assert_int_equal(broken->forfeit_count, 0);
    assert_true(whole->hash == broken->hash);
    tournament_free(whole);
    tournament_free(broken);
    assert_null(play_trapped(&always, path, &fault));
    assert_int_equal(fault.status, STATUS_KILLED);
    assert_int_equal(always.sprung, 3);
    assert_string_equal(fault.text,
                        "in move: its process was killed by SIGKILL, from outside; this "
                        "ended 3 games in a row");
    assert_string_equal(fault.file, path);
}

static void a_child_that_was_stopped_before_it_was_needed_is_not_handed_out(void **state) {
    (void)state;
    struct fault fault = {0};
    struct player player;
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct player_options options = walled_options(template, PATIENT);
    struct locked_process child;
    assert_true(template_take(template, &child, &fault)); /* others wait from now on */
    locked_process_end(&child);
    signal_children(template, SIGSTOP);
    if (!player_open(&player, &options, "rookie", &(const struct chance){{1}}, &fault))
        fail_msg("%s", fault.text);
    player.close(player.self);
    template_close(template);
}

/* standby.begin */
static void continue_process(void *pid) {
    kill(*(const pid_t *)pid, SIGCONT);
}

/* standby.end */
static void stop_process(void *pid) {
    kill(*(const pid_t *)pid, SIGSTOP);
    assert_true(process_stops(*(const pid_t *)pid));
}

static void who_asks_a_template_stands_by_until_it_answers(void **state) {
    (void)state;
    struct fault fault = {0};
    struct locked_process child;
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    pid_t process = template_process(template);
    const struct standby standby = {continue_process, stop_process, &process};
    stop_process(&process);
    standby_join(&standby);
    if (!template_take(template, &child, &fault)) fail_msg("%s", fault.text);
    assert_int_not_equal(locked_process_end(&child), -1);
    standby_join(NULL);
    kill(process, SIGCONT);
    template_close(template);
    assert_true(process_ends(process));
}

static void a_stopped_template_is_made_anew_after_a_time(void **state) {
    (void)state;
    struct fault fault = {0};
    pid_t children[CHILDREN_MAX];
    struct template *first = walled_template(SANDBOX_DEFAULTS);
    struct template *twin = template_twin(first, &fault);
    struct template *both[] = {twin, first};
    for (int i = 0; i < 2; i++) {
        struct locked_process child, busy;
        pid_t process = template_process(both[i]);
        assert_true(template_take(both[i], &busy, &fault));
        int count = processes_of(process, children, CHILDREN_MAX);
        template_patience(both[i], 100);
        kill(process, SIGSTOP);
        assert_true(template_take(both[i], &child, &fault));
        assert_int_not_equal(template_process(both[i]), process);
        assert_int_not_equal(locked_process_end(&child), -1);
        assert_int_equal(locked_process_end(&busy), -1);
        assert_true(process_ends(process));
        template_close(both[i]);
        for (int c = 0; c < count && c < CHILDREN_MAX; c++) assert_true(process_ends(children[c]));
    }
}

static void a_template_that_is_stopped_while_nobody_asks_is_closed_all_the_same(void **state) {
    (void)state;
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    pid_t process = template_process(template);
    template_patience(template, 100);
    kill(process, SIGSTOP);
    template_close(template);
    assert_true(process_ends(process));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WALLED(signals_that_a_locked_process_cannot_send_itself_are_not_its_fault),
        WALLED(a_crash_that_does_not_repeat_was_sent_from_outside),
        WALLED(a_game_of_a_match_whose_bot_crashed_is_played_again),
        WALLED(a_bot_in_play_goes_on_as_if_its_process_had_not_been_killed),
        WALLED(a_game_against_a_program_is_played_again_with_other_chance),
        WALLED(a_game_of_a_match_is_played_again_with_the_same_hash),
        WALLED(a_child_that_was_stopped_before_it_was_needed_is_not_handed_out),
        WALLED(who_asks_a_template_stands_by_until_it_answers),
        WALLED(a_stopped_template_is_made_anew_after_a_time),
        WALLED(a_template_that_is_stopped_while_nobody_asks_is_closed_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
