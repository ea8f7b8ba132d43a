/* What a piece learns in secret: its side's view narrows, and no byte of it reaches the enemy or
 * the public. */
#include "base/buffer.h"
#include "core/know/sample.h"
#include "core/text/layout.h"
#include "host/seat/message.h"
#include "host/session.h"
#include "schema.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;

static int load(void **state) {
    (void)state;
    return (rules = support_rules("variants/examples/lookout.lua")) ? 0 : -1;
}

static int drop(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static square at(const char *name) {
    square found = SQUARE_NONE;
    assert_true(square_read(&rules->board, name, strlen(name), &found) > 0);
    return found;
}

static kindset kinds(const char *names) {
    kindset set = 0;
    for (; *names; names += strspn(names, " ")) {
        set |= kindset_of(rules_kind(rules, names, strcspn(names, " ")));
        names += strcspn(names, " ");
    }
    return set;
}

/* Red's lookout on e5; blue's pieces of these kinds on e6, e7 and j10. */
static struct session *stand(const char *e6, const char *e7, const char *j10) {
    struct position position = {.to_move = RED};
    struct fault fault = {0};
    position.at[at("a1")] = cell_of(RED, rules_kind_named(rules, "flag"));
    position.at[at("a2")] = cell_of(RED, rules_kind_named(rules, "scout"));
    position.at[at("e5")] = cell_of(RED, rules_kind_named(rules, "lookout"));
    position.at[at("a10")] = cell_of(BLUE, rules_kind_named(rules, "flag"));
    position.at[at("e6")] = cell_of(BLUE, rules_kind_named(rules, e6));
    position.at[at("e7")] = cell_of(BLUE, rules_kind_named(rules, e7));
    position.at[at("j10")] = cell_of(BLUE, rules_kind_named(rules, j10));
    const struct session_options options = {.rules = rules, .position = &position};
    struct session *session = session_open(&options, &fault);
    if (!session) fail_msg("%s", fault.text);
    return session;
}

static void play(struct session *session, const char *move) {
    struct fault fault = {0};
    if (!session_play_text(session, move, strlen(move), NULL, &fault)) fail_msg("%s", fault.text);
}

static const struct view_piece *seen(const struct session *session, enum side side,
                                     const char *name) {
    const struct view *view = &session->eyes.view[side];
    assert_int_not_equal(view->number[at(name)], VIEW_EMPTY);
    return &view->piece[view->number[at(name)]];
}

static kindset may_be(const struct session *session, enum side side, const char *name) {
    const struct view *view = &session->eyes.view[side];
    return view_may_be(view, view->number[at(name)]);
}

/* All that an onlooker is told of the last turn, and the board as it sees it. */
static char *told(const struct session *session, enum onlooker onlooker) {
    char why[SCHEMA_WHY_MAX], position[POSITION_TEXT_MAX];
    const struct outlook outlook = outlook_of(onlooker, &session->eyes);
    json_t *message = message_events(&outlook);
    if (!schema_fits("tells_events", message, why)) fail_msg("%s", why);
    char *events = json_dumps(message, JSON_COMPACT);
    outlook_position(&outlook, position);
    struct buffer all = buffer_of(1 << 16);
    buffer_add_text(&all, events);
    buffer_add_text(&all, position);
    free(events);
    json_decref(message);
    return buffer_take(&all);
}

static void expect_told(const struct session *session, enum onlooker onlooker, const char *part,
                        bool expected) {
    char *text = told(session, onlooker);
    if ((strstr(text, part) != NULL) != expected) fail_msg("%s: %s", onlooker_name(onlooker), text);
    free(text);
}

static void a_side_knows_the_kind_that_its_piece_has_learned(void **state) {
    (void)state;
    struct session *session = stand("marshal", "miner", "scout");
    play(session, "e5@recognize:e6");
    assert_int_equal(seen(session, RED, "e6")->kind, rules_kind_named(rules, "marshal"));
    assert_int_equal(seen(session, RED, "e7")->kind, KIND_NONE);
    assert_false(may_be(session, RED, "e7") & kinds("marshal"));
    expect_told(session, ONLOOKER_RED, "\"kinds\":[\"marshal\"]", true);
    expect_told(session, ONLOOKER_ALL, "\"kinds\":[\"marshal\"]", true);
    play(session, "e7-f7");
    play(session, "a2-b2");
    play(session, "e6-e7");
    assert_int_equal(seen(session, RED, "e7")->kind, rules_kind_named(rules, "marshal"));
    session_close(session);
}

static void a_question_narrows_what_a_piece_may_be(void **state) {
    (void)state;
    struct session *session = stand("captain", "marshal", "scout");
    play(session, "e5@look:e7");
    assert_int_equal(seen(session, RED, "e7")->kind, KIND_NONE);
    assert_int_equal(seen(session, RED, "e7")->may_be, kinds("captain marshal"));
    session_close(session);
    session = stand("miner", "marshal", "scout");
    play(session, "e5@look:e7");
    assert_int_equal(may_be(session, RED, "e7"), kinds("marshal"));
    session_close(session);
    session = stand("captain", "miner", "scout");
    play(session, "e5@look:e7");
    assert_int_equal(may_be(session, RED, "e7"), kinds("flag miner scout"));
    expect_told(session, ONLOOKER_RED, "\"bomb\"", true);
    session_close(session);
}

static void samples_fit_what_was_learned(void **state) {
    (void)state;
    static struct sampler sampler;
    static struct ply plies[2 * SAMPLE_TAIL];
    static double table[DEAL_ROOM];
    struct session *session = stand("scout", "captain", "colonel");
    play(session, "e5@look:e7");
    const struct view *view = &session->eyes.view[RED];
    kindset sets[2 * BOARD_SQUARES_MAX], drawn = 0;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    struct game game;
    view_all_may_be(view, sets);
    sampler.deal.table = table;
    sampler.deal.room = DEAL_ROOM;
    sampler_start(&sampler, view, sets, 0);
    assert_int_not_equal(deal_prepare(&sampler.deal), DEAL_NONE);
    for (int i = 0; i < 100; i++) {
        sampler_draw(&sampler, &random, &game, plies, 2 * SAMPLE_TAIL);
        drawn |= kindset_of(cell_kind(game.at[at("e7")]));
    }
    assert_int_equal(drawn, kinds("captain colonel"));
    session_close(session);
}

/* The piece that was looked at, and another of which nothing is known, exchange their ranks. */
static void enemy_and_public_see_only_where_it_looked(void **state) {
    (void)state;
    static const char *const moves[] = {"e5@recognize:e6", "e5@look:e7"};
    for (int i = 0; i < 2; i++) {
        struct session *one = stand(i ? "scout" : "marshal", i ? "marshal" : "scout", "miner");
        struct session *other = stand(i ? "scout" : "miner", i ? "miner" : "scout", "marshal");
        play(one, moves[i]);
        play(other, moves[i]);
        char *first = told(one, ONLOOKER_PUBLIC), *second = told(other, ONLOOKER_PUBLIC);
        assert_string_equal(first, second);
        assert_non_null(strstr(first, "\"type\":\"learn\",\"side\":\"red\""));
        assert_null(strstr(first, "kinds"));
        free(first);
        free(second);
        expect_told(one, ONLOOKER_BLUE, "kinds", false);
        expect_told(one, ONLOOKER_BLUE, "\"type\":\"learn\"", true);
        session_close(one);
        session_close(other);
    }
}

static void the_owner_knows_which_kind_the_enemy_has_learned(void **state) {
    (void)state;
    struct session *session = stand("marshal", "miner", "scout");
    play(session, "e5@look:e7");
    play(session, "e7-f7");
    assert_false(seen(session, BLUE, "f7")->shown);
    play(session, "e5@recognize:e6");
    assert_true(seen(session, BLUE, "e6")->shown);
    session_close(session);
}

static void a_battle_makes_a_secret_public(void **state) {
    (void)state;
    struct session *session = stand("marshal", "miner", "scout");
    play(session, "e5@recognize:e6");
    expect_told(session, ONLOOKER_PUBLIC, "bM", false);
    play(session, "e6xe5");
    expect_told(session, ONLOOKER_PUBLIC, "bM", true);
    session_close(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_knows_the_kind_that_its_piece_has_learned),
        cmocka_unit_test(a_question_narrows_what_a_piece_may_be),
        cmocka_unit_test(samples_fit_what_was_learned),
        cmocka_unit_test(enemy_and_public_see_only_where_it_looked),
        cmocka_unit_test(the_owner_knows_which_kind_the_enemy_has_learned),
        cmocka_unit_test(a_battle_makes_a_secret_public),
    };
    return cmocka_run_group_tests_name("learn", tests, load, drop);
}
