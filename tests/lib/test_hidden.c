/* What a side must not know: games that it cannot tell apart give it, at every decision, the same
 * bytes in every array and text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/line.h"
#include "games/sanitized.h"
#include "learner.h"
#include "lib/batch_inside.h"

static void give_setups(const struct rules *rules, const struct setup setups[2], uint8_t *out) {
    const struct start *start = rules->start;
    const size_t row =
        start[RED].zone_size > start[BLUE].zone_size ? start[RED].zone_size : start[BLUE].zone_size;
    for (int side = RED; side <= BLUE; side++, out += row)
        for (int i = 0; i < start[side].zone_size; i++)
            out[i] = setups[side].at[start[side].zone[i]];
}

/* Begins the game of a line, with a seed that gives it its first side. */
static void begin(struct learner *learner, const struct line *line, const struct setup setups[2]) {
    uint8_t kinds[2 * BOARD_SQUARES_MAX];
    give_setups(line->rules, setups, kinds);
    for (uint64_t seed = 0; seed < 64; seed++) {
        if (ensign_reset(learner->batch, NULL, &seed, kinds, NULL) != ENSIGN_OK)
            fail_msg("%s: %s", learner->rules->rules->name, learner->batch->fault.text);
        if (batch_slot(learner->batch, 0)->first == line->first) return;
    }
    fail();
}

/* All that a side is given. */
static void gather(struct learner *learner, int side, struct buffer *told) {
    ensign_out *out = &learner->out;
    const ensign_shape *shape = &learner->shape;
    static char text[1 << 12];
    assert_int_equal(ensign_observe(learner->batch, side, out), ENSIGN_OK);
    buffer_add(told, out->planes, (size_t)shape->planes * shape->squares);
    buffer_add(told, out->cells, shape->squares);
    buffer_add(told, out->mask, shape->actions);
    buffer_add(told, out->mask_bits, shape->mask_words * sizeof(uint64_t));
    buffer_add(told, out->scalars, shape->scalars * sizeof(float));
    buffer_add(told, out->info_hash, sizeof(uint64_t));
    buffer_add(told, out->reason, 1);
    buffer_add(told, out->reward, 2 * sizeof(float));
    for (int eyes = 0; eyes <= ENSIGN_PUBLIC; eyes++) {
        if (eyes != side && eyes != ENSIGN_PUBLIC) continue;
        ensign_text(learner->batch, 0, eyes, text, sizeof text);
        buffer_add_text(told, text);
    }
    if (out->to_move[0] != side || out->terminated[0]) return;
    for (uint32_t action = 0; action < shape->actions; action += 7) {
        ensign_why(learner->batch, 0, (int32_t)action, text, sizeof text);
        buffer_add_text(told, text);
        text[0] = '\0';
        ensign_move_text(learner->batch, 0, (int32_t)action, text, sizeof text);
        buffer_add_text(told, text);
    }
}

static void play_line(struct learner *learner, const struct line *line,
                      const struct setup setups[2], struct buffer *told) {
    const struct actions *actions = learner->batch->actions;
    begin(learner, line, setups);
    gather(learner, (int)line->side, told);
    for (int ply = 0; ply < line->plies; ply++) {
        struct move move = line->moves[ply];
        struct slot *slot = batch_slot(learner->batch, 0);
        const enum side mover = (enum side)slot->game.to_move;
        int32_t action =
            (int32_t)actions_of(actions, batch_square(learner->batch, mover, move.from),
                                batch_square(learner->batch, mover, move.to));
        assert_int_equal(ensign_step(learner->batch, &action, NULL), ENSIGN_OK);
        if (slot->pending) {
            /* How many decisions the enemy's move takes is not told. */
            if (mover == line->side) gather(learner, (int)line->side, told);
            action = (int32_t)actions->none;
            if (move.ability != ABILITY_NONE) {
                move.target = batch_square(learner->batch, mover, move.target);
                action = (int32_t)actions_of_use(actions, move);
            }
            assert_int_equal(ensign_step(learner->batch, &action, NULL), ENSIGN_OK);
        }
        gather(learner, (int)line->side, told);
    }
}

static void a_side_cannot_tell_armies_apart_that_it_does_not_know(void **state) {
    (void)state;
    int twins = 0;
    const uint64_t lines = sanitized() ? 4 : 40;
    const ensign_options options = {.planes = 2 * ENSIGN_SIGHT - 1};
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        learner_open(&learner, *variant, &options);
        for (uint64_t number = 0; number < lines; number++) {
            static struct line line;
            struct setup setups[2];
            struct buffer told[2] = {buffer_of(64 << 20), buffer_of(64 << 20)};
            line_draw(&line, learner.rules->rules, rules_first(learner.rules->rules), number);
            if (!line_twin(&line, setups)) continue;
            twins++;
            play_line(&learner, &line, line.setups, &told[0]);
            play_line(&learner, &line, setups, &told[1]);
            assert_false(told[0].broken || told[1].broken);
            assert_int_equal(told[0].length, told[1].length);
            assert_memory_equal(told[0].text, told[1].text, told[0].length);
            buffer_clear(&told[0]);
            buffer_clear(&told[1]);
        }
        learner_close(&learner);
    }
    assert_true(twins > (sanitized() ? 40 : 400));
}

