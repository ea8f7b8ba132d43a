/* Bots that hang, as many as there are threads for bots and more: games with other bots and between
 * people go on, and the server ends when it is to. */
#define _GNU_SOURCE
#include "hosted.h"

#include "host/processes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { HANGING = 6, FAMILY_MAX = 256, PATH_BYTES = 128 };

#define THREADS "2"    /* for bots: fewer than HANGING */
#define NEVER "600000" /* a deadline that does not pass */

/* People who each play against a bot. */
struct players {
    int count;
    struct web *web[HANGING];
    char *game[HANGING];
};

static void sit_down(struct players *players, int count, const struct hosted *hosted,
                     const char *bot) {
    players->count = count;
    for (int i = 0; i < count; i++) {
        players->web[i] = web_socket(hosted->server.port);
        players->game[i] = hosted_game_with(players->web[i], bot);
    }
}

static void move_all(const struct players *players, int ply) {
    for (int i = 0; i < players->count; i++)
        assert_int_equal(hosted_move(players->web[i], players->game[i]), ply);
}

static void go_home(struct players *players) {
    for (int i = 0; i < players->count; i++) {
        web_close(players->web[i]);
        free(players->game[i]);
    }
}

/* The processes below the server by generation: zygotes, templates, bots. */
struct family {
    pid_t list[FAMILY_MAX];
    int count, bots; /* the index of the first bot */
};

static void find_family(struct family *family, pid_t server) {
    enum { GENERATIONS = 3 };
    int from = 0;
    family->list[0] = server;
    family->count = 1;
    for (int generation = 0; generation < GENERATIONS; generation++) {
        const int to = family->count;
        for (; from < to; from++)
            family->count += processes_of(family->list[from], family->list + family->count,
                                          FAMILY_MAX - family->count);
        assert_true(family->count < FAMILY_MAX);
    }
    family->bots = from;
}

/* Stops all bots, and those that wait for a game, while their opponents are asked. Then all of
 * these move. */
static void stop_bots(const struct players *players, pid_t server, struct family *family) {
    json_t *asked[HANGING];
    for (int i = 0; i < players->count; i++)
        asked[i] = hosted_question(players->web[i], players->game[i]);
    find_family(family, server);
    assert_true(family->count - family->bots >= players->count);
    for (int i = family->bots; i < family->count; i++) {
        kill(family->list[i], SIGSTOP);
        assert_true(process_stops(family->list[i]));
    }
    for (int i = 0; i < players->count; i++) hosted_answer(players->web[i], asked[i]);
}

/* A game between two people and one against a bot are begun and played. */
static void others_play(const struct hosted *hosted) {
    struct web *red = web_socket(hosted->server.port), *blue = web_socket(hosted->server.port);
    char *game = hosted_game(red, blue, NULL);
    hosted_play(red, blue, game, 0, 8);
    free(game);
    game = hosted_game_with(red, "rookie");
    for (int moves = 0; moves < 4; moves++) hosted_move(red, game);
    free(game);
    web_close(red), web_close(blue);
}

static void while_bots_are_stopped_others_play_and_then_they_do_too(void **state) {
    (void)state;
    struct hosted hosted;
    struct players players;
    struct family family;
    HOSTED_OPEN(&hosted, "-j", THREADS, "--deadline", NEVER);
    sit_down(&players, HANGING, &hosted, "rookie");
    move_all(&players, 0);
    stop_bots(&players, hosted.server.process, &family);
    others_play(&hosted);
    for (int i = family.bots; i < family.count; i++) /* those that are killed are replaced */
        kill(family.list[i], i % 2 ? SIGCONT : SIGKILL);
    move_all(&players, 4);
    move_all(&players, 6);
    go_home(&players);
    hosted_close(&hosted, SIGINT);
}

static void a_server_whose_bots_are_stopped_ends_tidily(void **state) {
    (void)state;
    struct hosted hosted;
    struct players players;
    struct family family;
    char log[PATH_BYTES];
    HOSTED_OPEN(&hosted, "-j", THREADS, "--deadline", NEVER);
    sit_down(&players, HANGING, &hosted, "rookie");
    stop_bots(&players, hosted.server.process, &family);
    find_family(&family, hosted.server.process);
    assert_int_equal(served_end(&hosted.server, SIGINT), 0);
    for (int i = 1; i < family.count; i++) assert_true(process_ends(family.list[i]));
    snprintf(log, sizeof log, "%s/data/games.sqlite-wal", hosted.folder);
    assert_int_equal(access(log, F_OK), -1); /* the archive was closed */
    go_home(&players);
    hosted_remove(&hosted);
}

static void bots_that_compute_without_end_lose_and_the_others_play_on(void **state) {
    (void)state;
    struct hosted hosted;
    struct players players;
    HOSTED_OPEN(&hosted, "-j", THREADS, "--deadline", NEVER);
    hosted_write(&hosted, "bots", "endless.lua",
                 "return { api = 1, move = function () while true do end end }\n");
    sit_down(&players, HANGING / 2, &hosted, "endless");
    move_all(&players, 0);
    others_play(&hosted);
    for (int i = 0; i < players.count; i++) {
        json_t *end = hosted_hear(players.web[i], "end");
        assert_string_equal(hosted_text(end, "result"), "red");
        assert_string_equal(hosted_text(end, "reason"), "forfeit-fuel");
        json_decref(end);
    }
    go_home(&players);
    hosted_close(&hosted, SIGINT);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_bots_are_stopped_others_play_and_then_they_do_too),
        cmocka_unit_test(a_server_whose_bots_are_stopped_ends_tidily),
        cmocka_unit_test(bots_that_compute_without_end_lose_and_the_others_play_on),
    };
    return cmocka_run_group_tests_name("hanging_bots", tests, NULL, NULL);
}
