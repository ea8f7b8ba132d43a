/* The lines of the UCC protocol: writing them from views and events, and reading them. No
 * processes. */
#include "host/program/ucc_text.h"

#include "base/files.h"
#include "core/text/layout.h"
#include "support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;
static struct ucc_frame frame;

/* The set-ups of the contest's sample programs, as RED and as BLUE. */
static const char *const red_rows[] = {"FB8sB479B8", "BB31555583", "6724898974", "967B669999"};
static const char *const blue_rows[] = {"967B669999", "6724898974", "BB31555583", "FB8sB479B8"};

static int load(void **state) {
    (void)state;
    rules = support_rules("milton-bradley");
    frame = (struct ucc_frame){rules, RED};
    return 0;
}

static int unload(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static struct setup read_rows(const struct ucc_frame *seen, enum side side,
                              const char *const rows[4]) {
    struct setup setup = {0};
    struct fault fault = {0};
    for (int row = 0; row < UCC_ROWS; row++)
        if (!ucc_read_row(seen, side, row, rows[row], &setup, &fault)) fail_msg("%s", fault.text);
    return setup;
}

static void expect_setup(const struct setup *setup, const char *expected) {
    char text[SETUP_TEXT_MAX];
    setup_write(rules, RED, setup, text);
    assert_string_equal(text, expected);
}

/* The records of the contest have these two lines for the sample programs. */
static void setups_of_both_colours_are_turned_as_in_the_records(void **state) {
    (void)state;
    struct setup red = read_rows(&frame, RED, red_rows), blue = read_rows(&frame, BLUE, blue_rows);
    expect_setup(&red, "999966B769/4798984276/38555513BB/8B974BS8BF");
    expect_setup(&blue, "967B669999/6724898974/BB31555583/FB8SB479B8");
}

static void where_blue_begins_blue_is_the_protocols_red(void **state) {
    (void)state;
    struct ucc_frame other = {rules, BLUE};
    struct setup blue = read_rows(&other, BLUE, red_rows), red = read_rows(&other, RED, blue_rows);
    char text[UCC_TEXT_MAX];
    expect_setup(&blue, "999966B769/4798984276/38555513BB/8B974BS8BF");
    expect_setup(&red, "967B669999/6724898974/BB31555583/FB8SB479B8");
    ucc_write_greeting(&other, BLUE, "hunter", text);
    assert_string_equal(text, "RED hunter 10 10\n");
    ucc_write_greeting(&other, RED, "hunter", text);
    assert_string_equal(text, "BLUE hunter 10 10\n");
    for (int y = 0; y < UCC_SIZE; y++) {
        for (int x = 0; x < UCC_SIZE; x++) {
            assert_int_equal(ucc_square(&other, x, y),
                             board_turn(&rules->board, ucc_square(&frame, x, y)));
        }
    }
}

static void every_square_has_one_place_and_there_are_none_outside(void **state) {
    (void)state;
    squareset seen = 0;
    for (int y = 0; y < UCC_SIZE; y++)
        for (int x = 0; x < UCC_SIZE; x++) seen |= squareset_of(ucc_square(&frame, x, y));
    assert_int_equal(squareset_count(seen), 100);
    assert_int_equal(ucc_square(&frame, 0, 0), 9);  /* j1 */
    assert_int_equal(ucc_square(&frame, 9, 0), 0);  /* a1 */
    assert_int_equal(ucc_square(&frame, 0, 9), 99); /* j10 */
    assert_int_equal(ucc_square(&frame, 10, 0), SQUARE_NONE);
    assert_int_equal(ucc_square(&frame, 0, -1), SQUARE_NONE);
}

static void labels_go_by_the_kinds_name_whatever_its_letter_is(void **state) {
    (void)state;
    struct rules *original = support_rules("original");
    struct ucc_frame seen = {original, RED};
    struct setup setup = read_rows(&seen, RED, red_rows);
    char text[SETUP_TEXT_MAX];
    assert_true(setup_check(original, RED, &setup, NULL));
    setup_write(original, RED, &setup, text);
    assert_string_equal(text, "222255B452/7423237945/836666M8BB/3B247BS3BF");
    rules_free(original);
}

static void rows_that_are_no_rows_are_refused_with_the_row(void **state) {
    (void)state;
    struct setup setup = {0};
    struct fault fault = {0};
    assert_true(ucc_read_row(&frame, RED, 0, "  FB8sB479B8\t\r", &setup, &fault));
    assert_false(ucc_read_row(&frame, RED, 1, "FB8sB479B", &setup, &fault));
    assert_int_equal(fault.status, STATUS_SETUP);
    assert_non_null(strstr(fault.text, "row 2"));
    assert_false(ucc_read_row(&frame, RED, 0, "FB8sB479B88", &setup, &fault));
    assert_false(ucc_read_row(&frame, RED, 0, "FB8sB 79B8", &setup, &fault));
    assert_false(ucc_read_row(&frame, RED, 0, "FB8sB.79B8", &setup, &fault));
    assert_non_null(strstr(fault.text, "'.'"));
    assert_false(ucc_read_row(&frame, RED, 0, "", &setup, &fault));
}

static void expect_answer(const char *text, const char *from, const char *to, const char *echo) {
    struct ucc_answer answer;
    struct fault fault = {0};
    char at[SQUARE_TEXT_MAX];
    if (!ucc_read_answer(&frame, text, &answer, &fault)) fail_msg("%s", fault.text);
    assert_false(answer.surrenders);
    square_write(&rules->board, answer.from, at);
    assert_string_equal(at, from);
    square_write(&rules->board, answer.to, at);
    assert_string_equal(at, to);
    assert_string_equal(answer.echo, echo);
}

static void answers_are_read_with_any_blanks_and_keep_their_words(void **state) {
    (void)state;
    expect_answer("0 3 DOWN", "j4", "j5", "0 3 DOWN");
    expect_answer("9 6 UP", "a7", "a6", "9 6 UP");
    expect_answer("4 4 LEFT", "f5", "g5", "4 4 LEFT");
    expect_answer("4 4 RIGHT", "f5", "e5", "4 4 RIGHT");
    expect_answer("0 3 DOWN 3", "j4", "j7", "0 3 DOWN 3");
    expect_answer(" \t0  3 \tDOWN  1\r", "j4", "j5", "0 3 DOWN 1");
}

static void surrender_is_an_answer(void **state) {
    (void)state;
    struct ucc_answer answer;
    assert_true(ucc_read_answer(&frame, " SURRENDER ", &answer, NULL));
    assert_true(answer.surrenders);
    assert_false(ucc_read_answer(&frame, "SURRENDERED", &answer, NULL));
}

static void answers_that_are_none_are_refused_and_quoted(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "NO_MOVE",
                                        "0 3",
                                        "0 3 down",
                                        "0 3 DOWN 0",
                                        "0 3 DOWN -1",
                                        "0 3 DOWN x",
                                        "a 3 DOWN",
                                        "0 3 DOWN 1 1",
                                        "0,3 DOWN",
                                        "0 3 DOWN 9999",
                                        "0.5 3 DOWN",
                                        "- 3 DOWN",
                                        "0 3 DOWNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN",
                                        "SURRENDER now",
                                        "0 3 DOWN OK"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ucc_answer answer;
        struct fault fault = {0};
        if (ucc_read_answer(&frame, wrong[i], &answer, &fault)) fail_msg("\"%s\"", wrong[i]);
        assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
        assert_non_null(strstr(fault.text, wrong[i]));
    }
}

