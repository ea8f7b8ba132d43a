/* Questions about games that are over, and about records: chances, other moves, advice. */
#include "table.h"

#include "core/rules/rules.h"
#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOVES = 3 /* of each side, in the game */ };

static const struct room_waits USUAL;

static struct house house;
static struct person ana, boris, eve;
static struct table table;

static void play(void) {
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, MOVES);
}

/* Red, Ana, resigns after MOVES moves of both; Eve has only the game's id. */
static void end(void) {
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    person_awaits(&boris, "end");
}

static void all_go(void) {
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

/* Says a request with texts of any kind, and frees it. */
static void say(struct person *person, json_t *request) {
    char *line = json_dumps(request, JSON_COMPACT);
    assert_non_null(line);
    lobby_hear(house.lobby, person->client, line, strlen(line));
    free(line);
    json_decref(request);
}

static char *record_of(struct person *person) {
    person_says(person, "{'type':'record','game':'%s'}", table.game);
    person_awaits(person, "record");
    char *text = strdup(person_text(person, "record"));
    assert_non_null(text);
    return text;
}

/* A list of each side in a part of an analysis; both have as many entries if `count` is not -1. */
static void assert_both(const json_t *part, int count) {
    const json_t *red = json_object_get(part, "red"), *blue = json_object_get(part, "blue");
    assert_true(json_is_array(red) && json_is_array(blue));
    if (count < 0) return;
    assert_int_equal(json_array_size(red), count);
    assert_int_equal(json_array_size(blue), count);
}

static void anybody_may_ask_how_a_game_that_is_over_went(void **state) {
    (void)state;
    play();
    end();
    person_says(&eve, "{'type':'analyse','game':'%s','bot':'commodore'}", table.game);
    const json_t *analysis = json_object_get(person_awaits(&eve, "analysis"), "analysis");
    assert_string_equal(person_text(&eve, "game"), table.game);
    assert_both(json_object_get(analysis, "chances"), 2 * MOVES + 1);
    assert_both(json_object_get(analysis, "worst"), -1);
    assert_int_equal(json_array_size(json_object_get(analysis, "plies")), 2 * MOVES);
    assert_string_equal(json_string_value(json_object_get(analysis, "red")), "Ana");
    const json_t *red = json_object_get(json_object_get(analysis, "chances"), "red");
    assert_true(json_number_value(json_array_get(red, 2 * MOVES)) == 0); /* it has lost */
    all_go();
}

static void nobody_may_ask_while_the_game_runs(void **state) {
    static const char *const types[] = {"analyse", "explore", "advise"};
    (void)state;
    play();
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    person_awaits(&eve, "watching");
    for (int i = 0; i < 3; i++) {
        struct person *const people[] = {&ana, &boris, &eve};
        for (int who = 0; who < 3; who++) {
            person_says(people[who], "{'type':'%s','game':'%s','bot':'hunter'}", types[i],
                        table.game);
            person_is_refused(people[who], "when the game is over");
        }
    }
    all_go();
}

static void a_client_hears_how_far_its_analysis_is(void **state) {
    (void)state;
    play();
    end();
    char *record = record_of(&ana);
    say(&eve, json_pack("{s:s, s:s, s:s, s:i}", "type", "analyse", "record", record, "bot",
                        "commodore", "id", 7));
    person_awaits(&eve, "progress");
    assert_int_equal(person_number(&eve, "request"), 7);
    assert_int_equal(person_number(&eve, "plies"), 2 * MOVES);
    person_awaits(&eve, "analysis");
    assert_int_equal(person_number(&eve, "id"), 7);
    free(record);
    all_go();
}

/* What a message says of the game, whoever it is for. */
static json_t *plain(const json_t *message) {
    static const char *const keys[] = {"game", "eyes", "setups", "id"};
    json_t *copy = json_deep_copy(message);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) json_object_del(copy, keys[i]);
    return copy;
}

static bool is_told(const char *type) {
    return !strcmp(type, "game") || !strcmp(type, "start") || !strcmp(type, "events") ||
           !strcmp(type, "end");
}

static void a_line_is_told_as_to_a_spectator_with_these_eyes(void **state) {
    static const char *const eyes[] = {"public", "red", "blue", "all"};
    (void)state;
    play();
    end();
    for (int i = 0; i < 4; i++) {
        person_says(&boris, "{'type':'explore','game':'%s','eyes':'%s'}", table.game, eyes[i]);
        const json_t *reply = person_awaits(&boris, "explored");
        const json_t *told = json_object_get(reply, "told");
        assert_null(json_object_get(reply, "moves")); /* it is over */
        person_says(&eve, "{'type':'watch','game':'%s','eyes':'%s'}", table.game, eyes[i]);
        for (size_t at = 0; at < json_array_size(told);) {
            person_hears(&eve);
            if (!is_told(person_text(&eve, "type"))) continue;
            json_t *one = plain(json_array_get(told, at++)), *other = plain(eve.message);
            if (!json_equal(one, other)) {
                char *text = json_dumps(one, JSON_COMPACT);
                fail_msg("%s: %s, not %.300s", eyes[i], text, eve.line);
            }
            json_decref(one);
            json_decref(other);
        }
        assert_string_equal(person_text(&eve, "type"), "end");
        person_says(&eve, "{'type':'leave','game':'%s'}", table.game);
        person_awaits(&eve, "left");
    }
    all_go();
}

/* The question that red is asked after its first `count` moves; the caller decrefs. */
static json_t *question_after(int count) {
    json_t *asked = NULL;
    for (int i = 0; i <= count; i++) {
        person_awaits(&ana, "move");
        if (i == count) asked = json_incref(json_object_get(ana.message, "moves"));
        person_answers(&ana);
        person_plays(&boris, 1);
    }
    return asked;
}

