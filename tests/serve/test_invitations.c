/* Invitations, seats and rematches: each seat's secret is known to its holder alone, whoever comes,
 * goes, is late or asks twice, before and after a restart of the server. */
#include "former_archive.h"
#include "table.h"

#include "core/rules/rules.h"
#include "host/support.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL;

static const char USED[] = "this invitation was used already",
                  NO_SECRET[] = "no seat has this secret";

static struct house house;
static struct person ana, boris, eve;

static void all_come(void) {
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
}

static void all_go(void) {
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
}

static void open_house(const char *folder) {
    house_open(&house, folder, USUAL);
    all_come();
}

static void close_house(void) {
    all_go();
    house_close(&house);
}

static void restart(void) {
    close_house();
    open_house(test_folder);
}

static void says_join(struct person *person, const char *invite) {
    person_says(person, "{'type':'join','invite':'%s'}", invite);
}

static void sits(struct person *person, const char *secret) {
    person_says(person, "{'type':'sit','seat':'%s'}", secret);
    person_awaits(person, "sat");
}

static void is_refused_seat(struct person *person, const char *secret) {
    person_says(person, "{'type':'sit','seat':'%s'}", secret);
    person_is_refused(person, NO_SECRET);
}

static void an_invitation_is_used_once_and_then_lets_nobody_but_watch(void **state) {
    (void)state;
    open_house(NULL);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    for (int i = 0; i < 2; i++) {
        says_join(&eve, table.invite);
        person_is_refused(&eve, USED);
        assert_string_equal(person_text(&eve, "game"), table.game);
        if (!i) person_says(&boris, "{'type':'leave','game':'%s'}", table.game);
        if (!i) person_awaits(&boris, "left");
    }
    is_refused_seat(&eve, table.invite);
    person_says(&eve, "{'type':'join','game':'%s'}", table.game);
    person_is_refused(&eve, "no seat of this game is free");
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    person_awaits(&eve, "start");
    assert_null(strchr(person_text(&eve, "position"), 'F'));
    says_join(&ana, table.invite); /* nor does who sent it get that seat */
    person_is_refused(&ana, USED);
    sits(&boris, table.seat[BLUE]);
    close_house();
}

static void asks_what_for(struct person *person, const char *invite) {
    person_says(person, "{'type':'invitation','invite':'%s'}", invite);
}

static void what_an_invitation_is_for_can_be_asked_until_it_is_used(void **state) {
    (void)state;
    char invite[WORD_BYTES];
    open_house(NULL);
    person_says(&ana, "{'type':'new','variant':'duel','red':'me','blue':'open','public':false,"
                      "'names':{'red':'Ana'},'clock':{'seconds':180,'increment':2}}");
    person_awaits(&ana, "created");
    person_copies_invite(invite, &ana, "blue");
    for (int i = 0; i < 2; i++) {
        asks_what_for(i ? &eve : &boris, invite);
        const json_t *offer = person_awaits(i ? &eve : &boris, "invitation");
        const char *variant, *title, *seat, *red;
        int seconds, increment;
        assert_int_equal(json_unpack((json_t *)offer, "{s:s, s:s, s:s, s:{s:s}, s:{s:i, s:i}}",
                                     "variant", &variant, "title", &title, "seat", &seat, "names",
                                     "red", &red, "clock", "seconds", &seconds, "increment",
                                     &increment),
                         0);
        assert_string_equal(variant, "duel");
        assert_string_equal(title, "Duel");
        assert_string_equal(seat, "blue");
        assert_string_equal(red, "Ana");
        assert_int_equal(seconds, 180);
        assert_int_equal(increment, 2);
        assert_null(json_object_get(offer, "secret"));
    }
    says_join(&boris, invite);
    person_awaits(&boris, "joined");
    asks_what_for(&eve, invite);
    person_is_refused(&eve, USED);
    asks_what_for(&eve, "00000000000000000000000000000000");
    person_is_refused(&eve, "there is no such invitation");
    asks_what_for(&eve, person_text(&boris, "secret"));
    person_is_refused(&eve, "there is no such invitation");
    close_house();
}

