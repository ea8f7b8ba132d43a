/* Many clients in one lobby: links, free seats, absence, claims, rematches, secrets, and what is
 * still there after a restart. */
#include "table.h"

#include "host/shortage.h"
#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL, AT_ONCE = {1, 1, 1}, SOON_CLAIMED = {.claim = 1};

static const char MINUTES[] = "{'seconds':600}";

/* Red lays out its army and hears who sits at blue, in whichever order these come. */
static void lay_out_and_meet(struct person *red, const char *name) {
    for (bool asked = false, met = false; !asked || !met;) {
        person_hears(red);
        if (!strcmp(person_text(red, "type"), "setup")) {
            person_answers(red);
            asked = true;
        } else if (!strcmp(person_text(red, "type"), "presence")) {
            assert_string_equal(person_text(red, "side"), "blue");
            assert_string_equal(person_text(red, "name"), name);
            met = true;
        }
    }
}

static void a_friend_comes_by_a_link_and_strangers_do_not(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    struct table table = table_of(&ana, &boris, "duel");
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(person_awaits(&boris, "game"), "names"), "red")),
                        "Ana");
    table_begins(&ana, &boris, 3);
    person_says(&eve, "{'type':'join','game':'%s'}", table.game);
    person_is_refused(&eve, "no seat of this game is free");
    person_says(&eve, "{'type':'sit','seat':'%s'}", "00000000000000000000000000000000");
    person_is_refused(&eve, "no seat has this secret");
    person_says(&eve, "{'type':'sit','seat':'%s'}", table.game);
    person_is_refused(&eve, "no seat has this secret");
    person_says(&eve, "{'type':'view','game':'%s'}", table.seat[RED]);
    person_is_refused(&eve, "there is no game");
    static const char *const refused[] = {"resign", "undo", "claim", "rematch", "record"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        person_says(&eve, "{'type':'%s','game':'%s'}", refused[i], table.game);
        person_is_refused(&eve, "");
    }
    static const char *const eyes[] = {"red", "blue", "all"};
    for (int i = 0; i < 3; i++) {
        person_says(&eve, "{'type':'view','game':'%s','eyes':'%s'}", table.game, eyes[i]);
        person_is_refused(&eve, "only \"public\" eyes");
        person_says(&eve, "{'type':'watch','game':'%s','eyes':'%s'}", table.game, eyes[i]);
        person_is_refused(&eve, "only \"public\" eyes");
    }
    person_says(&boris, "{'type':'view','game':'%s','eyes':'red'}", table.game);
    person_is_refused(&boris, "only \"public\" eyes");
    static const char *const lists[] = {"games", "open"};
    for (int i = 0; i < 2; i++) {
        person_says(&eve, "{'type':'list','what':'%s'}", lists[i]);
        assert_int_equal(json_array_size(json_object_get(person_awaits(&eve, "list"), "list")), 0);
    }
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void what_spectators_may_see_grows_at_the_end(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 3);
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    person_awaits(&eve, "start");
    assert_null(strchr(person_text(&eve, "position"), 'F'));
    person_says(&boris, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&eve, "end");
    person_says(&eve, "{'type':'view','game':'%s','eyes':'all'}", table.game);
    person_awaits(&eve, "view");
    assert_non_null(strchr(person_text(&eve, "position"), 'F'));
    person_says(&eve, "{'type':'record','game':'%s'}", table.game);
    person_awaits(&eve, "record");
    assert_non_null(strstr(person_text(&eve, "record"), "Boris"));
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

/* Everything about the game that comes for public eyes: up to and with this type. */
static char *told_until(struct person *person, const char *type) {
    struct buffer told = buffer_of(1 << 20);
    do {
        person_hears(person);
        const char *got = person_text(person, "type");
        if (!strcmp(got, "start") || !strcmp(got, "events") || !strcmp(got, "end")) {
            buffer_add_text(&told, person->line);
            buffer_add_text(&told, "\n");
        }
    } while (strcmp(person_text(person, "type"), type) != 0);
    return buffer_take(&told);
}

