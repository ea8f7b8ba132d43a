/* What a side concludes against brute force: on a small board every army that the enemy may have
 * laid out is played along, and those in which a move is impossible, or tells the side something
 * else, are crossed out. The kinds that the view leaves to a piece are those that it has in the
 * armies that remain. */
#include "core/know/eyes.h"
#include "core/know/sample.h"
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

enum { ARMIES_MAX = 720, PLIES = 40, MOVES = 256, LIKELY_MAX = 60, DRAWS = 50 /* an army */ };

/* A game as it may be. */
struct possible {
    struct game game;
    struct eyes eyes;
    struct ply plies[PLIES + 1];
    struct position start;
    bool fits;
    bool blocked; /* the game would be over: forget_block() */
};

static struct possible *possible; /* ARMIES_MAX of them; the first is the true one */
static int count;

static struct { int compared, narrowed, drawn; } seen;

static int setup_memory(void **state) {
    (void)state;
    return (possible = calloc(ARMIES_MAX, sizeof *possible)) ? 0 : -1;
}

static int free_memory(void **state) {
    (void)state;
    free(possible);
    return 0;
}

/* Six pieces on six squares a side, without rules of repetition: what they refuse depends on hidden
 * kinds. */
static struct rules *rules_of(const uint8_t army[CUSTOM_KINDS + 1]) {
    struct fault fault = {0};
    struct rules *rules = custom_rules(3, 7, 2, 0, army, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    rules->two_squares = 0;
    rules->chase = CHASE_NONE;
    return rules;
}

/* Flag, bomb, runner, two steppers and a turner. */
static struct rules *small_rules(void) {
    return rules_of((const uint8_t[CUSTOM_KINDS + 1]){0, 1, 1, 1, 2, 0, 1});
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
    one->start = *position;
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

/* That pieces which could move have no room to do so ends a game, but a view concludes nothing from
 * it: the army is crossed out by the next move. */
static bool forget_block(struct possible *one) {
    struct events *told = &one->eyes.told[RED];
    struct game *game = &one->game;
    if (game->reason != REASON_IMMOBILE || !game->mobile[RED] || !game->mobile[BLUE]) return false;
    if (told->list[told->count - 1].type == EVENT_END) told->count--;
    if (one != possible) game_stop(game, RESULT_NONE, REASON_NONE);
    return true;
}

static void play_all(struct move move) {
    const struct possible *truth = &possible[0];
    for (int i = 0; i < count; i++) {
        struct possible *one = &possible[i];
        if (!one->fits) continue;
        one->fits = game_judge(&one->game, move) == LEGAL;
        if (!one->fits) continue;
        eyes_play(&one->eyes, &one->game, move);
        one->blocked = forget_block(one);
        one->fits = same_events(&one->eyes.told[RED], &truth->eyes.told[RED]);
    }
}

/* What the army that this game began with has on a square. */
static kind_id laid_kind(const struct possible *one, square start) {
    return cell_kind(one->start.at[start]);
}

static void compare(void) {
    const struct view *view = &possible[0].eyes.view[RED];
    kindset may_be[2 * BOARD_SQUARES_MAX];
    view_all_may_be(view, may_be);
    for (int number = 0; number < view->count; number++) {
        const struct view_piece *piece = &view->piece[number];
        kindset kinds = 0;
        if (piece->side == RED || (piece->at == SQUARE_NONE && !view->rules->fallen_hidden))
            continue;
        for (int i = 0; i < count; i++)
            if (possible[i].fits) kinds |= kindset_of(laid_kind(&possible[i], piece->start));
        seen.compared++;
        seen.narrowed += kinds != view->rules->army;
        if (may_be[number] != kinds)
            fail_msg("after ply %u the piece from %d may be %x, but the view says %x", view->plies,
                     piece->start, kinds, may_be[number]);
    }
}

/* Draws from what red knows: of few armies that fit each comes up equally often, the fallen as what
 * they then were. Twelve standard deviations: a wrong weight is far beyond. */
static void compare_draws(struct random *random) {
    static struct sampler sampler;
    static double table[DEAL_ROOM];
    static struct game sample;
    static struct ply plies[PLIES + SAMPLE_TAIL + 1];
    const struct view *view = &possible[0].eyes.view[RED];
    kindset may_be[2 * BOARD_SQUARES_MAX];
    int fitting[LIKELY_MAX], drawn[LIKELY_MAX] = {0}, fits = 0;
    for (int i = 1; i < count; i++) { /* the first is there once more */
        if (!possible[i].fits || possible[i].blocked) continue;
        if (fits == LIKELY_MAX) return;
        fitting[fits++] = i;
    }
    view_all_may_be(view, may_be);
    sampler.deal.table = table;
    sampler.deal.room = DEAL_ROOM;
    sampler_start(&sampler, view, may_be, 0);
    if (!sampler.deal.pieces) return;
    assert_int_equal(deal_prepare(&sampler.deal), DEAL_EXACT);
    for (int n = 0; n < DRAWS * fits; n++) {
        sampler_draw(&sampler, random, &sample, plies, PLIES + SAMPLE_TAIL);
        int i = 0;
        for (; i < fits; i++) {
            int piece = 0;
            while (piece < sampler.deal.pieces &&
                   sampler.deal.kind[piece] ==
                       laid_kind(&possible[fitting[i]], view->piece[sampler.piece[piece]].start))
                piece++;
            if (piece == sampler.deal.pieces) break;
        }
        if (i == fits) fail_msg("after ply %u an army is drawn that cannot be", view->plies);
        drawn[i]++;
        seen.drawn++;
    }
    int far = 0; /* chi-square, times DRAWS: as large as `fits` by chance */
    for (int i = 0; i < fits; i++) far += (drawn[i] - DRAWS) * (drawn[i] - DRAWS);
    assert_in_range(far, 0, DRAWS * (20 + 2 * fits));
}

static void judge_games(const struct rules *rules, int games, uint64_t seed, bool eager) {
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
            size_t chosen = random_below(&random, (uint32_t)listed);
            for (size_t m = 0; eager && m < listed; m++) /* battles tell the most */
                if (game->at[moves[m].to] && !random_below(&random, 3)) chosen = m;
            play_all(moves[chosen]);
            if (game_over(game)) break;
            compare();
            if (eager && game->ply_count % 4 == 0) compare_draws(&random);
        }
    }
}

