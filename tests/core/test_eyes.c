/* Each side learns of a game exactly what it may know. */
#include "core/know/eyes.h"

#include "core/know/sample.h"
#include "core/play/legal.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 60, STEPS = 2 };

static struct rules foggy, silent;
static struct sight sight;
static struct game game;
static struct ply plies[TABLE_PLIES];
static struct eyes eyes;
static struct move moves[4096];

/* Every piece sees the squares within STEPS steps; implemented again from the rules' text. */
static void make_rules(void) {
    memcpy(&foggy, stock_rules("duel"), sizeof foggy);
    const struct board *board = &foggy.board;
    for (square from = 0; from < board->squares; from++) {
        for (square at = 0; at < board->squares; at++) {
            int steps = abs(from % board->files - at % board->files) +
                        abs(from / board->files - at / board->files);
            if (steps > STEPS || squareset_has(board->lakes, at)) continue;
            for (int side = RED; side <= BLUE; side++)
                for (kind_id kind = 1; kind <= foggy.kinds; kind++)
                    sight.from[side][kind][from] |= squareset_of(at);
        }
    }
    foggy.sight = &sight;
    memcpy(&silent, stock_rules("barrage"), sizeof silent);
    memset(silent.after_battle, AFTER_BATTLE_SILENT, sizeof silent.after_battle);
}

static bool play_on(struct random *random, struct move *played) {
    size_t count = game_moves(&game, moves, 4096);
    if (game_over(&game) || !count) return false;
    *played = moves[random_below(random, (uint32_t)count)];
    eyes_play(&eyes, &game, *played);
    return true;
}

/* The pieces of a view stand where the game has them, are of a kind it thinks possible, and those
 * out of sight are counted. */
static void assert_view_is_true(enum side side) {
    const struct view *view = &eyes.view[side];
    enum side other = side_other(side);
    squareset shown = 0;
    int unseen = 0;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side != other) continue;
        unseen += piece->unseen;
        if (piece->at == SQUARE_NONE) continue;
        assert_false(piece->unseen);
        assert_int_equal(view->number[piece->at], i);
        shown |= squareset_of(piece->at);
        kind_id kind = cell_kind(game.at[piece->at]);
        assert_true(piece->kind == KIND_NONE || piece->kind == kind);
        assert_true(view_may_be(view, i) & kindset_of(kind));
    }
    squareset seen = game.pieces[other] & view_sight(game.rules, side, game.at);
    assert_true(shown == seen);
    assert_true(view_sees(view) == view_sight(game.rules, side, game.at));
    assert_int_equal(unseen, squareset_count(game.pieces[other] & ~seen));
    for (int s = RED; s <= BLUE; s++)
        for (kind_id kind = 1; kind <= game.rules->kinds; kind++)
            assert_int_equal(view->captured[s][kind], game_captured(&game, (enum side)s, kind));
}

static void views_in_fog_are_true_and_whole(void **state) {
    (void)state;
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    struct move played;
    uint32_t hidden = 0;
    for (int g = 0; g < GAMES; g++) {
        random_start(&foggy, &random, &game, plies, &eyes);
        do {
            assert_view_is_true(RED);
            assert_view_is_true(BLUE);
            for (int i = 0; i < eyes.view[RED].count; i++) hidden += eyes.view[RED].piece[i].unseen;
        } while (play_on(&random, &played));
    }
    assert_true(hidden > GAMES * 100);
}

static void nothing_is_told_of_what_happens_out_of_sight(void **state) {
    (void)state;
    struct random random = random_stream(6, STREAM_PLAYOUT, 0);
    struct move played;
    int silent_turns = 0, open_turns = 0;
    for (int g = 0; g < GAMES; g++) {
        random_start(&foggy, &random, &game, plies, &eyes);
        for (;;) {
            enum side watcher = side_other((enum side)game.to_move);
            squareset before = view_sight(&foggy, watcher, game.at);
            if (!play_on(&random, &played)) break;
            squareset after = view_sight(&foggy, watcher, game.at);
            const struct event *first = &eyes.told[watcher].list[0];
            if (first->type != EVENT_MOVE) continue;
            bool left = squareset_has(before, played.from), came = squareset_has(after, played.to);
            assert_int_equal(first->from, left ? played.from : SQUARE_NONE);
            assert_int_equal(first->to, came ? played.to : SQUARE_NONE);
            for (int e = 1; !came && e < eyes.told[watcher].count; e++)
                assert_int_equal(eyes.told[watcher].list[e].type, EVENT_END);
            *(left || came ? &open_turns : &silent_turns) += 1;
        }
    }
    assert_true(silent_turns > 1000 && open_turns > 1000);
}

static void a_side_in_fog_is_told_all_of_its_own_moves(void **state) {
    (void)state;
    struct random random = random_stream(7, STREAM_PLAYOUT, 0);
    struct move played;
    random_start(&foggy, &random, &game, plies, &eyes);
    for (;;) {
        enum side mover = (enum side)game.to_move;
        if (!play_on(&random, &played)) break;
        assert_int_equal(eyes.told[mover].list[0].from, played.from);
        assert_int_equal(eyes.told[mover].list[0].to, played.to);
    }
}

