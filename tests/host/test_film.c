/* Films of games: a page must show exactly what the sides' views hold. */
#include "host/film.h"

#include "core/know/eyes.h"
#include "games/drawn.h"
#include "host/playback.h"
#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A film being read as its header describes it. */
struct screening {
    const char *text;
    uint16_t held[BOARD_SQUARES_MAX];
    unsigned told; /* of the last ply */
};

static unsigned read_number(struct screening *screening) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned number = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = strchr(digits, *screening->text++);
        assert_non_null(digit);
        number = number << 6 | (unsigned)(digit - digits);
    }
    return number;
}

/* Returns the squares of the piece that moved. */
static struct move read_ply(struct screening *screening) {
    unsigned head = read_number(screening), changes = head & 255;
    square from = (square)(head >> 17), to = head >> 10 & 127;
    screening->told = head >> 8 & 3;
    if (changes == 255) {
        changes = 0;
        assert_int_equal(screening->held[to], 0);
        screening->held[to] = screening->held[from] | 64 | 256;
        screening->held[from] = 0;
    }
    for (unsigned i = 0; i < changes; i++) {
        unsigned change = read_number(screening);
        screening->held[change >> 12] = change & 4095;
    }
    return (struct move){.from = from, .to = to};
}

/* Whether the square shows each side what its view holds. */
static void expect_square(const struct game *game, const struct eyes *eyes, square at,
                          uint16_t held) {
    for (enum side side = RED; side <= BLUE; side++) {
        const struct view *view = &eyes->view[side];
        assert_int_equal(!(held >> (10 + side) & 1), squareset_has(view_sees(view), at));
        assert_int_equal(held & 31, cell_kind(game->at[at]));
        enum side owner = held >> 5 & 1;
        bool visible = (held & 31) && (owner == side || !(held >> 9 & 1));
        assert_int_equal(visible, view->number[at] != VIEW_EMPTY);
        if (!visible) continue;
        const struct view_piece *seen = &view->piece[view->number[at]];
        assert_int_equal(owner, seen->side);
        assert_int_equal(held >> (owner == side ? 6 : 8) & 1, seen->moved);
        kind_id kind = owner == side || (held >> 7 & 1) ? held & 31 : KIND_NONE;
        assert_int_equal(kind, seen->kind);
    }
}

static void expect_board(const struct game *game, const struct eyes *eyes,
                         const struct screening *screening) {
    for (square at = 0; at < game->rules->board.squares; at++)
        expect_square(game, eyes, at, screening->held[at]);
}

static void expect_told(const struct events *told, unsigned bits) {
    for (int e = 0; e < told->count; e++) {
        const struct event *event = &told->list[e];
        if (event->type == EVENT_MOVE) {
            assert_int_equal(bits & 1, event->from != SQUARE_NONE);
            assert_int_equal(bits >> 1, event->to != SQUARE_NONE);
        } else if (event->type == EVENT_BATTLE) {
            assert_int_equal(bits & 1, event->kind != KIND_NONE);
            assert_int_equal(bits >> 1, event->other != KIND_NONE);
        }
    }
}

static void follow(const struct rules *rules, const struct record *record) {
    struct film film;
    struct fault fault = {0};
    struct position position;
    struct limits limits;
    struct game game;
    struct eyes *eyes = calloc(1, sizeof *eyes);
    uint32_t battles[BOARD_SQUARES_MAX] = {0}, attacks = 0, filmed_attacks = 0;
    struct playback replay;
    if (!playback_open(&replay, record, rules, &fault) ||
        !film_make(&replay, &film, battles, &fault))
        fail_msg("%s", fault.text);
    playback_close(&replay);
    struct ply *history = calloc(record->move_count + 1, sizeof *history);
    assert_true(eyes && history && record_start(record, rules, &position, &limits, &fault));
    game_start(&game, rules, &position, &limits, history, (uint32_t)record->move_count + 1);
    eyes_open(eyes, &game);
    struct screening screening = {.text = film.text};
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) screening.held[at] = position.at[at] & 63;
    assert_int_equal(film.plies, record->move_count);
    read_ply(&screening);
    expect_board(&game, eyes, &screening);
    for (size_t i = 0; i < record->move_count; i++) {
        struct move move, filmed;
        const char *text = record->moves[i].text;
        enum side watcher = side_other((enum side)game.to_move);
        assert_int_equal(move_read(&game, text, strlen(text), &move, &fault), LEGAL);
        attacks += strchr(text, 'x') != NULL;
        eyes_play(eyes, &game, move);
        filmed = read_ply(&screening);
        assert_int_equal(filmed.from, move.from);
        assert_int_equal(filmed.to, move.to);
        expect_told(&eyes->told[watcher], screening.told);
        expect_board(&game, eyes, &screening);
    }
    assert_int_equal(*screening.text, 0);
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) filmed_attacks += battles[at];
    assert_int_equal(filmed_attacks, attacks);
    free(history);
    free(eyes);
    film_clear(&film);
}

/* Some games of random moves. */
static void follow_games(const char *variant) {
    struct rules *rules = support_rules(variant);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct record *record = drawn_record(rules, seed, seed, 500);
        follow(rules, record);
        record_free(record);
    }
    rules_free(rules);
}

static void films_show_what_the_views_hold_in_every_stock_game(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "duel",      "infiltrator", "galaxy",
                                           "quick",    "lightning", "russian"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) follow_games(variants[v]);
}

static void what_is_out_of_sight_is_out_of_the_film(void **state) {
    (void)state;
    follow_games("variants/examples/fog.lua");
}

static void winners_that_are_not_shown_stay_hidden(void **state) {
    (void)state;
    follow_games("variants/examples/silent_defence.lua");
}

static void moves_with_abilities_keep_their_words(void **state) {
    (void)state;
    struct rules *rules = support_rules("galaxy");
    size_t noted = 0, written = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct record *record = drawn_record(rules, seed, seed, 600);
        struct film film;
        uint32_t battles[BOARD_SQUARES_MAX] = {0};
        struct playback replay;
        assert_true(playback_open(&replay, record, rules, NULL));
        assert_true(film_make(&replay, &film, battles, NULL));
        playback_close(&replay);
        for (size_t i = 0; i < film.note_count; i++)
            assert_string_equal(film.notes[i].move, record->moves[film.notes[i].ply - 1].text);
        for (size_t i = 0; i < record->move_count; i++)
            written += strchr(record->moves[i].text, '@') != NULL;
        noted += film.note_count;
        film_clear(&film);
        record_free(record);
    }
    assert_true(written > 0);
    assert_int_equal(noted, written);
    rules_free(rules);
}

static void an_illegal_move_ends_the_film_before_it(void **state) {
    (void)state;
    struct rules *rules = support_rules("duel");
    struct record *record = drawn_record(rules, 1, 1, 20);
    struct film film;
    uint32_t battles[BOARD_SQUARES_MAX] = {0};
    record_add_move(record, "a1-j10");
    struct playback replay;
    assert_true(playback_open(&replay, record, rules, NULL));
    assert_true(film_make(&replay, &film, battles, NULL));
    assert_int_equal(replay.illegal_ply, 21);
    playback_close(&replay);
    assert_int_equal(film.plies, 20);
    film_clear(&film);
    record_free(record);
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(films_show_what_the_views_hold_in_every_stock_game),
        cmocka_unit_test(what_is_out_of_sight_is_out_of_the_film),
        cmocka_unit_test(winners_that_are_not_shown_stay_hidden),
        cmocka_unit_test(moves_with_abilities_keep_their_words),
        cmocka_unit_test(an_illegal_move_ends_the_film_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
