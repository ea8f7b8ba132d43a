/* test_game_screen.c - games on a screen in memory: keys go in, the display is checked. */
#include "cli/screen/game_screen.h"
#include "core/text/layout.h"
#include "screen_memory.h"
#include "variant/variant.h"

#include <locale.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char RED_SETUP[] = "22222X2333/3344445555/6666777889/MS2FBBBBBB";
static const char BLUE_SETUP[] = "2222222333/3344445555/6666777889/MSXFBBBBBB";

static struct folders folders;
static struct rules *rules;
static struct screen screen;
static struct memory memory;
static struct pace pace;        /* of the next game; 0: no clock */
static enum eyes_of eyes;       /* of the next game that is watched */
static struct printed *printed; /* in the next game; NULL: nothing */

/* A player that answers with these moves one after the other, and then resigns. */
struct puppet {
    const char *moves;
    struct player player;
    bool accepts;
};

static bool puppet_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    (void)self;
    return setup_read(view->rules, RED, BLUE_SETUP, strlen(BLUE_SETUP), setup, fault);
}

static bool puppet_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    (void)view, (void)moves, (void)count, (void)fault;
    struct puppet *puppet = self;
    int used = 0;
    answer->type = ANSWER_TEXT;
    if (sscanf(puppet->moves, "%95s%n", answer->text, &used) != 1) answer->type = ANSWER_RESIGN;
    if (!strcmp(answer->text, "draw")) answer->type = ANSWER_DRAW;
    puppet->moves += used;
    return true;
}

static void puppet_refused(void *self, enum verdict verdict, const struct fault *why) {
    (void)verdict;
    (void)self, (void)why;
}

static bool puppet_accepts(void *self, const struct view *view) {
    (void)view;
    return ((struct puppet *)self)->accepts;
}

static struct player *puppet(struct puppet *puppet, const char *moves) {
    puppet->moves = moves;
    puppet->player = (struct player){.name = "puppet",
                                     .self = puppet,
                                     .setup = puppet_setup,
                                     .move = puppet_move,
                                     .refused = puppet_refused,
                                     .accepts_draw = puppet_accepts};
    return &puppet->player;
}

static void load(const char *name) {
    struct fault fault = {0};
    rules_free(rules);
    rules = variant_load(&folders, name, &fault);
    assert_non_null(rules);
}

static int start(void **state) {
    (void)state;
    struct fault fault = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    return folders_find(&folders, &fault) ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    rules_free(rules);
    rules = NULL;
    return 0;
}

static _Atomic int64_t test_time = 1000;

static int64_t test_now(void) {
    return test_time;
}

static void ten_minutes_pass(struct screen *shown) {
    (void)shown;
    test_time += 10 * 60000;
}

/* Plays a game of these players; NULL are people. */
static struct referee_report play_at(struct game_screen_options options, struct player *red,
                                     struct player *blue, const struct setup *red_setup,
                                     const struct setup *blue_setup) {
    struct fault fault = {0};
    struct table table;
    const struct table_options terms = {
        .rules = rules,
        .ready = {red, blue},
        .has_clock = pace.ms > 0,
        .clock = {{pace.ms, pace.ms}, pace.increment},
        .game = {.setups = {red_setup, blue_setup}, .pace = pace, .names = {"red", "blue"}}};
    table_init(&table);
    assert_true(table_open(&table, &terms, &fault));
    if (pace.ms) table.watch.now = test_now;
    options.table = &table;
    assert_true(game_screen_play(&screen, &options, &fault));
    assert_true(referee_seal(&table.referee, &fault));
    const struct referee_report report = table.referee.report;
    table_close(&table);
    return report;
}

