/* What a side concludes against brute force: on a small board every army that the enemy may have
 * laid out is played along, and those in which a move is impossible, or tells the side something
 * else, are crossed out. The kinds that the view leaves to a piece are those that it has in the
 * armies that remain. */
#include "core/know/eyes.h"
#include "core/play/legal.h"
#include "core/rules/refusal.h"
#include "custom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARMIES_MAX = 720, PLIES = 40, MOVES = 256 };

/* A game as it may be. */
struct possible {
    struct game game;
    struct eyes eyes;
    struct ply plies[PLIES + 1];
    bool fits;
};

static struct possible *possible; /* ARMIES_MAX of them; the first is the true one */
static int count;

static struct { int compared, narrowed; } seen;

static int setup_memory(void **state) {
    (void)state;
    return (possible = calloc(ARMIES_MAX, sizeof *possible)) ? 0 : -1;
}

static int free_memory(void **state) {
    (void)state;
    free(possible);
    return 0;
}

/* Flag, bomb, runner, two steppers and a turner on six squares a side, without rules of repetition:
 * what they refuse depends on hidden kinds. */
static struct rules *small_rules(void) {
    static const uint8_t army[CUSTOM_KINDS + 1] = {0, 1, 1, 1, 2, 0, 1};
    struct fault fault = {0};
    struct rules *rules = custom_rules(3, 7, 2, 0, army, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    rules->two_squares = 0;
    rules->chase = CHASE_NONE;
    return rules;
}

static void finish(struct rules *rules) {
    struct refusals refusals;
    if (rules_finish(rules, &refusals)) return;
    struct fault fault = {0};
    refusal_fault(&refusals.list[0], rules, &fault);
    fail_msg("%s", fault.text);
}

static void start(struct possible *one, const struct rules *rules,
                  const struct position *position) {
    game_start(&one->game, rules, position, NULL, one->plies, PLIES);
    eyes_open(&one->eyes, &one->game);
    one->fits = !game_over(&one->game);
}

/* Starts a game for each order of blue's army, `kinds` being what is left for the squares from
 * `at` on. */
static void start_all(const struct rules *rules, struct position *position, square at,
                      uint8_t *kinds) {
    if (at == rules->board.squares) {
        assert_true(count < ARMIES_MAX);
        start(&possible[count++], rules, position);
        return;
    }
    if (!squareset_has(rules->board.zone[BLUE], at)) {
        start_all(rules, position, (square)(at + 1), kinds);
        return;
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!kinds[kind]) continue;
        kinds[kind]--;
        position->at[at] = cell_of(BLUE, kind);
        start_all(rules, position, (square)(at + 1), kinds);
        kinds[kind]++;
    }
}

static bool same_events(const struct events *a, const struct events *b) {
    return a->count == b->count && !memcmp(a->list, b->list, (size_t)a->count * sizeof *a->list);
}

static void play_all(struct move move) {
    const struct possible *truth = &possible[0];
    for (int i = 0; i < count; i++) {
        struct possible *one = &possible[i];
        if (!one->fits) continue;
        one->fits = game_judge(&one->game, move) == LEGAL;
        if (!one->fits) continue;
        eyes_play(&one->eyes, &one->game, move);
        one->fits = same_events(&one->eyes.told[RED], &truth->eyes.told[RED]);
    }
}

static void compare(void) {
    const struct view *view = &possible[0].eyes.view[RED];
    kindset may_be[2 * BOARD_SQUARES_MAX];
    view_all_may_be(view, may_be);
    for (int number = 0; number < view->count; number++) {
        const struct view_piece *piece = &view->piece[number];
        kindset kinds = 0;
        if (piece->side == RED || piece->at == SQUARE_NONE) continue;
        for (int i = 0; i < count; i++)
            if (possible[i].fits) kinds |= kindset_of(cell_kind(possible[i].game.at[piece->at]));
        seen.compared++;
        seen.narrowed += kinds != view->rules->army;
        if (may_be[number] != kinds)
            fail_msg("after ply %u the piece on %d may be %x, but the view says %x", view->plies,
                     piece->at, kinds, may_be[number]);
    }
}

