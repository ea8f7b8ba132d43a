/* Games of the library against the core's own: position, knowledge, legal moves and their texts are
 * equal at every ply of random games in every variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/know/integrity.h"
#include "core/play/calls.h"
#include "core/text/notation.h"
#include "games/length.h"
#include "games/line.h"
#include "games/sanitized.h"
#include "learner.h"
#include "lib/batch_inside.h"
#include "lib/move_sets.h"

enum { HISTORY = 6000, MOVES = 8192, GAMES = 3, SAVED = 1 << 20 };

static struct twin {
    struct game game;
    struct ply plies[HISTORY];
    struct eyes eyes;
    struct move moves[MOVES];
    size_t count;
} twin;

static struct known lore, view;

static squareset may_be(const struct known *known, int kind, squareset certain, int first,
                        int end) {
    squareset set = known->kind[kind] & certain;
    for (int i = first; i < end; i++)
        if (known->group_kinds[i] >> kind & 1) set |= known->group_at[i];
    return set;
}

static void assert_same_known(const struct known *a, const struct known *b) {
    assert_true(a->own == b->own && a->enemy == b->enemy);
    assert_true(a->told == b->told && a->open == b->open && a->shown == b->shown);
    assert_true(a->moved[0] == b->moved[0] && a->moved[1] == b->moved[1]);
    assert_true(a->seen == b->seen);
    for (int kind = 1; kind <= a->kinds; kind++) {
        assert_true(may_be(a, kind, a->own, 0, 0) == may_be(b, kind, b->own, 0, 0));
        assert_true(may_be(a, kind, a->shown, a->groups[0], a->groups[1]) ==
                    may_be(b, kind, b->shown, b->groups[0], b->groups[1]));
        assert_true(may_be(a, kind, a->open, 0, a->groups[0]) ==
                    may_be(b, kind, b->open, 0, b->groups[0]));
    }
}

/* The core's game with the armies of the library's. */
static void twin_start(const ensign_batch *batch) {
    const struct slot *slot = batch_slot(batch, 0);
    struct position position;
    position_from_setups(batch->rules, &slot->setups[RED], &slot->setups[BLUE],
                         (enum side)slot->first, &position);
    game_start(&twin.game, batch->rules, &position, NULL, twin.plies, HISTORY);
    eyes_open(&twin.eyes, &twin.game);
}

static void assert_same_game(const ensign_batch *batch) {
    struct game mine = batch_slot(batch, 0)->game;
    struct fault fault = {0};
    assert_int_equal(mine.ply_count + mine.earlier, twin.game.ply_count);
    mine.ply_count = twin.game.ply_count;
    if (!integrity_same(&twin.game, &mine, &fault)) fail_msg("%s", fault.text);
}

static void assert_same_knowledge(const ensign_batch *batch) {
    struct slot *slot = batch_slot(batch, 0);
    for (int side = RED; side <= BLUE; side++) {
        known_of_view(&twin.eyes.view[side], &view);
        if (batch->views)
            known_of_view(&slot_eyes(batch, slot)->view[side], &lore);
        else
            known_of_lore(&slot->lore, &slot->game, (enum side)side, true, &lore);
        assert_same_known(&lore, &view);
    }
}

/* Counters are the last scalars: the mover's, then the enemy's unless both share it. */
static void assert_same_counters(const struct learner *learner) {
    const struct rules *rules = learner->batch->rules;
    const enum side side = (enum side)twin.game.to_move;
    const float *scalar = learner->out.scalars + learner->shape.scalars;
    for (int i = rules->counters - 1; i >= 0; i--) {
        if (rules->counter[i].each)
            assert_true(*--scalar ==
                        (float)counters_get(&twin.game.counters, rules, side_other(side), i));
        assert_true(*--scalar == (float)counters_get(&twin.game.counters, rules, side, i));
    }
}

/* The decisions of a move, one or two. */
static int decisions(const ensign_batch *batch, struct move move, uint32_t action[2]) {
    const enum side side = (enum side)twin.game.to_move;
    const struct actions *actions = batch->actions;
    action[0] = actions_of(actions, batch_square(batch, side, move.from),
                           batch_square(batch, side, move.to));
    bool asked = false;
    for (size_t i = 0; i < twin.count; i++)
        asked |= twin.moves[i].from == move.from && twin.moves[i].to == move.to &&
                 twin.moves[i].ability != ABILITY_NONE;
    if (!asked) return 1;
    if (move.ability == ABILITY_NONE) {
        action[1] = actions->none;
    } else {
        move.target = batch_square(batch, side, move.target);
        action[1] = actions_of_use(actions, move);
    }
    return 2;
}