/* Plays a game with these set-ups; players NULL are people. */
static struct referee_report play_from(const char *red_setup, const char *blue_setup, int rows,
                                       int columns, struct player *red, struct player *blue,
                                       const struct memory_step *steps) {
    struct setup setups[2];
    struct fault fault = {0};
    assert_true(setup_read(rules, RED, red_setup, strlen(red_setup), &setups[RED], &fault));
    assert_true(setup_read(rules, RED, blue_setup, strlen(blue_setup), &setups[BLUE], &fault));
    const struct game_screen_options options = {
        .pause_ms = &(int){0},
        .looks = &(struct game_screen_looks){true, true, eyes},
        .printed = printed,
        .names = {red ? "puppet" : "human", blue ? "puppet" : "human"}};
    screen_memory_open(&screen, &memory, rows, columns, steps);
    struct referee_report report = play_at(options, red, blue, &setups[RED], &setups[BLUE]);
    screen_close(&screen);
    return report;
}

/* The same as play_from() with a clock of 15 minutes and 1 minute for each move. */
static struct referee_report play_clocked(struct player *red, struct player *blue,
                                          const struct memory_step *steps) {
    pace = (struct pace){15 * 60000, 60000};
    load("infiltrator");
    struct referee_report report = play_from(RED_SETUP, BLUE_SETUP, 24, 80, red, blue, steps);
    pace = (struct pace){0, 0};
    return report;
}

/* The same with set-ups of infiltrator. */
static struct referee_report play(int rows, int columns, struct player *red, struct player *blue,
                                  const struct memory_step *steps) {
    return play_from(RED_SETUP, BLUE_SETUP, rows, columns, red, blue, steps);
}

static struct referee_report play_bot(int rows, int columns, const char *moves,
                                      const struct memory_step *steps) {
    struct puppet blue = {0};
    load("infiltrator");
    return play(rows, columns, NULL, puppet(&blue, moves), steps);
}

static void expect_style(struct screen *shown, const char *text, enum screen_style style) {
    int row, column;
    if (!screen_memory_find(shown, text, &row, &column))
        fail_msg("no \"%s\" in:\n%s", text, screen_memory_text(shown));
    assert_int_equal(screen_cell(shown, row, column + 1)->style, style);
}

static void look_at_targets(struct screen *shown) {
    int row, column;
    assert_true(screen_memory_find(shown, "+  ", &row, &column)); /* e5 is free */
    assert_int_equal(screen_cell(shown, row, column)->style, STYLE_TARGET);
}

static void a_move_is_made_with_the_cursor(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "<Enter>", NULL},
                                        {"Esc put down", "<Up>", look_at_targets},
                                        {"e5: free", "<Enter>", NULL},
                                        {"1. e4-e5     e7-e6", NULL, NULL},
                                        {"2. red to move", "q", NULL},
                                        {"Leave this game?", "<Up><Enter>", NULL},
                                        {0}};
    struct referee_report report = play_bot(24, 80, "e7-e6 j7-j6", steps);
    assert_int_equal(report.plies, 2);
    assert_int_equal(report.reason, REASON_UNFINISHED);
}

static void a_move_is_made_with_the_mouse(void **state) {
    (void)state;
    /* squares of 5 by 2 cells from row 1 and column 2 on: a4 on row 13, a5 on row 11 */
    const struct memory_step steps[] = {{"1. red to move", "<@13,3><@11,4>", NULL},
                                        {"1. a4-a5     e7-e6", NULL, NULL},
                                        {"2. red to move", "q", NULL},
                                        {"Leave this game?", "<Up><Enter>", NULL},
                                        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 2);
}

static void tab_leads_from_piece_to_piece_and_from_target_to_target(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "<Tab>", NULL},
                                        {"f4: Red", "<Enter><Tab>", NULL},
                                        {"f5: free", "<Enter>", NULL},
                                        {"1. f4-f5", "<Hangup>", NULL},
                                        {0}};
    assert_true(play_bot(24, 80, "e7-e6", steps).plies > 0);
}

static void a_move_is_typed(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", ":a4 a5<Enter>", NULL},
                                        {"1. a4-a5     e7-e6", NULL, NULL},
                                        {"2. red to move", ":nonsense<Enter>", NULL},
                                        {"\"nonsense\" is not a move.", ":e4<Enter>", NULL},
                                        {"\"e4\" is one square. A move has two, from and to, such "
                                         "as a4-a5.",
                                         ":a5-k9<Enter>", NULL},
                                        {"expected a square from a1 to j10", "<Esc>", NULL},
                                        {"2. red to move", "<Hangup>", NULL},
                                        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 2);
}