static void of_two_who_accept_at_once_one_sits_down(void **state) {
    (void)state;
    open_house(NULL);
    for (int round = 0; round < 20; round++) {
        char invite[WORD_BYTES];
        int joined = 0;
        person_says(&ana, "{'type':'new','variant':'duel','blue':'open','public':false}");
        person_awaits(&ana, "created");
        person_copies_invite(invite, &ana, "blue");
        says_join(&boris, invite);
        says_join(&eve, invite);
        for (int i = 0; i < 2; i++) {
            struct person *person = i ? &eve : &boris;
            do person_hears(person);
            while (strcmp(person_text(person, "type"), "joined") != 0 &&
                   strcmp(person_text(person, "type"), "error") != 0);
            joined += !strcmp(person_text(person, "type"), "joined");
        }
        assert_int_equal(joined, 1);
    }
    close_house();
}

static void who_did_not_hear_the_reply_says_join_again_with_the_same_token(void **state) {
    (void)state;
    static const char TOKEN[] = "0123456789abcdef0123456789abcdef";
    char invite[WORD_BYTES], game[WORD_BYTES], secret[WORD_BYTES] = "";
    open_house(NULL);
    for (int listed = 0; listed < 2; listed++) {
        person_says(&ana, "{'type':'new','variant':'duel','blue':'open','public':%s}",
                    listed ? "true" : "false");
        person_awaits(&ana, "created");
        person_copies(game, &ana, "game");
        person_copies_invite(invite, &ana, "blue");
        for (int i = 0; i < 3; i++) {
            person_says(&boris, "{'type':'join','%s':'%s','token':'%s'}",
                        listed ? "game" : "invite", listed ? game : invite, TOKEN);
            person_awaits(&boris, "joined");
            if (i) assert_string_equal(person_text(&boris, "secret"), secret);
            person_copies(secret, &boris, "secret");
            if (!i) person_goes(&boris), person_comes(&boris, &house);
        }
        person_says(&eve, "{'type':'join','invite':'%s','token':'%.31sX'}", invite, TOKEN);
        person_is_refused(&eve, USED);
        person_says(&eve, "{'type':'join','invite':'%s','token':''}", invite);
        person_is_refused(&eve, "\"token\": expected 32 characters");
    }
    close_house();
}

static void the_token_holds_after_a_restart_and_for_the_first_who_gave_it_alone(void **state) {
    (void)state;
    static const char TOKEN[] = "0123456789abcdef0123456789abcdef";
    char game[WORD_BYTES], secret[WORD_BYTES];
    open_house(test_folder);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'open'}");
    person_awaits(&ana, "created");
    person_copies(game, &ana, "game");
    person_says(&eve, "{'type':'join','game':'%s','token':'%.31sX','name':' '}", game, TOKEN);
    person_is_refused(&eve, "name");
    person_says(&boris, "{'type':'join','game':'%s','token':'%s'}", game, TOKEN);
    person_awaits(&boris, "joined");
    person_copies(secret, &boris, "secret");
    for (int i = 0; i < 2; i++) {
        person_says(&eve, "{'type':'join','game':'%s','token':'%.31sX'}", game, TOKEN);
        person_is_refused(&eve, "no seat of this game is free");
        if (!i) restart();
    }
    person_says(&boris, "{'type':'join','game':'%s','token':'%s'}", game, TOKEN);
    person_awaits(&boris, "joined");
    assert_string_equal(person_text(&boris, "secret"), secret);
    close_house();
}

static void each_open_seat_has_an_invitation_of_its_own(void **state) {
    (void)state;
    char red[WORD_BYTES], blue[WORD_BYTES];
    open_house(NULL);
    person_says(&eve, "{'type':'new','variant':'duel','red':'open','blue':'open','public':false}");
    const json_t *created = person_awaits(&eve, "created");
    assert_int_equal(json_object_size(json_object_get(created, "seats")), 0);
    person_copies_invite(red, &eve, "red");
    person_copies_invite(blue, &eve, "blue");
    says_join(&ana, blue);
    person_awaits(&ana, "joined");
    assert_string_equal(person_text(&ana, "seat"), "blue");
    assert_string_not_equal(person_text(&ana, "secret"), blue);
    says_join(&boris, red);
    person_awaits(&boris, "joined");
    assert_string_equal(person_text(&boris, "seat"), "red");
    says_join(&eve, red);
    person_is_refused(&eve, USED);
    close_house();
}

static void who_accepts_the_own_invitation_plays_both_sides_and_nobody_else_comes(void **state) {
    (void)state;
    char invite[WORD_BYTES];
    open_house(NULL);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'open','public':false}");
    person_awaits(&ana, "created");
    person_copies_invite(invite, &ana, "blue");
    says_join(&ana, invite);
    person_awaits(&ana, "joined");
    says_join(&boris, invite);
    person_is_refused(&boris, USED);
    close_house();
}