static void answers_that_leave_the_board_are_illegal(void **state) {
    (void)state;
    static const char *const wrong[] = {"0 0 UP",    "0 9 DOWN",   "0 3 LEFT", "9 3 RIGHT",
                                        "10 3 DOWN", "0 3 DOWN 7", "-1 3 UP"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ucc_answer answer;
        struct fault fault = {0};
        assert_false(ucc_read_answer(&frame, wrong[i], &answer, &fault));
        assert_non_null(strstr(fault.text, "leaves the board"));
    }
}

static void expect_turn(struct event event, const char *echo, const char *expected) {
    char text[UCC_TEXT_MAX];
    size_t length = ucc_write_turn(&frame, &event, echo, text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static kind_id kind(const char *name) {
    return rules_kind(rules, name, strlen(name));
}

static void status_lines_tell_the_outcome_in_protocol_labels(void **state) {
    (void)state;
    struct event event = {.type = EVENT_MOVE, .side = RED, .from = 39, .to = 49}; /* j4, j5 */
    expect_turn(event, NULL, "0 3 DOWN OK\n");
    expect_turn(event, "0 3 DOWN 1", "0 3 DOWN 1 OK\n");
    event.to = 69;
    expect_turn(event, NULL, "0 3 DOWN 3 OK\n");
    event = (struct event){.type = EVENT_BATTLE, .side = BLUE, .from = 69, .to = 59};
    event.kind = kind("spy");
    event.other = kind("marshal");
    event.outcome = ATTACKER_WINS;
    expect_turn(event, NULL, "0 6 UP KILLS s 1\n");
    event.kind = kind("scout");
    event.other = kind("bomb");
    event.outcome = DEFENDER_WINS;
    expect_turn(event, NULL, "0 6 UP DIES 9 B\n");
    event.kind = event.other = kind("miner");
    event.outcome = BOTH_FALL;
    expect_turn(event, NULL, "0 6 UP BOTHDIE 8 8\n");
}

static void variants_that_the_protocol_cannot_tell_are_refused_for_a_reason(void **state) {
    (void)state;
    static const struct {
        const char *variant, *reason;
    } cases[] = {{"milton-bradley", NULL},  {"original", NULL},       {"classic", NULL},
                 {"russian", NULL},         {"quick", "10 x 10"},     {"galaxy", "10 x 10"},
                 {"duel", "40 pieces"},     {"barrage", "40 pieces"}, {"infiltrator", "40 pieces"},
                 {"lightning", "40 pieces"}};
    struct rules *silent = support_rules("original");
    memset(silent->after_battle, AFTER_BATTLE_SILENT, sizeof silent->after_battle);
    struct fault why = {0};
    assert_false(ucc_fits(silent, &why));
    assert_non_null(strstr(why.text, "both ranks of a battle"));
    rules_free(silent);
    struct rules *drawn = support_rules("original");
    drawn->armies = ARMIES_BY_CHANCE;
    assert_false(ucc_fits(drawn, &why));
    assert_non_null(strstr(why.text, "armies that nobody places"));
    rules_free(drawn);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rules *others = support_rules(cases[i].variant);
        struct fault fault = {0};
        bool fits = ucc_fits(others, &fault);
        assert_int_equal(fits, cases[i].reason == NULL);
        if (!fits) {
            assert_int_equal(fault.status, STATUS_USAGE);
            assert_non_null(strstr(fault.text, cases[i].reason));
        }
        rules_free(others);
    }
}

static void names_become_one_printable_word(void **state) {
    (void)state;
    char name[UCC_NAME_MAX];
    ucc_name("my  bot\n\x1b[31m.py", name);
    assert_string_equal(name, "my_bot_[31m.py");
    ucc_name("\t", name);
    assert_string_equal(name, "unknown");
}

/* Compares the board as both sides read it with where the pieces really stand. */
static void expect_boards(const struct game *game, const struct view views[2]) {
    for (int side = RED; side <= BLUE; side++) {
        char text[UCC_TEXT_MAX];
        assert_int_equal(ucc_write_board(&frame, &views[side], text), 110);
        for (int y = 0; y < UCC_SIZE; y++) {
            assert_int_equal(text[y * 11 + 10], '\n');
            for (int x = 0; x < UCC_SIZE; x++) {
                square at = ucc_square(&frame, x, y);
                cell piece = game->at[at];
                char seen = text[y * 11 + x];
                if (!squareset_has(rules->board.land, at)) {
                    assert_int_equal(seen, '+');
                } else if (piece == CELL_EMPTY) {
                    assert_int_equal(seen, '.');
                } else if (cell_side(piece) != (enum side)side) {
                    assert_int_equal(seen, '#');
                } else {
                    char letter = rules->kind[cell_kind(piece)].letter;
                    assert_int_equal(seen, letter == 'S' ? 's' : letter);
                }
            }
        }
    }
}

/* Every turn of a real game, told to a program and read back, is the move that was made. */
static void follow(const struct record *record) {
    struct position position;
    struct limits limits;
    enum { BOARDS_EVERY = 16 };
    if (!record_start(record, rules, &position, &limits, NULL)) fail();
    struct ply *plies = calloc(record->move_count + 1, sizeof *plies);
    struct game *game = calloc(1, sizeof *game);
    struct view *views = calloc(2, sizeof *views);
    game_start(game, rules, &position, &limits, plies, (uint32_t)record->move_count + 1);
    for (int side = RED; side <= BLUE; side++) {
        enum side other = side_other((enum side)side);
        view_start(&views[side], rules, (enum side)side, position.at, game->pieces[other],
                   game->start[other], RED, limits);
    }
    for (size_t i = 0; i < record->move_count; i++) {
        struct move move;
        struct events events = {0};
        const char *text = record->moves[i].text;
        assert_int_equal(move_read(game, text, strlen(text), &move, NULL), LEGAL);
        if (i % BOARDS_EVERY == 0) expect_boards(game, views);
        game_play(game, move, &events);
        view_turn(&views[RED], &events);
        view_turn(&views[BLUE], &events);
        char line[UCC_TEXT_MAX];
        struct ucc_answer answer;
        ucc_write_turn(&frame, &events.list[0], NULL, line);
        char *direction = line + 4, *blank = strchr(direction, ' ');
        if (blank[1] >= '0' && blank[1] <= '9') blank = strchr(blank + 1, ' ');
        *blank = 0; /* the outcome stands behind */
        struct fault fault = {0};
        if (!ucc_read_answer(&frame, line, &answer, &fault)) fail_msg("%s", fault.text);
        assert_int_equal(answer.from, move.from);
        assert_int_equal(answer.to, move.to);
    }
    free(views);
    free(game);
    free(plies);
}

static void the_real_games_can_be_told_and_read_back(void **state) {
    (void)state;
    char path[1200];
    int count = 0;
    if (!support_data()) skip();
    snprintf(path, sizeof path, "%s/ucc", support_data());
    DIR *folder = opendir(path);
    if (!folder) skip();
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[1600];
        size_t length;
        if (!strstr(entry->d_name, ".rec")) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        char *text = files_read(file, RECORD_BYTES_MAX, &length, NULL);
        assert_non_null(text);
        struct record *record = support_record(text);
        follow(record);
        record_free(record);
        free(text);
        count++;
    }
    closedir(folder);
    assert_int_equal(count, 89);
}

