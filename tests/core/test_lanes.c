/* The fast playouts compared with the plain game: the same moves in every position of random games,
 * and the same end; and whole playouts judged ply by ply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/lanes/lane_special.h"
#include "custom.h"
#include "manners.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = 400, MOVES = 4096, PAST = 2 * TABLE_PLIES };

static struct lanes_table lanes;
static struct game game;
static struct ply plies[PLIES];
static struct lane lane;
static struct lane_ply lane_plies[PAST + PLIES];
static struct move moves[MOVES], drawn[MOVES];

static int compare_moves(const void *a, const void *b) {
    const struct move *p = a, *q = b;
    if (p->from != q->from) return p->from - q->from;
    if (p->to != q->to) return p->to - q->to;
    if (p->target != q->target) return p->target - q->target;
    if (p->ability != q->ability) return p->ability - q->ability;
    return (int)p->choice - (int)q->choice;
}

/* Lists the legal moves into `moves` and asserts that the lane has the same. */
static size_t compare_moves_now(void) {
    size_t count = game_moves(&game, moves, MOVES), legal = 0;
    uint32_t all = lane_count(&lanes, &lane);
    for (uint32_t i = 0; i < all; i++) {
        struct move move = lane_move(&lanes, &lane, i);
        enum verdict verdict = game_judge(&game, move);
        assert_true(verdict == LEGAL || verdict == ILLEGAL_TWO_SQUARES || verdict == ILLEGAL_CHASE);
        if (verdict == LEGAL) drawn[legal++] = move;
    }
    assert_int_equal(legal, count);
    qsort(moves, count, sizeof *moves, compare_moves);
    qsort(drawn, legal, sizeof *drawn, compare_moves);
    for (size_t i = 0; i < count; i++) assert_true(move_equal(moves[i], drawn[i]));
    assert_int_equal(lane_to_move(&lane), game.to_move);
    return count;
}

static void begin_lane(struct random random) {
    assert_true(lane_past(&game) <= PAST);
    lane_start(&lanes, &lane, &game, PLIES - game.ply_count, random, lane_plies);
}

static void begin_game(const struct rules *rules, const struct manner *manner,
                       struct random *random) {
    struct limits limits = {random_below(random, 4) ? 0 : 40, 0};
    struct position position;
    assert_true(manner_position(manner, rules, random, &position));
    game_start(&game, rules, &position, &limits, plies, PLIES);
}

static void compare_games(const struct rules *rules, uint64_t index, int games) {
    struct random random = random_stream(21, STREAM_PLAYOUT, index);
    for (int n = 0; n < games; n++) {
        const struct manner *manner = manner_draw(&random);
        begin_game(rules, manner, &random);
        if (game_over(&game)) continue;
        begin_lane(random);
        while (!game_over(&game)) {
            size_t count = compare_moves_now();
            struct move move = manner_choose(manner, &game, moves, count, &random);
            game_play(&game, move, NULL);
            lane_play(&lanes, &lane, move);
            /* A lane that begins in the middle knows the past. */
            if (!game_over(&game) && random_below(&random, 40) == 0) begin_lane(random);
        }
        /* A lane notices a lack of legal moves only when it tries to play one. */
        if (lane.game.result == RESULT_NONE) lane_run(&lanes, &lane);
        assert_int_equal(lane.game.result, game.result);
        assert_int_equal(lane.game.reason, game.reason);
    }
}

static void a_lane_has_the_moves_of_the_game(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        if (lanes_table_build(&lanes, stock_rules(STOCK[i]))) continue;
        compare_games(stock_rules(STOCK[i]), (uint64_t)i, 60);
    }
}

static void a_lane_has_the_moves_of_the_game_on_boards_of_other_sizes(void **state) {
    (void)state;
    static const struct {
        int files, ranks, zone;
        uint8_t count[CUSTOM_KINDS + 1];
    } boards[] = {
        {4, 4, 1, {0, 1, 0, 1, 1, 1, 0}},  {3, 6, 2, {0, 1, 1, 1, 1, 1, 1}},
        {12, 8, 3, {0, 1, 4, 4, 4, 4, 4}}, {8, 12, 4, {0, 1, 3, 3, 5, 5, 5}},
        {2, 16, 5, {0, 1, 1, 2, 2, 2, 2}}, {16, 2, 1, {0, 1, 1, 2, 2, 2, 2}},
        {16, 8, 3, {0, 1, 4, 4, 4, 4, 4}}, {7, 5, 2, {0, 1, 1, 2, 1, 2, 2}},
    };
    int fitting = 0;
    for (int i = 0; i < 16; i++) {
        struct fault fault = {0};
        int files = boards[i / 2].files, ranks = boards[i / 2].ranks;
        int lake = files * (ranks / 2) + files / 2; /* and the same turned round */
        squareset lakes =
            squareset_of((square)lake) | squareset_of((square)(files * ranks - 1 - lake));
        struct rules *rules = custom_rules(files, ranks, boards[i / 2].zone, lakes,
                                           boards[i / 2].count, i % 2 == 1, &fault);
        if (!rules) fail_msg("board %d: %s", i, fault.text);
        if (!lanes_table_build(&lanes, rules)) {
            compare_games(rules, 100u + (uint64_t)i, 40);
            fitting++;
        }
        rules_free(rules);
    }
    assert_true(fitting > 4);
}

