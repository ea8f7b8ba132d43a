/* Bots in processes of their own: the same games as in the host's process, no process left
 * behind, and the cost. */
#include "base/clock.h"
#include "base/processors.h"
#include "host/match/tournament.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/referee.h"
#include "jail/jail.h"
#include "processes.h"
#include "support.h"
#include "walled.h"

#include <poll.h>
#include <pthread.h>
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

/* Plays the same match in this process and in children. */
static void assert_same_match(const char *variant, const char *const *players, int count,
                              struct sandbox_limits limits) {
    struct fault fault = {0};
    struct rules *own = support_rules(variant);
    struct tournament_options options = {.folders = support_folders(),
                                         .rules = own,
                                         .players = players,
                                         .player_count = count,
                                         .games = 4,
                                         .jobs = 1,
                                         .chance = {{5}},
                                         .limits = limits,
                                         .deadline = PATIENT};
    struct tournament *inside = tournament_run(&options, &fault);
    if (!inside) fail_msg("%s: %s", fault.file, fault.text);
    const struct player_options bots = {.folders = options.folders, .rules = own, .limits = limits};
    options.template = player_template(&bots, &fault);
    options.jobs = 3;
    assert_non_null(options.template);
    struct tournament *outside = tournament_run(&options, &fault);
    if (!outside) fail_msg("%s: %s", fault.file, fault.text);
    template_close(options.template);
    for (uint32_t g = 0; g < inside->game_count; g++) {
        const struct tournament_game *a = &inside->games[g], *b = &outside->games[g];
        assert_int_equal(a->reason, b->reason);
        assert_int_equal(a->plies, b->plies);
    }
    assert_int_equal(inside->forfeit_count, outside->forfeit_count);
    for (uint32_t i = 0; i < inside->forfeit_count && i < TOURNAMENT_FAULTS_KEPT; i++) {
        const struct fault *a = &inside->forfeits[i].fault, *b = &outside->forfeits[i].fault;
        assert_int_equal(inside->forfeits[i].number, outside->forfeits[i].number);
        assert_int_equal(a->status, b->status);
        assert_string_equal(a->text, b->text);
        assert_string_equal(a->file, b->file);
        assert_int_equal(a->line, b->line);
    }
    for (int i = 0; i < count; i++) {
        const struct usage *a = &inside->usage[i], *b = &outside->usage[i];
        assert_true(a->metered == b->metered && a->calls == b->calls);
        assert_true(a->fuel == b->fuel && a->fuel_greatest == b->fuel_greatest);
    }
    assert_true(inside->hash == outside->hash);
    tournament_free(inside);
    tournament_free(outside);
    rules_free(own);
}

static void stock_bots_play_the_same_games_in_both_places(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "raider"};
    static const char *const variants[] = {"duel", "infiltrator", "lightning", "quick"};
    for (int v = 0; v < 4; v++) assert_same_match(variants[v], players, 2, SANDBOX_DEFAULTS);
}

static void bots_in_the_fog_play_the_same_games_in_both_places(void **state) {
    (void)state;
    static const char *const players[] = {"hunter", "raider"};
    assert_same_match(ENSIGN_ROOT "/variants/examples/fog.lua", players, 2, SANDBOX_DEFAULTS);
}

static void bots_imagine_what_a_variant_decides_alike_in_both_places(void **state) {
    (void)state;
    static const char *const players[] = {"hunter", "seer"};
    assert_same_match(ENSIGN_ROOT "/variants/examples/medic.lua", players, 2, SANDBOX_DEFAULTS);
}

static void faults_come_at_the_same_place_in_both_places(void **state) {
    (void)state;
    static const char *const bots[] = {
        /* Each goes wrong after some turns, so that a game is under way. */
        "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
        "if n > 3 then error('enough') end return view:moves()[1] end }",
        "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
        "while n > 3 do end return view:moves()[1] end }",
        "local n, t = 0, {} return { api = 1, move = function(view) n = n + 1\n"
        "while n > 3 do t[#t + 1] = ('x'):rep(9999) .. #t end return view:moves()[1] end }",
        "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
        "return n > 3 and 'a1-a9' or view:moves()[1] end }",
        "local n = 0 return { api = 1, move = function(view) return view:moves()[1] end,\n"
        "observe = function(view, event) n = n + 1 if n == 4 then error('seen') end end }",
        "local n = 0 return { api = 1, move = function(view) return view:moves()[1] end,\n"
        "observe = function(view, event) n = n + 1 if n == 3 then error('mine') end end }",
        "return { api = 1, move = function(view) return view:moves()[1] end,\n"
        "start = function(view) error(view:name(3)) end }",
        "return { api = 1, move = function(view) return view:moves()[1] end,\n"
        "setup = function(view) return 'FFF' end }",
        "local n = 0 return { api = 1, move = function(view) n = n + 1\n"
        "return n > 3 and {} or view:moves()[1] end, finish = function() error('late') end }",
    };
    const struct sandbox_limits limits = {.fuel = 1000000, .memory = 8 << 20};
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++) {
        char path[128];
        const char *const players[] = {walled_bot("faulty", bots[i], path), "rookie"};
        assert_same_match("duel", players, 2, limits);
    }
}

