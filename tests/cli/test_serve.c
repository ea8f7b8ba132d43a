/* Games of `ensign serve --stdio`: seats, bots and programs, set-ups, draws, undo, spectators. */
#include "console.h"
#include "driver.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_record_verifies(struct driver *driver, const char *game) {
    char *record = driver_record(driver, game);
    const char *path = console_file(1, "game.rec", record);
    struct program_run run = PROGRAM("replay", "--verify", path);
    if (run.exit_code != 0) fail_msg("%s: %s%s", path, run.out, run.err);
    program_clear(&run);
    free(record);
}

static void a_client_plays_one_seat_both_or_none_and_the_record_verifies(void **state) {
    (void)state;
    static const char *const seats[] = {"'blue':'rookie'", "'red':'rookie'", "'red':'me'",
                                        "'red':'raider','blue':'rookie'"};
    struct driver driver;
    char game[16];
    DRIVER_OPEN(&driver, "-j", "2");
    for (int i = 0; i < 4; i++) {
        snprintf(game, sizeof game, "%d", i + 1);
        driver_say(&driver, "{'type':'new','variant':'duel','seed':%d,'limits':{'plies':60},%s}", i,
                   seats[i]);
        driver_play_until(&driver, "end");
        assert_string_equal(driver_text(&driver, "game"), game);
        assert_record_verifies(&driver, game);
    }
    assert_int_equal(driver_close(&driver), 0);
}

/* A game between two bots with these options; returns its record. */
static char *record_of_bots(const char *jobs, const char *trust) {
    struct driver driver;
    DRIVER_OPEN(&driver, "-j", jobs, trust);
    for (int i = 0; i < 6; i++)
        driver_say(&driver, "{'type':'new','variant':'duel','red':'%s','blue':'rookie','seed':%d}",
                   i % 2 ? "raider" : "rookie", i / 2 + 40);
    for (int i = 0; i < 6; i++) driver_await(&driver, "end");
    char *record = driver_record(&driver, "2"), *other = driver_record(&driver, "4");
    assert_string_not_equal(record, other);
    free(other);
    assert_int_equal(driver_close(&driver), 0);
    return record;
}

static void a_seed_gives_the_same_game_with_any_threads_in_and_outside_the_wall(void **state) {
    (void)state;
    char *first = record_of_bots("1", NULL), *second = record_of_bots("4", NULL),
         *third = record_of_bots("2", "--trust");
    assert_string_equal(first, second);
    assert_string_equal(first, third);
    free(first), free(second), free(third);
}

static void a_program_that_does_not_answer_holds_up_no_other_game(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, "-j", "1", "--deadline", "100000");
    for (int i = 0; i < 3; i++)
        driver_say(&driver,
                   "{'type':'new','variant':'duel','red':'%s','blue':'rookie','watch':'all'}",
                   driver_program("silent"));
    for (int i = 0; i < 3; i++) driver_await(&driver, "start");
    for (int i = 0; i < 5; i++)
        driver_say(&driver, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
    for (int i = 0; i < 5; i++) driver_await(&driver, "end");
    driver_say(&driver, "{'type':'list','what':'games','id':'now'}");
    driver_await(&driver, "list");
    assert_int_equal(json_array_size(json_object_get(driver.message, "list")), 8);
    assert_int_equal(driver_close(&driver), 0);
}

static void a_program_plays_a_client(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','red':'%s','names':{'red':'it'}}",
               driver_program("declines"));
    driver_play_until(&driver, "end");
    assert_null(json_object_get(driver.message, "message")); /* nobody forfeited */
    assert_record_verifies(&driver, "1");
    assert_int_equal(driver_close(&driver), 0);
}

static void set_ups_are_texts_names_or_chance_and_wrong_ones_are_asked_again(void **state) {
    (void)state;
    static const char ARMY[] = "M..2....../...9..2.../3.S......3/....BFB...";
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver,
               "{'type':'new','variant':'duel','red':'me','setups':{'red':'%s','blue':'random'}}",
               ARMY);
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'resign','game':'1','seat':'blue'}");
    driver_await(&driver, "end");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(driver.message, "setups"), "red")), ARMY);
    driver_say(&driver, "{'type':'new','variant':'duel','blue':'rookie'}");
    static const char *const wrong[] = {"M", "no-such-army", "M..2/"};
    for (int i = 0; i < 3; i++) {
        driver_await(&driver, "setup");
        driver_say(&driver, "{'type':'setup','game':'2','setup':'%s'}", wrong[i]);
        driver_await(&driver, "refused");
        assert_string_equal(driver_text(&driver, "seat"), "red");
    }
    driver_await(&driver, "setup");
    driver_say(&driver, "{'type':'setup','game':'2','setup':'%s','id':1}", ARMY);
    driver_await(&driver, "start");
    driver_await(&driver, "done");
    driver_say(&driver, "{'type':'setup','game':'2','setup':'%s'}", ARMY);
    driver_expect_error(&driver, "red is not asked for a set-up now");
    driver_say(&driver, "{'type':'new','variant':'duel','setups':{'blue':'no-such-army'}}");
    driver_expect_error(&driver, "in \"setups\", blue: ");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_declined_draw_is_told_and_the_question_comes_again(void **state) {
    (void)state;
    struct driver driver;
    const char *const opponents[] = {"rookie", driver_program("declines")};
    DRIVER_OPEN(&driver, NULL);
    for (int i = 0; i < 2; i++) {
        driver_say(&driver, "{'type':'new','variant':'duel','blue':'%s','setups':{'red':'random'}}",
                   opponents[i]);
        driver_await(&driver, "move");
        driver_say(&driver, "{'type':'draw','game':'%d','id':7}", i + 1);
        driver_await(&driver, "refused");
        assert_non_null(strstr(driver_text(&driver, "message"), "declined"));
        driver_await(&driver, "move");
        driver_say(&driver, "{'type':'draw','game':'%d'}", i + 1);
        driver_await(&driver, "refused");
        driver_await(&driver, "move");
        driver_answer(&driver, 0);
        driver_say(&driver, "{'type':'leave','game':'%d'}", i + 1);
        driver_await(&driver, "left");
    }
    assert_int_equal(driver_close(&driver), 0);
}