static void a_battle_is_told_and_counted(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", ":a4xa7<Enter>", NULL},
        {"Red a4xa7: Scout attacks and falls, Miner stays. Blue e7-e6.", NULL, NULL},
        {"2   1/7 0/7", "<Hangup>", NULL},
        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 2);
}

static void look_at_the_battle(struct screen *shown) {
    int row, column;
    assert_true(screen_memory_find(shown, "x( 3)", &row, &column));
    assert_int_equal(screen_cell(shown, row, column)->style, STYLE_BATTLE);
}

static void the_winner_of_a_battle_is_marked(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", ":a4-a5<Enter>", NULL}, {"1. a4-a5     a7-a6", NULL, NULL},
        {"2. red to move", ":e4-e5<Enter>", NULL}, {"2. e4-e5     a6xa5", NULL, look_at_the_battle},
        {"3. red to move", "<Hangup>", NULL},      {0}};
    assert_int_equal(play_bot(24, 80, "a7-a6 a6xa5", steps).plies, 4);
}

static void a_typed_move_means_what_it_says(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", ":a4xa5<Enter>", NULL},
        {"a4xa5: no enemy on a5; to move there type a4-a5", ":a4-a7<Enter>", NULL},
        {"a4-a7: an enemy stands on a7; to attack it type a4xa7", ":a4a7<Enter>", NULL},
        {"1. a4xa7     e7-e6", "<Hangup>", NULL},
        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 2);
}

static void a_forbidden_move_says_why(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", "<Enter><Right><Up><Up><Enter>", NULL},
        {"e4-f6: Not legal (movement)", "<Esc>:c4-c5<Enter>", NULL},
        {"c4-c5: Not legal (lake)", ":c4-c9<Enter>", NULL},
        {"c4-c9: Not legal (movement): the lake on c5 is in the way.", ":a4-a9<Enter>", NULL},
        {"a4-a9: Not legal (blocked): the piece on a7 is in the way.", ":d1-d2<Enter>", NULL},
        {"d1-d2: Not legal (immobile-kind)", "<Left><Left><Down><Down><Down><Down><Down><Enter>",
         NULL},
        {"The piece on d1 never moves.", "<Up><Up><Up><Up><Up><Up><Enter>", NULL},
        {"The piece on d7 is the enemy's.", "<Hangup>", NULL},
        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 0);
}

