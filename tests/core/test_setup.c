/* Set-ups: legal ones, the faults of others, and the uniformity of random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/know/view.h"
#include "core/rules/refusal.h"
#include "custom.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void random_setups_are_legal_in_every_variant(void **state) {
    (void)state;
    struct random random = random_stream(11, STREAM_RED_SETUP, 0);
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        for (int n = 0; n < 200; n++) {
            struct setup setup;
            struct fault fault = {0};
            assert_true(setup_random(rules, RED, &random, &setup, &fault));
            if (!setup_check(rules, RED, &setup, &fault)) fail_msg("%s: %s", STOCK[i], fault.text);
            int pieces = 0;
            for (square s = 0; s < rules->board.squares; s++) pieces += setup.at[s] != KIND_NONE;
            assert_int_equal(pieces, rules->start[RED].size);
        }
    }
}

static void the_same_stream_draws_the_same_setup(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("original");
    struct random a = random_stream(1, STREAM_RED_SETUP, 3), b = a;
    struct setup first, second;
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    assert_true(setup_random(rules, RED, &a, &first, NULL));
    assert_true(setup_random(rules, RED, &b, &second, NULL));
    assert_memory_equal(&first, &second, sizeof first);
}

/* On 2 x 4 squares the army of four fills the zone; where bomb and flag stand in front nothing can
 * move, so 20 of the 24 arrangements are set-ups. */