static void modules_are_read_for_the_child(void **state) {
    (void)state;
    char path[128], module[128];
    walled_bot("helper", "return { first = function(view) return view:moves()[1] end }", module);
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    walled_bot("modular",
               "local helper = require 'helper' local armies = require 'armies'\n"
               "return { api = 1, move = function(view) error(type(armies) .. type(helper)) end }",
               path);
    assert_int_equal(walled_play(template, PATIENT, path), REASON_FORFEIT_ERROR);
    walled_assert_seen("tabletable");
    walled_bot("modular", "return { api = 1, move = function(view) require 'absent' end }", path);
    assert_int_equal(walled_play(template, PATIENT, path), REASON_FORFEIT_ERROR);
    walled_assert_seen("no module 'absent'");
    template_close(template);
}

/* As when a long game is continued. The bot plays as one that hears of each turn at once. */
static void a_bot_is_told_any_number_of_turns_before_it_is_asked(void **state) {
    (void)state;
    enum { TURNS = 5000 };
    static const char *const bots[] = {
        "return { api = 1, move = function(view) error(view:ply() .. ' ' .. #view:mine()) end }",
        "return { api = 1, observe = function() end,\n"
        "move = function(view) error(view:ply() .. ' ' .. #view:mine()) end }"};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    for (int i = 0; i < 2; i++) {
        char path[128];
        struct fault fault = {0};
        struct player player;
        struct view view;
        struct answer answer;
        struct player_options options = walled_options(template, PATIENT);
        cell own[BOARD_SQUARES_MAX] = {[0] = cell_of(RED, 1)};
        const uint8_t army[KINDS_MAX] = {0, 1};
        const struct move move = {0, 1, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        walled_bot("late", bots[i], path);
        assert_true(player_open(&player, &options, path, &(const struct chance){{1}}, &fault));
        view_start(&view, walled_rules, RED, own, squareset_of(90), army, RED, (struct limits){0});
        assert_true(player.start(player.self, &view, &fault));
        for (int turn = 0; turn < TURNS; turn++) {
            bool mine = turn % 2 == 0, back = turn / 2 % 2;
            square home = mine ? 0 : 90, away = mine ? 10 : 80;
            const struct events events = {.count = 1,
                                          .list = {{.type = EVENT_MOVE,
                                                    .side = mine ? RED : BLUE,
                                                    .from = back ? away : home,
                                                    .to = back ? home : away}}};
            view_turn(&view, &events);
            if (!player.observe(player.self, &view, &events, &fault))
                fail_msg("turn %d: %s", turn, fault.text);
        }
        assert_false(player.move(player.self, &view, &move, 1, &answer, &fault));
        assert_string_equal(fault.text, "in move: 5000 1");
        player.close(player.self);
    }
    template_close(template);
}

static void a_bot_that_cannot_be_loaded_is_reported_as_in_process(void **state) {
    (void)state;
    static const char *const broken[] = {"return 7", "return {", "error('no')",
                                         "return { api = 1, mvoe = 3 }", "while true do end"};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char path[128];
        struct player player;
        struct fault faults[2] = {{0}, {0}};
        walled_bot("broken", broken[i], path);
        for (int place = 0; place < 2; place++) {
            struct player_options options = walled_options(place ? template : NULL, PATIENT);
            assert_false(
                player_open(&player, &options, path, &(const struct chance){{1}}, &faults[place]));
        }
        assert_int_equal(faults[0].status, faults[1].status);
        assert_string_equal(faults[0].text, faults[1].text);
        assert_string_equal(faults[0].file, faults[1].file);
        assert_int_equal(faults[0].line, faults[1].line);
    }
    template_close(template);
}

static void the_deadline_ends_a_bot_that_still_has_fuel(void **state) {
    (void)state;
    char path[128];
    walled_bot("slow", "return { api = 1, move = function(view) while true do end end }", path);
    struct template *template =
        walled_template((struct sandbox_limits){.fuel = UINT64_MAX / 2, .memory = 8 << 20});
    assert_int_equal(walled_play(template, QUICK, path), REASON_FORFEIT_TIME);
    assert_string_equal(walled_seen, "in move: its process gave no answer for 1500 ms (ply 1)");
    template_close(template);
}