/* One has watched from the start, others come later, and others again after moves were taken back:
 * by then the first two have been told what does not count any more. */
static void all_spectators_are_told_the_same_whenever_they_come(void **state) {
    (void)state;
    enum { LATE = 4 };
    struct house house;
    struct person ana, eve[LATE];
    char game[WORD_BYTES], *told[LATE];
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house);
    for (int i = 0; i < LATE; i++) person_comes(&eve[i], &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&ana, "created");
    person_copies(game, &ana, "game");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < LATE; i++) {
            person_says(&eve[i], "{'type':'watch','game':'%s'}", game);
            person_awaits(&eve[i], "watching");
            person_plays(&ana, 2);
        }
        person_awaits(&ana, "move");
        person_says(&ana, "{'type':'resign','game':'%s'}", game);
        for (int i = 0; i < LATE; i++) {
            told[i] = told_until(&eve[i], "end");
            if (i) assert_string_equal(told[i], told[0]);
        }
        person_awaits(&ana, "end");
        for (int i = 0; i < LATE; i++) {
            free(told[i]);
            person_says(&eve[i], "{'type':'watch','game':'%s'}", game);
            told[i] = told_until(&eve[i], "end");
            if (i) assert_string_equal(told[i], told[0]);
        }
        for (int i = 0; i < LATE; i++) {
            free(told[i]);
            if (!i) continue; /* it stays */
            person_says(&eve[i], "{'type':'leave','game':'%s'}", game);
            person_awaits(&eve[i], "left");
        }
        if (!round) person_says(&ana, "{'type':'undo','game':'%s','ply':6}", game);
    }
    for (int i = 0; i < LATE; i++) person_goes(&eve[i]);
    person_goes(&ana);
    house_close(&house);
}

static void a_game_too_many_is_refused_by_the_id_of_its_request(void **state) {
    (void)state;
    struct house house;
    struct person ana;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house);
    for (int i = 0; i < CLIENT_GAMES_MAX; i++) {
        person_says(&ana, "{'type':'new','variant':'quick','blue':'open'}");
        person_awaits(&ana, "created");
    }
    person_says(&ana, "{'type':'new','variant':'quick','blue':'open','id':'one more'}");
    person_is_refused(&ana, "leave one of them");
    assert_string_equal(person_text(&ana, "id"), "one more");
    person_goes(&ana);
    house_close(&house);
}

static void a_request_that_cannot_be_read_is_refused_by_its_id(void **state) {
    (void)state;
    static const char *const odd[] = {"'ply':123456789012345678901234567890", "'seat':'a\\u0000b'",
                                      "'limit':[1,-99999999999999999999]"};
    struct house house;
    struct person ana;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        person_says(&ana, "{'type':'list','id':%zu,'what':'games',%s}", i, odd[i]);
        person_is_refused(&ana, "not a JSON object");
        assert_int_equal(person_number(&ana, "id"), i);
        person_says(&ana, "{%s,'type':'list','what':'games','id':'word %zu'}", odd[i], i);
        person_is_refused(&ana, "not a JSON object");
        assert_int_equal(strncmp(person_text(&ana, "id"), "word ", 5), 0);
    }
    person_says(&ana, "{'id':1,");
    person_is_refused(&ana, "not a JSON object");
    assert_null(json_object_get(ana.message, "id"));
    person_goes(&ana);
    house_close(&house);
}

