/* A server without file descriptors: whoever comes is turned away, the others play on. */
#define _GNU_SOURCE
#include "hosted.h"

#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

/* Of LIMIT descriptors connections leave 64, bots 32; NONE_LEFT are in use once connections have
 * taken all that they may. */
enum { LIMIT = 128, NONE_LEFT = LIMIT - 64, PATIENCE_MS = 20000 };

static void set_limit(const struct hosted *hosted, rlim_t limit) {
    struct rlimit now;
    assert_int_equal(prlimit(hosted->server.process, RLIMIT_NOFILE, NULL, &now), 0);
    now.rlim_cur = limit;
    assert_int_equal(prlimit(hosted->server.process, RLIMIT_NOFILE, &now, NULL), 0);
}

/* Connections that take what they can get. */
struct crowd {
    struct web *web[LIMIT];
    int count;
};

static void let_in(struct crowd *crowd, const struct hosted *hosted) {
    struct web *web = web_open(hosted->server.port);
    int status;
    while ((status = web_upgrade(web, "/ws", "")) == 101) {
        assert_true(crowd->count < LIMIT);
        crowd->web[crowd->count++] = web;
        web = web_open(hosted->server.port);
    }
    assert_int_equal(status, 503);
    assert_true(crowd->count > 1);
    web_close(web);
}

static void send_home(struct crowd *crowd) {
    while (crowd->count) web_close(crowd->web[--crowd->count]);
}

/* Comes again and again until somebody has gone. */
static struct web *come_later(const struct hosted *hosted) {
    const int64_t until = clock_ms() + PATIENCE_MS;
    for (;;) {
        struct web *web = web_open(hosted->server.port);
        int status = web_upgrade(web, "/ws", "");
        if (status == 101) return web;
        assert_int_equal(status, 503);
        assert_true(clock_ms() < until);
        web_close(web);
    }
}

/* Asks for a game against a bot, and moves. The game's id; NULL: there is none now. */
static char *ask_for_game(struct web *web, const char *variant, const char *setup) {
    hosted_say(web,
               json_pack("{s:s, s:s, s:s}", "type", "new", "variant", variant, "blue", "rookie"));
    json_t *answer = hosted_hear_one(web, "created", "error");
    char *game = NULL;
    if (strcmp(hosted_text(answer, "type"), "error")) {
        game = strdup(hosted_text(answer, "game"));
        hosted_lay_out(web, game, setup);
        hosted_move(web, game);
    } else {
        assert_string_equal(hosted_text(answer, "message"),
                            "there are too many games and connections; try again later");
    }
    json_decref(answer);
    return game;
}

/* Resigns in a game between two people, who both hear of it. */
static void give_up(struct web *red, struct web *blue, const char *game) {
    json_decref(hosted_hear(red, "move")); /* blue's last move has been heard */
    hosted_say(red, json_pack("{s:s, s:s}", "type", "resign", "game", game));
    json_decref(hosted_hear(red, "end"));
    json_decref(hosted_hear(blue, "end"));
}

/* What was played is on the disk: the seat's holder is told it after a restart. */
static void expect_kept(struct hosted *hosted, const char *secret, int plies) {
    hosted_again(hosted, SIGINT);
    struct web *web = web_socket(hosted->server.port);
    hosted_say(web, json_pack("{s:s, s:s}", "type", "sit", "seat", secret));
    for (int ply = 1; ply <= plies; ply++) {
        json_t *turn = hosted_hear(web, "events");
        assert_int_equal(json_integer_value(json_object_get(turn, "ply")), ply);
        json_decref(turn);
    }
    json_t *end = hosted_hear(web, "end");
    assert_string_equal(hosted_text(end, "reason"), "resigned");
    json_decref(end);
    web_close(web);
}

static void who_finds_no_descriptor_is_refused_and_the_others_play_on(void **state) {
    (void)state;
    struct hosted hosted;
    struct crowd crowd = {.count = 0};
    char secret[64];
    HOSTED_OPEN(&hosted, NULL);
    struct web *red = web_socket(hosted.server.port), *blue = web_socket(hosted.server.port);
    struct web *ana = web_socket(hosted.server.port);
    char *game = hosted_game(red, blue, secret), *other = hosted_game_with(ana, "rookie");
    set_limit(&hosted, LIMIT);
    let_in(&crowd, &hosted);
    for (int i = 0; i < 3; i++) hosted_move(ana, other);
    hosted_play(red, blue, game, 0, 6);

    set_limit(&hosted, NONE_LEFT); /* now there is none for the connection itself either */
    for (int i = 0; i < 3; i++)
        assert_int_equal(web_status(hosted.server.port, "GET", "/", ""), 503);
    for (int i = 0; i < 3; i++) hosted_move(ana, other);
    assert_null(ask_for_game(crowd.web[0], "duel", "duel-corner"));
    assert_null(ask_for_game(crowd.web[0], "quick", "quick-corner"));
    hosted_play(red, blue, game, 6, 6);
    give_up(red, blue, game);

    set_limit(&hosted, LIMIT);
    web_close(crowd.web[--crowd.count]);
    struct web *late = come_later(&hosted);
    char *another = ask_for_game(late, "quick", "quick-corner");
    assert_non_null(another);
    hosted_move(late, another);
    for (int i = 0; i < 3; i++) hosted_move(ana, other);
    send_home(&crowd);
    expect_kept(&hosted, secret, 12);
    web_close(late), web_close(ana), web_close(red), web_close(blue);
    free(game), free(other), free(another);
    hosted_close(&hosted, SIGTERM);
}

static void a_bot_that_finds_no_descriptor_is_one_error_and_comes_later(void **state) {
    (void)state;
    struct hosted hosted;
    struct crowd crowd = {.count = 0};
    char *games[LIMIT], secret[64];
    int count = 0;
    HOSTED_OPEN(&hosted, NULL);
    struct web *red = web_socket(hosted.server.port), *blue = web_socket(hosted.server.port);
    set_limit(&hosted, LIMIT);
    let_in(&crowd, &hosted);
    char *between = hosted_game(red, blue, secret);
    while ((games[count] = ask_for_game(crowd.web[count], "duel", "duel-corner"))) count++;
    struct web *refused = crowd.web[count];
    assert_in_range(count, 2, crowd.count - 2);
    assert_null(ask_for_game(refused, "quick", "quick-corner"));
    hosted_play(red, blue, between, 0, 4);
    for (int i = 0; i < count; i++) /* its bot has answered */
        for (int moves = 0; moves < 2; moves++) hosted_move(crowd.web[i], games[i]);
    for (int i = 0; i < count; i++) {
        hosted_say(crowd.web[i], json_pack("{s:s, s:s}", "type", "resign", "game", games[i]));
        json_decref(hosted_hear(crowd.web[i], "end"));
    }
    char *again = ask_for_game(refused, "quick", "quick-corner");
    assert_non_null(again);
    hosted_move(refused, again);
    hosted_play(red, blue, between, 4, 4);
    give_up(red, blue, between);
    send_home(&crowd);
    expect_kept(&hosted, secret, 8);
    web_close(red), web_close(blue);
    while (count) free(games[--count]);
    free(between), free(again);
    hosted_close(&hosted, SIGTERM);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_finds_no_descriptor_is_refused_and_the_others_play_on),
        cmocka_unit_test(a_bot_that_finds_no_descriptor_is_one_error_and_comes_later),
    };
    return cmocka_run_group_tests_name("shortage", tests, NULL, NULL);
}
