/* Draws are compared with all assignments, counted one by one: a chi-squared test with a fixed seed
 * for each way of drawing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/know/deal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 1 << 18 };

/* An assignment's code has two bits a piece: kinds 1 … 4 of at most nine pieces. */
struct census {
    struct deal deal;
    double table[DEAL_ROOM];
    double chance[CODES]; /* by code */
    int drawn[CODES];
};

static struct census *census;

static int census_open(void **state) {
    (void)state;
    census = calloc(1, sizeof *census);
    return census ? 0 : -1;
}

static int census_close(void **state) {
    (void)state;
    free(census);
    return 0;
}

/* `weights` has a row of `kinds` numbers for each piece. */
static void set_deal(int pieces, int kinds, const uint8_t *counts, const double *weights) {
    struct deal *deal = &census->deal;
    memset(deal, 0, sizeof *deal);
    deal->table = census->table;
    deal->room = DEAL_ROOM;
    deal->pieces = pieces;
    for (int kind = 0; kind < kinds; kind++) deal->count[kind + 1] = counts[kind];
    for (int piece = 0; piece < pieces; piece++)
        for (int kind = 0; kind < kinds; kind++)
            deal->weight[piece][kind + 1] = weights[piece * kinds + kind];
}

static unsigned code_of(const kind_id *kind, int pieces) {
    unsigned code = 0;
    for (int piece = 0; piece < pieces; piece++) code |= (kind[piece] - 1u) << 2 * piece;
    return code;
}

/* Adds up the weights of all completions of this assignment. */
static double enumerate(const struct deal *deal, int piece, double weight, uint8_t *left,
                        kind_id *kind) {
    if (piece == deal->pieces) {
        census->chance[code_of(kind, piece)] = weight;
        return weight;
    }
    double sum = 0;
    for (kind_id next = 1; next <= 4; next++) {
        if (!left[next] || deal->weight[piece][next] <= 0) continue;
        left[next]--;
        kind[piece] = next;
        sum += enumerate(deal, piece + 1, weight * deal->weight[piece][next], left, kind);
        left[next]++;
    }
    return sum;
}

/* Prepares and draws; every draw must be possible, and their spread within chance. A chain's draws
 * are correlated, so only every `skip` + 1st is counted. */
static void assert_spread(enum deal_method expected, int draws, int skip) {
    struct deal *deal = &census->deal;
    struct random random = random_stream(11, STREAM_PLAYOUT, 0);
    uint8_t left[KINDS_MAX];
    kind_id kind[DEAL_PIECES_MAX];
    memset(census->chance, 0, sizeof census->chance);
    memset(census->drawn, 0, sizeof census->drawn);
    memcpy(left, deal->count, sizeof left);
    double sum = enumerate(deal, 0, 1, left, kind), squares = 0;
    int cells = 0, rare = 0;
    double rare_chance = 0;
    assert_int_equal(deal_prepare(deal), expected);
    for (int i = 0; i < draws; i++) {
        for (int n = 0; n <= skip; n++) deal_draw(deal, &random);
        unsigned code = code_of(deal->kind, deal->pieces);
        assert_true(census->chance[code] > 0);
        census->drawn[code]++;
    }
    for (unsigned code = 0; code < CODES; code++) {
        double hoped = census->chance[code] / sum * draws;
        if (hoped <= 0) continue;
        if (hoped < 8) { /* too few for the test: taken together */
            rare += census->drawn[code];
            rare_chance += hoped;
            continue;
        }
        squares += (census->drawn[code] - hoped) * (census->drawn[code] - hoped) / hoped;
        cells++;
    }
    if (rare_chance >= 8) {
        squares += (rare - rare_chance) * (rare - rare_chance) / rare_chance;
        cells++;
    }
    assert_true(cells > 1);
    double freedom = cells - 1;
    if (squares > freedom + 3.5 * sqrt(2 * freedom))
        fail_msg("chi-squared %.1f with %.0f degrees of freedom", squares, freedom);
}

static void assert_fair(void) {
    assert_spread(DEAL_EXACT, 60000, 0);
}

static const double EVEN[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* three that may be anything */
                              0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0};