/* Every legal move has its action, and no other action is legal; the text of an action is that of
 * its move. */
static void assert_same_moves(struct learner *learner) {
    static uint8_t expected[1 << 16];
    memset(expected, 0, learner->shape.actions);
    for (size_t i = 0; i < twin.count; i++) {
        uint32_t action[2];
        if (decisions(learner->batch, twin.moves[i], action) == 1) {
            char mine[MOVE_TEXT_MAX], text[MOVE_TEXT_MAX];
            assert_false(expected[action[0]]);
            move_write(&twin.game, twin.moves[i], text);
            assert_int_not_equal(
                ensign_move_text(learner->batch, 0, (int32_t)action[0], mine, sizeof mine), 0);
            assert_string_equal(mine, text);
        }
        expected[action[0]] = 1;
    }
    for (uint32_t i = 0; i < learner->shape.actions; i++)
        assert_int_equal(learner_allows(learner, 0, i), expected[i]);
}

static void assert_second_decisions(struct learner *learner, struct move first) {
    for (size_t i = 0; i < twin.count; i++) {
        uint32_t action[2];
        char mine[MOVE_TEXT_MAX], text[MOVE_TEXT_MAX];
        const struct move move = twin.moves[i];
        if (move.from != first.from || move.to != first.to) continue;
        assert_int_equal(decisions(learner->batch, move, action), 2);
        assert_true(learner_allows(learner, 0, action[1]));
        move_write(&twin.game, move, text);
        ensign_move_text(learner->batch, 0, (int32_t)action[1], mine, sizeof mine);
        assert_string_equal(mine, text);
    }
}

static void play_both(struct learner *learner, struct move move) {
    uint32_t action[2];
    const int count = decisions(learner->batch, move, action);
    for (int i = 0; i < count; i++) {
        const int32_t number[GAMES] = {(int32_t)action[i], -1, -1};
        if (i == 1) assert_second_decisions(learner, move);
        assert_int_equal(ensign_step(learner->batch, number, &learner->out), ENSIGN_OK);
        if (i + 1 < count) assert_int_equal(learner->out.to_move[0], twin.game.to_move);
    }
    eyes_play(&twin.eyes, &twin.game, move);
}

/* Fits of the same piece, so that chases and repetitions come up. */
static struct move pick(struct random *random) {
    struct move move = twin.moves[random_below(random, (uint32_t)twin.count)];
    for (int tries = random_below(random, 3) ? 0 : 60; tries--;) {
        const square last = twin.game.chaser[twin.game.to_move].to;
        if (move.from == last) break;
        move = twin.moves[random_below(random, (uint32_t)twin.count)];
    }
    return move;
}

/* Saved, loaded over another game and copied, a game stays what it is. */
static void assert_saved(struct learner *learner) {
    static unsigned char first[SAVED], second[SAVED];
    const size_t length = ensign_save(learner->batch, 0, first, sizeof first);
    assert_in_range(length, 1, sizeof first);
    assert_int_equal(ensign_load(learner->batch, 1, first, length, NULL), ENSIGN_OK);
    assert_int_equal(ensign_save(learner->batch, 1, second, sizeof second), length);
    assert_memory_equal(first, second, length);
    assert_int_equal(ensign_copy(learner->batch, 2, learner->batch, 1), ENSIGN_OK);
    assert_int_equal(ensign_save(learner->batch, 2, second, sizeof second), length);
    assert_memory_equal(first, second, length);
    assert_int_equal(ensign_copy(learner->batch, 0, learner->batch, 2), ENSIGN_OK);
}

