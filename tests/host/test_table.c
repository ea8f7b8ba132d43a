/* test_table.c - a game that people play: opened, opened again, and by the clock. */
#include "host/table/table.h"

#include "host/seat/outlook.h"
#include "host/setups/setup_pool.h"
#include "host/table/history.h"
#include "scripted.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct table table;
static struct setup setups[2];
static int64_t time_now;

/* What a listener heard: a letter for each time, 's' for the start and 't' for a turn, large where
 * the moves are repeated. */
static char heard[64];

static int64_t test_now(void) {
    return time_now;
}

static void hear(void *context, const struct session *session, bool again) {
    const size_t length = strlen(heard);
    (void)context;
    assert_true(length + 1 < sizeof heard);
    heard[length] = session->tellings ? (again ? 'T' : 't') : again ? 'S' : 's';
}

static int lay_out(void **state) {
    struct random random = random_stream(7, STREAM_RED_SETUP, 0);
    load_duel(state);
    for (int side = RED; side <= BLUE; side++)
        if (!setup_random(duel, RED, &random, &setups[side], NULL)) return -1;
    return 0;
}

static int sit(void **state) {
    (void)state;
    memset(heard, 0, sizeof heard);
    time_now = 5000;
    table_init(&table);
    table.client.hear = hear;
    return 0;
}

static int rise(void **state) {
    (void)state;
    table_close(&table);
    return 0;
}

static const struct chance chance = {{0}};

/* Between people, or the players that are given, each with ten seconds and two more a move. */
static struct table_options terms(struct player *red, struct player *blue) {
    return (struct table_options){.rules = duel,
                                  .ready = {red, blue},
                                  .chance = &chance,
                                  .has_clock = true,
                                  .clock = {{10000, 10000}, 2000},
                                  .game = {.setups = {&setups[RED], &setups[BLUE]}}};
}

static void step(void) {
    struct fault fault = {0};
    enum referee_step made;
    do made = referee_step(&table.referee, &fault);
    while (made == REFEREE_WENT_ON);
    if (made == REFEREE_FAILED) fail_msg("%s", fault.text);
}

static void begin(struct table_options options) {
    struct fault fault = {0};
    if (!table_open(&table, &options, &fault)) fail_msg("%s", fault.text);
    table.watch.now = test_now;
    step();
}

/* The side to move makes its first legal move. */
static void move_on(void) {
    struct session *session = table.referee.session;
    struct fault fault = {0};
    enum verdict verdict;
    size_t count;
    const struct move *moves = session_moves(session, &count, &fault);
    struct answer answer = {.type = ANSWER_MOVE, .move = moves[0]};
    assert_true(
        referee_take(&table.referee, (enum side)session->game.to_move, &answer, &verdict, &fault));
    step();
}

static void assert_left(int64_t red, int64_t blue) {
    const struct game_clock clock = stopwatch_look(&table.watch);
    assert_int_equal(clock.left[RED], red);
    assert_int_equal(clock.left[BLUE], blue);
}

static uint32_t plies(void) {
    return table.referee.session->game.ply_count;
}

/* Both sides' knowledge together. */
static void write_position(char out[POSITION_TEXT_MAX]) {
    const struct outlook outlook = outlook_of(ONLOOKER_ALL, &table.referee.session->eyes);
    outlook_position(&outlook, out);
}

static void moves_taken_back_are_heard_again_from_the_beginning(void **state) {
    (void)state;
    char text[2][POSITION_TEXT_MAX];
    begin(terms(NULL, NULL));
    for (int i = 0; i < 4; i++) {
        if (i == 2) write_position(text[0]);
        move_on();
    }
    assert_string_equal(heard, "stttt");
    assert_true(table_take_back(&table, 2, NULL));
    step();
    assert_string_equal(heard, "sttttSTTt");
    assert_int_equal(plies(), 2);
    write_position(text[1]);
    assert_string_equal(text[0], text[1]);
    assert_string_equal(record_tag(table.referee.session->record, TAKEBACK_TAG), "4 to 2");
    move_on();
    assert_int_equal(plies(), 3);
}

