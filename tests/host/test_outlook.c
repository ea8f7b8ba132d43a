/* What each onlooker knows: positions, events, and the move that events tell. */
#include "host/seat/outlook.h"

#include "core/text/notation.h"
#include "host/session.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct session *open_at(const struct rules *rules, const char *text) {
    static struct position position;
    struct fault fault = {0};
    if (!position_read(rules, text, strlen(text), &position, &fault)) fail_msg("%s", fault.text);
    const struct session_options options = {.rules = rules, .position = &position};
    struct session *session = session_open(&options, &fault);
    assert_non_null(session);
    return session;
}

static void play(struct session *session, const char *move) {
    struct fault fault = {0};
    if (!session_play_text(session, move, strlen(move), NULL, &fault)) fail_msg("%s", fault.text);
}

static void expect_position(const struct session *session, enum onlooker onlooker,
                            const char *expected) {
    char text[POSITION_TEXT_MAX];
    const struct outlook outlook = outlook_of(onlooker, &session->eyes);
    const size_t length = outlook_position(&outlook, text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

#define NOTHING "........../........../........../"

static void each_onlooker_sees_the_kinds_that_it_knows(void **state) {
    (void)state;
    struct session *session = open_at(
        duel, "bF.......b3./........../........../........../rM........./bS........./" NOTHING
              "rFr2........ red");
    expect_position(session, ONLOOKER_RED,
                    "b?.......b?./........../........../........../rM........./b?........./" NOTHING
                    "rFr2........ red");
    expect_position(session, ONLOOKER_BLUE,
                    "bF.......b3./........../........../........../r?........./bS........./" NOTHING
                    "r?r?........ red");
    expect_position(session, ONLOOKER_PUBLIC,
                    "b?.......b?./........../........../........../r?........./b?........./" NOTHING
                    "r?r?........ red");
    expect_position(session, ONLOOKER_ALL,
                    "bF.......b3./........../........../........../rM........./bS........./" NOTHING
                    "rFr2........ red");
    /* The winner of the battle is known to all from now on. */
    play(session, "a6xa5");
    expect_position(session, ONLOOKER_PUBLIC,
                    "b?.......b?./........../........../........../........../rM........./" NOTHING
                    "r?r?........ blue");
    session_close(session);
}

static void in_fog_the_public_sees_no_square(void **state) {
    (void)state;
    struct rules *fog = support_rules("variants/examples/fog.lua");
    struct session *session = open_at(
        fog, "bF.......b3./........../........../........../rM........./bS........./" NOTHING
             "rFr3........ red");
    char text[POSITION_TEXT_MAX];
    const struct outlook outlook = outlook_of(ONLOOKER_PUBLIC, &session->eyes);
    outlook_position(&outlook, text);
    assert_null(strpbrk(text, "MFS23"));
    assert_null(strstr(text, "r?"));
    char seen[POSITION_TEXT_MAX];
    const struct outlook red = outlook_of(ONLOOKER_RED, &session->eyes);
    outlook_position(&red, seen);
    for (char *at = seen; *at; at++) /* "??/" is a trigraph */
        if (*at == '?') *at = '_';
    assert_string_equal(seen, "__________/__________/._________/..________/rM...__..__/b_...__..__/"
                              "._________/..________/..._______/rFr3..______ red");
    play(session, "a6xa5");
    struct events events;
    outlook_events(&outlook, &events);
    assert_int_equal(events.list[0].type, EVENT_BATTLE);
    assert_int_equal(events.seen, 0);
    /* Where a piece steps is nobody's business but its side's and those who see it. */
    play(session, "i10-i9");
    outlook_events(&outlook, &events);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.list[0].type, EVENT_MOVE);
    assert_int_equal(events.list[0].from, SQUARE_NONE);
    assert_int_equal(events.list[0].to, SQUARE_NONE);
    session_close(session);
    rules_free(fog);
}

enum { PLIES = 60 };

/* A random game; calls `check` after each turn with everything that happened in it. */
static void play_random(const struct rules *rules, uint64_t seed,
                        void (*check)(const struct session *before, struct move move,
                                      const struct session *session, const struct events *all)) {
    static struct session before;
    static struct ply history[PLIES + 2];
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    const struct session_options options = {.rules = rules, .plies = PLIES};
    struct fault fault = {0};
    struct session *session = session_open(&options, &fault);
    for (int side = RED; side <= BLUE; side++) {
        struct setup setup;
        assert_true(setup_random(rules, RED, &random, &setup, &fault));
        assert_true(session_take_setup(session, (enum side)side, &setup, &fault));
    }
    while (!session->over) {
        size_t count;
        const struct move *moves = session_moves(session, &count, &fault);
        const struct move move = moves[random_below(&random, (uint32_t)count)];
        struct game copy = session->game;
        struct events all = {0};
        before = *session;
        memcpy(history, copy.plies, copy.ply_count * sizeof *history);
        copy.plies = history;
        game_play(&copy, move, &all);
        assert_true(session_play(session, move, NULL, &fault));
        check(&before, move, session, &all);
    }
    session_close(session);
}

static void expect_whole_events(const struct session *before, struct move move,
                                const struct session *session, const struct events *all) {
    struct events events;
    const struct outlook outlook = outlook_of(ONLOOKER_ALL, &session->eyes);
    (void)before, (void)move;
    outlook_events(&outlook, &events);
    assert_int_equal(events.count, all->count);
    /* Each once; events that only one side was told of have no order. */
    for (int i = 0; i < all->count; i++) {
        int k = 0;
        while (k < events.count &&
               memcmp(&events.list[k], &all->list[i], sizeof events.list[k]) != 0)
            k++;
        assert_true(k < events.count);
        memset(&events.list[k], 255, sizeof events.list[k]);
    }
}

static void both_sides_together_know_all_events(void **state) {
    (void)state;
    static const char *const variants[] = {"duel", "variants/examples/fog.lua",
                                           "variants/examples/rescue.lua",
                                           "tests/data/upheaval_in_fog.lua"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct rules *rules = support_rules(variants[i]);
        for (uint64_t seed = 1; seed <= 40; seed++) play_random(rules, seed, expect_whole_events);
        rules_free(rules);
    }
}

static void expect_same_move(const struct session *before, struct move move,
                             const struct session *session, const struct events *all) {
    const struct rules *rules = session->game.rules;
    struct move made;
    bool attack, used = false;
    for (int i = 0; i < all->count; i++) used = used || all->list[i].type == EVENT_ABILITY;
    assert_true(move_of_turn(rules, all, &made, &attack));
    assert_int_equal(made.from, move.from);
    assert_int_equal(made.to, move.to);
    assert_int_equal(attack, move.to != move.from && before->game.at[move.to] != CELL_EMPTY);
    /* The ability of an attacker that fell was not used, and nobody is told of it. */
    assert_int_equal(made.ability != ABILITY_NONE, used);
    if (!used) return;
    assert_int_equal(made.target, move.target);
    assert_int_equal(made.choice, move.choice);
    assert_true(tally_same(rules->ability[made.ability].tally, rules->ability[move.ability].tally));
}

static void the_events_of_a_turn_tell_its_move(void **state) {
    (void)state;
    static const char *const variants[] = {"original",
                                           "infiltrator",
                                           "galaxy",
                                           "lightning",
                                           "variants/examples/rescue.lua",
                                           "variants/examples/airborne.lua"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct rules *rules = support_rules(variants[i]);
        for (uint64_t seed = 1; seed <= 20; seed++) play_random(rules, seed, expect_same_move);
        rules_free(rules);
    }
}

static void an_end_without_a_move_tells_none(void **state) {
    (void)state;
    struct session *session =
        open_at(duel, "bF.......b3./" NOTHING NOTHING "........../........../rFr2........ red");
    struct move move;
    bool attack;
    session_stop(session, RESULT_DRAW, REASON_AGREED);
    assert_false(move_of_turn(duel, &session->eyes.told[RED], &move, &attack));
    session_close(session);
}

static void onlookers_have_names(void **state) {
    (void)state;
    for (int onlooker = 0; onlooker < ONLOOKERS; onlooker++)
        assert_int_equal(onlooker_named(onlooker_name((enum onlooker)onlooker)), onlooker);
    assert_int_equal(onlooker_named("green"), ONLOOKERS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_onlooker_sees_the_kinds_that_it_knows),
        cmocka_unit_test(in_fog_the_public_sees_no_square),
        cmocka_unit_test(both_sides_together_know_all_events),
        cmocka_unit_test(the_events_of_a_turn_tell_its_move),
        cmocka_unit_test(an_end_without_a_move_tells_none),
        cmocka_unit_test(onlookers_have_names),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