static void random_setups_are_uniform_over_the_legal_ones(void **state) {
    (void)state;
    static const uint8_t army[CUSTOM_KINDS + 1] = {0, 1, 1, 1, 1, 0, 0};
    struct fault fault = {0};
    struct rules *rules = custom_rules(2, 4, 2, 0, army, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    uint32_t drawn[256] = {0};
    int legal = 0;
    const uint32_t draws = 20000;
    struct random random = random_stream(12, STREAM_RED_SETUP, 0);
    for (uint32_t i = 0; i < draws; i++) {
        struct setup setup;
        assert_true(setup_random(rules, RED, &random, &setup, &fault));
        unsigned code = 0;
        for (int s = 0; s < 4; s++) code = code * 4 + (setup.at[s] - 1u);
        drawn[code]++;
    }
    double sum = 0;
    for (unsigned code = 0; code < 256; code++) {
        struct setup setup;
        memset(&setup, 0, sizeof setup);
        for (int s = 0; s < 4; s++) setup.at[s] = (kind_id)((code >> (6 - 2 * s)) % 4 + 1);
        if (!setup_check(rules, RED, &setup, &fault)) {
            assert_int_equal(drawn[code], 0);
            continue;
        }
        double expected = draws / 20.0, off = drawn[code] - expected;
        sum += off * off / expected;
        legal++;
    }
    assert_int_equal(legal, 20);
    assert_true(sum < 43.8); /* 19 degrees of freedom, p = 0.001 */
    rules_free(rules);
}

/* By how many standard deviations chi-squared is off what is expected of even counts. */
static double deviation(double chi_squared, double freedom) {
    return fabs(chi_squared - freedom) / sqrt(2 * freedom);
}

/* Every kind stands equally often on every square of the zone, and every two kinds on every two
 * squares. (Set-ups without a first move are too rare to matter.) */
static void assert_even(const char *variant) {
    enum { DRAWS = 40000 };
    static uint32_t one[KINDS_MAX][BOARD_SQUARES_MAX];
    static uint32_t two[BOARD_SQUARES_MAX][BOARD_SQUARES_MAX][KINDS_MAX][KINDS_MAX];
    const struct rules *rules = stock_rules(variant);
    struct random random = random_stream(14, STREAM_RED_SETUP, 0);
    int squares = rules->start[RED].zone_size;
    double count[KINDS_MAX] = {squares - rules->start[RED].size};
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        count[kind] = rules->start[RED].count[kind];
    memset(one, 0, sizeof one);
    memset(two, 0, sizeof two);
    for (int i = 0; i < DRAWS; i++) {
        struct setup setup;
        assert_true(setup_random(rules, RED, &random, &setup, NULL));
        for (int a = 0; a < squares; a++) {
            kind_id here = setup.at[rules->start[RED].zone[a]];
            one[here][a]++;
            for (int b = 0; b < a; b++) two[a][b][here][setup.at[rules->start[RED].zone[b]]]++;
        }
    }
    double ones = 0, twos = 0;
    int kinds = 0, pairs = 0;
    for (kind_id x = 0; x <= rules->kinds; x++) {
        if (count[x] == 0) continue;
        kinds++;
        for (int a = 0; a < squares; a++) {
            double expected = DRAWS * count[x] / squares, off = one[x][a] - expected;
            ones += off * off / expected;
        }
        for (kind_id y = 0; y <= rules->kinds; y++) {
            double expected = DRAWS * count[x] / squares * (count[y] - (x == y)) / (squares - 1);
            if (expected == 0) continue;
            pairs++;
            for (int a = 0; a < squares; a++) {
                for (int b = 0; b < a; b++) {
                    double off = two[a][b][x][y] - expected;
                    twos += off * off / expected;
                }
            }
        }
    }
    /* A square holds one piece and an army has so many of a kind: that binds the counts. Pairs
     * share squares, so that their measure spreads some four times as far as that of free counts
     * would. */
    double pair_count = squares * (squares - 1) / 2.0;
    double off_one = deviation(ones * (squares - 1) / squares, (kinds - 1.0) * (squares - 1));
    double off_two = deviation(twos, pair_count * (pairs - 1));
    if (off_one > 4 || off_two > 14) fail_msg("%s: off by %g, %g", variant, off_one, off_two);
}

static void every_square_and_every_two_squares_hold_all_kinds_alike(void **state) {
    (void)state;
    assert_even("original");
    assert_even("barrage");
    assert_even("lightning");
    assert_even("duel");
    assert_even("galaxy");
}

/* On 4 x 4 squares with b1 and c4 lakes: seven squares for the flag, a bomb and three runners. */
static void lakes_in_the_zone_are_left_out(void **state) {
    (void)state;
    static const uint8_t army[CUSTOM_KINDS + 1] = {0, 1, 1, 3, 0, 0, 0};
    struct fault fault = {0};
    struct rules *rules =
        custom_rules(4, 4, 2, squareset_of(1) | squareset_of(14), army, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    struct random random = random_stream(16, STREAM_RED_SETUP, 0);
    squareset flags = 0, runners = 0;
    for (int i = 0; i < 1000; i++) {
        struct setup setup;
        assert_true(setup_random(rules, RED, &random, &setup, &fault));
        if (!setup_check(rules, RED, &setup, &fault)) fail_msg("%s", fault.text);
        for (square s = 0; s < BOARD_SQUARES_MAX; s++) {
            if (setup.at[s] == CUSTOM_FLAG) flags |= squareset_of(s);
            if (setup.at[s] == CUSTOM_RUNNER) runners |= squareset_of(s);
        }
    }
    assert_true(flags == rules->board.zone[RED] && runners == rules->board.zone[RED]);
    rules_free(rules);
}

static void assert_refused(const char *variant, const char *text, const char *word) {
    const struct rules *rules = stock_rules(variant);
    struct setup setup;
    struct fault fault = {0};
    if (!setup_read(rules, RED, text, strlen(text), &setup, &fault)) fail_msg("%s", fault.text);
    if (setup_check(rules, RED, &setup, &fault)) fail_msg("\"%s\" is accepted", text);
    assert_int_equal(fault.status, STATUS_SETUP);
    if (!strstr(fault.text, word)) fail_msg("\"%s\" does not name %s", fault.text, word);
}

static void what_stands_on_a_piece_may_be_written_for_its_letter(void **state) {
    (void)state;
    static const struct {
        const char *variant, *text, *same;
    } cases[] = {
        {"infiltrator", "11022222222/2334444555/5666677788/89SFBBBBBB",
         "XM22222222/2334444555/5666677788/89SFBBBBBB"},
        {"infiltrator", "10122222222/2334444555/5666677788/89SFBBBBBB",
         "MX22222222/2334444555/5666677788/89SFBBBBBB"},
        {"barrage", "2........./..10......./.9.......2/FB3S......",
         "2........./..M......./.9.......2/FB3S......"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rules *rules = stock_rules(cases[i].variant);
        struct setup setup, same;
        struct fault fault = {0};
        char expected[SETUP_TEXT_MAX], written[SETUP_TEXT_MAX];
        if (!setup_read(rules, RED, cases[i].text, strlen(cases[i].text), &setup, &fault))
            fail_msg("%s", fault.text);
        assert_true(setup_read(rules, RED, cases[i].same, strlen(cases[i].same), &same, &fault));
        setup_write(rules, RED, &setup, written);
        setup_write(rules, RED, &same, expected);
        assert_string_equal(written, expected);
    }
    /* cut off within a label */
    assert_false(setup_read(stock_rules("barrage"), RED, "10", 1, &(struct setup){0}, NULL));
}

static void a_missing_piece_is_named(void **state) {
    (void)state;
    assert_refused("barrage", "2........./..M......./.9.......2/.B3S......", "flag");
    assert_refused("barrage", "2........./........../.9.......2/FB3S......", "marshal");
}

static void a_surplus_piece_is_named(void **state) {
    (void)state;
    assert_refused("barrage", "2........./..M......./.9.......2/FB3SB.....", "bomb");
    assert_refused("barrage", "2........./..M......./.9.......2/FB3S2.....", "scout");
}

static void an_army_that_cannot_move_is_refused(void **state) {
    (void)state;
    static const uint8_t army[CUSTOM_KINDS + 1] = {0, 1, 1, 1, 1, 0, 0};
    struct fault fault = {0};
    struct rules *rules = custom_rules(2, 4, 2, 0, army, false, &fault);
    assert_non_null(rules);
    struct setup setup;
    memset(&setup, 0, sizeof setup);
    setup.at[0] = CUSTOM_RUNNER;
    setup.at[1] = CUSTOM_STEPPER;
    setup.at[2] = CUSTOM_FLAG;
    setup.at[3] = CUSTOM_BOMB;
    assert_false(setup_check(rules, RED, &setup, &fault));
    assert_int_equal(fault.status, STATUS_SETUP);
    setup.at[0] = CUSTOM_BOMB;
    setup.at[3] = CUSTOM_RUNNER;
    assert_true(setup_check(rules, RED, &setup, &fault));
    rules_free(rules);
}

static void a_piece_outside_the_zone_is_refused(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("barrage");
    static const char text[] = "2........./..M......./.9......../FB3S......";
    struct setup setup;
    struct fault fault = {0};
    assert_true(setup_read(rules, RED, text, sizeof text - 1, &setup, &fault));
    setup.at[44] = rules_kind(rules, "scout", 5);
    assert_false(setup_check(rules, RED, &setup, &fault));
    assert_int_equal(fault.status, STATUS_SETUP);
    setup.at[44] = KIND_NONE;
    setup.at[34] = rules_kind(rules, "scout", 5);
    assert_true(setup_check(rules, RED, &setup, &fault));
}

static void random_bytes_are_refused_and_not_obeyed(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("barrage");
    struct random random = random_stream(13, STREAM_RED_SETUP, 0);
    for (int i = 0; i < 1000; i++) {
        struct setup setup;
        struct fault fault = {0};
        for (int s = 0; s < BOARD_SQUARES_MAX; s++)
            setup.at[s] = (kind_id)random_below(&random, 256);
        assert_false(setup_check(rules, RED, &setup, &fault));
        assert_int_equal(fault.status, STATUS_SETUP);
    }
}

/* Rules on a board of 3 x 6 with six kinds, each of which may start only on some squares of its
 * own: sets that lie within each other, apart, or cross. NULL if not all pieces find a place. */
static struct rules *bound_rules(struct random *random) {
    enum { ZONE = 9 };
    uint8_t army[CUSTOM_KINDS + 1] = {0, 1, 1, 1, 1, 1, 1};
    struct fault fault = {0};
    struct refusals refusals;
    army[1 + random_below(random, 4)] = 2;
    struct rules *rules = custom_rules(3, 6, 3, 0, army, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 1; kind <= 4; kind++) {
            const int wanted = 2 + (int)random_below(random, 4);
            squareset only = 0;
            while (squareset_count(only) < wanted)
                only |= squareset_of((square)random_below(random, ZONE));
            rules->start[side].only[kind] = random_below(random, 4) ? only : 0;
        }
    if (rules_finish(rules, &refusals)) return rules;
    assert_int_equal(refusals.list[0].code, REFUSED_START);
    rules_free(rules);
    return NULL;
}

/* Counts the placements of the kinds left on the squares from `at` on; calls nothing and knows
 * nothing of the core's way to draw. */
static int placements(const struct rules *rules, enum side side, struct setup *setup,
                      uint8_t left[KINDS_MAX], square at, int free) {
    if (at == 9) return free == 0 && setup_check(rules, side, setup, NULL);
    int count = 0;
    for (kind_id kind = 0; kind <= rules->kinds; kind++) {
        const squareset only = rules->start[side].only[kind];
        if (kind ? !left[kind] || (only && !squareset_has(only, at)) : !free) continue;
        setup->at[at] = kind;
        if (kind) left[kind]--;
        count += placements(rules, side, setup, left, (square)(at + 1), free - !kind);
        if (kind) left[kind]++;
        setup->at[at] = KIND_NONE;
    }
    return count;
}

static void an_army_that_is_laid_out_stands_in_one_way(void **state) {
    (void)state;
    struct rules *rules = example_rules("hounds");
    struct random random = random_stream(3, STREAM_RED_SETUP, 0);
    assert_int_equal(rules->armies, ARMIES_GIVEN);
    for (int side = RED; side <= BLUE; side++) {
        struct setup laid, drawn;
        setup_given(rules, (enum side)side, &laid);
        assert_true(setup_check(rules, (enum side)side, &laid, NULL));
        for (int i = 0; i < 20; i++) {
            assert_true(setup_random(rules, (enum side)side, &random, &drawn, NULL));
            assert_memory_equal(&drawn, &laid, sizeof laid);
        }
    }
    rules_free(rules);
}

static void it_is_refused_where_a_piece_has_a_choice(void **state) {
    (void)state;
    struct rules *rules = example_rules("hounds");
    struct refusals refusals = {.count = 0};
    const kind_id hound = rules_kind_named(rules, "hound");
    const squareset squares = rules->start[BLUE].only[hound];
    rules->start[BLUE].only[hound] = squares | squares >> 1;
    assert_false(rules_finish(rules, &refusals));
    assert_int_equal(refusals.list[0].code, REFUSED_GIVEN);
    assert_int_equal(refusals.list[0].side, BLUE);
    rules_free(rules);
}

static int compare_setups(const void *left, const void *right) {
    return memcmp(left, right, sizeof(struct setup));
}

static void bound_pieces_are_drawn_evenly_where_they_may_start(void **state) {
    (void)state;
    enum { VARIANTS = 12, EACH = 40, DRAWS_MAX = 60000 };
    static struct setup drawn[DRAWS_MAX];
    struct random random = random_stream(31, STREAM_RED_SETUP, 0);
    for (int played = 0, refused = 0; played < VARIANTS;) {
        struct rules *rules = bound_rules(&random);
        if (!rules && ++refused < 100) continue;
        assert_non_null(rules);
        const enum side side = played % 2 ? BLUE : RED;
        uint8_t left[KINDS_MAX];
        struct setup all = {0};
        memcpy(left, rules->start[side].count, sizeof left);
        const int legal = placements(rules, side, &all, left, 0, 9 - rules->start[side].size);
        const int draws = legal * EACH;
        if (!legal || draws > DRAWS_MAX) {
            rules_free(rules);
            continue;
        }
        for (int i = 0; i < draws; i++) {
            memset(&drawn[i], 0, sizeof drawn[i]);
            assert_true(setup_random(rules, side, &random, &drawn[i], NULL));
        }
        qsort(drawn, (size_t)draws, sizeof *drawn, compare_setups);
        int different = 0;
        double sum = 0;
        for (int i = 0, run = 1; i < draws; i += run, different++) {
            for (run = 1; i + run < draws && !compare_setups(&drawn[i], &drawn[i + run]); run++) {}
            sum += (run - EACH) * (run - EACH) / (double)EACH;
        }
        sum += (legal - different) * (double)EACH;
        assert_true(different <= legal);
        assert_true(deviation(sum, legal) < 4);
        rules_free(rules);
        played++;
    }
}

/* The kinds that each hidden piece can have, by trying all ways to deal the army to them. */
static bool deal_all(const struct rules *rules, const struct view *view, int number,
                     uint8_t left[KINDS_MAX], kindset *found) {
    while (number < view->count && view->piece[number].kind) number++;
    if (number == view->count) return true;
    bool any = false;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!left[kind] || !(view->piece[number].may_be & kindset_of(kind))) continue;
        left[kind]--;
        if (deal_all(rules, view, number + 1, left, found)) {
            found[number] |= kindset_of(kind);
            any = true;
        }
        left[kind]++;
    }
    return any;
}

static void hidden_pieces_may_be_what_fits_their_starts_and_all_others(void **state) {
    (void)state;
    struct random random = random_stream(32, STREAM_RED_SETUP, 0);
    int narrowed = 0;
    for (int i = 0; i < 400; i++) {
        struct rules *rules = bound_rules(&random);
        if (!rules) continue;
        struct setup setups[2];
        struct position position;
        struct view view;
        kindset found[2 * BOARD_SQUARES_MAX] = {0}, said[2 * BOARD_SQUARES_MAX];
        for (int side = RED; side <= BLUE; side++)
            assert_true(setup_random(rules, (enum side)side, &random, &setups[side], NULL));
        position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
        assert_true(position_check(rules, &position, NULL));
        squareset blue = 0;
        for (square at = 0; at < rules->board.squares; at++)
            if (position.at[at] && cell_side(position.at[at]) == BLUE) blue |= squareset_of(at);
        view_start(&view, rules, RED, position.at, blue, rules->start[BLUE].count, RED,
                   rules->limits);
        for (int n = 0; n < view.count; n++) { /* some have moved */
            if (view.piece[n].kind || random_below(&random, 3)) continue;
            if (!(rules->mobile & kindset_of(cell_kind(position.at[view.piece[n].at])))) continue;
            view.piece[n].may_be &= rules->mobile;
        }
        uint8_t left[KINDS_MAX];
        memcpy(left, rules->start[BLUE].count, sizeof left);
        assert_true(deal_all(rules, &view, 0, left, found));
        view_all_may_be(&view, said);
        for (int n = 0; n < view.count; n++) {
            if (view.piece[n].kind) continue;
            assert_int_equal(said[n], found[n]);
            assert_int_equal(view_may_be(&view, n), found[n]);
            narrowed += found[n] != view.piece[n].may_be;
        }
        rules_free(rules);
    }
    assert_true(narrowed > 100);
}

static void a_whole_army_in_its_zone_starts_by_the_rules(void **state) {
    (void)state;
    struct random random = random_stream(33, STREAM_RED_SETUP, 0);
    struct rules *rules = NULL;
    while (!rules || !rules->start[RED].bound) {
        rules_free(rules);
        rules = bound_rules(&random);
    }
    const kind_id kind = rules->start[RED].order[0];
    struct setup red, blue;
    struct position position;
    struct fault fault = {0};
    assert_true(setup_random(rules, RED, &random, &red, NULL));
    assert_true(setup_random(rules, BLUE, &random, &blue, NULL));
    square from = 0, to = 0;
    while (red.at[from] != kind) from++;
    while (squareset_has(rules->start[RED].on[kind], to)) to++;
    const kind_id there = red.at[to];
    red.at[to] = kind;
    red.at[from] = there;
    assert_false(setup_check(rules, RED, &red, &fault));
    assert_non_null(strstr(fault.text, "where it may not start"));
    position_from_setups(rules, &red, &blue, RED, &position);
    assert_false(position_check(rules, &position, &fault));
    square gone = 0; /* with a piece less it is no set-up, and anything goes */
    while (!position.at[gone]) gone++;
    position.at[gone] = CELL_EMPTY;
    assert_true(position_check(rules, &position, &fault));
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_setups_are_legal_in_every_variant),
        cmocka_unit_test(the_same_stream_draws_the_same_setup),
        cmocka_unit_test(random_setups_are_uniform_over_the_legal_ones),
        cmocka_unit_test(every_square_and_every_two_squares_hold_all_kinds_alike),
        cmocka_unit_test(lakes_in_the_zone_are_left_out),
        cmocka_unit_test(what_stands_on_a_piece_may_be_written_for_its_letter),
        cmocka_unit_test(a_missing_piece_is_named),
        cmocka_unit_test(a_surplus_piece_is_named),
        cmocka_unit_test(an_army_that_cannot_move_is_refused),
        cmocka_unit_test(a_piece_outside_the_zone_is_refused),
        cmocka_unit_test(an_army_that_is_laid_out_stands_in_one_way),
        cmocka_unit_test(it_is_refused_where_a_piece_has_a_choice),
        cmocka_unit_test(bound_pieces_are_drawn_evenly_where_they_may_start),
        cmocka_unit_test(hidden_pieces_may_be_what_fits_their_starts_and_all_others),
        cmocka_unit_test(a_whole_army_in_its_zone_starts_by_the_rules),
        cmocka_unit_test(random_bytes_are_refused_and_not_obeyed),
    };
    return cmocka_run_group_tests_name("core/setup", tests, NULL, stock_teardown);
}