static void a_seat_that_was_taken_over_is_taken_back_with_its_secret(void **state) {
    (void)state;
    struct person again;
    open_house(NULL);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    person_comes(&again, &house);
    sits(&again, table.seat[BLUE]); /* another tab */
    person_awaits(&boris, "left");
    assert_string_equal(person_text(&boris, "reason"), "seat");
    sits(&boris, table.seat[BLUE]);
    person_awaits(&again, "left");
    table_goes_on(&ana, &boris, 1);
    person_goes(&again);
    close_house();
}

/* Comes back after its connection was lost, perhaps as a client with a word ("" or "'client':…,").
 */
static void sits_again(struct person *person, const char *word, const char *secret,
                       const char *reply) {
    person_says(person, "{'type':'sit','again':true,%s'seat':'%s','id':'back'}", word, secret);
    do person_awaits(person, reply);
    while (!json_object_get(person->message, "id"));
    assert_string_equal(person_text(person, "id"), "back");
    assert_string_equal(person_text(person, "seat"), "blue");
}

static void who_comes_back_does_not_take_a_seat_that_was_taken_elsewhere(void **state) {
    (void)state;
    struct person again;
    open_house(NULL);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    person_goes(&boris);
    person_comes(&again, &house);
    sits(&again, table.seat[BLUE]); /* another window, meanwhile */
    person_comes(&boris, &house);
    sits_again(&boris, "", table.seat[BLUE], "left");
    assert_string_equal(person_text(&boris, "reason"), "seat");
    assert_string_equal(person_text(&boris, "game"), table.game);
    person_says(&boris, "{'type':'resign','game':'%s'}", table.game);
    person_is_refused(&boris, "you hold no seat");
    table_goes_on(&ana, &again, 1);
    person_says(&again, "{'type':'leave','game':'%s'}", table.game);
    person_awaits(&again, "left");
    sits_again(&boris, "", table.seat[BLUE], "sat"); /* nobody holds it */
    table_goes_on(&ana, &boris, 1);
    sits(&again, table.seat[BLUE]);
    person_awaits(&boris, "left");
    sits_again(&boris, "", table.seat[BLUE], "left");
    sits(&boris, table.seat[BLUE]); /* asked to by its player */
    person_awaits(&again, "left");
    person_goes(&again);
    close_house();
}

#define WORD "'client':'0123456789abcdefghijklmnopqrstuv',"
#define OTHER_WORD "'client':'0123456789abcdefghijklmnopqrstuV',"

/* The server takes Boris's connection for alive: it gives way to another one of his. */
static void gives_way_to_its_own(const char *secret) {
    struct person again, other;
    person_comes(&other, &house), person_comes(&again, &house);
    sits_again(&other, "", secret, "left");
    sits_again(&other, OTHER_WORD, secret, "left");
    sits_again(&again, WORD, secret, "sat");
    person_awaits(&boris, "left");
    assert_string_equal(person_text(&boris, "reason"), "seat");
    person_goes(&other), person_goes(&again);
}

static void a_client_comes_back_to_a_seat_of_its_own_however_it_got_it(void **state) {
    (void)state;
    char secret[WORD_BYTES], invite[WORD_BYTES];
    open_house(NULL);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'open'}");
    person_awaits(&ana, "created");
    person_copies_invite(invite, &ana, "blue");
    person_says(&boris, "{'type':'join'," WORD "'invite':'%s'}", invite);
    person_awaits(&boris, "joined");
    person_copies(secret, &boris, "secret");
    gives_way_to_its_own(secret);
    person_says(&boris, "{'type':'sit'," WORD "'seat':'%s'}", secret);
    person_awaits(&boris, "sat");
    gives_way_to_its_own(secret);
    person_says(&boris, "{'type':'new','variant':'duel'," WORD "'red':'rookie','blue':'me'}");
    const json_t *seats = json_object_get(person_awaits(&boris, "created"), "seats");
    snprintf(secret, sizeof secret, "%s", json_string_value(json_object_get(seats, "blue")));
    gives_way_to_its_own(secret);
    person_says(&eve, "{'type':'sit','client':'short','seat':'%s'}", secret);
    person_is_refused(&eve, "\"client\": expected 32 characters");
    person_says(&eve, "{'type':'sit','again':1,'seat':'%s'}", secret);
    person_is_refused(&eve, "\"again\": expected true or false");
    close_house();
}