enum { LATE_DEADLINE = 3000, LATE_FILE = 3500 /* ms */ };

static long size_of(void *context, const char *path) {
    return READER_DISK.size(context, path);
}

/* As a file that lies on another machine. */
static long read_late(void *context, const char *path, char *out, size_t size) {
    poll(NULL, 0, LATE_FILE);
    return READER_DISK.read(context, path, out, size);
}

static void the_host_s_time_for_a_file_is_not_the_bot_s(void **state) {
    static const struct reader late = {.size = size_of, .read = read_late};
    (void)state;
    char path[128];
    struct fault fault = {0};
    struct player player;
    walled_bot("patient", "return { api = 1, move = function(view) return view:moves()[1] end }",
               path);
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct player_options options = walled_options(template, LATE_DEADLINE);
    struct folders folders = *options.folders;
    folders.reader = &late;
    options.folders = &folders;
    const bool opened = player_open(&player, &options, path, &(const struct chance){{1}}, &fault);
    assert_string_equal(fault.text, "");
    assert_true(opened);
    player.close(player.self);
    template_close(template);
}

static void a_bot_runs_in_a_locked_process(void **state) {
    (void)state;
    struct fault fault = {0};
    struct player player;
    pid_t children[CHILDREN_MAX];
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct player_options options = walled_options(template, PATIENT);
    assert_true(player_open(&player, &options, "rookie", &(const struct chance){{1}}, &fault));
    int count = processes_of(template_process(template), children, CHILDREN_MAX), locked = 0;
    assert_true(count > 1);
    for (int i = 0; i < count; i++) {
        locked += process_status_line(children[i], "NoNewPrivs:") == 1 &&
                  process_status_line(children[i], "Seccomp:") == (jail_filters() ? 2 : 0);
    }
    assert_true(locked >= 1); /* the others may be on their way */
    player.close(player.self);
    template_close(template);
}

/* What a turn costs; the figures are for people. */
static void a_trivial_bots_turn_is_timed_in_both_places(void **state) {
    (void)state;
    char path[128];
    walled_bot("trivial",
               "return { api = 1, move = function(view) local m = view:moves()\n"
               "return m[view:random(#m)] end }",
               path);
    double best[2] = {1e9, 1e9};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct processors before;
    struct processor_claim claim = PROCESSOR_UNCLAIMED;
    processors_get(0, &before);
    processors_claim(&before, &claim);
    for (int round = 0; round < 6; round++) {
        struct fault fault = {0};
        struct player players[2] = {{0}, {0}};
        struct player_options options = walled_options(round % 2 ? template : NULL, PATIENT);
        for (int side = RED; side <= BLUE; side++) {
            const struct chance chance = {{4, (uint8_t)side}};
            assert_true(player_open(&players[side], &options, path, &chance, &fault));
        }
        struct player *const seats[2] = {&players[RED], &players[BLUE]};
        struct referee_options referee = {.first = RED, .limits = &(struct limits){0, 4000}};
        struct referee_report report;
        int64_t begun = clock_ns();
        assert_true(referee_play(walled_rules, seats, &referee, NULL, &report, &fault));
        double took = (double)(clock_ns() - begun) * 1e-3; /* us */
        if (took / report.plies < best[round % 2]) best[round % 2] = took / report.plies;
        for (int side = RED; side <= BLUE; side++) players[side].close(players[side].self);
    }
    processors_release(&before, &claim);
    template_close(template);
    print_message("a trivial bot's turn: %.1f us in process, %.1f us in a child\n", best[0],
                  best[1]);
    assert_true(best[0] > 0 && best[1] > 0);
}