static void expect_quit(struct view view, enum result result, enum reason reason, uint32_t plies,
                        enum side to_move, const char *expected) {
    static const char *const names[2] = {"rouge", "bleu"};
    char text[UCC_TEXT_MAX];
    view.result = (uint8_t)result;
    view.reason = (uint8_t)reason;
    view.plies = plies;
    view.to_move = (uint8_t)to_move;
    ucc_write_quit(&frame, &view, names, text);
    assert_string_equal(text, expected);
}

static void the_last_line_names_the_side_the_game_ended_with(void **state) {
    (void)state;
    static struct view view;
    view.rules = rules;
    for (int side = RED; side <= BLUE; side++)
        for (kind_id k = 1; k <= rules->kinds; k++)
            view.start[side][k] = rules->start[RED].count[k];
    view.captured[RED][kind("marshal")] = 1;
    view.captured[BLUE][kind("scout")] = 2;
    view.captured[BLUE][kind("bomb")] = 1;
    expect_quit(view, RESULT_RED, REASON_FLAG, 21, BLUE, "QUIT rouge RED VICTORY 11 138 144\n");
    expect_quit(view, RESULT_BLUE, REASON_IMMOBILE, 21, BLUE,
                "QUIT bleu BLUE VICTORY 11 138 144\n");
    expect_quit(view, RESULT_RED, REASON_RESIGNED, 21, BLUE,
                "QUIT bleu BLUE SURRENDER 11 138 144\n");
    expect_quit(view, RESULT_RED, REASON_FORFEIT_ILLEGAL, 21, BLUE,
                "QUIT bleu BLUE ILLEGAL 11 138 144\n");
    expect_quit(view, RESULT_BLUE, REASON_FORFEIT_TIME, 0, RED,
                "QUIT rouge RED ILLEGAL 1 138 144\n");
    expect_quit(view, RESULT_DRAW, REASON_PLY_LIMIT, 20, RED,
                "QUIT bleu BLUE DRAW_DEFAULT 10 138 144\n");
    expect_quit(view, RESULT_DRAW, REASON_BOTH_IMMOBILE, 19, BLUE,
                "QUIT rouge RED DRAW 10 138 144\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setups_of_both_colours_are_turned_as_in_the_records),
        cmocka_unit_test(where_blue_begins_blue_is_the_protocols_red),
        cmocka_unit_test(every_square_has_one_place_and_there_are_none_outside),
        cmocka_unit_test(labels_go_by_the_kinds_name_whatever_its_letter_is),
        cmocka_unit_test(rows_that_are_no_rows_are_refused_with_the_row),
        cmocka_unit_test(answers_are_read_with_any_blanks_and_keep_their_words),
        cmocka_unit_test(surrender_is_an_answer),
        cmocka_unit_test(answers_that_are_none_are_refused_and_quoted),
        cmocka_unit_test(answers_that_leave_the_board_are_illegal),
        cmocka_unit_test(status_lines_tell_the_outcome_in_protocol_labels),
        cmocka_unit_test(variants_that_the_protocol_cannot_tell_are_refused_for_a_reason),
        cmocka_unit_test(names_become_one_printable_word),
        cmocka_unit_test(the_real_games_can_be_told_and_read_back),
        cmocka_unit_test(the_last_line_names_the_side_the_game_ended_with),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
