/* The server as a program among many: slow readers of long games, an address that wants all, and a
 * loader that somebody kills. */
#include "hosted.h"

#include "host/processes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

/* Is a line a message of this type? */
static bool is_of(const char *line, const char *type) {
    char head[64];
    assert_non_null(line);
    snprintf(head, sizeof head, "{\"type\":\"%s\"", type);
    return !strncmp(line, head, strlen(head));
}

/* A game between bots of at least so many plies; it stays in memory while its watcher does. The id
 * is the caller's. */
static char *long_game(struct web *watcher, int plies) {
    for (int tries = 0; tries < 50; tries++) {
        int last = 0, why;
        hosted_say(watcher,
                   json_pack("{s:s, s:s, s:s, s:s, s:s}", "type", "new", "variant", "original",
                             "red", "rookie", "blue", "rookie", "watch", "public"));
        json_t *created = hosted_hear(watcher, "created");
        char *game = strdup(hosted_text(created, "game"));
        json_decref(created);
        for (const char *line, *ply; !is_of(line = web_hear(watcher, &why), "end");)
            if (is_of(line, "events") && (ply = strstr(line, "\"ply\":")))
                last = atoi(ply + strlen("\"ply\":"));
        if (last >= plies) return game;
        free(game);
    }
    fail_msg("no game has %d plies", plies);
    return NULL;
}

static void slow_readers_are_told_long_games_whole_however_often_they_ask(void **state) {
    (void)state;
    enum { READERS = 6, TIMES = 3, PLIES = 500 };
    struct hosted house;
    struct web *readers[READERS];
    const int little = 1 << 16;
    HOSTED_OPEN(&house, NULL);
    struct web *watcher = web_socket(house.server.port);
    char *game = long_game(watcher, PLIES);
    for (int i = 0; i < READERS; i++) {
        readers[i] = web_open(house.server.port);
        setsockopt(readers[i]->socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
        assert_int_equal(web_upgrade(readers[i], "/ws", ""), 101);
        for (int times = 0; times < TIMES; times++)
            hosted_say(readers[i], json_pack("{s:s, s:s}", "type", "watch", "game", game));
    }
    for (int i = 0; i < READERS; i++) {
        for (int times = 0; times < TIMES; times++) {
            int why, events = 0;
            const char *line;
            while (!is_of(line = web_hear(readers[i], &why), "end"))
                events += is_of(line, "events");
            assert_true(events >= PLIES);
        }
        hosted_say(readers[i], json_pack("{s:s, s:s}", "type", "view", "game", game));
        json_decref(hosted_hear(readers[i], "view"));
    }
    for (int i = 0; i < READERS; i++) web_close(readers[i]);
    web_close(watcher);
    free(game);
    hosted_close(&house, SIGTERM);
}

static struct web *socket_of(const struct hosted *house, const char *address) {
    char header[128];
    struct web *web = web_open(house->server.port);
    snprintf(header, sizeof header, "X-Forwarded-For: %s\r\n", address);
    assert_int_equal(web_upgrade(web, "/ws", header), 101);
    return web;
}

static void an_address_that_asks_for_all_it_can_is_refused_and_others_are_not(void **state) {
    (void)state;
    enum { SOCKETS = 8, EACH = 20 };
    struct hosted house;
    struct web *greedy[SOCKETS];
    int refused = 0, listed = 0;
    HOSTED_OPEN(&house, "--proxy", "--requests-of-address", "20", "--games-of-address", "3");
    for (int i = 0; i < SOCKETS; i++) greedy[i] = socket_of(&house, "192.0.2.1");
    for (int i = 0; i < SOCKETS; i++)
        for (int n = 0; n < EACH; n++)
            hosted_say(greedy[i], json_pack("{s:s, s:s}", "type", "list", "what", "open"));
    struct web *other = socket_of(&house, "192.0.2.2");
    char *game = hosted_game_with(other, "rookie");
    for (int i = 0; i < 4; i++) hosted_move(other, game);
    for (int i = 0; i < SOCKETS; i++)
        for (int n = 0; n < EACH; n++) {
            json_t *reply = hosted_hear_one(greedy[i], "list", "error");
            const bool waits = json_is_integer(json_object_get(reply, "wait"));
            if (waits) assert_non_null(strstr(hosted_text(reply, "message"), "try again in "));
            refused += waits;
            listed += !waits;
            json_decref(reply);
        }
    assert_true(refused > 0);
    assert_true(listed > EACH);
    for (int i = 0; i < 4; i++) hosted_move(other, game);
    for (int i = 0; i < SOCKETS; i++) web_close(greedy[i]);
    web_close(other);
    free(game);
    hosted_close(&house, SIGTERM);
}

/* All processes below one, which may be going; returns how many. */
static int all_below(pid_t process, pid_t *all, int room) {
    int count = processes_of(process, all, room);
    for (int i = 0; i < count; i++) count += processes_of(all[i], all + count, room - count);
    return count;
}

static void without_its_loader_the_server_says_so_and_starts_it_again(void **state) {
    (void)state;
    enum { TRIES = 30, ROOM = 64 };
    struct hosted house;
    HOSTED_OPEN(&house, NULL);
    struct web *player = web_socket(house.server.port);
    int status = 200;
    for (int tries = 0; status == 200 && tries < TRIES; tries++) {
        pid_t all[ROOM];
        const int count = all_below(house.server.process, all, ROOM);
        for (int i = 0; i < count; i++) kill(all[i], SIGKILL);
        for (int i = 0; i < count; i++) assert_true(process_ends(all[i]));
        struct web *web = web_open(house.server.port);
        status = web_ask(web, "GET", "/healthz", "");
        if (!tries) { /* it is started again at once */
            assert_int_equal(status, 200);
            hosted_say(player, json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "duel",
                                         "blue", "rookie"));
            json_decref(hosted_hear(player, "created"));
        }
        if (status != 200) assert_non_null(strstr(web->input, "was killed: it is started again"));
        web_close(web);
    }
    assert_int_equal(status, 503);
    hosted_say(player,
               json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "barrage", "blue", "rookie"));
    json_t *error = hosted_hear_one(player, "error", "error");
    assert_non_null(strstr(hosted_text(error, "message"), "was killed"));
    json_decref(error);
    web_close(player);
    hosted_close(&house, SIGTERM);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_readers_are_told_long_games_whole_however_often_they_ask),
        cmocka_unit_test(an_address_that_asks_for_all_it_can_is_refused_and_others_are_not),
        cmocka_unit_test(without_its_loader_the_server_says_so_and_starts_it_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