static void nearly_every_stock_variant_fits_lanes(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_LANES; i++) {
        const char *why = lanes_table_build(&lanes, stock_rules(STOCK[i]));
        if (why) fail_msg("%s: %s", STOCK[i], why);
    }
    for (int i = STOCK_LANES; i < STOCK_COUNT; i++)
        assert_non_null(lanes_table_build(&lanes, stock_rules(STOCK[i])));
}

/* Without abilities a ply is told by its squares, so that a playout can be judged afterwards. */
static void a_playout_is_a_legal_game_with_its_result(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        if (rules->abilities || lanes_table_build(&lanes, rules)) continue;
        struct random random = random_stream(22, STREAM_PLAYOUT, (uint64_t)i);
        for (int n = 0; n < 60; n++) {
            begin_game(rules, manner_draw(&random), &random);
            if (game_over(&game)) continue;
            begin_lane(random);
            random_next(&random);
            uint16_t attacks[KINDS_MAX] = {0};
            lane_run(&lanes, &lane);
            for (uint32_t ply = lane.started; ply < lane.ply; ply++) {
                struct move move = {lane.plies[ply].from, lane.plies[ply].to, SQUARE_NONE,
                                    ABILITY_NONE, KIND_NONE};
                assert_int_equal(game_judge(&game, move), LEGAL);
                if (game.at[move.to]) attacks[cell_kind(game.at[move.from])]++;
                game_play(&game, move, NULL);
            }
            assert_memory_equal(lane.attacks, attacks, sizeof attacks);
            assert_int_equal(lane.game.result, game.result);
            assert_int_equal(lane.game.reason, game.reason);
        }
    }
}

static void lanes_together_play_what_each_plays_alone(void **state) {
    (void)state;
    static struct lane several[LANES_TOGETHER], alone[LANES_TOGETHER];
    static struct lane_ply past[2 * LANES_TOGETHER][PAST + PLIES];
    struct lane *together[LANES_TOGETHER];
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        if (lanes_table_build(&lanes, rules)) continue;
        struct random random = random_stream(23, STREAM_PLAYOUT, (uint64_t)i);
        for (int n = 0; n < 20; n++) {
            struct position position;
            struct setup red, blue;
            assert_true(setup_random(rules, RED, &random, &red, NULL));
            assert_true(setup_random(rules, RED, &random, &blue, NULL));
            position_from_setups(rules, &red, &blue, RED, &position);
            game_start(&game, rules, &position, NULL, plies, PLIES);
            for (int l = 0; l < LANES_TOGETHER; l++) {
                struct random own = random_stream(24, STREAM_PLAYOUT, (uint64_t)(n * 8 + l));
                lane_start(&lanes, &several[l], &game, PLIES, own, past[l]);
                lane_start(&lanes, &alone[l], &game, PLIES, own, past[LANES_TOGETHER + l]);
                together[l] = &several[l];
            }
            unsigned over = lanes_run(&lanes, together);
            assert_in_range(over, 1, (1 << LANES_TOGETHER) - 1);
            for (int l = 0; l < LANES_TOGETHER; l++) {
                if (!(over >> l & 1)) continue;
                lane_run(&lanes, &alone[l]);
                assert_int_equal(several[l].ply, alone[l].ply);
                assert_int_equal(several[l].game.result, alone[l].game.result);
                assert_int_equal(several[l].game.reason, alone[l].game.reason);
                assert_memory_equal(several[l].game.at, alone[l].game.at, BOARD_SQUARES_MAX);
            }
        }
    }
}

/* Boards for acting pieces that no stock variant has: leapers that name a flag, turners that blast
 * their neighbours and themselves, runners that bring comrades back. */
static struct rules *acting_board(int i) {
    static const struct {
        int files, ranks, zone;
        uint8_t count[CUSTOM_KINDS + 1];
    } boards[] = {
        {7, 6, 2, {0, 1, 1, 0, 0, 3, 3}},
        {8, 8, 2, {0, 1, 2, 2, 0, 2, 3}},
        {5, 5, 2, {0, 1, 0, 2, 0, 0, 2}},
        {6, 5, 1, {0, 1, 0, 1, 0, 4, 0}},
    };
    if (i == sizeof boards / sizeof *boards) return NULL;
    struct fault fault = {0};
    int files = boards[i].files, ranks = boards[i].ranks, lake = files * (ranks / 2) + files / 2;
    squareset lakes = squareset_of((square)lake) | squareset_of((square)(files * ranks - 1 - lake));
    struct rules *rules =
        custom_rules(files, ranks, boards[i].zone, lakes, boards[i].count, true, &fault);
    if (!rules) fail_msg("board %d: %s", i, fault.text);
    const char *why = lanes_table_build(&lanes, rules);
    if (why) fail_msg("board %d: %s", i, why);
    return rules;
}