static void a_game_that_cannot_be_opened_again_stays_as_it_was(void **state) {
    (void)state;
    struct table_options options = terms(NULL, NULL);
    struct fault fault = {0};
    options.player[BLUE] = "nobody-has-this-name";
    options.bots = (struct player_options){
        .folders = support_folders(), .rules = duel, .limits = SANDBOX_DEFAULTS, .deadline = 1000};
    options.alone = true; /* its bot comes later */
    begin(options);
    move_on();
    const struct session *session = table.referee.session;
    const int thinks = stopwatch_side(&table.watch);
    assert_true(thinks >= 0);
    assert_false(table_open_again(&table, 1, &fault));
    assert_int_equal(stopwatch_side(&table.watch), thinks);
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_ptr_equal(table.referee.session, session);
    assert_int_equal(plies(), 1);
    assert_string_equal(heard, "st");
    move_on();
    assert_int_equal(plies(), 2);
}

static void the_clock_runs_from_the_start_for_the_side_that_is_to_answer(void **state) {
    (void)state;
    begin(terms(NULL, NULL));
    time_now += 3000;
    assert_left(7000, 10000);
    move_on();
    time_now += 1000;
    assert_left(9000, 9000);
    stopwatch_hold(&table.watch); /* the keyboard changes hands */
    time_now += 60000;
    stopwatch_go(&table.watch);
    move_on();
    assert_left(9000, 11000);
}

static void an_answer_that_comes_too_late_has_lost_instead(void **state) {
    (void)state;
    begin(terms(NULL, NULL));
    time_now += 10000;
    move_on();
    assert_int_equal(plies(), 0);
    assert_int_equal(table.referee.session->result, RESULT_BLUE);
    assert_int_equal(table.referee.session->reason, REASON_FORFEIT_TIME);
    struct fault fault = {0};
    assert_false(table_take_back(&table, 0, &fault)); /* there is no move */
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
}

static void no_move_is_taken_back_without_time_to_play_on(void **state) {
    (void)state;
    struct fault fault = {0};
    begin(terms(NULL, NULL));
    move_on();
    time_now += 10000;
    move_on();
    assert_int_equal(plies(), 1);
    assert_false(table_take_back(&table, 0, &fault));
    assert_string_equal(fault.text, "no time is left to play on");
}

/* What a player does while it thinks. */
static void (*meanwhile)(void);
static bool (*scripted_move)(void *self, const struct view *view, const struct move *moves,
                             size_t count, struct answer *answer, struct fault *fault);

static bool busy_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    meanwhile();
    return scripted_move(self, view, moves, count, answer, fault);
}

/* A game of a person against such a player, which is to move. */
static void play_busy(struct scripted *player, void (*does)(void)) {
    scripted_start(player, "busy", &setups[RED], 3);
    scripted_move = player->player.move;
    player->player.move = busy_move;
    meanwhile = does;
    begin(terms(&player->player, NULL));
}

static void think_long(void) {
    time_now += 10001;
}

static void a_players_move_that_comes_too_late_does_not_count(void **state) {
    (void)state;
    struct scripted player;
    play_busy(&player, think_long);
    assert_int_equal(plies(), 0);
    assert_int_equal(table.referee.session->result, RESULT_BLUE);
    assert_int_equal(table.referee.session->reason, REASON_FORFEIT_TIME);
    scripted_clear(&player);
}

static int interruptions;

static void interrupt(void) {
    atomic_store(&table.interrupted, interruptions++ < 2);
}

static void a_players_move_does_not_count_while_the_game_is_interrupted(void **state) {
    (void)state;
    struct scripted player;
    interruptions = 0;
    play_busy(&player, interrupt);
    assert_int_equal(interruptions, 3);
    assert_int_equal(plies(), 1);
    scripted_clear(&player);
}

static void no_player_is_opened_once_they_were_killed(void **state) {
    (void)state;
    struct table_options options = terms(NULL, NULL);
    struct fault fault = {0};
    options.player[RED] = "hunter";
    table_kill(&table);
    assert_false(table_open(&table, &options, &fault));
    assert_int_equal(fault.status, STATUS_KILLED);
}

int main(void) {
#define SEATED(test) cmocka_unit_test_setup_teardown(test, sit, rise)
    const struct CMUnitTest tests[] = {
        SEATED(moves_taken_back_are_heard_again_from_the_beginning),
        SEATED(a_game_that_cannot_be_opened_again_stays_as_it_was),
        SEATED(the_clock_runs_from_the_start_for_the_side_that_is_to_answer),
        SEATED(an_answer_that_comes_too_late_has_lost_instead),
        SEATED(no_move_is_taken_back_without_time_to_play_on),
        SEATED(a_players_move_that_comes_too_late_does_not_count),
        SEATED(a_players_move_does_not_count_while_the_game_is_interrupted),
        SEATED(no_player_is_opened_once_they_were_killed),
    };
    return cmocka_run_group_tests_name("host/table", tests, lay_out, drop_duel);
}
