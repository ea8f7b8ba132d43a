/* Whose game it is: after a restart, and when its players have gone, whoever watches a game neither
 * pays for it nor makes others pay. */
#include "hosted.h"
#include "question.h"
#include "table.h"

#include "base/clock.h"
#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL, SOON = {.leave = 1};

enum { GAMES = 6, BOTS = 4, PATIENCE_MS = 60000 };

/* Three addresses, over restarts of the server. */
struct town {
    struct visitors *visitors;
    struct house house;
    struct person ana, boris, eve;
};

static const struct slots_terms SLOTS = {.all = 100, .of_visitor = BOTS};

static void come(struct town *town) {
    person_comes_from(&town->ana, &town->house, town->visitors, "192.0.2.1");
    person_comes_from(&town->boris, &town->house, town->visitors, "192.0.2.2");
    person_comes_from(&town->eve, &town->house, town->visitors, "192.0.2.3");
    town->ana.setup = town->boris.setup = "quick-corner";
}

static void go(struct town *town) {
    person_goes(&town->ana), person_goes(&town->boris), person_goes(&town->eve);
}

static void town_open(struct town *town, struct room_waits waits) {
    town->visitors = visitors_open((struct visitor_terms){10, 1000, GAMES, 64});
    house_open_for(&town->house, test_folder, waits, SLOTS);
    come(town);
}

static void town_again(struct town *town, struct room_waits waits) {
    go(town);
    house_close(&town->house);
    house_open_for(&town->house, test_folder, waits, SLOTS);
    come(town);
}

static void town_close(struct town *town) {
    go(town);
    house_close(&town->house);
    visitors_close(town->visitors);
}

static int left_of(const struct person *person, enum visitor_holding holding) {
    struct visitor *visitor = client_visitor(person->client);
    int left = 0;
    while (visitor_take(visitor, holding, NULL)) left++;
    for (int i = 0; i < left; i++) visitor_give(visitor, holding);
    return left;
}

static int games_of(const struct person *person) {
    return GAMES - left_of(person, HOLDS_GAMES);
}

static int bots_of(const struct person *person) {
    return visitor_bots(client_visitor(person->client))->held;
}

/* Somebody who does not concern the game asks until this many are the other's. */
static void await_games_of(const struct person *person, int games, struct person *asker,
                           const char *game) {
    const int64_t until = clock_ms() + PATIENCE_MS;
    while (games_of(person) != games) {
        if (clock_ms() > until) fail_msg("%d games, expected %d", games_of(person), games);
        person_says(asker, "{'type':'view','game':'%s'}", game);
        person_awaits(asker, "view");
    }
}

static void watch(struct person *person, const char *game) {
    person_says(person, "{'type':'watch','game':'%s'}", game);
    person_awaits(person, "watching");
    person_awaits(person, "now");
}

static void sit(struct person *person, const char *secret) {
    person_says(person, "{'type':'sit','seat':'%s'}", secret);
    person_awaits(person, "sat");
}

/* A game against a bot in which Ana has moved twice and is to move. */
static struct table play_a_bot(struct person *ana) {
    struct table table;
    person_says(ana, "{'type':'new','variant':'quick','blue':'rookie'}");
    const json_t *seats = json_object_get(person_awaits(ana, "created"), "seats");
    person_copies(table.game, ana, "game");
    snprintf(table.seat[RED], WORD_BYTES, "%s", json_string_value(json_object_get(seats, "red")));
    person_plays(ana, 2);
    person_awaits(ana, "move");
    return table;
}