/* Takes a move back and plays it again. */
static void assert_undone(struct learner *learner, const unsigned char *before, size_t length,
                          struct move move) {
    static unsigned char after[SAVED];
    uint32_t action[2];
    const int count = decisions(learner->batch, move, action);
    for (int i = 0; i < count; i++) {
        const int32_t number[GAMES] = {(int32_t)action[i], -1, -1};
        assert_int_equal(ensign_step(learner->batch, number, NULL), ENSIGN_OK);
    }
    for (int i = 0; i < count; i++) assert_int_equal(ensign_undo(learner->batch, 0), ENSIGN_OK);
    const size_t now = ensign_save(learner->batch, 0, after, sizeof after);
    if (now == length) /* else the history was cut meanwhile */
        assert_memory_equal(before, after, length);
    assert_same_game(learner->batch);
    assert_same_knowledge(learner->batch);
    assert_int_equal(ensign_observe(learner->batch, -1, &learner->out), ENSIGN_OK);
}

/* Back where the side's last move came from, if it can; else anywhere without a battle. */
static struct move pick_back(struct random *random) {
    const uint32_t plies = twin.game.ply_count;
    for (size_t i = 0; plies >= 2 && i < twin.count; i++) {
        const struct move last = twin.plies[plies - 2].move;
        if (twin.moves[i].from == last.to && twin.moves[i].to == last.from) return twin.moves[i];
    }
    struct move move = twin.moves[random_below(random, (uint32_t)twin.count)];
    while (twin.game.at[move.to]) move = twin.moves[random_below(random, (uint32_t)twin.count)];
    return move;
}

static void play_game(struct learner *learner, uint64_t number, uint32_t *plies, uint32_t most,
                      struct move (*choose)(struct random *)) {
    struct random random = random_stream(number, STREAM_PLAYOUT, 7);
    const uint64_t seeds[GAMES] = {number, number, number};
    assert_int_equal(ensign_reset(learner->batch, NULL, seeds, NULL, &learner->out), ENSIGN_OK);
    twin_start(learner->batch);
    for (;;) {
        assert_same_game(learner->batch);
        assert_same_knowledge(learner->batch);
        twin.count = game_moves(&twin.game, twin.moves, MOVES);
        assert_in_range(twin.count, 0, MOVES);
        assert_same_moves(learner);
        assert_same_counters(learner);
        assert_int_equal(learner->out.terminated[0], game_over(&twin.game));
        if (game_over(&twin.game) || (*plies)++ >= most || twin.game.ply_count + 2 >= HISTORY)
            break;
        const struct move move = choose(&random);
        if (twin.game.ply_count % 16 == 5) assert_saved(learner);
        if (twin.game.ply_count % 16 == 11) {
            static unsigned char before[SAVED];
            const size_t length = ensign_save(learner->batch, 0, before, sizeof before);
            assert_undone(learner, before, length, move);
        }
        play_both(learner, move);
        assert_false(calls_failed());
    }
}

static void games_are_those_of_the_core(void **state) {
    (void)state;
    uint32_t variants = 0;
    while (line_variants()[variants]) variants++;
    const uint32_t most = at_length() ? 10000000 / variants : sanitized() ? 300 : 1500;
    const ensign_options options = {.games = GAMES, .undo = 4, .flags = ENSIGN_RECORD};
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        uint32_t plies = 0;
        learner_open(&learner, *variant, &options);
        for (uint64_t game = 1; plies < most; game++) play_game(&learner, game, &plies, most, pick);
        learner_close(&learner);
    }
}

/* The history of a game is cut where no rule looks at it any more: a position that stands for the
 * ninth time is still known, and what a goal tells. */
static void repeated_positions_and_goals_are_those_of_the_core(void **state) {
    (void)state;
    struct learner learner;
    uint32_t plies = 0, repeated = 0, reached = 0;
    learner_open(&learner, ENSIGN_ROOT "/tests/data/repeats.lua",
                 &(ensign_options){.games = GAMES, .undo = 4, .flags = ENSIGN_RECORD});
    for (uint64_t game = 1; game <= 8; game++) {
        play_game(&learner, game, &plies, UINT32_MAX, pick_back);
        repeated += twin.game.reason == REASON_REPETITION;
        play_game(&learner, game, &plies, plies + 400, pick);
        reached += twin.game.reason == REASON_GOAL;
    }
    assert_int_equal(repeated, 8);
    assert_true(reached > 0);
    learner_close(&learner);
}

