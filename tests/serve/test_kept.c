/* Nobody is told of anything that is not on the disk: while the archive is locked or its disk full
 * the games wait, and then go on with nothing lost. */
#include "people.h"

#include "base/clock.h"
#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const struct room_waits USUAL;

/* Ana and Boris at a game, and somebody who asks for other things meanwhile. */
struct evening {
    struct house house;
    struct person ana, boris, eve;
    char game[64], invitation[64];
    sqlite3 *disk; /* of the test's own connection */
};

static int64_t number_on_disk(struct evening *evening, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    assert_int_equal(sqlite3_prepare_v2(evening->disk, sql, -1, &statement, NULL), SQLITE_OK);
    sqlite3_bind_text(statement, 1, evening->game, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static int64_t plies_on_disk(struct evening *evening) {
    return number_on_disk(evening, "SELECT count(*) FROM turn WHERE game = ?1");
}

static void evening_open(struct evening *evening, const char *clock) {
    char path[128];
    *evening = (struct evening){0};
    house_open(&evening->house, test_folder, USUAL);
    person_comes(&evening->ana, &evening->house);
    person_comes(&evening->boris, &evening->house);
    person_comes(&evening->eve, &evening->house);
    snprintf(path, sizeof path, "%s/games.sqlite", test_folder);
    assert_int_equal(sqlite3_open(path, &evening->disk), SQLITE_OK);
    sqlite3_busy_timeout(evening->disk, 60000);
    person_says(&evening->ana,
                "{'type':'new','variant':'duel','blue':'open','public':false,'clock':%s}", clock);
    const json_t *created = person_awaits(&evening->ana, "created");
    snprintf(evening->game, 64, "%s", person_text(&evening->ana, "game"));
    const json_t *code = json_object_get(json_object_get(created, "invites"), "blue");
    snprintf(evening->invitation, 64, "%s", json_string_value(code));
}

static void boris_sits(struct evening *evening) {
    person_says(&evening->boris, "{'type':'join','invite':'%s','name':'Boris'}",
                evening->invitation);
}

/* Both have laid out and moved twice; Ana is asked for her third move. */
static void evening_begin(struct evening *evening) {
    boris_sits(evening);
    person_awaits(&evening->ana, "setup");
    person_answers(&evening->ana);
    person_awaits(&evening->boris, "setup");
    person_answers(&evening->boris);
    for (int i = 0; i < 2; i++) {
        person_plays(&evening->ana, 1);
        person_plays(&evening->boris, 1);
    }
    person_awaits(&evening->ana, "move");
    while (person_awaits(&evening->boris, "events") && person_number(&evening->boris, "ply") < 4) {}
}

static void evening_close(struct evening *evening) {
    sqlite3_close(evening->disk);
    person_goes(&evening->ana), person_goes(&evening->boris), person_goes(&evening->eve);
    house_close(&evening->house);
}

static void lock_disk(struct evening *evening) {
    assert_int_equal(sqlite3_exec(evening->disk, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
}

static void unlock_disk(struct evening *evening) {
    assert_int_equal(sqlite3_exec(evening->disk, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
}

/* Nothing but who has come and gone is told before this. */
static void assert_held(struct person *person, const char *reason) {
    do person_hears(person);
    while (!strcmp(person_text(person, "type"), "presence"));
    if (strcmp(person_text(person, "type"), "held")) fail_msg("told: %s", person->line);
    assert_string_equal(person_text(person, "reason"), reason);
}

static void assert_hears_next(struct person *person, const char *type) {
    person_hears(person);
    if (strcmp(person_text(person, "type"), type)) fail_msg("not %s: %s", type, person->line);
}

static void a_turn_is_told_when_it_is_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    lock_disk(&evening);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "locked");
    assert_held(&evening.boris, "locked");
    assert_int_equal(plies_on_disk(&evening), 4);
    person_says(&evening.eve, "{'type':'list','what':'games'}"); /* nor is it listed */
    person_awaits(&evening.eve, "list");
    unlock_disk(&evening);
    assert_hears_next(&evening.boris, "events");
    assert_int_equal(person_number(&evening.boris, "ply"), 5);
    assert_int_equal(plies_on_disk(&evening), 5);
    assert_hears_next(&evening.boris, "now");
    person_awaits(&evening.boris, "move");
    assert_hears_next(&evening.ana, "events");
    evening_close(&evening);
}

static void a_game_whose_turns_cannot_be_read_is_refused_and_others_go_on(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    person_goes(&evening.ana), person_goes(&evening.boris), person_goes(&evening.eve);
    house_close(&evening.house);
    house_open(&evening.house, test_folder, USUAL);
    person_comes(&evening.ana, &evening.house);
    person_comes(&evening.boris, &evening.house);
    person_comes(&evening.eve, &evening.house);
    assert_int_equal(
        sqlite3_exec(evening.disk, "ALTER TABLE turn RENAME TO gone", NULL, NULL, NULL), SQLITE_OK);
    for (int i = 0; i < 2; i++) {
        person_says(&evening.eve, "{'type':'watch','game':'%s','id':%d}", evening.game, i);
        person_is_refused(&evening.eve, "the game cannot be read now; try again later");
        assert_null(strstr(evening.eve.line, "sqlite"));
        assert_int_equal(person_number(&evening.eve, "id"), i);
    }
    assert_int_equal(
        sqlite3_exec(evening.disk, "ALTER TABLE gone RENAME TO turn", NULL, NULL, NULL), SQLITE_OK);
    person_says(&evening.eve, "{'type':'watch','game':'%s'}", evening.game);
    person_awaits(&evening.eve, "now");
    assert_int_equal(person_number(&evening.eve, "ply"), 4);
    evening_close(&evening);
}

static void whoever_comes_meanwhile_is_told_why_it_waits_and_then_everything(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    lock_disk(&evening);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "locked");
    person_says(&evening.eve, "{'type':'watch','game':'%s'}", evening.game);
    assert_held(&evening.eve, "locked");
    unlock_disk(&evening);
    person_awaits(&evening.eve, "now");
    assert_int_equal(person_number(&evening.eve, "ply"), 5);
    evening_close(&evening);
}

static void resign(struct evening *evening) {
    person_says(&evening->ana, "{'type':'resign','game':'%s'}", evening->game);
}

static void copy_blue_secret(struct evening *evening, char secret[64]) {
    sqlite3_stmt *statement = NULL;
    assert_int_equal(
        sqlite3_prepare_v2(evening->disk, "SELECT blue_secret FROM game", -1, &statement, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(secret, 64, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

/* Hears the game once; was its end told? */
static bool hears_of_an_end(struct person *person) {
    bool end = false;
    do {
        person_hears(person);
        end = end || strstr(person->line, "resign");
    } while (strcmp(person_text(person, "type"), "now") != 0);
    return end;
}

/* The letters of all of them wait while the game is held. */
static void who_plays_is_heard_before_the_many_who_ask_for_the_whole_game(void **state) {
    enum { LOOKERS = 4, TIMES = 25 };
    (void)state;
    struct evening evening;
    struct person lookers[LOOKERS], again;
    char secret[64];
    int before = 0; /* lookers who were told the game as it was */
    evening_open(&evening, "null");
    evening_begin(&evening);
    copy_blue_secret(&evening, secret);
    for (int i = 0; i < LOOKERS; i++) person_comes(&lookers[i], &evening.house);
    person_comes(&again, &evening.house);
    lock_disk(&evening);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "locked");
    for (int i = 0; i < LOOKERS * TIMES; i++)
        person_says(&lookers[i % LOOKERS], "{'type':'watch','game':'%s'}", evening.game);
    person_says(&again, "{'type':'sit','seat':'%s'}", secret); /* Boris, in another window */
    person_says(&again, "{'type':'resign','game':'%s'}", evening.game);
    unlock_disk(&evening);
    person_awaits(&again, "end");
    for (int i = 0; i < LOOKERS; i++) {
        person_awaits(&lookers[i], "watching");
        before += !hears_of_an_end(&lookers[i]);
        person_goes(&lookers[i]);
    }
    assert_in_range(before, 0, 1);
    person_goes(&again);
    evening_close(&evening);
}

static void an_end_is_told_when_it_is_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    lock_disk(&evening);
    resign(&evening);
    assert_held(&evening.ana, "locked");
    assert_held(&evening.boris, "locked");
    unlock_disk(&evening);
    person_awaits(&evening.boris, "end");
    assert_int_equal(number_on_disk(&evening, "SELECT result = 'blue' FROM game WHERE id = ?1"), 1);
    evening_close(&evening);
}

static void a_rematch_is_told_when_its_game_is_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    resign(&evening);
    person_awaits(&evening.ana, "end");
    person_awaits(&evening.boris, "end");
    person_says(&evening.ana, "{'type':'rematch','game':'%s'}", evening.game);
    person_awaits(&evening.boris, "rematch");
    person_awaits(&evening.ana, "rematch");
    lock_disk(&evening);
    person_says(&evening.boris, "{'type':'rematch','game':'%s'}", evening.game);
    assert_held(&evening.boris, "locked");
    assert_held(&evening.ana, "locked");
    assert_int_equal(number_on_disk(&evening, "SELECT count(*) FROM game"), 1);
    unlock_disk(&evening);
    person_awaits(&evening.boris, "rematch");
    snprintf(evening.game, 64, "%s", person_text(&evening.boris, "new"));
    assert_int_equal(number_on_disk(&evening, "SELECT count(*) FROM game WHERE id = ?1"), 1);
    evening_close(&evening);
}

static void who_sits_down_and_what_is_laid_out_is_told_when_it_is_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    lock_disk(&evening);
    boris_sits(&evening);
    assert_held(&evening.boris, "locked");
    unlock_disk(&evening);
    person_awaits(&evening.boris, "joined");
    assert_int_equal(number_on_disk(&evening, "SELECT blue_name = 'Boris' FROM game WHERE id = ?1"),
                     1);
    person_awaits(&evening.boris, "setup");
    person_answers(&evening.boris);
    person_awaits(&evening.ana, "setup");
    lock_disk(&evening);
    person_answers(&evening.ana);
    while (strcmp(person_text(&evening.boris, "type"), "held")) {
        assert_string_not_equal(person_text(&evening.boris, "type"), "start");
        person_hears(&evening.boris);
    }
    unlock_disk(&evening);
    person_awaits(&evening.boris, "start");
    assert_int_equal(
        number_on_disk(&evening, "SELECT red_setup IS NOT NULL FROM game WHERE id = ?1"), 1);
    evening_close(&evening);
}

static void a_take_back_is_told_when_it_is_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    person_says(&evening.eve, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&evening.eve, "created");
    snprintf(evening.game, 64, "%s", person_text(&evening.eve, "game"));
    person_plays(&evening.eve, 3);
    person_awaits(&evening.eve, "move");
    assert_int_equal(plies_on_disk(&evening), 6);
    lock_disk(&evening);
    person_says(&evening.eve, "{'type':'undo','game':'%s','ply':2}", evening.game);
    assert_held(&evening.eve, "locked");
    unlock_disk(&evening);
    assert_hears_next(&evening.eve, "undone");
    assert_int_equal(plies_on_disk(&evening), 2);
    evening_close(&evening);
}

static void no_game_is_made_that_cannot_be_kept(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    lock_disk(&evening);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "locked");
    person_says(&evening.eve, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_is_refused(&evening.eve, "cannot keep games now");
    unlock_disk(&evening);
    person_awaits(&evening.boris, "move");
    person_says(&evening.eve, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&evening.eve, "created");
    evening_close(&evening);
}

/* A disk is full for a process whose files must not grow. */
static void on_a_full_disk_the_game_waits_and_nothing_is_lost(void **state) {
    (void)state;
    struct evening evening;
    struct rlimit usual, full;
    evening_open(&evening, "null");
    evening_begin(&evening);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    full = (struct rlimit){4096, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "full");
    assert_held(&evening.boris, "full");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_hears_next(&evening.boris, "events");
    assert_int_equal(plies_on_disk(&evening), 5);
    evening_close(&evening);
}

/* The disk is tried again after half a second at the earliest. */
static void clocks_stand_still_while_the_game_is_held(void **state) {
    (void)state;
    enum { SECONDS = 600, HELD = 1500 };
    struct evening evening;
    evening_open(&evening, "{'seconds':600}");
    evening_begin(&evening);
    lock_disk(&evening);
    person_answers(&evening.ana);
    assert_held(&evening.ana, "locked");
    const int64_t from = clock_ms();
    while (clock_ms() < from + HELD) {
        person_says(&evening.eve, "{'type':'list','what':'games'}");
        person_awaits(&evening.eve, "list");
    }
    const int64_t asked = clock_ms();
    unlock_disk(&evening);
    const json_t *clock = NULL;
    do clock = json_object_get(person_awaits(&evening.ana, "now"), "clock");
    while (!json_is_string(json_object_get(clock, "running")));
    assert_string_equal(json_string_value(json_object_get(clock, "running")), "blue");
    const int64_t left = json_integer_value(json_object_get(clock, "blue"));
    assert_true(left + (clock_ms() - asked) + HELD / 2 > SECONDS * 1000);
    evening_close(&evening);
}

/* What a connection of its own reads is what a kill at that moment would leave. */
static void whatever_a_client_has_seen_is_on_the_disk(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening, "null");
    evening_begin(&evening);
    for (int turn = 0, ply = 4; turn < 60; turn++) {
        struct person *mover = turn % 2 ? &evening.boris : &evening.ana;
        struct person *other = turn % 2 ? &evening.ana : &evening.boris;
        if (turn) person_awaits(mover, "move");
        person_answers(mover);
        person_awaits(other, "events");
        assert_int_equal(person_number(other, "ply"), ++ply);
        assert_true(plies_on_disk(&evening) >= ply);
        person_awaits(mover, "events");
    }
    evening_close(&evening);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_turn_is_told_when_it_is_kept),
        TEST(a_game_whose_turns_cannot_be_read_is_refused_and_others_go_on),
        TEST(whoever_comes_meanwhile_is_told_why_it_waits_and_then_everything),
        TEST(who_plays_is_heard_before_the_many_who_ask_for_the_whole_game),
        TEST(an_end_is_told_when_it_is_kept),
        TEST(a_rematch_is_told_when_its_game_is_kept),
        TEST(who_sits_down_and_what_is_laid_out_is_told_when_it_is_kept),
        TEST(a_take_back_is_told_when_it_is_kept),
        TEST(no_game_is_made_that_cannot_be_kept),
        TEST(on_a_full_disk_the_game_waits_and_nothing_is_lost),
        TEST(clocks_stand_still_while_the_game_is_held),
        TEST(whatever_a_client_has_seen_is_on_the_disk),
    };
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