static void a_lane_has_the_moves_of_the_game_with_other_abilities(void **state) {
    (void)state;
    struct rules *rules;
    for (int i = 0; (rules = acting_board(i)) != NULL; i++) {
        compare_games(rules, 200u + (uint64_t)i, 60);
        rules_free(rules);
    }
}

/* Plays one ply as fast as it goes; false when the game is over. */
static bool run_a_ply(void) {
    lane.end = lane.stop = lane.ply + 1;
    lane_run(&lanes, &lane);
    if (lane.game.reason != REASON_PLY_LIMIT) return false;
    game_stop(&lane.game, RESULT_NONE, REASON_NONE);
    return true;
}

/* Plays games in the lane and counts anew after every ply; returns how often either count was
 * remembered from the ply before. */
static uint64_t compare_counts(const struct rules *rules, uint64_t index, int games) {
    struct random random = random_stream(25, STREAM_PLAYOUT, index);
    uint64_t remembered = 0;
    for (int n = 0; n < games; n++) {
        begin_game(rules, manner_draw(&random), &random);
        if (game_over(&game)) continue;
        begin_lane(random);
        random_next(&random);
        while (lane.ply + 1 < PLIES && run_a_ply()) {
            for (int side = RED; side <= BLUE; side++) {
                if (lane.special[side] == SPECIAL_UNKNOWN) continue;
                struct lane fresh = lane;
                fresh.game.to_move = (uint8_t)side;
                special_forget(&fresh);
                assert_int_equal(lane.special[side], special_count(&lanes, &fresh));
                remembered++;
            }
        }
    }
    return remembered;
}

static void a_remembered_count_of_acting_pieces_is_right(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        if (lanes_table_build(&lanes, rules) || !lanes.acting) continue;
        assert_true(compare_counts(rules, (uint64_t)i, 150) > 10000);
    }
    struct rules *rules;
    for (int i = 0; (rules = acting_board(i)) != NULL; i++) {
        compare_counts(rules, 100u + (uint64_t)i, 300);
        rules_free(rules);
    }
    static const char *const examples[] = {"airborne", "rescue"};
    for (int i = 0; i < 2; i++) {
        rules = example_rules(examples[i]);
        assert_null(lanes_table_build(&lanes, rules));
        assert_true(compare_counts(rules, 200u + (uint64_t)i, 150) > 10000);
        rules_free(rules);
    }
}

/* A file of src/core/lanes; the caller frees. */
static char *read_source(const char *name) {
    char path[512], *text = calloc(1, 1 << 16);
    snprintf(path, sizeof path, ENSIGN_ROOT "/src/core/lanes/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void the_processor_is_asked_for_all_that_is_compiled_for(void **state) {
    (void)state;
    static const struct {
        const char *compiled, *asked;
    } files[] = {{"avx2_begin.h", "lane_inside.h"}, {"lane_special.c", "lane_special.c"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *compiled = read_source(files[i].compiled), *asked = read_source(files[i].asked);
        int features = 0;
        for (char *list = compiled; (list = strstr(list, "target(\""));) {
            list += strlen("target(\"");
            for (size_t length; *list != '"'; list += length + (list[length] == ',')) {
                char supports[64], executes[64];
                length = strcspn(list, ",\"");
                snprintf(supports, sizeof supports, "supports(\"%.*s\")", (int)length, list);
                snprintf(executes, sizeof executes, "executes_%.*s()", (int)length, list);
                if (!strstr(asked, supports) && !strstr(asked, executes))
                    fail_msg("%s is not asked for in %s", supports, files[i].asked);
                features++;
            }
        }
        assert_true(features >= 3);
        free(compiled);
        free(asked);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_every_stock_variant_fits_lanes),
        cmocka_unit_test(a_lane_has_the_moves_of_the_game),
        cmocka_unit_test(a_lane_has_the_moves_of_the_game_on_boards_of_other_sizes),
        cmocka_unit_test(a_lane_has_the_moves_of_the_game_with_other_abilities),
        cmocka_unit_test(a_remembered_count_of_acting_pieces_is_right),
        cmocka_unit_test(a_playout_is_a_legal_game_with_its_result),
        cmocka_unit_test(lanes_together_play_what_each_plays_alone),
        cmocka_unit_test(the_processor_is_asked_for_all_that_is_compiled_for),
    };
    return cmocka_run_group_tests_name("core/lanes", tests, NULL, stock_teardown);
}