/* Draws often from a position in which it is known what is legal. */
static void assert_all_drawn(struct learner *learner, uint64_t number) {
    static uint8_t drawn[1 << 16];
    memset(drawn, 0, sizeof drawn);
    uint32_t legal = 0, seen = 0;
    for (uint32_t i = 0; i < learner->shape.actions; i++)
        legal += (uint32_t)learner_allows(learner, 0, i);
    for (int draw = 0; draw < 40 * (int)legal; draw++) {
        int32_t played[2];
        assert_int_equal(ensign_copy(learner->batch, 1, learner->batch, 0), ENSIGN_OK);
        struct slot *slot = batch_slot(learner->batch, 1);
        slot->random = random_stream(number, STREAM_PLAYOUT, (uint64_t)draw);
        const struct move move = draw_move(&slot->game, &slot->random, learner->batch->moves);
        assert_int_equal(game_judge(&slot->game, move), LEGAL);
        played[0] = (int32_t)actions_of(
            learner->batch->actions,
            batch_square(learner->batch, (enum side)slot->game.to_move, move.from),
            batch_square(learner->batch, (enum side)slot->game.to_move, move.to));
        assert_true(learner_allows(learner, 0, (uint32_t)played[0]));
        seen += !drawn[played[0]];
        drawn[played[0]] = 1;
    }
    assert_int_equal(seen, legal);
}

/* Random moves drawn from sets are legal, and all legal moves come up. */
static void every_legal_move_is_drawn(void **state) {
    (void)state;
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        const ensign_options options = {.games = 2, .flags = ENSIGN_AUTO_RESET};
        learner_open(&learner, *variant, &options);
        assert_int_equal(ensign_reset(learner.batch, NULL, NULL, NULL, &learner.out), ENSIGN_OK);
        for (int ply = 0; ply < 120; ply++) {
            if (ply % 30 == 29 && !learner.shape.calls) assert_all_drawn(&learner, (uint64_t)ply);
            const ensign_status status = ensign_step_random(learner.batch, NULL, &learner.out);
            if (status) print_error("%s: %s\n", *variant, learner.batch->fault.text);
            assert_int_equal(status, ENSIGN_OK);
        }
        learner_close(&learner);
    }
}

/* The table of actions alone, without a position. */
static void actions_and_their_texts_are_one_to_one(void **state) {
    (void)state;
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        ensign_rules *rules = ensign_rules_load(*variant, 0, NULL);
        const bool drawn = rules && rules->rules->armies == ARMIES_BY_CHANCE;
        ensign_rules_free(rules);
        const ensign_options options = {.flags = drawn ? 0 : ENSIGN_SETUPS_BY_AGENT};
        learner_open(&learner, *variant, &options);
        uint32_t texts = 0;
        for (uint32_t action = 0; action < learner.shape.actions; action++)
            for (int side = RED; side <= BLUE; side++) {
                char text[ACTION_TEXT_MAX];
                const size_t length =
                    ensign_action_text(learner.rules, action, side, text, sizeof text);
                if (!length) continue; /* off the board */
                texts++;
                assert_int_equal(ensign_action_read(learner.rules, side, text), action);
            }
        assert_in_range(texts, learner.shape.squares, 2 * learner.shape.actions);
        learner_close(&learner);
    }
}

/* Ways of original: to the other ranks of the file, then to the other files of the rank. */
static void actions_of_original_are_those_of_other_programs(void **state) {
    (void)state;
    struct learner learner;
    learner_open(&learner, "original", NULL);
    assert_int_equal(learner.shape.actions, 1800);
    assert_int_equal(learner.shape.ways, 18);
    static const struct {
        int side, way, cell;
        const char *text;
    } known[] = {{RED, 3, 30, "a4-a5"},  {RED, 0, 30, "a4-a1"},  {RED, 2, 30, "a4-a3"},
                 {RED, 9, 31, "b4-a4"},  {RED, 10, 31, "b4-c4"}, {RED, 17, 31, "b4-j4"},
                 {BLUE, 3, 30, "j7-j6"}, {BLUE, 9, 31, "i7-j7"}, {BLUE, 8, 0, "j10-j1"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(ensign_action_read(learner.rules, known[i].side, known[i].text),
                         known[i].way * 100 + known[i].cell);
    learner_close(&learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_those_of_the_core),
        cmocka_unit_test(repeated_positions_and_goals_are_those_of_the_core),
        cmocka_unit_test(every_legal_move_is_drawn),
        cmocka_unit_test(actions_and_their_texts_are_one_to_one),
        cmocka_unit_test(actions_of_original_are_those_of_other_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