static void eyes_that_the_end_opened_close_when_it_is_taken_back(void **state) {
    (void)state;
    struct house house;
    struct person ana, eve;
    char game[WORD_BYTES];
    static const char *const eyes[] = {"red", "blue", "all", "public"};
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&eve, &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&ana, "created");
    person_copies(game, &ana, "game");
    person_plays(&ana, 2);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'resign','game':'%s'}", game);
    person_awaits(&ana, "end");
    for (int i = 0; i < 4; i++) {
        person_says(&eve, "{'type':'watch','game':'%s','eyes':'%s'}", game, eyes[i]);
        person_awaits(&eve, "end");
    }
    person_says(&ana, "{'type':'watch','game':'%s','eyes':'all'}", game);
    person_awaits(&ana, "end");
    person_says(&ana, "{'type':'undo','game':'%s'}", game);
    person_awaits(&ana, "left");
    assert_string_equal(person_text(&ana, "reason"), "eyes");
    assert_string_equal(person_text(&ana, "eyes"), "all");
    for (int i = 0; i < 3; i++) person_awaits(&eve, "left");
    person_plays(&ana, 2);
    for (int i = 0; i < 3; i++) {
        person_says(&eve, "{'type':'view','game':'%s','eyes':'%s','id':%d}", game, eyes[i], i);
        do { /* what was told meanwhile is for the public */
            person_hears(&eve);
            const char *seen = json_string_value(json_object_get(eve.message, "eyes"));
            if (seen) assert_string_equal(seen, "public");
        } while (!json_object_get(eve.message, "id"));
        assert_string_equal(person_text(&eve, "type"), "error");
    }
    person_says(&eve, "{'type':'record','game':'%s'}", game);
    person_is_refused(&eve, "the record holds both armies");
    person_goes(&eve), person_goes(&ana);
    house_close(&house);
}

static void a_game_without_a_clock_waits_for_whoever_left(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    house_open(&house, NULL, SOON_CLAIMED);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 2);
    person_goes(&boris);
    person_awaits(&ana, "presence");
    assert_int_equal(person_number(&ana, "claim"), -1);
    person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
    person_is_refused(&ana, "without a clock blue may come back");
    person_goes(&ana);
    house_close(&house);
}

static void an_open_game_is_listed_until_somebody_joins(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    person_says(&ana, "{'type':'new','variant':'quick','red':'open','blue':'me'}");
    const json_t *created = person_awaits(&ana, "created");
    assert_null(json_object_get(json_object_get(created, "seats"), "red"));
    person_awaits(&ana, "game");
    const json_t *line;
    do { /* it is listed a moment after its maker hears of it */
        person_says(&boris, "{'type':'list','what':'open'}");
        line = json_array_get(json_object_get(person_awaits(&boris, "list"), "list"), 0);
    } while (!line);
    assert_string_equal(json_string_value(json_object_get(line, "seat")), "red");
    assert_string_equal(json_string_value(json_object_get(line, "title")), "Quick");
    char id[WORD_BYTES];
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(line, "game")));
    person_says(&boris, "{'type':'join','game':'%s','name':'B\\nx'}", id);
    person_is_refused(&boris, "\"name\": control character U+000A");
    person_says(&boris, "{'type':'join','game':'%s','name':'B'}", id);
    person_awaits(&boris, "joined");
    assert_string_equal(person_text(&boris, "seat"), "red");
    char secret[64], game[64];
    person_copies(secret, &boris, "secret");
    person_copies(game, &boris, "game");
    person_says(&eve, "{'type':'join','game':'%s'}", game);
    person_is_refused(&eve, "no seat of this game is free");
    ana.setup = boris.setup = "quick-corner";
    person_lays_out(&ana);
    person_lays_out(&boris);
    person_plays(&boris, 1);
    person_says(&eve, "{'type':'sit','seat':'%s'}", secret); /* Boris in another tab */
    person_awaits(&eve, "sat");
    person_awaits(&boris, "left");
    assert_string_equal(person_text(&boris, "reason"), "seat");
    person_says(&boris, "{'type':'resign','game':'%s'}", game);
    person_is_refused(&boris, "you hold no seat");
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void an_invitation_that_is_not_modest_is_refused(void **state) {
    (void)state;
    static const char *const keys[] = {
        "'seed':1",       "'position':'x'",          "'limits':{'plies':9}", "'first':'blue'",
        "'watch':'all'",  "'blue':'json:cat'",       "'blue':'./mine.lua'",  "'blue':'../rookie'",
        "'watch':'blue'", "'setups':{'blue':'any'}", "'red':'/etc/passwd'"};
    struct house house;
    struct person eve;
    house_open(&house, NULL, USUAL);
    person_comes(&eve, &house);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        person_says(&eve, "{'type':'new','variant':'duel',%s%s}", keys[i],
                    strstr(keys[i], "'blue':'") ? "" : ",'blue':'rookie'");
        person_is_refused(&eve, "");
        assert_null(strstr(person_text(&eve, "message"), "No such file"));
    }
    person_says(&eve, "{'type':'new','variant':'./variants/duel.lua','blue':'rookie'}");
    person_is_refused(&eve, "expected a name");
    person_goes(&eve);
    house_close(&house);
}