static void a_repetition_is_explained_by_the_moves_that_matter(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", ":a4-a5<Enter>", NULL}, {"1. a4-a5     e7-e6", NULL, NULL},
        {"2. red to move", ":a5-a4<Enter>", NULL}, {"2. a5-a4     f7-f6", NULL, NULL},
        {"3. red to move", ":a4-a5<Enter>", NULL}, {"3. a4-a5     i7-i6", NULL, NULL},
        {"4. red to move", ":a5-a4<Enter>", NULL}, {"a5-a4", "<Esc>", NULL},
        {"4. red to move", "<Hangup>", NULL},      {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6 f7-f6 i7-i6", steps).plies, 6);
}

static void a_sabotage_asks_for_the_guess_in_a_list(void **state) {
    (void)state;
    /* the saboteur walks to e7, then aims at e8 */
    const struct memory_step steps[] = {{"1. red to move", ":f4-f5<Enter>", NULL},
                                        {"1. f4-f5     e7-e6", NULL, NULL},
                                        {"2. red to move", ":f5-f6<Enter>", NULL},
                                        {"2. f5-f6     e6-e5", NULL, NULL},
                                        {"3. red to move", ":f6-e6<Enter>", NULL},
                                        {"3. f6-e6     j7-j6", NULL, NULL},
                                        {"4. red to move", ":e6-e7<Enter>", NULL},
                                        {"4. e6-e7     i7-i6", NULL, NULL},
                                        {"5. red to move", ":e7@e8<Enter>", NULL},
                                        {"What stands on e8?", "<Esc>", NULL},
                                        {"5. red to move", ":e7@e4=4<Enter>", NULL},
                                        {"Not legal (ability)", "<Esc><Up><Up><Up><Enter>", NULL},
                                        {"@(##)", "<Up><Enter>", NULL},
                                        {"> stay on e7: sabotage", "<Enter>", NULL},
                                        {"What stands on e8?", "s", NULL},
                                        {"> S  Spy", "1", NULL},
                                        {"> 1  Saboteur", "0", NULL},
                                        {"> 10  Marshal", "bo", NULL},
                                        {"> B  Bomb", "й", NULL},
                                        {"5. red to move", ":e7@e8<Enter>", NULL},
                                        {"What stands on e8?", "serg", NULL},
                                        {"> 4  Sergeant", "<Enter>", NULL},
                                        {"Sergeant on e8 is removed.", "<Hangup>", NULL},
                                        {0}};
    struct referee_report report = play_bot(24, 80, "e7-e6 e6-e5 j7-j6 i7-i6 j6-j5", steps);
    assert_true(report.plies >= 9);
}

static void the_screen_follows_its_size_in_the_middle_of_a_game(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "<=40,120>", NULL},
                                        {"┌────┐ ┌────┐", "<=60,140>", NULL},
                                        {"│ Scout  │", "<=20,60>", NULL},
                                        {"Red has lost: -", "<=10,30>", NULL},
                                        {"The window is too small: this", "<=24,80>", NULL},
                                        {" └──┘ └──┘", ":a4-a5<Enter>", NULL},
                                        {"1. a4-a5     e7-e6", "<Hangup>", NULL},
                                        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).plies, 2);
}

static void a_narrow_window_tells_whole_keys_and_always_help_and_the_way_out(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"d draw r resign ? help q leave\n", "<=24,76>", NULL},
        {"u take back d draw ? help q leave\n", "<=24,60>", NULL},
        {"\nEnter pick up : type i hint m mark d draw ? help q leave\n", "<=15,42>", NULL},
        {"\nEnter pick up : type i hint ? help q leave\n", "<=15,14>", NULL},
        {"The window is\n", NULL, NULL},
        {"\n? help q leave\n", "<Hangup>", NULL},
        {0}};
    play_bot(24, 77, "e7-e6", steps);
}

static void keys_do_no_harm_in_a_window_that_is_too_small(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", "<=3,9><Up><Enter><Tab>?<Esc>:<Esc><@1,1>+-i<=1,1><Enter>", NULL},
        {NULL, "<=24,80>", NULL},
        {"red to move", "<Hangup>", NULL},
        {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).reason, REASON_UNFINISHED);
}

static void resigning_asks_first(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "r", NULL},
                                        {"> go on playing", "<Enter>", NULL},
                                        {"1. red to move", "rr", NULL},
                                        {"> go on playing", "<Enter>", NULL},
                                        {"1. red to move", "r<Up><Enter>", NULL},
                                        {0}};
    struct referee_report report = play_bot(24, 80, "e7-e6", steps);
    assert_int_equal(report.reason, REASON_RESIGNED);
    assert_int_equal(report.result, RESULT_BLUE);
}

static void a_draw_is_offered_and_declined(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"1. red to move", "d<Up><Enter>", NULL}, {"the draw was declined", "<Hangup>", NULL}, {0}};
    assert_int_equal(play_bot(24, 80, "e7-e6", steps).reason, REASON_UNFINISHED);
}

static void an_offered_draw_is_accepted(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", ":a4-a5<Enter>", NULL},
                                        {"Blue offers a draw.", "<Up><Enter>", NULL},
                                        {0}};
    struct referee_report report = play_bot(24, 80, "draw e7-e6", steps);
    assert_int_equal(report.reason, REASON_AGREED);
}