static void nothing_outlives_a_host_that_is_killed(void **state) {
    (void)state;
    int report[2];
    char path[128];
    walled_bot("endless", "return { api = 1, move = function(view) while true do end end }", path);
    assert_int_equal(pipe(report), 0);
    pid_t host = fork();
    if (host == 0) {
        const struct sandbox_limits endless = {.fuel = UINT64_MAX / 2, .memory = 8 << 20};
        struct player_options options = walled_options(NULL, PATIENT);
        struct player player;
        options.limits = endless;
        options.template = player_template(&options, NULL);
        if (!options.template) _exit(1);
        pid_t template = template_process(options.template);
        const struct chance chance = {{1}};
        if (!player_process(&player, &options, path, &chance, NULL)) _exit(1);
        struct view view;
        struct answer answer;
        struct fault fault;
        const struct move move = {0, 10, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        const cell none[BOARD_SQUARES_MAX] = {0};
        const uint8_t army[KINDS_MAX] = {0};
        view_start(&view, walled_rules, RED, none, 0, army, RED, walled_rules->limits);
        player.start(player.self, &view, &fault);
        if (write(report[1], &template, sizeof template) != sizeof template) _exit(1);
        player.move(player.self, &view, &move, 1, &answer, &fault);
        _exit(0);
    }
    pid_t template, children[CHILDREN_MAX];
    assert_int_equal(read(report[0], &template, sizeof template), sizeof template);
    int count = processes_of(template, children, CHILDREN_MAX);
    assert_true(count >= 1);
    kill(host, SIGKILL);
    assert_int_equal(waitpid(host, NULL, 0), host);
    assert_true(process_ends(template));
    for (int i = 0; i < count; i++) assert_true(process_ends(children[i]));
    close(report[0]);
    close(report[1]);
}

static void a_template_that_dies_too_often_is_the_hosts_own_fault(void **state) {
    (void)state;
    struct fault fault = {0};
    struct player player;
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct player_options options = walled_options(template, PATIENT);
    struct locked_process child;
    for (int times = 0; times < TEMPLATE_TRIES; times++) {
        assert_true(template_take(template, &child, &fault));
        const pid_t process = template_process(template);
        kill(process, SIGKILL);
        assert_true(process_ends(child.pid));
        assert_true(process_ends(process));
        assert_int_equal(locked_process_end(&child), -1);
    }
    assert_false(player_open(&player, &options, "rookie", &(const struct chance){{1}}, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    template_close(template);
}

static void what_a_bot_leaves_behind_does_not_reach_its_next_game(void **state) {
    (void)state;
    char path[128];
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    walled_bot("marker",
               "string.mark = (string.mark or 0) + 1\n"
               "return { api = 1, move = function(view) error('mark ' .. string.mark) end }",
               path);
    for (int game = 0; game < 3; game++) {
        walled_play(template, PATIENT, path);
        assert_null(strstr(walled_seen, "mark 2"));
    }
    template_close(template);
}

struct taker {
    struct template *template;
    int played;
};

/* Only what threads may do: no assertions here. */
static void *take_many(void *argument) {
    struct taker *taker = argument;
    for (int i = 0; i < 20; i++) {
        struct fault fault = {0};
        struct player player;
        struct player_options options = walled_options(taker->template, PATIENT);
        const struct chance chance = {{(uint8_t)i}};
        if (!player_process(&player, &options, "rookie", &chance, &fault)) continue;
        struct view view;
        struct setup setup;
        const cell none[BOARD_SQUARES_MAX] = {0};
        const uint8_t army[KINDS_MAX] = {0};
        view_start(&view, walled_rules, RED, none, 0, army, RED, walled_rules->limits);
        if (player.setup(player.self, &view, &setup, &fault) &&
            setup_check(walled_rules, RED, &setup, &fault))
            taker->played++;
        player.close(player.self);
    }
    return NULL;
}

static void several_threads_use_one_template(void **state) {
    (void)state;
    enum { THREADS = 4 };
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    pthread_t threads[THREADS];
    struct taker takers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        takers[i] = (struct taker){template, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, take_many, &takers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(takers[i].played, 20);
    }
    pid_t children[CHILDREN_MAX];
    assert_true(processes_of(template_process(template), children, CHILDREN_MAX) <= 4);
    template_close(template);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WALLED(stock_bots_play_the_same_games_in_both_places),
        WALLED(bots_in_the_fog_play_the_same_games_in_both_places),
        WALLED(bots_imagine_what_a_variant_decides_alike_in_both_places),
        WALLED(faults_come_at_the_same_place_in_both_places),
        WALLED(modules_are_read_for_the_child),
        WALLED(a_bot_is_told_any_number_of_turns_before_it_is_asked),
        WALLED(a_bot_that_cannot_be_loaded_is_reported_as_in_process),
        WALLED(the_deadline_ends_a_bot_that_still_has_fuel),
        WALLED(the_host_s_time_for_a_file_is_not_the_bot_s),
        WALLED(a_bot_runs_in_a_locked_process),
        WALLED(a_trivial_bots_turn_is_timed_in_both_places),
        WALLED(nothing_outlives_a_host_that_is_killed),
        WALLED(a_template_that_dies_too_often_is_the_hosts_own_fault),
        WALLED(what_a_bot_leaves_behind_does_not_reach_its_next_game),
        WALLED(several_threads_use_one_template),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
