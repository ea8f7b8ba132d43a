/* Draw offers between people: nobody is held up by one, and the game goes on when it is taken back.
 */
#include "table.h"

#include "core/rules/rules.h"
#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL;
static const char MINUTE[] = "{'seconds':60}";

static struct house house;
static struct person ana, boris, eve;
static struct table table;

/* Red, Ana, is asked for a move after `count` moves of both, and has offered a draw. */
static void offer(int count) {
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    table = table_with_clock(&ana, &boris, "duel", MINUTE);
    table_begins(&ana, &boris, count);
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'draw','game':'%s','id':1}", table.game);
    person_awaits(&boris, "draw");
}

static void all_go(void) {
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void move_on(void) {
    person_answers(&ana);
    person_awaits(&boris, "move");
}

static void a_move_withdraws_the_offer_of_its_side(void **state) {
    (void)state;
    offer(1);
    move_on(); /* the question still stands */
    person_says(&boris, "{'type':'draw','game':'%s','accept':true}", table.game);
    person_is_refused(&boris, "not asked for an answer");
    person_says(&boris, "{'type':'view','game':'%s','id':2}", table.game);
    person_awaits(&boris, "view");
    assert_true(json_is_null(json_object_get(boris.message, "result")));
    all_go();
}

static void an_absent_player_is_asked_on_return_and_holds_nobody_up(void **state) {
    (void)state;
    offer(1);
    person_goes(&boris);
    person_comes(&boris, &house);
    person_says(&boris, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
    person_awaits(&boris, "draw"); /* again */
    person_goes(&boris);
    person_answers(&ana);
    person_awaits(&ana, "events");
    person_comes(&boris, &house);
    person_says(&boris, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
    do {
        person_hears(&boris);
        assert_string_not_equal(person_text(&boris, "type"), "draw");
    } while (strcmp(person_text(&boris, "type"), "move") != 0);
    all_go();
}

static void who_offered_comes_back_and_is_asked_for_the_move(void **state) {
    (void)state;
    offer(1);
    person_goes(&ana);
    person_comes(&ana, &house);
    person_says(&ana, "{'type':'sit','seat':'%s'}", table.seat[RED]);
    person_awaits(&ana, "move");
    person_says(&boris, "{'type':'draw','game':'%s','accept':false}", table.game);
    person_awaits(&ana, "refused");
    person_awaits(&ana, "move");
    move_on();
    all_go();
}

static void one_offer_a_turn_is_made_and_it_waits_for_its_answer(void **state) {
    (void)state;
    offer(1);
    person_says(&ana, "{'type':'draw','game':'%s','id':2}", table.game);
    person_awaits(&ana, "refused");
    assert_non_null(strstr(person_text(&ana, "message"), "waits for an answer"));
    person_says(&boris, "{'type':'draw','game':'%s','accept':false}", table.game);
    do person_awaits(&ana, "refused");
    while (!strstr(person_text(&ana, "message"), "the draw was declined"));
    person_awaits(&ana, "move");
    person_says(&ana, "{'type':'draw','game':'%s','id':3}", table.game);
    person_awaits(&ana, "refused");
    assert_non_null(strstr(person_text(&ana, "message"), "in this turn already"));
    person_awaits(&ana, "move");
    move_on();
    all_go();
}

static void an_offer_is_accepted_as_long_as_it_stands(void **state) {
    (void)state;
    offer(2);
    person_says(&boris, "{'type':'draw','game':'%s','accept':true,'ply':4}", table.game);
    person_awaits(&ana, "end");
    assert_string_equal(person_text(&ana, "reason"), "agreed");
    all_go();
}

static void a_side_may_resign_while_its_offer_stands(void **state) {
    (void)state;
    offer(1);
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&boris, "end");
    assert_string_equal(person_text(&boris, "result"), "blue");
    all_go();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_withdraws_the_offer_of_its_side),
        cmocka_unit_test(an_absent_player_is_asked_on_return_and_holds_nobody_up),
        cmocka_unit_test(who_offered_comes_back_and_is_asked_for_the_move),
        cmocka_unit_test(one_offer_a_turn_is_made_and_it_waits_for_its_answer),
        cmocka_unit_test(an_offer_is_accepted_as_long_as_it_stands),
        cmocka_unit_test(a_side_may_resign_while_its_offer_stands),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