static void a_game_from_the_disk_is_the_players_who_sits_down_not_the_spectators(void **state) {
    (void)state;
    struct town town;
    town_open(&town, USUAL);
    const struct table table = play_a_bot(&town.ana);
    assert_int_equal(games_of(&town.ana), 1);
    assert_int_equal(bots_of(&town.ana), 1);
    town_again(&town, USUAL);
    watch(&town.eve, table.game);
    person_says(&town.eve, "{'type':'resign','game':'%s'}", table.game);
    person_is_refused(&town.eve, "you hold no seat");
    assert_int_equal(games_of(&town.eve) + bots_of(&town.eve), 0);
    assert_int_equal(games_of(&town.ana) + bots_of(&town.ana), 0);
    sit(&town.ana, table.seat[RED]);
    person_awaits(&town.ana, "move");
    assert_int_equal(games_of(&town.ana), 1);
    person_answers(&town.ana);
    person_awaits(&town.ana, "move");
    assert_int_equal(bots_of(&town.ana), 1);
    assert_int_equal(games_of(&town.eve) + bots_of(&town.eve), 0);
    person_awaits(&town.eve, "events");
    town_close(&town);
}

static void a_friend_who_comes_after_a_restart_has_the_game_and_plays_its_bot(void **state) {
    (void)state;
    struct town town;
    char game[WORD_BYTES], invite[WORD_BYTES];
    town_open(&town, USUAL);
    person_says(&town.ana, "{'type':'new','variant':'quick','red':'open','blue':'rookie'}");
    person_awaits(&town.ana, "created");
    person_copies(game, &town.ana, "game");
    person_copies_invite(invite, &town.ana, "red");
    town_again(&town, USUAL);
    watch(&town.eve, game);
    person_says(&town.boris, "{'type':'join','invite':'%s'}", invite);
    person_awaits(&town.boris, "joined");
    person_plays(&town.boris, 3);
    assert_int_equal(games_of(&town.boris), 1);
    assert_int_equal(bots_of(&town.boris), 1);
    assert_int_equal(games_of(&town.eve) + bots_of(&town.eve), 0);
    assert_int_equal(games_of(&town.ana) + bots_of(&town.ana), 0);
    town_close(&town);
}

static void a_game_whose_players_have_gone_is_nobodys_though_it_is_watched(void **state) {
    (void)state;
    struct town town;
    town_open(&town, SOON);
    const struct table with_bot = play_a_bot(&town.ana),
                       with_friend = table_of(&town.ana, &town.boris, "quick");
    table_begins(&town.ana, &town.boris, 2);
    assert_int_equal(games_of(&town.ana), 2);
    watch(&town.eve, with_bot.game);
    watch(&town.eve, with_friend.game);
    person_goes(&town.ana);
    person_comes_from(&town.ana, &town.house, town.visitors, "192.0.2.1");
    await_games_of(&town.boris, 1, &town.eve, with_friend.game); /* who is still there */
    await_games_of(&town.ana, 0, &town.eve, with_bot.game);
    assert_int_equal(bots_of(&town.ana), 0);
    person_goes(&town.boris);
    person_comes_from(&town.boris, &town.house, town.visitors, "192.0.2.2");
    await_games_of(&town.boris, 0, &town.eve, with_friend.game);
    assert_int_equal(games_of(&town.eve) + bots_of(&town.eve), 0);
    for (int i = 0; i < 2; i++) { /* and goes on as if nothing had happened */
        sit(&town.ana, i ? with_bot.seat[RED] : with_friend.seat[RED]);
        person_awaits(&town.ana, "move"); /* no other one comes: Boris has gone */
        assert_int_equal(person_number(&town.ana, "ply"), 4);
        assert_int_equal(games_of(&town.ana), i + 1);
        person_answers(&town.ana);
    }
    town_close(&town);
}

static void a_game_whose_player_has_gone_before_its_army_stood_begins_when_it_comes(void **state) {
    (void)state;
    struct town town;
    struct table table;
    town_open(&town, SOON);
    person_says(&town.ana, "{'type':'new','variant':'quick','blue':'rookie'}");
    const json_t *seats = json_object_get(person_awaits(&town.ana, "created"), "seats");
    person_copies(table.game, &town.ana, "game");
    snprintf(table.seat[RED], WORD_BYTES, "%s", json_string_value(json_object_get(seats, "red")));
    watch(&town.eve, table.game);
    person_goes(&town.ana);
    person_comes_from(&town.ana, &town.house, town.visitors, "192.0.2.1");
    town.ana.setup = "quick-corner";
    const int64_t until = clock_ms() + PATIENCE_MS;
    while (games_of(&town.ana) && clock_ms() < until) watch(&town.eve, table.game);
    assert_int_equal(games_of(&town.ana), 0);
    assert_int_equal(bots_of(&town.ana), 0);
    sit(&town.ana, table.seat[RED]);
    person_plays(&town.ana, 2);
    assert_int_equal(games_of(&town.ana), 1);
    town_close(&town);
}

