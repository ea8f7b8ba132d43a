/* Samples agree with everything that is known: in random games of every stock variant, with battles
 * that show and that conceal, and with abilities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

#include "core/know/sample.h"
#include "core/play/legal.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 600, ROOM = PLIES + SAMPLE_TAIL, MOVES = 4096 };

struct bench {
    struct game game, sample;
    struct ply plies[PLIES], sample_plies[ROOM];
    struct view view[2];
    struct sampler sampler;
    double table[DEAL_ROOM];
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct move moves[MOVES], others[MOVES];
};

static struct bench *bench;

static int bench_open(void **state) {
    (void)state;
    bench = calloc(1, sizeof *bench);
    return bench ? 0 : -1;
}

static int bench_close(void **state) {
    free(bench);
    return stock_teardown(state);
}

static void deal_armies(const struct rules *rules, struct random *random) {
    struct setup setup[2];
    struct position position;
    struct fault fault;
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, random, &setup[side], &fault));
    position_from_setups(rules, &setup[RED], &setup[BLUE], RED, &position);
    game_start(&bench->game, rules, &position, NULL, bench->plies, PLIES);
    views_start(bench->view, &bench->game);
}

static void play(struct move move) {
    struct events events = {0};
    game_play(&bench->game, move, &events);
    view_turn(&bench->view[RED], &events);
    view_turn(&bench->view[BLUE], &events);
}

static enum deal_method prepare(const struct view *view) {
    view_all_may_be(view, bench->may_be);
    bench->sampler.deal.table = bench->table;
    bench->sampler.deal.room = DEAL_ROOM;
    sampler_start(&bench->sampler, view, bench->may_be, 0);
    return deal_prepare(&bench->sampler.deal);
}

static void draw(struct random *random) {
    sampler_draw(&bench->sampler, random, &bench->sample, bench->sample_plies, ROOM);
}

/* Everything that a side knows of the true game holds in the sample. */
static void assert_consistent(const struct view *view) {
    const struct game *true_game = &bench->game, *sample = &bench->sample;
    assert_int_equal(sample->result, RESULT_NONE);
    assert_int_equal(sample->to_move, true_game->to_move);
    assert_int_equal(sample->quiet, true_game->quiet);
    for (int side = RED; side <= BLUE; side++) {
        assert_true(sample->pieces[side] == true_game->pieces[side]);
        assert_memory_equal(sample->count[side], true_game->count[side], KINDS_MAX);
        assert_memory_equal(sample->start[side], true_game->start[side], KINDS_MAX);
        assert_memory_equal(sample->uses[side], true_game->uses[side], ABILITIES_MAX);
    }
    assert_memory_equal(sample->placed[view->side], true_game->placed[view->side], KINDS_MAX);
    for (square at = 0; at < view->rules->board.squares; at++) {
        if (view->number[at] == VIEW_EMPTY) {
            assert_int_equal(sample->at[at], CELL_EMPTY);
            continue;
        }
        const struct view_piece *piece = &view->piece[view->number[at]];
        assert_true(piece->may_be & kindset_of(cell_kind(sample->at[at])));
        if (piece->side == view->side) assert_int_equal(sample->at[at], true_game->at[at]);
        assert_int_equal(sample->at[at] & CELL_RETURNED, true_game->at[at] & CELL_RETURNED);
    }
    if (view->limits.plies) {
        assert_int_equal(sample->limits.plies - sample->ply_count,
                         true_game->limits.plies - true_game->ply_count);
    }
}

/* Plays random games, looking at samples for both sides every few plies. */
static void assert_samples_hold(const struct rules *rules, uint64_t seed) {
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    for (int games = 0; games < 4; games++) {
        deal_armies(rules, &random);
        for (int ply = 0; ply < PLIES && !game_over(&bench->game); ply++) {
            for (int side = RED; ply % 7 == 0 && side <= BLUE; side++) {
                assert_int_equal(prepare(&bench->view[side]), DEAL_EXACT);
                for (int i = 0; i < 3; i++) {
                    draw(&random);
                    assert_consistent(&bench->view[side]);
                }
            }
            size_t count = game_moves(&bench->game, bench->moves, MOVES);
            play(bench->moves[random_below(&random, (uint32_t)count)]);
        }
    }
}

static void samples_fit_all_that_is_known_in_every_stock_variant(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) assert_samples_hold(stock_rules(STOCK[i]), (uint64_t)i);
}

static void samples_fit_when_battles_conceal(void **state) {
    (void)state;
    static const char *const names[] = {"duel", "infiltrator", "lightning"};
    for (int i = 0; i < 3; i++) {
        struct rules conceal;
        memcpy(&conceal, stock_rules(names[i]), sizeof conceal);
        memset(conceal.after_battle, AFTER_BATTLE_CONCEAL, sizeof conceal.after_battle);
        assert_samples_hold(&conceal, 20 + (uint64_t)i);
    }
}

/* Where nothing is hidden the sample is the game: it allows the same moves, those that a repetition
 * rule forbids left out. */