static void eyes_that_came_with_a_seat_go_with_it(void **state) {
    (void)state;
    open_house(NULL);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    person_says(&boris, "{'type':'watch','game':'%s','eyes':'blue'}", table.game);
    person_awaits(&boris, "watching");
    sits(&eve, table.seat[BLUE]);
    bool seat = false, eyes = false;
    while (!seat || !eyes) {
        person_awaits(&boris, "left");
        seat |= !strcmp(person_text(&boris, "reason"), "seat");
        eyes |= !strcmp(person_text(&boris, "reason"), "eyes");
    }
    close_house();
}

static void invitations_outlive_a_restart_used_ones_too(void **state) {
    (void)state;
    char invite[WORD_BYTES];
    open_house(test_folder);
    struct table table = table_of(&ana, &boris, "duel");
    person_says(&eve, "{'type':'new','variant':'duel','red':'open','blue':'me','public':false}");
    person_awaits(&eve, "created");
    person_copies_invite(invite, &eve, "red");
    restart();
    says_join(&eve, table.invite);
    person_is_refused(&eve, USED);
    is_refused_seat(&eve, table.invite);
    sits(&boris, table.seat[BLUE]);
    says_join(&ana, invite);
    person_awaits(&ana, "joined");
    assert_string_equal(person_text(&ana, "seat"), "red");
    says_join(&boris, invite);
    person_is_refused(&boris, USED);
    close_house();
}

static void execute(const char *sql) {
    char path[128], *why = NULL;
    sqlite3 *database;
    snprintf(path, sizeof path, "%s/games.sqlite", test_folder);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, &why)) fail_msg("%s: %s", sql, why);
    sqlite3_close(database);
}

static void a_friends_old_secret_which_its_sender_knows_becomes_an_invitation(void **state) {
    (void)state;
    char rematch[2][WORD_BYTES];
    open_house(test_folder);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 2);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    person_says(&ana, "{'type':'rematch','game':'%s'}", table.game);
    person_awaits(&boris, "rematch");
    person_says(&boris, "{'type':'rematch','game':'%s'}", table.game);
    person_awaits(&boris, "rematch");
    person_copies(rematch[BLUE], &boris, "secret");
    close_house();
    execute(TO_FORMER_ARCHIVE);
    open_house(test_folder);
    is_refused_seat(&ana, table.seat[BLUE]);
    sits(&ana, table.seat[RED]);
    person_says(&boris, "{'type':'join','invite':'%s','name':'Boris'}", table.seat[BLUE]);
    person_awaits(&boris, "joined");
    assert_string_not_equal(person_text(&boris, "secret"), table.seat[BLUE]);
    person_awaits(&boris, "end");
    says_join(&ana, table.seat[BLUE]);
    person_is_refused(&ana, USED);
    sits(&boris, rematch[BLUE]); /* that secret was always its holder's alone */
    close_house();
}

/* Both want another game; they and Eve hear where it is. */
static void agree_on_rematch(const struct table *table, char next[WORD_BYTES]) {
    person_says(&ana, "{'type':'rematch','game':'%s'}", table->game);
    person_awaits(&boris, "rematch");
    person_says(&boris, "{'type':'rematch','game':'%s'}", table->game);
    do person_awaits(&ana, "rematch");
    while (!json_object_get(ana.message, "new"));
    person_awaits(&boris, "rematch");
    person_copies(next, &ana, "new");
    assert_string_equal(person_text(&boris, "new"), next);
}

static struct table finished_game(void) {
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 1);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    person_awaits(&boris, "end");
    return table;
}

/* Asks again, and hears of the game and the secret. */
static void hears_again(struct person *person, const struct table *table, const char *next,
                        const char *secret) {
    person_says(person, "{'type':'rematch','game':'%s'}", table->game);
    person_awaits(person, "rematch");
    assert_string_equal(person_text(person, "new"), next);
    assert_string_equal(person_text(person, "secret"), secret);
}

static void a_finished_game_has_one_rematch_however_often_it_is_asked_for(void **state) {
    (void)state;
    char next[WORD_BYTES], secret[2][WORD_BYTES];
    open_house(test_folder);
    struct table table = finished_game();
    agree_on_rematch(&table, next);
    person_copies(secret[RED], &ana, "secret");
    person_copies(secret[BLUE], &boris, "secret");
    for (int round = 0; round < 3; round++) {
        hears_again(&ana, &table, next, secret[RED]);
        hears_again(&boris, &table, next, secret[BLUE]);
        if (round) continue;
        restart();
        sits(&ana, table.seat[RED]);
        person_awaits(&ana, "rematch");
        sits(&boris, table.seat[BLUE]);
        person_awaits(&boris, "rematch");
    }
    person_says(&eve, "{'type':'rematch','game':'%s'}", table.game);
    person_is_refused(&eve, "you hold no seat");
    close_house();
}