/* The address owes nothing a moment after it has gone, and is forgotten with its last game. */
static void a_player_who_comes_from_another_address_has_the_game_and_its_bots(void **state) {
    (void)state;
    struct town town;
    town_open(&town, USUAL);
    const struct table table = play_a_bot(&town.ana);
    town_close(&town);
    town.visitors = visitors_open((struct visitor_terms){10, 100000, 100000, 100000});
    house_open_for(&town.house, test_folder, USUAL, SLOTS);
    come(&town);
    sit(&town.ana, table.seat[RED]);
    person_awaits(&town.ana, "move");
    person_answers(&town.ana);
    person_awaits(&town.ana, "move");
    watch(&town.eve, table.game);
    person_goes(&town.ana);
    person_awaits(&town.eve, "presence");
    sit(&town.boris, table.seat[RED]);
    person_awaits(&town.boris, "move");
    assert_int_equal(bots_of(&town.boris), 1);
    person_comes_from(&town.ana, &town.house, town.visitors, "192.0.2.1");
    assert_int_equal(bots_of(&town.ana), 0);
    town_close(&town);
}

static void a_clock_stands_still_while_a_game_from_the_disk_is_only_watched(void **state) {
    (void)state;
    struct town town;
    town_open(&town, SOON);
    const struct table table = table_with_clock(&town.ana, &town.boris, "quick", "{'seconds':600}");
    table_begins(&town.ana, &town.boris, 2);
    town_again(&town, (struct room_waits){.claim = 1});
    watch(&town.eve, table.game);
    const json_t *clock = json_object_get(town.eve.message, "clock");
    assert_true(json_is_null(json_object_get(clock, "running")));
    sit(&town.boris, table.seat[BLUE]);
    do person_awaits(&town.eve, "now");
    while (!json_is_string(json_object_get(json_object_get(town.eve.message, "clock"), "running")));
    town_close(&town);
}