static void judge_games(const struct rules *rules, int games, uint64_t seed) {
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    for (int i = 0; i < games; i++) {
        struct setup red, blue;
        struct position position;
        uint8_t army[KINDS_MAX];
        struct fault fault = {0};
        assert_true(setup_random(rules, RED, &random, &red, &fault));
        assert_true(setup_random(rules, BLUE, &random, &blue, &fault));
        position_from_setups(rules, &red, &blue, RED, &position);
        start(&possible[0], rules, &position);
        count = 1;
        memcpy(army, rules->start[BLUE].count, sizeof army);
        start_all(rules, &position, 0, army);
        const struct game *game = &possible[0].game;
        while (!game_over(game) && game->ply_count < PLIES) {
            struct move moves[MOVES];
            size_t listed = game_moves(game, moves, MOVES);
            assert_in_range(listed, 1, MOVES);
            play_all(moves[random_below(&random, (uint32_t)listed)]);
            if (!game_over(game)) compare();
        }
    }
}

static void a_view_leaves_a_piece_exactly_the_kinds_that_fit(void **state) {
    (void)state;
    for (uint8_t shown = AFTER_BATTLE_REVEAL; shown <= AFTER_BATTLE_SILENT; shown += 2) {
        struct rules *rules = small_rules();
        memset(rules->after_battle, shown, sizeof rules->after_battle);
        finish(rules);
        judge_games(rules, 20, shown);
        rules_free(rules);
    }
    assert_true(seen.narrowed > 1000);
}

/* The kinds of a custom variant keep their order. */
static kindset named(const struct rules *rules, const char *name) {
    return kindset_of(rules_kind_named(rules, name));
}

static void so_it_does_where_a_piece_on_a_goal_ends_the_game(void **state) {
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct rules *rules = small_rules();
        rules->goals = 2;
        for (int side = RED; side <= BLUE; side++) {
            square far = board_square(&rules->board, 1, side == RED ? 6 : 0);
            rules->goal[0].at[side] = rules->board.zone[side_other((enum side)side)];
            rules->goal[1].at[side] =
                rules->board.land & ~rules->board.zone[RED] & ~rules->board.zone[BLUE];
            assert_true(squareset_has(rules->goal[0].at[side], far));
        }
        rules->goal[0].kinds = named(rules, "stepper");
        rules->goal[0].after = (uint8_t)(i % 4);
        rules->goal[1].kinds = named(rules, "turner");
        rules->goal[1].after = (uint8_t)(1 + i % 3);
        rules->goal[1].result = i & 4 ? GOAL_LOSE : GOAL_WIN;
        finish(rules);
        judge_games(rules, 10, 100 + i);
        rules_free(rules);
    }
}

static void so_it_does_where_winners_stay_and_falls_show_other_pieces(void **state) {
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct rules *rules = small_rules();
        memset(rules->after_battle, i & 1 ? AFTER_BATTLE_SILENT : AFTER_BATTLE_REVEAL,
               sizeof rules->after_battle);
        rules->stayers = i & 2 ? named(rules, "stepper") : named(rules, "runner");
        rules->fall_shows[rules_kind_named(rules, i & 4 ? "runner" : "stepper")] =
            named(rules, "flag");
        finish(rules);
        judge_games(rules, 10, 200 + i);
        rules_free(rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_leaves_a_piece_exactly_the_kinds_that_fit),
        cmocka_unit_test(so_it_does_where_a_piece_on_a_goal_ends_the_game),
        cmocka_unit_test(so_it_does_where_winners_stay_and_falls_show_other_pieces),
    };
    return cmocka_run_group_tests_name("core/knowledge", tests, setup_memory, free_memory);
}
