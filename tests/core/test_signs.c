/* What a hidden piece has shown by coming near known ones, leaving and staying: each view against
 * what follows from the true game. */
#include "core/know/eyes.h"
#include "core/play/legal.h"
#include "core/value/belief.h"
#include "manners.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 4096 };

/* By the square on which a piece stands now. */
static struct shown {
    kind_id dared, fled;
    int stood;
    bool open; /* its kind is known to both */
} shown[BOARD_SQUARES_MAX];

static struct game game;
static struct ply plies[TABLE_PLIES];
static struct eyes eyes;
static struct move moves[ROOM];

static kind_id higher(kind_id one, kind_id other) {
    if (!one || !other) return one ? one : other;
    return game.rules->kind[other].rank > game.rules->kind[one].rank ? other : one;
}

/* Of the known, mobile enemies of a side next to a square, the kind of the highest rank. */
static kind_id known_next_to(enum side side, int at) {
    const struct rules *rules = game.rules;
    const int files = rules->board.files;
    kind_id highest = KIND_NONE;
    for (int other = 0; other < rules->board.squares; other++) {
        if (abs(at % files - other % files) + abs(at / files - other / files) != 1) continue;
        const cell piece = game.at[other];
        if (!piece || cell_side(piece) == side || !shown[other].open) continue;
        if (!(rules->mobile >> cell_kind(piece) & 1)) continue;
        if (!highest || rules->kind[cell_kind(piece)].rank > rules->kind[highest].rank)
            highest = cell_kind(piece);
    }
    return highest;
}

/* Both views know kinds that are public: that is tested elsewhere (test_view.c). */
static void note_open(void) {
    for (int at = 0; at < game.rules->board.squares; at++) {
        const struct view *view = &eyes.view[RED];
        shown[at].open = view->number[at] != VIEW_EMPTY && view->piece[view->number[at]].shown;
    }
}

/* Plays a move to an empty square or into a battle. */
static void follow(struct move move) {
    const enum side side = (enum side)game.to_move;
    const bool steps = !game.at[move.to];
    struct shown mover = shown[move.from];
    if (steps && !mover.open) mover.fled = higher(mover.fled, known_next_to(side, move.from));
    eyes_play(&eyes, &game, move);
    shown[move.from] = (struct shown){0};
    if (steps) {
        if (!mover.open) mover.dared = higher(mover.dared, known_next_to(side, move.to));
        shown[move.to] = mover;
    } else if (!game.at[move.to]) {
        shown[move.to] = (struct shown){0};
    } else if (cell_side(game.at[move.to]) == side) {
        shown[move.to] = mover;
    }
    note_open();
    for (int at = 0; at < game.rules->board.squares; at++)
        if (game.at[at] && cell_side(game.at[at]) == side && at != move.to && !shown[at].open &&
            known_next_to(side, at))
            shown[at].stood++;
}

static int compare(void) {
    int signs = 0;
    for (int side = RED; side <= BLUE; side++) {
        const struct view *view = &eyes.view[side];
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->at == SQUARE_NONE) continue;
            const struct shown *wanted = &shown[piece->at];
            assert_int_equal(piece->dared, wanted->dared);
            assert_int_equal(piece->fled, wanted->fled);
            assert_int_equal(piece->stood, wanted->stood > 255 ? 255 : wanted->stood);
            signs += piece->dared || piece->fled || piece->stood;
        }
    }
    return signs;
}

static void pieces_show_what_they_dare_flee_and_bear(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "duel", "barrage", "lightning", "russian"};
    for (int i = 0; i < 5; i++) {
        const struct rules *rules = stock_rules(variants[i]);
        struct random random = random_stream(61, STREAM_PLAYOUT, (uint64_t)i);
        int signs = 0;
        for (int round = 0; round < 20; round++) {
            const struct manner *manner = manner_draw(&random);
            struct position start;
            assert_true(manner_position(manner, rules, &random, &start));
            game_start(&game, rules, &start, NULL, plies, TABLE_PLIES);
            eyes_open(&eyes, &game);
            memset(shown, 0, sizeof shown);
            while (!game_over(&game)) {
                size_t count = game_moves(&game, moves, ROOM), plain = 0;
                for (size_t j = 0; j < count; j++)
                    if (moves[j].ability == ABILITY_NONE) moves[plain++] = moves[j];
                if (!plain) break;
                follow(manner_choose(manner, &game, moves, plain, &random));
                signs += compare();
            }
        }
        assert_true(signs > 1000);
    }
}

/* The signs of belief.h, in numbers. */
static void signs_have_the_numbers_that_are_written_down(void **state) {
    (void)state;
    static struct table table;
    uint8_t signs[SIGN_SORTS];
    table_set(&table, "original", "rFa1 r4e4 bFj10 b9c7 b4e8 red");
    const struct view_piece *piece = table_seen(&table, RED, "c7");
    signs_of(&table.view[RED], piece, signs);
    assert_int_equal(signs[0], SIGN_START + 1); /* front row, the next two files */
    assert_int_equal(signs[1], SIGN_MOVES);
    assert_int_equal(signs[2], SIGN_DARED);
    assert_int_equal(signs[3], SIGN_FLED);
    assert_int_equal(signs[4], SIGN_STOOD);
    signs_of(&table.view[RED], table_seen(&table, RED, "e8"), signs);
    assert_int_equal(signs[0], SIGN_START + SIGN_START_PLACES + 2); /* the middle */
    signs_of(&table.view[BLUE], table_seen(&table, BLUE, "a1"), signs);
    assert_int_equal(signs[0], SIGN_START + 3 * SIGN_START_PLACES);
    table_play(&table, "e4-e5 c7-d7 e5-e4 d7-c7");
    signs_of(&table.view[RED], piece, signs);
    assert_int_equal(signs[1], SIGN_MOVES + 2);
    table.view[RED].plies = 72;
    struct view_piece invented = *piece;
    invented.moves = 8;
    invented.dared = table_kind(&table, "marshal");
    invented.stood = 3;
    signs_of(&table.view[RED], &invented, signs);
    assert_int_equal(signs[1], SIGN_MOVES + 2 * SIGN_MOVES_TIMES + 4);
    assert_int_equal(signs[2], SIGN_DARED + table_kind(&table, "marshal"));
    assert_int_equal(signs[4], SIGN_STOOD + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_show_what_they_dare_flee_and_bear),
        cmocka_unit_test(signs_have_the_numbers_that_are_written_down),
    };
    return cmocka_run_group_tests_name("core/signs", tests, NULL, stock_teardown);
}