static void a_view_leaves_a_piece_exactly_the_kinds_that_fit(void **state) {
    (void)state;
    for (uint8_t shown = AFTER_BATTLE_REVEAL; shown <= AFTER_BATTLE_SILENT; shown += 2) {
        struct rules *rules = small_rules();
        memset(rules->after_battle, shown, sizeof rules->after_battle);
        finish(rules);
        judge_games(rules, 20, shown, false);
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
        judge_games(rules, 10, 100 + i, false);
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
        judge_games(rules, 10, 200 + i, false);
        rules_free(rules);
    }
}

static void so_it_does_where_the_fallen_stay_hidden(void **state) {
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        struct rules *rules = small_rules();
        rules->fallen_hidden = true;
        memset(rules->after_battle, i & 1 ? AFTER_BATTLE_REVEAL : AFTER_BATTLE_SILENT,
               sizeof rules->after_battle);
        if (i & 2) rules->fall_shows[rules_kind_named(rules, "stepper")] = named(rules, "flag");
        if (i & 4) rules->stayers = named(rules, "turner");
        if (i & 8) rules->fall_shows[rules_kind_named(rules, "turner")] = named(rules, "flag");
        finish(rules);
        judge_games(rules, 20, 300 + i, true);
        rules_free(rules);
    }
}

/* Runners take whatever they attack: what fell without having moved was no runner if none else is
 * left. */
static void something_that_still_stands_can_move(void **state) {
    (void)state;
    static const uint8_t armies[][CUSTOM_KINDS + 1] = {{0, 1, 4, 1}, {0, 1, 3, 2}, {0, 1, 3, 1, 1}};
    for (unsigned i = 0; i < 6; i++) {
        struct rules *rules = rules_of(armies[i % 3]);
        rules->fallen_hidden = true;
        memset(rules->after_battle, AFTER_BATTLE_SILENT, sizeof rules->after_battle);
        memset(rules->outcome[rules_kind_named(rules, "runner")], i < 3 ? ATTACKER_WINS : BOTH_FALL,
               sizeof *rules->outcome);
        finish(rules);
        judge_games(rules, 60, 400 + i, true);
        rules_free(rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_leaves_a_piece_exactly_the_kinds_that_fit),
        cmocka_unit_test(so_it_does_where_a_piece_on_a_goal_ends_the_game),
        cmocka_unit_test(so_it_does_where_winners_stay_and_falls_show_other_pieces),
        cmocka_unit_test(so_it_does_where_the_fallen_stay_hidden),
        cmocka_unit_test(something_that_still_stands_can_move),
    };
    return cmocka_run_group_tests_name("core/knowledge", tests, setup_memory, free_memory);
}
