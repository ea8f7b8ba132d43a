/* What a hidden piece has shown by coming near known ones, leaving and staying, and by what began
 * beside it: each view against what follows from the true game. */
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
    bool moved;
    int start;
} shown[BOARD_SQUARES_MAX];

/* By the square where a piece began: its side, and what both know of it. */
static struct origin {
    int side; /* NOBODY: none began there */
    bool mobile, immobile;
} origin[BOARD_SQUARES_MAX];
enum { NOBODY = -1 };

static int beside; /* how often something was known of what began beside a piece */
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

static void note_known(int start, kind_id kind) {
    origin[start].mobile = game.rules->mobile >> kind & 1;
    origin[start].immobile = !origin[start].mobile;
}

static void note_origins(void) {
    for (int at = 0; at < game.rules->board.squares; at++) {
        if (!game.at[at]) continue;
        if (shown[at].open)
            note_known(shown[at].start, cell_kind(game.at[at]));
        else if (shown[at].moved)
            origin[shown[at].start].mobile = true;
    }
}

static void begin(void) {
    memset(shown, 0, sizeof shown);
    memset(origin, 0, sizeof origin);
    for (int at = 0; at < game.rules->board.squares; at++) {
        shown[at].start = at;
        origin[at].side = game.at[at] ? (int)cell_side(game.at[at]) : NOBODY;
    }
}

/* The sign of what began beside an unmoved piece that began on that square. */
static int beside_sign_of(int side, int start) {
    const int files = game.rules->board.files;
    int mobile = 0, immobile = 0;
    for (int other = 0; other < game.rules->board.squares; other++) {
        if (abs(start % files - other % files) + abs(start / files - other / files) != 1) continue;
        if (origin[other].side != side) continue;
        mobile += origin[other].mobile;
        immobile += origin[other].immobile;
    }
    return SIGN_BESIDE + (immobile < 2 ? immobile : 2) * 4 + (mobile < 3 ? mobile : 3);
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
    const struct shown met = shown[move.to];
    const cell from = game.at[move.from], to = game.at[move.to];
    eyes_play(&eyes, &game, move);
    shown[move.from] = (struct shown){0};
    mover.moved = true;
    if (!steps && game.at[move.to] != to) note_known(met.start, cell_kind(to));
    if (!steps && (!game.at[move.to] || cell_side(game.at[move.to]) != side))
        note_known(mover.start, cell_kind(from));
    if (steps) {
        if (!mover.open) mover.dared = higher(mover.dared, known_next_to(side, move.to));
        shown[move.to] = mover;
    } else if (!game.at[move.to]) {
        shown[move.to] = (struct shown){0};
    } else if (cell_side(game.at[move.to]) == side) {
        shown[move.to] = mover;
    }
    note_open();
    note_origins();
    for (int at = 0; at < game.rules->board.squares; at++)
        if (game.at[at] && cell_side(game.at[at]) == side && at != move.to && !shown[at].open &&
            known_next_to(side, at))
            shown[at].stood++;
}

static int compare(void) {
    int signs = 0;
    struct origins origins;
    for (int side = RED; side <= BLUE; side++) {
        const struct view *view = &eyes.view[side];
        origins_read(view, &origins);
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->at == SQUARE_NONE) continue;
            const struct shown *wanted = &shown[piece->at];
            assert_int_equal(piece->dared, wanted->dared);
            assert_int_equal(piece->fled, wanted->fled);
            assert_int_equal(piece->stood, wanted->stood > 255 ? 255 : wanted->stood);
            signs += piece->dared || piece->fled || piece->stood;
            if (piece->side == side || piece->kind) continue;
            uint8_t all[SIGN_SORTS];
            signs_of(view, &origins, piece, all);
            assert_int_equal(all[5], wanted->moved ? SIGN_ALOOF
                                                   : beside_sign_of(piece->side, wanted->start));
            beside += all[5] > SIGN_BESIDE;
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
            begin();
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
    assert_true(beside > 100000);
}

/* The signs of belief.h, in numbers. */
static void signs_have_the_numbers_that_are_written_down(void **state) {
    (void)state;
    static struct table table;
    uint8_t signs[SIGN_SORTS];
    struct origins origins = {0};
    table_set(&table, "original", "rFa1 r4e4 bFj10 b9c7 b4e8 red");
    const struct view_piece *piece = table_seen(&table, RED, "c7");
    signs_of(&table.view[RED], &origins, piece, signs);
    assert_int_equal(signs[0], SIGN_START + 1); /* front row, the next two files */
    assert_int_equal(signs[1], SIGN_MOVES);
    assert_int_equal(signs[2], SIGN_DARED);
    assert_int_equal(signs[3], SIGN_FLED);
    assert_int_equal(signs[4], SIGN_STOOD);
    assert_int_equal(signs[5], SIGN_BESIDE);
    signs_of(&table.view[RED], &origins, table_seen(&table, RED, "e8"), signs);
    assert_int_equal(signs[0], SIGN_START + SIGN_START_PLACES + 2); /* the middle */
    signs_of(&table.view[BLUE], &origins, table_seen(&table, BLUE, "a1"), signs);
    assert_int_equal(signs[0], SIGN_START + 3 * SIGN_START_PLACES);
    table_play(&table, "e4-e5 c7-d7 e5-e4 d7-c7");
    signs_of(&table.view[RED], &origins, piece, signs);
    assert_int_equal(signs[1], SIGN_MOVES + 2);
    assert_int_equal(signs[5], SIGN_ALOOF);
    table.view[RED].plies = 72;
    struct view_piece invented = *piece;
    invented.moves = 8;
    invented.dared = table_kind(&table, "marshal");
    invented.stood = 3;
    signs_of(&table.view[RED], &origins, &invented, signs);
    assert_int_equal(signs[1], SIGN_MOVES + 2 * SIGN_MOVES_TIMES + 4);
    assert_int_equal(signs[2], SIGN_DARED + table_kind(&table, "marshal"));
    assert_int_equal(signs[4], SIGN_STOOD + 2);
}

/* What the piece on a square shows to red by what began beside it. */
static int beside_seen(struct table *table, const char *where) {
    uint8_t signs[SIGN_SORTS];
    struct origins origins;
    origins_read(&table->view[RED], &origins);
    signs_of(&table->view[RED], &origins, table_seen(table, RED, where), signs);
    return signs[5];
}

/* Beside the flag: a bomb that a battle shows; two pieces that move, one of which then falls; and
 * one that moves later. */
static void what_began_beside_a_piece_counts_standing_or_fallen(void **state) {
    (void)state;
    static struct table table;
    table_set(&table, "original", "rFa1 r3e6 r9d7 bFd9 bBd8 bBj9 b4c9 b2e9 b5d10 bSj10 red");
    table_play(&table, "d7xd8 c9-c8 e6-e7 e9-e8");
    assert_int_equal(beside_seen(&table, "d9"), SIGN_BESIDE + SIGN_BESIDE_MOBILE + 2);
    assert_int_equal(beside_seen(&table, "j10"), SIGN_BESIDE);
    table_play(&table, "e7xe8 d10-e10");
    assert_int_equal(beside_seen(&table, "d9"), SIGN_BESIDE + SIGN_BESIDE_MOBILE + 3);
    assert_int_equal(beside_seen(&table, "e10"), SIGN_ALOOF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_show_what_they_dare_flee_and_bear),
        cmocka_unit_test(what_began_beside_a_piece_counts_standing_or_fallen),
        cmocka_unit_test(signs_have_the_numbers_that_are_written_down),
    };
    return cmocka_run_group_tests_name("core/signs", tests, NULL, stock_teardown);
}