static void help_holds_the_rules_of_the_variant(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "?", NULL},
                                        {"Your turn", "<PageDown><PageDown>", NULL},
                                        {"Army, pieces a side: 40", "<End>", NULL},
                                        {"Draw after 4000 plies", "<Esc>", NULL},
                                        {"1. red to move", "<Hangup>", NULL},
                                        {0}};
    play_bot(24, 80, "", steps);
}

static void look_at_a_back(struct screen *shown) {
    expect_style(shown, "(##)", STYLE_BLUE_BACK);
    assert_null(strstr(screen_memory_text(shown), "(10)"));
}

static void the_panel_tells_what_a_piece_may_be(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", "<Up><Up><Up>", look_at_a_back},
                                        {"e7: Blue, has never moved;", ":a4-a5<Enter>", NULL},
                                        {"2. red to move", NULL, NULL},
                                        {"e7: free", "<Down>", NULL},
                                        {"has moved; may be 10 9 8", "<Hangup>", NULL},
                                        {0}};
    play_bot(24, 120, "e7-e6", steps);
}

static void look_for_labels_alone(struct screen *shown) {
    assert_non_null(strstr(screen_memory_text(shown), "10   0/1 0/1 "));
    assert_null(strstr(screen_memory_text(shown), "Spy"));
    assert_null(strstr(screen_memory_text(shown), "…"));
}

static void look_for_names(struct screen *shown) {
    assert_non_null(strstr(screen_memory_text(shown), "10 Marshal "));
    assert_null(strstr(screen_memory_text(shown), "…"));
}

static void the_fallen_are_named_where_every_name_fits(void **state) {
    (void)state;
    static const char quick[] = "FBBS2233/9M....../........";
    struct puppet blue = {0};
    play_bot(24, 90, "",
             (const struct memory_step[]){{"1. red to move", NULL, look_for_labels_alone},
                                          {NULL, "<=34,90><Up>", NULL},
                                          {"e5: free", "<Hangup>", look_for_names},
                                          {0}});
    load("quick");
    play_from(quick, quick, 24, 80, NULL, puppet(&blue, ""),
              (const struct memory_step[]){{"1. red to move", "<Hangup>", look_for_names}, {0}});
}

/* A bot that thinks until it is released. */
static sem_t thought;

static bool slow_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    while (sem_wait(&thought)) continue;
    return puppet_move(self, view, moves, count, answer, fault);
}

static void let_go_on(struct screen *shown) {
    (void)shown;
    sem_post(&thought);
}

static void the_screen_lives_while_a_bot_thinks(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"1. red to move", ":a4-a5<Enter>", NULL},
                                        {"puppet is thinking", "<=40,120><Up><Up><Up>", NULL},
                                        {"e7: Blue, has never moved", "?", NULL},
                                        {"Your turn", "<Esc>", let_go_on},
                                        {"2. red to move", "<Hangup>", NULL},
                                        {0}};
    struct puppet blue = {0};
    load("infiltrator");
    sem_init(&thought, 0, 0);
    puppet(&blue, "j7-j6")->move = slow_move;
    assert_int_equal(play(24, 80, NULL, &blue.player, steps).plies, 2);
    sem_destroy(&thought);
}

static void look_for_no_rank(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    assert_null(strstr(text, "["));
    assert_null(strstr(text, "("));
    assert_null(strstr(text, "10"));
}

static void look_as_blue(struct screen *shown) {
    expect_style(shown, "( 2)", STYLE_BLUE_PIECE);
    assert_null(strstr(screen_memory_text(shown), "[ 2]"));
}

