/* The server of many games is killed at any moment, again and again: every game goes on with the
 * last move that anybody was told. Seven kills; twenty with ENSIGN_LONG=1. */
#include "console.h"

#include "games/length.h"
#include "host/served.h"
#include "serve/talker.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { GAMES = 20, AGAINST_BOTS = GAMES / 2, PLIES_MAX = 5000, MOVE_MAX = 24 };

struct seat {
    struct talker talker;
    char secret[64];
    long known; /* plies that its holder was told */
};

/* A game, and all that anybody was told of it. */
struct told {
    struct seat seats[2];
    int count; /* of seats that are held by sockets */
    char game[64];
    long plies;
    char move[PLIES_MAX][MOVE_MAX]; /* by ply, from 1 */
    char result[16];                /* "": it runs */
};

static struct told games[GAMES];
static struct served served;
static uint64_t chance = 2026;

static unsigned draw(unsigned below) {
    chance = chance * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(chance >> 33) % below;
}

static void answer(struct told *game, struct seat *seat) {
    const json_t *moves = json_object_get(seat->talker.message, "moves");
    const long ply = (long)json_integer_value(json_object_get(seat->talker.message, "ply"));
    if (ply < game->plies)
        fail_msg("%s is asked at ply %ld, told %ld", game->game, ply, game->plies);
    talker_say(&seat->talker, "{'type':'move','game':'%s','ply':%ld,'move':'%s'}", game->game, ply,
               json_string_value(json_array_get(moves, draw((unsigned)json_array_size(moves)))));
}

/* A turn: not told differently before, and the next one of this seat's. */
static void note_turn(struct told *game, struct seat *seat) {
    const long ply = (long)json_integer_value(json_object_get(seat->talker.message, "ply"));
    const char *move = talker_text(&seat->talker, "move");
    if (!move) return; /* an end without a move */
    assert_in_range(ply, 1, PLIES_MAX - 1);
    if (ply != seat->known + 1) fail_msg("%s: ply %ld after %ld", game->game, ply, seat->known);
    if (ply <= game->plies) {
        assert_string_equal(game->move[ply], move);
    } else {
        assert_int_equal(ply, game->plies + 1);
        snprintf(game->move[ply], MOVE_MAX, "%s", move);
        game->plies = ply;
    }
    seat->known = ply;
}

static void note_end(struct told *game, const struct seat *seat) {
    const char *result = talker_text(&seat->talker, "result");
    if (*game->result) assert_string_equal(game->result, result);
    snprintf(game->result, sizeof game->result, "%s", result);
}

/* Hears one message, if it is there or `wait`. Returns its type; NULL: none. */
static const char *hear(struct told *game, struct seat *seat, bool wait) {
    if (!talker_hear(&seat->talker, wait)) return NULL;
    const char *type = talker_text(&seat->talker, "type");
    if (!strcmp(type, "error") || !strcmp(type, "refused"))
        fail_msg("%s", json_dumps(seat->talker.message, 0));
    if (!strcmp(type, "setup"))
        talker_say(&seat->talker, "{'type':'setup','game':'%s','setup':null}", game->game);
    if (!strcmp(type, "move")) answer(game, seat);
    if (!strcmp(type, "events")) note_turn(game, seat);
    if (!strcmp(type, "end")) note_end(game, seat);
    return type;
}

static void await(struct told *game, struct seat *seat, const char *type) {
    const char *got;
    do {
        got = hear(game, seat, true);
        if (!got) fail_msg("the server hung up before \"%s\"", type);
    } while (strcmp(got, type) != 0);
}

static void make_game(struct told *game, bool bot) {
    struct seat *red = &game->seats[0];
    game->count = bot ? 1 : 2;
    talker_open(&red->talker, served.port);
    talker_say(&red->talker, "{'type':'new','variant':'duel','blue':'%s','public':false}",
               bot ? "rookie" : "open");
    await(game, red, "created");
    snprintf(game->game, sizeof game->game, "%s", talker_text(&red->talker, "game"));
    const json_t *created = red->talker.message;
    snprintf(red->secret, sizeof red->secret, "%s",
             json_string_value(json_object_get(json_object_get(created, "seats"), "red")));
    if (bot) return;
    struct seat *blue = &game->seats[1];
    talker_open(&blue->talker, served.port);
    talker_say(&blue->talker, "{'type':'join','invite':'%s'}",
               json_string_value(json_object_get(json_object_get(created, "invites"), "blue")));
    await(game, blue, "joined");
    snprintf(blue->secret, sizeof blue->secret, "%s", talker_text(&blue->talker, "secret"));
}

/* Everybody comes back and says how much is known. */
static void come_back(void) {
    for (int i = 0; i < GAMES; i++)
        for (int side = 0; side < games[i].count; side++) {
            struct seat *seat = &games[i].seats[side];
            talker_open(&seat->talker, served.port);
            talker_say(&seat->talker, "{'type':'sit','seat':'%s','from':%ld}", seat->secret,
                       seat->known);
        }
}

/* Hears whatever comes, until so many turns have been told. */
static void play(unsigned turns) {
    struct pollfd sockets[2 * GAMES];
    struct seat *seats[2 * GAMES];
    struct told *of[2 * GAMES];
    nfds_t count = 0;
    for (int i = 0; i < GAMES; i++)
        for (int side = 0; side < games[i].count; side++) {
            seats[count] = &games[i].seats[side];
            of[count] = &games[i];
            sockets[count++] =
                (struct pollfd){.fd = games[i].seats[side].talker.web->socket, .events = POLLIN};
        }
    unsigned told = 0;
    for (nfds_t i = 0; i < count; i++) /* what was read while others were awaited */
        for (const char *type; (type = hear(of[i], seats[i], false));)
            told += !strcmp(type, "events");
    while (told < turns) {
        if (poll(sockets, count, 60000) <= 0) fail_msg("the server is silent");
        for (nfds_t i = 0; i < count; i++) {
            if (!sockets[i].revents) continue;
            for (const char *type; (type = hear(of[i], seats[i], false));)
                told += !strcmp(type, "events");
        }
    }
}

/* Hears what was sent before the server died, and hangs up. */
static void hang_up(void) {
    for (int i = 0; i < GAMES; i++)
        for (int side = 0; side < games[i].count; side++) {
            while (hear(&games[i], &games[i].seats[side], true)) continue;
            talker_close(&games[i].seats[side].talker);
        }
}

static void after_each_kill_every_game_goes_on_with_the_last_move_told(void **state) {
    (void)state;
    const char *folder = console_folder();
    const char *const options[] = {"-j", "4", NULL};
    const int all = at_length() ? 20 : 7;
    served_open(&served, NULL, folder, options);
    for (int i = 0; i < GAMES; i++) make_game(&games[i], i < AGAINST_BOTS);
    for (int kills = 0; kills < all; kills++) {
        play(100 + draw(300));
        assert_true(WIFSIGNALED(served_end(&served, SIGKILL)));
        hang_up();
        served_open(&served, NULL, folder, options);
        come_back();
    }
    play(200);
    long plies = 0;
    for (int i = 0; i < GAMES; i++) plies += games[i].plies;
    assert_true(plies > 40 * all);
    int status = served_end(&served, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    hang_up();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_each_kill_every_game_goes_on_with_the_last_move_told),
    };
    return cmocka_run_group_tests_name("server_killed", tests, NULL, NULL);
}