static void games_whose_names_an_earlier_version_took_go_on(void **state) {
    (void)state;
    char next[WORD_BYTES];
    open_house(test_folder);
    struct table table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 2);
    person_awaits(&ana, "move");
    close_house();
    execute("update game set blue_name = printf('%.60c', 'B'), request = "
            "replace(request, 'Ana', printf('%.60c', 'A'))");
    open_house(test_folder);
    sits(&ana, table.seat[RED]), sits(&boris, table.seat[BLUE]);
    table_goes_on(&ana, &boris, 2);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    person_awaits(&boris, "end");
    agree_on_rematch(&table, next);
    close_house();
}

static void a_rematch_against_a_bot_is_one_game_too(void **state) {
    (void)state;
    char game[WORD_BYTES], next[WORD_BYTES], secret[WORD_BYTES];
    open_house(NULL);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie'}");
    person_awaits(&ana, "created");
    person_copies(game, &ana, "game");
    person_plays(&ana, 1);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'resign','game':'%s'}", game);
    person_awaits(&ana, "end");
    person_says(&ana, "{'type':'rematch','game':'%s'}", game);
    person_awaits(&ana, "rematch");
    person_copies(next, &ana, "new");
    person_copies(secret, &ana, "secret");
    struct table table;
    strcpy(table.game, game);
    hears_again(&ana, &table, next, secret);
    close_house();
}

static void who_was_away_when_the_rematch_was_made_gets_the_own_secret_later(void **state) {
    (void)state;
    char next[WORD_BYTES], secret[WORD_BYTES];
    open_house(NULL);
    struct table table = finished_game();
    agree_on_rematch(&table, next);
    person_copies(secret, &boris, "secret");
    person_goes(&boris); /* its message may be lost with the connection */
    person_comes(&boris, &house);
    sits(&boris, table.seat[BLUE]);
    person_awaits(&boris, "rematch");
    assert_string_equal(person_text(&boris, "secret"), secret);
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    person_awaits(&eve, "end");
    person_says(&eve, "{'type':'view','game':'%s'}", next);
    do {
        person_hears(&eve);
        assert_null(json_object_get(eve.message, "secret"));
    } while (strcmp(person_text(&eve, "type"), "rematch") != 0 &&
             strcmp(person_text(&eve, "type"), "error") != 0);
    close_house();
}

#define KEPT(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_invitation_is_used_once_and_then_lets_nobody_but_watch),
        cmocka_unit_test(what_an_invitation_is_for_can_be_asked_until_it_is_used),
        cmocka_unit_test(of_two_who_accept_at_once_one_sits_down),
        cmocka_unit_test(who_did_not_hear_the_reply_says_join_again_with_the_same_token),
        cmocka_unit_test(each_open_seat_has_an_invitation_of_its_own),
        cmocka_unit_test(who_accepts_the_own_invitation_plays_both_sides_and_nobody_else_comes),
        cmocka_unit_test(a_seat_that_was_taken_over_is_taken_back_with_its_secret),
        cmocka_unit_test(who_comes_back_does_not_take_a_seat_that_was_taken_elsewhere),
        cmocka_unit_test(a_client_comes_back_to_a_seat_of_its_own_however_it_got_it),
        cmocka_unit_test(eyes_that_came_with_a_seat_go_with_it),
        cmocka_unit_test(a_rematch_against_a_bot_is_one_game_too),
        cmocka_unit_test(who_was_away_when_the_rematch_was_made_gets_the_own_secret_later),
        KEPT(the_token_holds_after_a_restart_and_for_the_first_who_gave_it_alone),
        KEPT(games_whose_names_an_earlier_version_took_go_on),
        KEPT(invitations_outlive_a_restart_used_ones_too),
        KEPT(a_friends_old_secret_which_its_sender_knows_becomes_an_invitation),
        KEPT(a_finished_game_has_one_rematch_however_often_it_is_asked_for),
    };
    return cmocka_run_group_tests_name("invitations", tests, NULL, NULL);
}