static void the_screen_is_covered_when_the_keyboard_changes_hands(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"Red's turn.", "<Enter>", look_for_no_rank},
        {"1. red to move", ":a4-a5<Enter>", NULL},
        {"Press Enter to pass the keyboard to blue.", "<Enter>", NULL},
        {"Blue's turn.", "xr <Up><Esc><@13,3>", look_for_no_rank},
        {"Enter show ? help q leave", "?", look_for_no_rank},
        {"Your turn", "<Esc>", NULL},
        {"Blue's turn.", "q", look_for_no_rank},
        {"Leave this game?", "<Enter>", look_for_no_rank},
        {"Blue's turn.", "<Enter>", look_for_no_rank},
        {"1. blue to move", "d<Up><Enter>", look_as_blue},
        {"Blue offers a draw. Does red accept it?", "<Esc>", look_for_no_rank},
        {"the draw was declined", NULL, NULL},
        {"1. blue to move", ":a7-a6<Enter>", NULL},
        {"Press Enter to pass the keyboard to red.", "<Hangup>", NULL},
        {0}};
    load("infiltrator");
    assert_int_equal(play(24, 80, NULL, NULL, steps).plies, 2);
}

static void a_game_is_left_from_the_covered_screen(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"Red's turn.", "q", NULL}, {"Leave this game?", "<Up><Enter>", look_for_no_rank}, {0}};
    load("infiltrator");
    assert_int_equal(play(24, 80, NULL, NULL, steps).result, RESULT_NONE);
}

static void look_at_both(struct screen *shown) {
    assert_non_null(strstr(screen_memory_text(shown), "(10)"));
    assert_non_null(strstr(screen_memory_text(shown), "[10]"));
}

static void look_at_red(struct screen *shown) {
    assert_null(strstr(screen_memory_text(shown), "(10)"));
    assert_non_null(strstr(screen_memory_text(shown), "[10]"));
}

static char *pictures; /* all that has been looked at */

static void keep_picture(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    size_t length = pictures ? strlen(pictures) : 0;
    pictures = realloc(pictures, length + strlen(text) + 1);
    assert_non_null(pictures);
    strcpy(pictures + length, text);
}

/* Blue's army of the tests and one that red cannot tell from it. */
static const char *const SAME_TO_RED[] = {"2222222333/3344445555/6666777889/MSXFBBBBBB",
                                          "2222222333/3344445555/6666777889/SXMBFBBBBB"};

static void the_past_of_ones_game_shows_nothing_that_the_enemy_hides(void **state) {
    (void)state;
    char *seen[2];
    load("infiltrator");
    for (int army = 0; army < 2; army++) {
        struct puppet blue = {0};
        const struct memory_step steps[] = {
            {"1. red to move", ":a4-a5<Enter>", NULL},
            {"2. red to move", "b", keep_picture},
            {"ply 1 of 2, red's view", "v", keep_picture},
            {"ply 1 of 2, red's view", ":j7-j6<Enter>", keep_picture},
            {"hidden in this view", "<Esc>", keep_picture},
            {"ply 1 of 2", "<End>", NULL},
            {"ply 2 of 2", "<Right>", keep_picture},
            {"2. red to move", "r<Up><Enter>", NULL},
            {0}};
        play_from(RED_SETUP, SAME_TO_RED[army], 24, 80, NULL, puppet(&blue, "e7-e6"), steps);
        seen[army] = pictures;
        pictures = NULL;
    }
    assert_string_equal(seen[0], seen[1]);
    free(seen[0]);
    free(seen[1]);
}

static void a_watched_game_in_one_sides_eyes_shows_that_side_only(void **state) {
    (void)state;
    char *seen[2];
    load("infiltrator");
    for (int army = 0; army < 2; army++) {
        struct puppet red = {0}, blue = {0};
        struct printed lines;
        printed_open(&lines);
        printed_add(&lines, RED, &(struct log_line){1, "move", "red thinks of 7"});
        printed_add(&lines, BLUE,
                    &(struct log_line){2, "move", army ? "the flag is on e10" : "it is on d10"});
        printed = &lines;
        eyes = EYES_RED;
        const struct memory_step steps[] = {{"1. paused, red's view", " ", keep_picture},
                                            {"red thinks of 7", NULL, NULL},
                                            {"1. paused", ":e7-e6<Enter>", keep_picture},
                                            {"hidden in this view", "<Esc>", keep_picture},
                                            {"1. paused", " ", keep_picture},
                                            {"2. paused", ":a5-a9<Enter>", keep_picture},
                                            {"Not legal", "<Esc>", keep_picture},
                                            {"2. paused", "b", keep_picture},
                                            {"ply 1 of 2, red's view", "<End>", keep_picture},
                                            {"ply 2 of 2", "q", keep_picture},
                                            {"2. paused", "q<Up><Enter>", NULL},
                                            {0}};
        play_from(RED_SETUP, SAME_TO_RED[army], 30, 80, puppet(&red, "a4-a5 b4-b5"),
                  puppet(&blue, "e7-e6 j7-j6"), steps);
        seen[army] = pictures;
        pictures = NULL;
        printed = NULL;
        eyes = EYES_BOTH;
        printed_close(&lines);
    }
    assert_string_equal(seen[0], seen[1]);
    free(seen[0]);
    free(seen[1]);
}