static void samples_in_fog_leave_seen_squares_alone(void **state) {
    (void)state;
    static struct sampler sampler;
    static double table[DEAL_ROOM];
    static struct ply history[SAMPLE_TAIL + 8];
    struct random random = random_stream(8, STREAM_PLAYOUT, 0);
    struct move played;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    sampler.deal.table = table;
    sampler.deal.room = DEAL_ROOM;
    random_start(&foggy, &random, &game, plies, &eyes);
    for (int turn = 0; turn < 200 && play_on(&random, &played); turn++) {
        enum side side = (enum side)game.to_move, other = side_other(side);
        const struct view *view = &eyes.view[side];
        if (game_over(&game)) break;
        view_all_may_be(view, may_be);
        sampler_start(&sampler, view, may_be, 0);
        assert_int_not_equal(deal_prepare(&sampler.deal), DEAL_NONE);
        struct game sample;
        sampler_draw(&sampler, &random, &sample, history, SAMPLE_TAIL + 8);
        squareset seen = view_sees(view);
        assert_true((sample.pieces[other] & seen) == (game.pieces[other] & seen));
        assert_true(sample.pieces[side] == game.pieces[side]);
        assert_memory_equal(sample.count[other], game.count[other], sizeof game.count[other]);
    }
}

static void silent_battles_hide_the_winner_and_leave_what_can_be_concluded(void **state) {
    (void)state;
    struct table table;
    table_set(&table, "barrage", "rFa1 r9b4 rSc1 bFa10 bMb5 b2j10 blue");
    table.game.rules = &silent;
    eyes_open(&eyes, &table.game);
    struct move move;
    assert_int_equal(move_read(&table.game, "b5xb4", 5, &move, NULL), LEGAL);
    eyes_play(&eyes, &table.game, move);
    const struct event *battle = &eyes.told[RED].list[0];
    assert_int_equal(battle->type, EVENT_BATTLE);
    assert_int_equal(battle->kind, KIND_NONE);
    assert_int_equal(battle->other, table_kind(&table, "general"));
    const struct view *red = &eyes.view[RED];
    int winner = red->number[move.to];
    assert_int_equal(red->piece[winner].kind, KIND_NONE);
    assert_int_equal(view_may_be(red, winner), kindset_of(table_kind(&table, "marshal")));
}

static void silent_views_are_true(void **state) {
    (void)state;
    struct random random = random_stream(9, STREAM_PLAYOUT, 0);
    struct move played;
    for (int g = 0; g < GAMES; g++) {
        random_start(&silent, &random, &game, plies, &eyes);
        do {
            assert_view_is_true(RED);
            assert_view_is_true(BLUE);
        } while (play_on(&random, &played));
    }
}

static void a_swap_with_a_square_out_of_sight_leaves_a_piece_that_nobody_knows(void **state) {
    (void)state;
    struct view view;
    cell own[BOARD_SQUARES_MAX] = {0};
    square near = board_square(&foggy.board, 0, 3);
    own[board_square(&foggy.board, 0, 1)] = cell_of(RED, foggy.kinds);
    struct random random = random_stream(10, STREAM_PLAYOUT, 0);
    random_start(&foggy, &random, &game, plies, &eyes);
    view_start(&view, &foggy, RED, own, squareset_of(near), game.start[BLUE], BLUE, foggy.limits);
    struct view_piece *piece = &view.piece[view.number[near]];
    piece->kind = foggy.kinds;
    piece->shown = true;
    struct events events = {.count = 1, .seen = squareset_of(near)};
    events.list[0] =
        (struct event){.type = EVENT_SWAP, .side = BLUE, .from = near, .to = SQUARE_NONE};
    view_turn(&view, &events);
    assert_int_not_equal(view.number[near], VIEW_EMPTY);
    assert_int_equal(view.piece[view.number[near]].kind, KIND_NONE);
    assert_false(view.piece[view.number[near]].shown);
}

/* A use of an ability that names the piece it aims at, if there is one. */
static bool name_rightly(void) {
    const size_t count = game_moves(&game, moves, 4096);
    for (size_t i = 0; i < count; i++) {
        if (moves[i].ability == ABILITY_NONE || !game.at[moves[i].target] ||
            moves[i].choice != cell_kind(game.at[moves[i].target]))
            continue;
        eyes_play(&eyes, &game, moves[i]);
        return true;
    }
    return false;
}

/* Abilities reach farther than a side sees, and tell where a piece has fallen. */
static void pieces_may_fall_by_abilities_on_squares_out_of_sight(void **state) {
    (void)state;
    static struct sight own_squares;
    static const char *const names[] = {"infiltrator", "galaxy"};
    static struct rules blind;
    struct random random = random_stream(11, STREAM_PLAYOUT, 0);
    struct move played;
    for (int g = 0, fallen = 0; g < 2 * GAMES || fallen < GAMES; g++) {
        memcpy(&blind, stock_rules(names[g & 1]), sizeof blind);
        blind.sight = &own_squares;
        blind.fallen_hidden = g >> 1 & 1;
        random_start(&blind, &random, &game, plies, &eyes);
        while (play_on(&random, &played)) {
            if (!game_over(&game)) fallen += name_rightly();
            for (int side = RED; side <= BLUE && !blind.fallen_hidden; side++)
                assert_view_is_true((enum side)side);
        }
    }
}

static int setup(void **state) {
    (void)state;
    make_rules();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_in_fog_are_true_and_whole),
        cmocka_unit_test(nothing_is_told_of_what_happens_out_of_sight),
        cmocka_unit_test(a_side_in_fog_is_told_all_of_its_own_moves),
        cmocka_unit_test(samples_in_fog_leave_seen_squares_alone),
        cmocka_unit_test(silent_battles_hide_the_winner_and_leave_what_can_be_concluded),
        cmocka_unit_test(silent_views_are_true),
        cmocka_unit_test(a_swap_with_a_square_out_of_sight_leaves_a_piece_that_nobody_knows),
        cmocka_unit_test(pieces_may_fall_by_abilities_on_squares_out_of_sight),
    };
    return cmocka_run_group_tests(tests, setup, stock_teardown);
}
