/* Slots for the processes of bots: who gets them, and who is to give them back sooner. */
#include "serve/bot_slots.h"

#include "serve/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ALL = 6, OF_VISITOR = 2 };

/* A game that is woken for nothing. */
struct game {
    struct task task;
    struct bot_claim claim;
};

static enum task_result do_nothing(struct task *task) {
    (void)task;
    return TASK_IDLE;
}

static void begin(struct workers *workers, struct game *game, struct bot_share *share, int bots) {
    struct fault fault = {0};
    *game = (struct game){.task = {.run = do_nothing},
                          .claim = {.task = &game->task, .share = share, .bots = bots}};
    assert_true(task_begin(workers, &game->task, TASK_QUICK, &fault));
}

static void who_waits_for_its_own_hurries_nobody_else(void **state) {
    (void)state;
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct bot_slots *slots = bot_slots_open((struct slots_terms){ALL, OF_VISITOR});
    struct bot_share many = {0}, other = {0}, third = {0};
    struct game held, waiting, others, large;
    begin(workers, &held, &many, OF_VISITOR);
    begin(workers, &waiting, &many, 1);
    begin(workers, &others, &other, 1);
    begin(workers, &large, &third, ALL);
    assert_true(bot_slots_take(slots, &held.claim, true));
    assert_true(bot_slots_take(slots, &others.claim, true));
    assert_false(bot_slots_are_wanted(slots, &others.claim));
    assert_false(bot_slots_take(slots, &waiting.claim, true));
    assert_true(bot_slots_are_wanted(slots, &held.claim));
    assert_false(bot_slots_are_wanted(slots, &others.claim));
    assert_false(bot_slots_take(slots, &large.claim, true)); /* waits for everybody's */
    assert_true(bot_slots_are_wanted(slots, &others.claim));
    bot_slots_give(slots, &held.claim);
    assert_ptr_not_equal(waiting.claim.list, NULL);
    assert_int_equal(many.held, 1);
    bot_slots_give(slots, &waiting.claim);
    bot_slots_give(slots, &large.claim);
    bot_slots_give(slots, &others.claim);
    workers_close(workers);
    bot_slots_close(slots);
}

static void slots_go_with_a_game_to_another_visitor_and_make_room_for_the_first(void **state) {
    (void)state;
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct bot_slots *slots = bot_slots_open((struct slots_terms){ALL, OF_VISITOR});
    struct bot_share one = {0}, other = {0};
    struct game held, waiting;
    begin(workers, &held, &one, OF_VISITOR);
    begin(workers, &waiting, &one, 1);
    assert_true(bot_slots_take(slots, &held.claim, true));
    assert_false(bot_slots_take(slots, &waiting.claim, true));
    bot_slots_move(slots, &held.claim, &other);
    assert_int_equal(one.held, 1); /* of the game that waited */
    assert_int_equal(other.held, OF_VISITOR);
    bot_slots_give(slots, &held.claim);
    bot_slots_move(slots, &held.claim, &one);
    assert_int_equal(other.held, 0);
    assert_int_equal(one.held, 1);
    bot_slots_give(slots, &waiting.claim);
    workers_close(workers);
    bot_slots_close(slots);
}

static void studies_of_many_visitors_leave_most_slots_to_games_and_hurry_nobody(void **state) {
    (void)state;
    enum { MANY = 16, PART = MANY / 4 };
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct bot_slots *slots = bot_slots_open((struct slots_terms){MANY, OF_VISITOR});
    struct bot_share shares[MANY] = {0}, player = {0};
    struct game studies[MANY], games[MANY - PART];
    int held = 0;
    for (int i = 0; i < MANY; i++) { /* each of another address */
        begin(workers, &studies[i], &shares[i], 1);
        studies[i].claim.study = true;
        held += bot_slots_take(slots, &studies[i].claim, true);
    }
    assert_int_equal(held, PART);
    for (int i = 0; i < MANY - PART; i++) {
        begin(workers, &games[i], i ? NULL : &player, 1);
        assert_true(bot_slots_take(slots, &games[i].claim, true));
    }
    assert_false(bot_slots_are_wanted(slots, &games[0].claim));
    assert_false(bot_slots_are_owed(slots, &games[0].claim));
    bot_slots_give(slots, &studies[0].claim); /* to the next of them */
    assert_int_equal(shares[PART].held, 1);
    for (int i = 0; i < MANY; i++) bot_slots_give(slots, &studies[i].claim);
    for (int i = 0; i < MANY - PART; i++) bot_slots_give(slots, &games[i].claim);
    struct game large; /* alone it always fits */
    begin(workers, &large, &player, PART + 1);
    large.claim.study = true;
    assert_true(bot_slots_take(slots, &large.claim, true));
    bot_slots_give(slots, &large.claim);
    workers_close(workers);
    bot_slots_close(slots);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_its_own_hurries_nobody_else),
        cmocka_unit_test(studies_of_many_visitors_leave_most_slots_to_games_and_hurry_nobody),
        cmocka_unit_test(slots_go_with_a_game_to_another_visitor_and_make_room_for_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