static void a_game_of_others_is_watched_step_by_step(void **state) {
    (void)state;
    struct puppet red = {0}, blue = {0};
    /* a pause of a minute, so that the first key comes before the first move */
    const struct memory_step steps[] = {{"one is thinking", "<Enter>", NULL},
                                        {"1. paused, uncovered", "v", look_at_both},
                                        {"1. paused, red's view", "<Enter>", look_at_red},
                                        {"1. a4-a5", NULL, NULL},
                                        {"1. paused", "<Enter>", NULL},
                                        {"1. a4-a5     e7-e6", NULL, NULL},
                                        {"2. paused", "+", NULL},
                                        {"Bots wait 2000 ms", "++++++p", NULL},
                                        {"never shown", NULL, NULL},
                                        {0}};
    load("infiltrator");
    struct setup setup;
    struct fault fault = {0};
    setup_read(rules, RED, RED_SETUP, strlen(RED_SETUP), &setup, &fault);
    const struct game_screen_options options = {.names = {"one", "two"},
                                                .pause_ms = &(int){GAME_PAUSE_MAX}};
    screen_memory_open(&screen, &memory, 24, 80, steps);
    struct referee_report report =
        play_at(options, puppet(&red, "a4-a5 b4-b5"), puppet(&blue, "e7-e6 j7-j6"), &setup, NULL);
    screen_close(&screen);
    assert_int_equal(report.plies, 4);
    assert_int_equal(report.reason, REASON_RESIGNED);
}

/* Two games that differ only in hidden ranks look the same until they are over. */
static char *played_with(const char *blue_setup) {
    static char *shown;
    struct puppet blue = {0};
    struct setup setups[2];
    struct fault fault = {0};
    assert_true(setup_read(rules, RED, RED_SETUP, strlen(RED_SETUP), &setups[RED], &fault));
    assert_true(setup_read(rules, RED, blue_setup, strlen(blue_setup), &setups[BLUE], &fault));
    const struct memory_step steps[] = {{"1. red to move", ":a4-a5<Enter>", NULL},
                                        {"1. a4-a5     e7-e6", NULL, NULL},
                                        {"2. red to move", "<Up><Up><Up>", NULL},
                                        {"e7: free", "<Up>", NULL},
                                        {"e8: Blue", "<Left><Left><Up>", NULL},
                                        {"c9: Blue", "<Hangup>", NULL},
                                        {0}};
    const struct game_screen_options options = {.pause_ms = &(int){0},
                                                .names = {"human", "puppet"}};
    screen_memory_open(&screen, &memory, 24, 80, steps);
    play_at(options, NULL, puppet(&blue, "e7-e6"), &setups[RED], &setups[BLUE]);
    shown = strdup(screen_memory_text(&screen));
    screen_close(&screen);
    return shown;
}