static void a_game_between_bots_goes_on_for_whoever_has_it_fetched(void **state) {
    (void)state;
    struct town town;
    char game[WORD_BYTES];
    town_open(&town, USUAL);
    person_says(&town.ana, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
    person_awaits(&town.ana, "created");
    person_copies(game, &town.ana, "game");
    town_again(&town, USUAL);
    person_says(&town.eve, "{'type':'watch','game':'%s'}", game);
    person_awaits(&town.eve, "end");
    assert_int_equal(games_of(&town.ana), 0);
    town_close(&town);
}

static void an_address_watches_so_many_games_and_no_more(void **state) {
    (void)state;
    struct town town;
    enum { WATCHED = 10 + GAMES };
    char game[WORD_BYTES];
    struct person crowd[WATCHED];
    town_open(&town, USUAL);
    person_says(&town.ana, "{'type':'new','variant':'quick','blue':'open'}");
    person_awaits(&town.ana, "created");
    person_copies(game, &town.ana, "game");
    for (int i = 0; i < WATCHED; i++) {
        person_comes_from(&crowd[i], &town.house, town.visitors, "192.0.2.3");
        watch(&crowd[i], game);
    }
    person_says(&town.eve, "{'type':'watch','game':'%s'}", game);
    person_is_refused(&town.eve, "your address watches 16 games");
    watch(&town.boris, game);
    person_goes(&crowd[0]);
    person_says(&crowd[1], "{'type':'leave','game':'%s'}", game);
    person_awaits(&crowd[1], "left");
    watch(&town.eve, game);
    for (int i = 1; i < WATCHED; i++) person_goes(&crowd[i]);
    town_close(&town);
}

enum { MANY = 50, PLACES = 55 };

static struct web *socket_from(int port, const char *address) {
    char header[64];
    struct web *web = web_open(port);
    snprintf(header, sizeof header, "X-Forwarded-For: %s\r\n", address);
    assert_int_equal(web_upgrade(web, "/ws", header), 101);
    return web;
}

static void say_of(struct web *web, const char *type, const char *key, const char *value) {
    hosted_say(web, json_pack("{s:s, s:s}", "type", type, key, value));
}

static void open_server(struct served *served) {
    SERVED_OPEN(served, NULL, test_folder, "--proxy", "--games-of-address", "55", NULL);
}

static void spectators_of_many_games_after_a_restart_and_their_players_have_what_is_theirs(
    void **state) {
    (void)state;
    struct served served;
    static char game[MANY][HOSTED_SECRET_MAX], secret[MANY][HOSTED_SECRET_MAX];
    open_server(&served);
    struct web *ana = socket_from(served.port, "192.0.2.1");
    for (int i = 0; i < MANY; i++) {
        hosted_say(
            ana, json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "quick", "blue", "rookie"));
        json_t *created = hosted_hear(ana, "created");
        snprintf(game[i], HOSTED_SECRET_MAX, "%s", hosted_text(created, "game"));
        snprintf(secret[i], HOSTED_SECRET_MAX, "%s",
                 hosted_text(json_object_get(created, "seats"), "red"));
        json_decref(created);
        hosted_lay_out(ana, game[i], "quick-corner");
        json_decref(hosted_question(ana, game[i]));
    }
    web_close(ana);
    assert_int_equal(served_end(&served, SIGTERM), 0);
    open_server(&served);
    struct web *eve = socket_from(served.port, "192.0.2.9");
    for (int i = 0; i < MANY; i++) {
        say_of(eve, "watch", "game", game[i]);
        json_decref(hosted_hear(eve, "watching"));
    }
    for (int i = 0; i < PLACES; i++) { /* all that it may have */
        hosted_say(
            eve, json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "duel", "blue", "rookie"));
        json_decref(hosted_hear(eve, "created"));
    }
    ana = socket_from(served.port, "192.0.2.1");
    for (int i = 0; i < MANY; i++) {
        say_of(ana, "sit", "seat", secret[i]);
        json_decref(hosted_hear(ana, "sat"));
        assert_int_equal(hosted_move(ana, game[i]), 0);
        json_decref(hosted_question(ana, game[i]));
    }
    for (int i = MANY; i <= PLACES; i++) {
        hosted_say(ana,
                   json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "quick", "blue", "open"));
        json_t *reply = hosted_hear_one(ana, "created", "error");
        assert_string_equal(hosted_text(reply, "type"), i < PLACES ? "created" : "error");
        json_decref(reply);
    }
    web_close(ana);
    web_close(eve);
    assert_int_equal(served_end(&served, SIGTERM), 0);
}

#define ON_DISK(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_DISK(a_game_from_the_disk_is_the_players_who_sits_down_not_the_spectators),
        ON_DISK(a_friend_who_comes_after_a_restart_has_the_game_and_plays_its_bot),
        ON_DISK(a_game_whose_players_have_gone_is_nobodys_though_it_is_watched),
        ON_DISK(a_game_whose_player_has_gone_before_its_army_stood_begins_when_it_comes),
        ON_DISK(a_player_who_comes_from_another_address_has_the_game_and_its_bots),
        ON_DISK(a_clock_stands_still_while_a_game_from_the_disk_is_only_watched),
        ON_DISK(a_game_between_bots_goes_on_for_whoever_has_it_fetched),
        ON_DISK(an_address_watches_so_many_games_and_no_more),
        ON_DISK(spectators_of_many_games_after_a_restart_and_their_players_have_what_is_theirs),
    };
    return cmocka_run_group_tests_name("owners", tests, NULL, NULL);
}