/* The other way round: what is hidden from a side is not hidden from its enemy, so the test above
 * would notice. */
static void the_other_side_can_tell_them_apart(void **state) {
    (void)state;
    static struct line line;
    struct learner learner;
    struct setup setups[2];
    const ensign_options options = {.planes = 2 * ENSIGN_SIGHT - 1};
    learner_open(&learner, "original", &options);
    int told_apart = 0;
    for (uint64_t number = 0; number < 8; number++) {
        struct buffer told[2] = {buffer_of(64 << 20), buffer_of(64 << 20)};
        line_draw(&line, learner.rules->rules, RED, number);
        if (!line_twin(&line, setups)) continue;
        line.side = side_other(line.side);
        play_line(&learner, &line, line.setups, &told[0]);
        play_line(&learner, &line, setups, &told[1]);
        told_apart += memcmp(told[0].text, told[1].text, told[0].length) != 0;
        buffer_clear(&told[0]);
        buffer_clear(&told[1]);
    }
    assert_true(told_apart > 2);
    learner_close(&learner);
}

/* Imagined games differ from the true one only in what the side does not know. Where the rules
 * limit sight, a piece out of sight may block moves elsewhere. */
static void samples_fit_what_a_side_knows(void **state) {
    (void)state;
    const ensign_options options = {.games = 6, .planes = 2 * ENSIGN_SIGHT - 1};
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        learner_open(&learner, *variant, &options);
        const uint32_t squares = learner.shape.squares, row = learner.shape.planes * squares;
        assert_int_equal(ensign_reset(learner.batch, NULL, NULL, NULL, NULL), ENSIGN_OK);
        int different = 0;
        for (int ply = 0; ply < 50; ply++) {
            int32_t action[6] = {0, -1, -1, -1, -1, -1};
            ensign_observe(learner.batch, -1, &learner.out);
            if (learner.out.terminated[0]) break;
            const int side = ply / 7 % 2;
            if (ply % 7 == 6 && !batch_slot(learner.batch, 0)->pending) {
                assert_int_equal(
                    ensign_sample(learner.batch, 0, side, NULL, (uint64_t)ply, learner.batch, 1, 5),
                    ENSIGN_OK);
                assert_int_equal(ensign_observe(learner.batch, side, &learner.out), ENSIGN_OK);
                char truth[512], mine[512];
                ensign_text(learner.batch, 0, ENSIGN_ALL, truth, sizeof truth);
                for (uint32_t game = 1; game < 6; game++) {
                    assert_memory_equal(learner.out.planes, learner.out.planes + game * row, row);
                    assert_memory_equal(learner.out.cells, learner.out.cells + game * squares,
                                        squares);
                    if (!learner.rules->rules->sight)
                        assert_memory_equal(learner.out.mask,
                                            learner.out.mask + game * learner.shape.actions,
                                            learner.shape.actions);
                    assert_int_equal(learner.out.info_hash[0], learner.out.info_hash[game]);
                    ensign_text(learner.batch, game, ENSIGN_ALL, mine, sizeof mine);
                    different += strcmp(truth, mine) != 0;
                }
                ensign_observe(learner.batch, -1, &learner.out);
            }
            action[0] = learner_action(&learner, 0, (uint64_t)ply * 7919);
            assert_int_equal(ensign_step(learner.batch, action, NULL), ENSIGN_OK);
        }
        assert_int_equal(different > 0, !learner.rules->rules->open);
        learner_close(&learner);
    }
}

/* A weight of 0 excludes a kind. */
static void samples_follow_weights(void **state) {
    (void)state;
    const ensign_options options = {.games = 2};
    struct learner learner;
    learner_open(&learner, "original", &options);
    const ensign_shape *shape = &learner.shape;
    const size_t kinds = shape->kinds + 1;
    float *weights = malloc(shape->squares * kinds * sizeof *weights);
    char flag[32];
    uint32_t kind = 1;
    while (ensign_kind_name(learner.rules, kind, flag, sizeof flag) && strcmp(flag, "flag")) kind++;
    assert_int_equal(ensign_reset(learner.batch, NULL, NULL, NULL, NULL), ENSIGN_OK);
    for (size_t i = 0; i < shape->squares * kinds; i++) weights[i] = 1;
    /* The flag on the square before the last, as red counts. */
    for (size_t at = 0; at < shape->squares; at++) weights[at * kinds + kind] = at == 98;
    for (uint64_t seed = 0; seed < 20; seed++) {
        char text[512];
        assert_int_equal(ensign_sample(learner.batch, 0, 0, weights, seed, learner.batch, 1, 1),
                         ENSIGN_OK);
        ensign_text(learner.batch, 1, ENSIGN_ALL, text, sizeof text);
        assert_memory_equal(text + 2 * 8, "bF", 2);
    }
    weights[0] = -1;
    for (size_t i = 0; i < shape->squares * kinds; i++) weights[i] = -1;
    assert_int_equal(ensign_sample(learner.batch, 0, 0, weights, 1, learner.batch, 1, 1),
                     ENSIGN_USAGE);
    free(weights);
    learner_close(&learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_cannot_tell_armies_apart_that_it_does_not_know),
        cmocka_unit_test(the_other_side_can_tell_them_apart),
        cmocka_unit_test(samples_fit_what_a_side_knows),
        cmocka_unit_test(samples_follow_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