static const double RING[] = {1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1,
                              1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const double UNLIKE[] = {1, 2, 3, 4, 5, 1,  .5, 2, .1, 7, 1, 1, 3, 3,
                                0, 1, 1, 4, 2, .2, 9,  1, 1,  0, 2, 2, 5, 1};

static void alike_pieces_are_dealt_evenly(void **state) {
    (void)state;
    set_deal(7, 4, (const uint8_t[]){1, 2, 2, 2}, EVEN);
    assert_fair();
}

static void possible_kinds_in_a_ring_are_dealt_evenly(void **state) {
    (void)state;
    set_deal(6, 4, (const uint8_t[]){2, 1, 1, 2}, RING);
    assert_fair();
}

static void weights_multiply(void **state) {
    (void)state;
    set_deal(7, 4, (const uint8_t[]){2, 2, 1, 2}, UNLIKE);
    assert_fair();
}

static void large_and_small_weights_change_nothing_but_their_ratio(void **state) {
    (void)state;
    double weights[28];
    for (int i = 0; i < 28; i++) weights[i] = UNLIKE[i] * (i / 4 % 2 ? 1e200 : 1e-200);
    set_deal(7, 4, (const uint8_t[]){2, 2, 1, 2}, weights);
    double even = 0;
    assert_int_equal(deal_prepare(&census->deal), DEAL_EXACT);
    for (int kind = 1; kind <= 4; kind++) even += census->deal.weight[0][kind];
    assert_float_equal(even, 2.5, 1e-9); /* 1 + 2 + 3 + 4 over the highest */
    set_deal(7, 4, (const uint8_t[]){2, 2, 1, 2}, weights);
    struct random random = random_stream(1, STREAM_PLAYOUT, 0), same = random;
    deal_prepare(&census->deal);
    deal_draw(&census->deal, &random);
    unsigned code = code_of(census->deal.kind, 7);
    set_deal(7, 4, (const uint8_t[]){2, 2, 1, 2}, UNLIKE);
    deal_prepare(&census->deal);
    deal_draw(&census->deal, &same);
    assert_int_equal(code_of(census->deal.kind, 7), code);
}

/* With little room for its table the deal merges groups. */
static void what_is_merged_is_still_dealt_evenly(void **state) {
    (void)state;
    set_deal(6, 4, (const uint8_t[]){2, 1, 1, 2}, RING);
    census->deal.room = 100;
    assert_fair();
    assert_true(census->deal.merged);
}

static void a_chain_tends_to_the_weights(void **state) {
    (void)state;
    set_deal(7, 4, (const uint8_t[]){2, 2, 1, 2}, UNLIKE);
    census->deal.room = 150;
    assert_spread(DEAL_CHAIN, 60000, 10);
}

/* No swap of two leads from one of the two ways to the other. */
static void a_chain_reaches_what_swaps_do_not(void **state) {
    (void)state;
    static const double ring[] = {1, 2, 0, 0, 0, 1, 3, 0, 2, 0, 1, 0, 1, 2, 3, 4, 2, 1, 1, 1};
    set_deal(5, 4, (const uint8_t[]){1, 1, 1, 2}, ring);
    census->deal.room = 40;
    assert_spread(DEAL_CHAIN, 5000, 200);
}

static void what_cannot_be_dealt_is_refused(void **state) {
    (void)state;
    static const double narrow[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    set_deal(3, 4, (const uint8_t[]){1, 1, 1, 0}, narrow); /* two that must be the same */
    assert_int_equal(deal_prepare(&census->deal), DEAL_NONE);
    set_deal(3, 4, (const uint8_t[]){2, 1, 0, 0}, narrow);
    assert_int_equal(deal_prepare(&census->deal), DEAL_EXACT);
    set_deal(3, 4, (const uint8_t[]){2, 0, 0, 0}, narrow); /* fewer kinds than pieces */
    assert_int_equal(deal_prepare(&census->deal), DEAL_NONE);
    set_deal(0, 4, (const uint8_t[]){0, 0, 0, 0}, narrow);
    assert_int_equal(deal_prepare(&census->deal), DEAL_EXACT);
}

/* Forty pieces with weights of their own: far too many for a table. */
/* The work is charged as fuel, so it must not depend on what lay in that memory. */
static void what_cannot_be_dealt_takes_the_same_work_wherever_it_lies(void **state) {
    (void)state;
    static struct deal deals[3];
    size_t work[3];
    for (int i = 0; i < 3; i++) {
        memset(&deals[i], i ? 0x11 * i : 0, sizeof deals[i]);
        memset(deals[i].count, 0, sizeof deals[i].count);
        deals[i].pieces = 2;
        deals[i].count[1] = 3;
        deals[i].room = DEAL_ROOM;
        assert_int_equal(deal_prepare(&deals[i]), DEAL_NONE);
        work[i] = deal_work(&deals[i]);
    }
    assert_int_equal(work[0], work[1]);
    assert_int_equal(work[0], work[2]);
}

static void a_whole_army_of_unlike_pieces_is_dealt(void **state) {
    (void)state;
    static const uint8_t counts[] = {1, 6, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1};
    struct deal *deal = &census->deal;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    memset(deal, 0, sizeof *deal);
    deal->table = census->table;
    deal->room = DEAL_ROOM;
    deal->pieces = 40;
    memcpy(deal->count + 1, counts, sizeof counts);
    for (int piece = 0; piece < 40; piece++)
        for (int kind = 1; kind <= 12; kind++)
            deal->weight[piece][kind] = piece % 3 && kind < 3 ? 0 : 1 + random_below(&random, 9);
    assert_int_equal(deal_prepare(deal), DEAL_CHAIN);
    for (int i = 0; i < 200; i++) {
        uint8_t dealt[KINDS_MAX] = {0};
        deal_draw(deal, &random);
        for (int piece = 0; piece < 40; piece++) {
            assert_true(deal->weight[piece][deal->kind[piece]] > 0);
            dealt[deal->kind[piece]]++;
        }
        assert_memory_equal(dealt, deal->count, sizeof dealt);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_pieces_are_dealt_evenly),
        cmocka_unit_test(possible_kinds_in_a_ring_are_dealt_evenly),
        cmocka_unit_test(weights_multiply),
        cmocka_unit_test(large_and_small_weights_change_nothing_but_their_ratio),
        cmocka_unit_test(what_is_merged_is_still_dealt_evenly),
        cmocka_unit_test(a_chain_tends_to_the_weights),
        cmocka_unit_test(a_chain_reaches_what_swaps_do_not),
        cmocka_unit_test(what_cannot_be_dealt_is_refused),
        cmocka_unit_test(what_cannot_be_dealt_takes_the_same_work_wherever_it_lies),
        cmocka_unit_test(a_whole_army_of_unlike_pieces_is_dealt),
    };
    return cmocka_run_group_tests(tests, census_open, census_close);
}