static void a_draw_is_agreed_with_a_program_from_either_side_and_between_clients(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','blue':'%s','setups':{'red':'random'}}",
               driver_program("accepts"));
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'draw','game':'1'}");
    driver_await(&driver, "end");
    assert_string_equal(driver_text(&driver, "reason"), "agreed");
    driver_say(&driver, "{'type':'new','variant':'duel','red':'%s','setups':{'blue':'random'}}",
               driver_program("offers"));
    driver_await(&driver, "draw");
    driver_say(&driver, "{'type':'draw','game':'2','accept':false}");
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'new','variant':'duel','red':'%s','setups':{'blue':'random'}}",
               driver_program("offers"));
    driver_await(&driver, "draw");
    driver_say(&driver, "{'type':'draw','game':'3','accept':true}");
    driver_await(&driver, "end");
    assert_string_equal(driver_text(&driver, "reason"), "agreed");
    driver_say(&driver,
               "{'type':'new','variant':'duel','setups':{'red':'random','blue':'random'}}");
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'draw','game':'4'}");
    driver_await(&driver, "draw");
    assert_string_equal(driver_text(&driver, "seat"), "blue");
    driver_say(&driver, "{'type':'draw','game':'4','accept':false}");
    driver_await(&driver, "refused");
    assert_string_equal(driver_text(&driver, "seat"), "red");
    driver_await(&driver, "move");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_program_that_offers_a_draw_does_not_pay_for_the_time_of_the_answer(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver,
               "{'type':'new','variant':'duel','red':'%s','setups':{'blue':'random'},"
               "'clock':{'seconds':1,'increment':1}}",
               driver_program("offers"));
    driver_await(&driver, "draw"); /* and no answer comes */
    driver_await(&driver, "end");
    assert_string_equal(driver_text(&driver, "reason"), "forfeit-time");
    assert_string_equal(driver_text(&driver, "result"), "red");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_side_resigns_out_of_turn_and_must_say_which_when_it_holds_both(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel'}");
    driver_await(&driver, "setup");
    driver_say(&driver, "{'type':'resign','game':'1'}");
    driver_expect_error(&driver, "expected \"red\" or \"blue\"");
    driver_say(&driver, "{'type':'resign','game':'1','seat':'blue'}");
    driver_await(&driver, "end");
    assert_string_equal(driver_text(&driver, "result"), "red");
    driver_say(&driver, "{'type':'resign','game':'1','seat':'blue'}");
    driver_expect_error(&driver, "not asked for a move");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_clock_that_runs_out_loses(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','blue':'rookie','clock':{'seconds':1},"
                        "'setups':{'red':'random'}}");
    driver_await(&driver, "move");
    driver_await(&driver, "end");
    assert_string_equal(driver_text(&driver, "reason"), "forfeit-time");
    assert_string_equal(driver_text(&driver, "result"), "blue");
    assert_record_verifies(&driver, "1");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_position_and_limits_are_played_from(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','limits':{'no_attack':0,'plies':3},"
                        "'position':'bF......../........../........../........../........../"
                        "........../........../........../........../rF........r9 blue'}");
    driver_expect_error(&driver, "in \"position\"");
    driver_say(&driver, "{'type':'new','variant':'duel','limits':{'no_attack':0,'plies':3},"
                        "'position':'bF........b9/........../........../........../........../"
                        "........../........../........../........../rF........r9 blue'}");
    driver_play_until(&driver, "end");
    assert_string_equal(driver_text(&driver, "reason"), "ply-limit");
    assert_record_verifies(&driver, "2");
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_plays_one_seat_both_or_none_and_the_record_verifies),
        cmocka_unit_test(a_seed_gives_the_same_game_with_any_threads_in_and_outside_the_wall),
        cmocka_unit_test(a_program_that_does_not_answer_holds_up_no_other_game),
        cmocka_unit_test(a_program_plays_a_client),
        cmocka_unit_test(set_ups_are_texts_names_or_chance_and_wrong_ones_are_asked_again),
        cmocka_unit_test(a_declined_draw_is_told_and_the_question_comes_again),
        cmocka_unit_test(a_draw_is_agreed_with_a_program_from_either_side_and_between_clients),
        cmocka_unit_test(a_program_that_offers_a_draw_does_not_pay_for_the_time_of_the_answer),
        cmocka_unit_test(a_side_resigns_out_of_turn_and_must_say_which_when_it_holds_both),
        cmocka_unit_test(a_clock_that_runs_out_loses),
        cmocka_unit_test(a_position_and_limits_are_played_from),
    };
    return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