static void who_goes_is_seen_to_go_and_after_a_while_the_game_can_be_claimed(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct table table = table_with_clock(&ana, &boris, "duel", MINUTES);
    table_begins(&ana, &boris, 2);
    person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
    person_is_refused(&ana, "blue is here");
    person_goes(&boris);
    person_awaits(&ana, "presence");
    assert_in_range(person_number(&ana, "claim"), 1, 60);
    person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
    person_is_refused(&ana, "can be claimed in");
    struct person again;
    person_comes(&again, &house);
    person_says(&again, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
    person_awaits(&ana, "presence");
    assert_true(json_is_true(json_object_get(ana.message, "here")));
    assert_int_equal(person_number(&ana, "claim"), -1);
    person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
    person_is_refused(&ana, "blue is here");
    person_goes(&again), person_goes(&ana);
    house_close(&house);
    house_open(&house, NULL, SOON_CLAIMED);
    person_comes(&ana, &house), person_comes(&boris, &house);
    table = table_with_clock(&ana, &boris, "duel", MINUTES);
    table_begins(&ana, &boris, 2);
    person_goes(&boris);
    do {
        person_awaits(&ana, "presence");
        person_says(&ana, "{'type':'sit','seat':'%s'}", table.seat[RED]); /* hears it again */
    } while (person_number(&ana, "claim") != 0);
    person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    assert_string_equal(person_text(&ana, "result"), "red");
    person_goes(&ana);
    house_close(&house);
}

/* Everything that a client hears of the turns of a game, as "ply:move" each. */
static void note_turns(struct person *person, const char *until, char *turns, size_t size) {
    for (;;) {
        person_hears(person);
        const char *type = person_text(person, "type");
        if (!strcmp(type, "events")) {
            size_t at = strlen(turns);
            snprintf(turns + at, size - at, "%ld:%s ", person_number(person, "ply"),
                     person_text(person, "move"));
        }
        if (!strcmp(type, until)) return;
    }
}

static void after_a_lost_connection_nothing_is_lost_and_nothing_told_twice(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    char seen[4096] = "", all[4096] = "";
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    struct table table = table_of(&ana, &boris, "duel");
    person_lays_out(&ana);
    person_lays_out(&boris);
    for (int round = 0; round < 4; round++) {
        note_turns(&ana, "move", seen, sizeof seen);
        person_answers(&ana);
        note_turns(&ana, "events", seen, sizeof seen); /* its own */
        const long known = person_number(&ana, "ply");
        person_goes(&ana);
        person_plays(&boris, 1);
        do person_hears(&boris);
        while (strcmp(person_text(&boris, "type"), "events") != 0 ||
               person_number(&boris, "ply") <= known);
        person_comes(&ana, &house);
        person_says(&ana, "{'type':'sit','seat':'%s','from':%ld}", table.seat[RED], known);
        person_hears(&ana);
        assert_string_equal(person_text(&ana, "type"), "sat");
        person_hears(&ana);
        assert_string_equal(person_text(&ana, "type"), "events"); /* nothing from the start on */
        size_t at = strlen(seen);
        snprintf(seen + at, sizeof seen - at, "%ld:%s ", person_number(&ana, "ply"),
                 person_text(&ana, "move"));
    }
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    person_says(&eve, "{'type':'view','game':'%s'}", table.game);
    note_turns(&eve, "view", all, sizeof all);
    assert_string_equal(seen, all);
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void a_wrong_from_leaves_the_seat_to_its_holder(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    person_says(&eve, "{'type':'sit','seat':'%s','from':'here'}", table.seat[RED]);
    person_is_refused(&eve, "\"from\"");
    table_goes_on(&ana, &boris, 1);
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void a_rematch_exchanges_the_sides_and_can_be_had_again(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    char secret[2][64], game[64];
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    struct table table = table_of(&ana, &boris, "duel");
    snprintf(game, sizeof game, "%s", table.game);
    struct person *red = &ana, *blue = &boris;
    for (int round = 0; round < 3; round++) {
        person_says(&eve, "{'type':'watch','game':'%s'}", game);
        person_awaits(&eve, "watching");
        table_begins(red, blue, 1);
        person_says(red, "{'type':'rematch','game':'%s'}", game);
        person_is_refused(red, "not over");
        person_says(red, "{'type':'resign','game':'%s'}", game);
        person_awaits(red, "end");
        person_awaits(blue, "end");
        person_says(red, "{'type':'rematch','game':'%s'}", game);
        person_awaits(blue, "rematch");
        assert_string_equal(person_text(blue, "side"), "red");
        person_says(blue, "{'type':'rematch','game':'%s'}", game);
        person_awaits(red, "rematch");
        if (json_object_get(red->message, "side")) person_awaits(red, "rematch");
        person_awaits(blue, "rematch");
        person_copies(secret[RED], red, "secret");
        person_copies(secret[BLUE], blue, "secret");
        do person_awaits(&eve, "rematch");
        while (!json_object_get(eve.message, "new"));
        assert_null(json_object_get(eve.message, "secret"));
        person_copies(game, &eve, "new");
        person_says(red, "{'type':'sit','seat':'%s'}", secret[RED]);
        person_awaits(red, "sat");
        assert_string_equal(person_text(red, "seat"), "blue");
        person_says(blue, "{'type':'sit','seat':'%s'}", secret[BLUE]);
        person_awaits(blue, "sat");
        const json_t *names = json_object_get(person_awaits(blue, "game"), "names");
        assert_string_equal(json_string_value(json_object_get(names, "red")),
                            round % 2 ? "Ana" : "Boris");
        struct person *other = red;
        red = blue;
        blue = other;
    }
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void who_sits_down_is_named_and_hears_who_wants_a_rematch(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, again;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct table table = table_of(&ana, &boris, "duel");
    lay_out_and_meet(&ana, "Boris");
    person_lays_out(&boris);
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    person_goes(&boris);
    person_says(&ana, "{'type':'rematch','game':'%s'}", table.game);
    person_comes(&again, &house);
    person_says(&again, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
    person_awaits(&again, "rematch");
    assert_string_equal(person_text(&again, "side"), "red");
    person_goes(&again), person_goes(&ana);
    house_close(&house);
}

static void only_moves_against_bots_can_be_taken_back(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 2);
    person_says(&ana, "{'type':'undo','game':'%s'}", table.game);
    person_is_refused(&ana, "take moves back");
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&ana, "created");
    char game[64];
    person_copies(game, &ana, "game");
    person_plays(&ana, 3);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'undo','game':'%s','ply':2}", game);
    person_awaits(&ana, "undone");
    person_awaits(&ana, "move");
    assert_int_equal(person_number(&ana, "ply"), 2);
    person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

/* Red sits down again, to move: how the game stands for it. */
static void seen_by(struct person *red, const struct table *table, char *position) {
    person_says(red, "{'type':'sit','seat':'%s'}", table->seat[RED]);
    person_awaits(red, "move");
    snprintf(position, 512, "%ld %s", person_number(red, "ply"), person_text(red, "position"));
}

static void games_go_on_after_a_restart_and_after_leaving_the_memory(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    struct table table;
    char before[512], after[512];
    static const struct room_waits *const waits[] = {&USUAL, &AT_ONCE};
    house_open(&house, test_folder, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    table = table_of(&ana, &boris, "infiltrator");
    ana.setup = boris.setup = "saboteur-late";
    table_begins(&ana, &boris, 5);
    seen_by(&ana, &table, before);
    for (int i = 0; i < 4; i++) {
        person_goes(&ana), person_goes(&boris);
        if (i != 1) {
            house_close(&house);
            house_open(&house, test_folder, *waits[i == 0]);
        }
        person_comes(&ana, &house), person_comes(&boris, &house);
        seen_by(&ana, &table, after);
        assert_string_equal(before, after);
        person_says(&boris, "{'type':'sit','seat':'%s','from':3}", table.seat[BLUE]);
        person_awaits(&boris, "events");
        assert_int_equal(person_number(&boris, "ply"), 4);
        person_answers(&ana);
        table_goes_on(&boris, &ana, 1);
        person_plays(&boris, 1);
        seen_by(&ana, &table, before);
    }
    person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void ends_outside_the_rules_are_the_same_after_a_restart(void **state) {
    (void)state;
    static const char *const how[] = {"resign", "draw", "claim"};
    for (int i = 0; i < 3; i++) {
        struct house house;
        struct person ana, boris;
        char end[2][4096];
        house_open(&house, test_folder, SOON_CLAIMED);
        person_comes(&ana, &house), person_comes(&boris, &house);
        struct table table = table_with_clock(&ana, &boris, "duel", i == 2 ? MINUTES : "null");
        table_begins(&ana, &boris, 2);
        person_awaits(&ana, "move");
        if (i == 0) person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
        if (i == 1) {
            person_says(&ana, "{'type':'draw','game':'%s'}", table.game);
            person_awaits(&boris, "draw");
            person_says(&boris, "{'type':'draw','game':'%s','accept':true}", table.game);
        }
        if (i == 2) {
            person_says(&boris, "{'type':'leave','game':'%s'}", table.game);
            do {
                person_says(&ana, "{'type':'sit','seat':'%s'}", table.seat[RED]);
                person_awaits(&ana, "presence");
            } while (person_number(&ana, "claim") != 0);
            person_says(&ana, "{'type':'claim','game':'%s'}", table.game);
        }
        person_awaits(&ana, "end");
        snprintf(end[0], sizeof end[0], "%s", ana.line);
        person_goes(&ana), person_goes(&boris);
        house_close(&house);
        house_open(&house, test_folder, USUAL);
        person_comes(&ana, &house);
        person_says(&ana, "{'type':'sit','seat':'%s'}", table.seat[RED]);
        person_awaits(&ana, "end");
        snprintf(end[1], sizeof end[1], "%s", ana.line);
        if (strcmp(end[0], end[1]) != 0) fail_msg("%s: %s\n%s", how[i], end[0], end[1]);
        person_goes(&ana);
        house_close(&house);
    }
}

static void an_army_laid_out_before_a_restart_stands_after_it(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    house_open(&house, test_folder, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct table table = table_of(&ana, &boris, "duel");
    person_lays_out(&ana);
    person_says(&ana, "{'type':'view','game':'%s','id':1}", table.game);
    person_is_refused(&ana, "do not stand yet");
    for (int i = 0; i < 2; i++) {
        person_goes(&ana), person_goes(&boris);
        house_close(&house);
        house_open(&house, test_folder, USUAL);
        person_comes(&ana, &house), person_comes(&boris, &house);
        person_says(&ana, "{'type':'sit','seat':'%s'}", table.seat[RED]);
        person_awaits(&ana, "game");
        person_says(&boris, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
        if (!i) person_lays_out(&boris); /* and blue's army stands after the next */
        table_goes_on(&ana, &boris, 3);
        person_awaits(&boris, "events"); /* its last move is made */
    }
    person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void a_game_against_a_bot_goes_on_after_sleep_undo_and_restart(void **state) {
    (void)state;
    struct house house;
    struct person ana;
    char seat[64], game[64];
    house_open(&house, test_folder, AT_ONCE);
    person_comes(&ana, &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie'}");
    const json_t *created = person_awaits(&ana, "created");
    snprintf(seat, sizeof seat, "%s",
             json_string_value(json_object_get(json_object_get(created, "seats"), "red")));
    person_copies(game, &ana, "game");
    for (int i = 0; i < 3; i++) {
        for (int turn = 0; turn < 4; turn++) { /* the bot dozes in between */
            person_plays(&ana, 1);
            lobby_due(house.lobby);
        }
        person_awaits(&ana, "move");
        const long ply = person_number(&ana, "ply") - 4;
        person_says(&ana, "{'type':'undo','game':'%s','ply':%ld}", game, ply);
        person_awaits(&ana, "undone");
        person_goes(&ana);
        house_close(&house);
        house_open(&house, test_folder, AT_ONCE);
        person_comes(&ana, &house);
        person_says(&ana, "{'type':'sit','seat':'%s','from':%ld}", seat, ply + 4);
        person_awaits(&ana, "game"); /* what it knew of a game taken back does not count */
        person_awaits(&ana, "move");
        assert_int_equal(person_number(&ana, "ply"), ply);
        person_answers(&ana);
    }
    person_says(&ana, "{'type':'resign','game':'%s'}", game);
    person_awaits(&ana, "end");
    person_says(&ana, "{'type':'record','game':'%s'}", game);
    person_awaits(&ana, "record");
    assert_non_null(
        strstr(person_text(&ana, "record"), "\n[TakenBack \"8 to 4, 14 to 10, 20 to 16\"]\n"));
    person_goes(&ana);
    house_close(&house);
}

static void a_clock_runs_out_while_the_bot_sleeps_and_nobody_watches(void **state) {
    (void)state;
    struct house house;
    struct person ana, eve;
    char game[64];
    house_open(&house, test_folder, AT_ONCE);
    person_comes(&ana, &house), person_comes(&eve, &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie','clock':{'seconds':1}}");
    person_awaits(&ana, "created");
    person_copies(game, &ana, "game");
    person_says(&eve, "{'type':'watch','game':'%s'}", game);
    person_plays(&ana, 1);
    person_awaits(&ana, "move");
    shortage_begin(0); /* the bot could not be built again */
    person_goes(&ana);
    person_awaits(&eve, "end");
    shortage_end();
    assert_string_equal(person_text(&eve, "result"), "blue");
    person_goes(&eve);
    house_close(&house);
}

int main(void) {
#define KEPT(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_friend_comes_by_a_link_and_strangers_do_not),
        cmocka_unit_test(what_spectators_may_see_grows_at_the_end),
        cmocka_unit_test(all_spectators_are_told_the_same_whenever_they_come),
        cmocka_unit_test(a_game_too_many_is_refused_by_the_id_of_its_request),
        cmocka_unit_test(a_request_that_cannot_be_read_is_refused_by_its_id),
        cmocka_unit_test(eyes_that_the_end_opened_close_when_it_is_taken_back),
        cmocka_unit_test(an_open_game_is_listed_until_somebody_joins),
        cmocka_unit_test(an_invitation_that_is_not_modest_is_refused),
        cmocka_unit_test(who_goes_is_seen_to_go_and_after_a_while_the_game_can_be_claimed),
        cmocka_unit_test(a_game_without_a_clock_waits_for_whoever_left),
        cmocka_unit_test(after_a_lost_connection_nothing_is_lost_and_nothing_told_twice),
        cmocka_unit_test(a_wrong_from_leaves_the_seat_to_its_holder),
        cmocka_unit_test(a_rematch_exchanges_the_sides_and_can_be_had_again),
        cmocka_unit_test(who_sits_down_is_named_and_hears_who_wants_a_rematch),
        cmocka_unit_test(only_moves_against_bots_can_be_taken_back),
        KEPT(games_go_on_after_a_restart_and_after_leaving_the_memory),
        KEPT(ends_outside_the_rules_are_the_same_after_a_restart),
        KEPT(an_army_laid_out_before_a_restart_stands_after_it),
        KEPT(a_game_against_a_bot_goes_on_after_sleep_undo_and_restart),
        KEPT(a_clock_runs_out_while_the_bot_sleeps_and_nobody_watches),
    };
    return cmocka_run_group_tests_name("lobby", tests, NULL, NULL);
}