static void samples_carry_what_the_repetition_rules_count(void **state) {
    (void)state;
    int forbidden = 0;
    struct random random = random_stream(9, STREAM_PLAYOUT, 0);
    for (int games = 0; games < 200; games++) {
        struct table table;
        table_set(&table, "original", "rFa1 r5d4 r9c3 bFj10 b4e7 b9f8 red");
        bench->game = table.game;
        bench->game.plies = bench->plies;
        memcpy(bench->view, table.view, sizeof bench->view);
        for (int ply = 0; ply < 60 && !game_over(&bench->game); ply++) {
            struct view *view = &bench->view[ply % 2];
            for (int i = 0; i < view->count; i++) { /* as if all had been shown */
                if (view->piece[i].at == SQUARE_NONE) continue;
                view->piece[i].kind = cell_kind(bench->game.at[view->piece[i].at]);
            }
            assert_int_equal(prepare(view), DEAL_EXACT);
            draw(&random);
            draw(&random); /* the first settles how much is replayed */
            size_t count = game_moves(&bench->game, bench->moves, MOVES);
            struct game lax = bench->game; /* without a memory it allows what was forbidden */
            memset(lax.chaser, 255, sizeof lax.chaser);
            lax.chaser[RED].run = lax.chaser[BLUE].run = 0;
            lax.chaser[RED].chase = lax.chaser[BLUE].chase = 0;
            forbidden += game_moves(&lax, bench->others, MOVES) != count;
            size_t same = game_moves(&bench->sample, bench->others, MOVES);
            assert_int_equal(same, count);
            for (size_t i = 0; i < count; i++)
                assert_true(move_equal(bench->moves[i], bench->others[i]));
            uint32_t pick = random_below(&random, 3) ? 0 : random_below(&random, (uint32_t)count);
            if (bench->game.at[bench->moves[pick].to]) break;
            play(bench->moves[pick]);
        }
    }
    assert_true(forbidden > 20);
}

/* Three pieces, one of each kind, all of which can move: six armies. */
static void every_army_is_equally_likely(void **state) {
    (void)state;
    struct table table;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    int drawn[3][3] = {{0}};
    table_set(&table, "original", "rFa1 rMd4 bFj10 b9e7 b4f8 red");
    assert_int_equal(prepare(&table.view[RED]), DEAL_EXACT);
    const kind_id kinds[3] = {table_kind(&table, "flag"), table_kind(&table, "general"),
                              table_kind(&table, "sergeant")};
    const char *const names[3] = {"j10", "e7", "f8"};
    for (int i = 0; i < 6000; i++) {
        draw(&random);
        for (int at = 0; at < 3; at++) {
            for (int kind = 0; kind < 3; kind++) {
                square where = table_square(&table, names[at]);
                drawn[at][kind] += cell_kind(bench->sample.at[where]) == kinds[kind];
            }
        }
    }
    for (int at = 0; at < 3; at++)
        for (int kind = 0; kind < 3; kind++) assert_in_range(drawn[at][kind], 1880, 2120);
}

/* The flag in a corner between two other pieces that cannot both be bombs is drawn as it must be
 * after a move has shown what moves. */
static void a_piece_that_has_moved_is_never_drawn_as_immobile(void **state) {
    (void)state;
    struct table table;
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    table_set(&table, "original", "rFa1 rMd4 bFj10 b9e7 bBf8 red");
    table_play(&table, "d4-d3 e7-e6");
    assert_int_equal(prepare(&table.view[RED]), DEAL_EXACT);
    int flags = 0;
    for (int i = 0; i < 1000; i++) {
        draw(&random);
        square moved = table_square(&table, "e6");
        assert_int_equal(cell_kind(bench->sample.at[moved]), table_kind(&table, "general"));
        flags +=
            cell_kind(bench->sample.at[table_square(&table, "f8")]) == table_kind(&table, "flag");
    }
    assert_in_range(flags, 420, 580);
}

/* Before its first move an army must be able to make one. */
static void no_army_is_drawn_that_could_not_begin(void **state) {
    (void)state;
    struct random random = random_stream(6, STREAM_PLAYOUT, 0);
    struct table table;
    table_set(&table, "duel",
              "rFa1 rMd4 bFj10 bBi10 b9j9 red"); /* blue: one can move, if in front */
    assert_int_equal(prepare(&table.view[RED]), DEAL_EXACT);
    for (int i = 0; i < 300; i++) {
        draw(&random);
        assert_int_not_equal(cell_kind(bench->sample.at[table_square(&table, "j10")]),
                             table_kind(&table, "general"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_fit_all_that_is_known_in_every_stock_variant),
        cmocka_unit_test(samples_fit_when_battles_conceal),
        cmocka_unit_test(samples_carry_what_the_repetition_rules_count),
        cmocka_unit_test(every_army_is_equally_likely),
        cmocka_unit_test(a_piece_that_has_moved_is_never_drawn_as_immobile),
        cmocka_unit_test(no_army_is_drawn_that_could_not_begin),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