static void other_moves_are_tried_from_any_ply(void **state) {
    (void)state;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    table = table_of(&ana, &boris, "duel");
    table_begins(&ana, &boris, 0);
    json_t *asked = question_after(1);
    end();
    person_says(&eve, "{'type':'explore','game':'%s','ply':2,'from':2}", table.game);
    const json_t *reply = person_awaits(&eve, "explored");
    assert_true(json_equal(json_object_get(reply, "moves"), asked)); /* red was asked the same */
    assert_int_equal(json_array_size(json_object_get(reply, "told")), 0);
    const char *move = json_string_value(json_array_get(asked, 0));
    person_says(&eve, "{'type':'explore','game':'%s','ply':2,'from':2,'moves':'%s'}", table.game,
                move);
    reply = person_awaits(&eve, "explored");
    const json_t *told = json_object_get(reply, "told");
    assert_int_equal(person_number(&eve, "ply"), 3);
    assert_int_equal(json_array_size(told), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(told, 0), "move")), move);
    assert_true(json_array_size(json_object_get(reply, "moves")) > 0);
    person_says(&eve, "{'type':'explore','game':'%s','ply':2,'moves':'%s a1-a1'}", table.game,
                move);
    person_is_refused(&eve, "a1-a1");
    json_decref(asked);
    all_go();
}

static bool is_among(const json_t *list, const char *text) {
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one) if (!strcmp(json_string_value(one), text)) return true;
    return false;
}

static void a_bot_says_what_it_would_have_played_and_why(void **state) {
    (void)state;
    play();
    end();
    person_says(&eve, "{'type':'explore','game':'%s','ply':3,'from':3}", table.game);
    json_t *moves = json_incref(json_object_get(person_awaits(&eve, "explored"), "moves"));
    person_says(&eve, "{'type':'advise','game':'%s','ply':3,'bot':'hunter'}", table.game);
    const json_t *candidates = json_object_get(person_awaits(&eve, "advice"), "candidates"), *one;
    size_t i;
    assert_string_equal(person_text(&eve, "side"), "blue");
    assert_true(is_among(moves, person_text(&eve, "move")));
    assert_true(json_array_size(candidates) > 0);
    json_array_foreach(candidates, i, one)
        assert_true(is_among(moves, json_string_value(json_object_get(one, "move"))));
    person_says(&eve, "{'type':'advise','game':'%s','bot':'hunter'}", table.game);
    person_is_refused(&eve, "no move can be made");
    json_decref(moves);
    all_go();
}

static void a_record_that_is_none_is_refused_with_the_reason(void **state) {
    static const struct {
        const char *record, *words;
    } wrong[] = {{"", "Variant"},
                 {"[Variant \"duel\"", "in the record"},
                 {"[Variant \"nowhere\"]\n", "nowhere"},
                 {"[Variant \"../variants/duel.lua\"]\n", "name of a variant"},
                 {"[Variant \"duel\"]\n\n1. a4-a5\n", "in the record"}};
    (void)state;
    play();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        say(&eve, json_pack("{s:s, s:s}", "type", "explore", "record", wrong[i].record));
        person_is_refused(&eve, wrong[i].words);
    }
    say(&eve, json_pack("{s:s, s:s, s:s}", "type", "advise", "record", "", "bot", "../rookie"));
    person_is_refused(&eve, "name of a bot");
    person_says(&eve, "{'type':'explore'}");
    person_is_refused(&eve, "game");
    all_go();
}

/* Of the address that has all it may have; another's are heard. */
static void an_address_has_so_many_analyses_at_a_time(void **state) {
    enum { GAMES = 16, STUDIES = 2 };
    (void)state;
    struct visitors *visitors = visitors_open(
        (struct visitor_terms){.sockets = 9, .requests = 9000, .games = GAMES, .storage = 1});
    struct visitor *one = visitors_meet(visitors, "192.0.2.1");
    struct visitor *other = visitors_meet(visitors, "192.0.2.2");
    struct fault fault = {0};
    for (int i = 0; i < STUDIES; i++) assert_true(visitor_take(one, HOLDS_STUDIES, &fault));
    assert_false(visitor_take(one, HOLDS_STUDIES, &fault));
    assert_non_null(strstr(fault.text, "2 analyses"));
    assert_true(visitor_take(other, HOLDS_STUDIES, NULL));
    for (int i = 0; i < STUDIES; i++) visitor_give(one, HOLDS_STUDIES);
    visitor_give(other, HOLDS_STUDIES);
    house_open(&house, NULL, USUAL);
    person_comes_from(&eve, &house, visitors, "192.0.2.1");
    for (int i = 0; i < 5; i++) { /* each gives back what it took, refused or not */
        person_says(&eve, "{'type':'explore','record':'','id':%d}", i);
        person_is_refused(&eve, "Variant");
        person_says(&eve, "{'type':'advise','record':''}");
        person_is_refused(&eve, "name of a bot");
    }
    person_goes(&eve);
    house_close(&house);
    visitor_release(one), visitor_release(other);
    visitors_close(visitors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anybody_may_ask_how_a_game_that_is_over_went),
        cmocka_unit_test(nobody_may_ask_while_the_game_runs),
        cmocka_unit_test(a_client_hears_how_far_its_analysis_is),
        cmocka_unit_test(a_line_is_told_as_to_a_spectator_with_these_eyes),
        cmocka_unit_test(other_moves_are_tried_from_any_ply),
        cmocka_unit_test(a_bot_says_what_it_would_have_played_and_why),
        cmocka_unit_test(a_record_that_is_none_is_refused_with_the_reason),
        cmocka_unit_test(an_address_has_so_many_analyses_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