static void the_screen_does_not_depend_on_hidden_ranks(void **state) {
    (void)state;
    load("infiltrator");
    char *one = played_with(BLUE_SETUP);
    char *other = played_with("2222222333/BBBBBB5XMF/9887776666/5S55444433");
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void the_clock_stands_while_the_screen_is_covered(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"when only red can see", NULL, ten_minutes_pass},
        {"when only red can see", "<Enter>", NULL},
        {"1. red to move  [15:00] (15:00)", NULL, ten_minutes_pass},
        {NULL, ":", NULL},
        {"[5:00] (15:00)", "e4-e5<Enter>", NULL}, /* also behind a question */
        {"pass the keyboard to blue", NULL, ten_minutes_pass},
        {"[6:00] (15:00)", "<Enter>", NULL},
        {"when only blue can see", NULL, ten_minutes_pass},
        {NULL, "<Enter>", NULL},
        {"1. blue to move  [6:00] (15:00)", "q", NULL},
        {"Leave this game?", "<Up><Enter>", NULL},
        {0}};
    struct referee_report report = play_clocked(NULL, NULL, steps);
    assert_int_equal(report.plies, 1);
    assert_int_equal(report.reason, REASON_UNFINISHED);
}

static void whose_clock_runs_out_has_lost_whatever_is_on_the_screen(void **state) {
    (void)state;
    static const char *const keys[] = {"<Left>", "q", ":e4"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct puppet blue = {0};
        const struct memory_step steps[] = {{"1. red to move  [15:00] (15:00)", keys[i], NULL},
                                            {"15:00)", NULL, ten_minutes_pass},
                                            {NULL, "<Right>", NULL},
                                            {"[5:00] (15:00)", NULL, ten_minutes_pass},
                                            {NULL, "<Left>", NULL},
                                            {NULL, "<Esc>", NULL},
                                            {"the game is over before this", NULL, NULL},
                                            {0}};
        struct referee_report report = play_clocked(NULL, puppet(&blue, "e7-e6"), steps);
        assert_int_equal(report.result, RESULT_BLUE);
        assert_int_equal(report.reason, REASON_FORFEIT_TIME);
        assert_int_equal(screen.alarm, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_made_with_the_cursor),
        cmocka_unit_test(a_move_is_made_with_the_mouse),
        cmocka_unit_test(tab_leads_from_piece_to_piece_and_from_target_to_target),
        cmocka_unit_test(a_move_is_typed),
        cmocka_unit_test(a_battle_is_told_and_counted),
        cmocka_unit_test(the_winner_of_a_battle_is_marked),
        cmocka_unit_test(a_typed_move_means_what_it_says),
        cmocka_unit_test(a_forbidden_move_says_why),
        cmocka_unit_test(a_repetition_is_explained_by_the_moves_that_matter),
        cmocka_unit_test(a_sabotage_asks_for_the_guess_in_a_list),
        cmocka_unit_test(the_screen_follows_its_size_in_the_middle_of_a_game),
        cmocka_unit_test(a_narrow_window_tells_whole_keys_and_always_help_and_the_way_out),
        cmocka_unit_test(keys_do_no_harm_in_a_window_that_is_too_small),
        cmocka_unit_test(resigning_asks_first),
        cmocka_unit_test(a_draw_is_offered_and_declined),
        cmocka_unit_test(an_offered_draw_is_accepted),
        cmocka_unit_test(help_holds_the_rules_of_the_variant),
        cmocka_unit_test(the_fallen_are_named_where_every_name_fits),
        cmocka_unit_test(the_panel_tells_what_a_piece_may_be),
        cmocka_unit_test(the_screen_lives_while_a_bot_thinks),
        cmocka_unit_test(the_screen_is_covered_when_the_keyboard_changes_hands),
        cmocka_unit_test(a_game_is_left_from_the_covered_screen),
        cmocka_unit_test(the_past_of_ones_game_shows_nothing_that_the_enemy_hides),
        cmocka_unit_test(a_watched_game_in_one_sides_eyes_shows_that_side_only),
        cmocka_unit_test(a_game_of_others_is_watched_step_by_step),
        cmocka_unit_test(the_screen_does_not_depend_on_hidden_ranks),
        cmocka_unit_test(the_clock_stands_while_the_screen_is_covered),
        cmocka_unit_test(whose_clock_runs_out_has_lost_whatever_is_on_the_screen),
    };
    return cmocka_run_group_tests(tests, start, end);
}
