/* What ensign.h promises: many games at once, games begun, ended and cut off, armies laid out,
 * rules as bytes, errors for wrong use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/length.h"
#include "games/line.h"
#include "games/sanitized.h"
#include "learner.h"
#include "lib/batch_inside.h"

static void reset(struct learner *learner) {
    assert_int_equal(ensign_reset(learner->batch, NULL, NULL, NULL, &learner->out), ENSIGN_OK);
}

static void a_game_waits_for_its_first_reset(void **state) {
    (void)state;
    struct learner learner;
    learner_open(&learner, "duel", NULL);
    const int32_t action = 0;
    assert_int_equal(ensign_step(learner.batch, &action, &learner.out), ENSIGN_OK);
    assert_int_equal(learner_action(&learner, 0, 0), -1);
    reset(&learner);
    assert_int_not_equal(learner_action(&learner, 0, 0), -1);
    assert_int_equal(learner.out.episode[0], 0);
    learner_close(&learner);
}

static void the_same_seed_gives_the_same_game(void **state) {
    (void)state;
    const ensign_options options = {.games = 2};
    struct learner learner;
    learner_open(&learner, "original", &options);
    const uint64_t seeds[2] = {77, 77};
    assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, NULL), ENSIGN_OK);
    for (int ply = 0; ply < 200; ply++) {
        int32_t played[2];
        assert_int_equal(ensign_step_random(learner.batch, played, NULL), ENSIGN_OK);
        assert_int_equal(played[0], played[1]);
    }
    learner_close(&learner);
}

enum { ROWS = 16 };

/* Of a batch of ROWS games one row, against the only one of another batch. */
static void assert_same_row(const struct learner *all, uint32_t row, const struct learner *one) {
    const ensign_out *a = &all->out, *b = &one->out;
    const ensign_shape *shape = &all->shape;
    const struct {
        const void *of_all, *of_one;
        size_t size;
    } arrays[] = {
        {a->planes, b->planes, (size_t)shape->planes * shape->squares},
        {a->mask_bits, b->mask_bits, shape->mask_words * sizeof(uint64_t)},
        {a->mask, b->mask, shape->actions},
        {a->cells, b->cells, shape->squares},
        {a->scalars, b->scalars, shape->scalars * sizeof(float)},
        {a->reward, b->reward, 2 * sizeof(float)},
        {a->to_move, b->to_move, 1},
        {a->terminated, b->terminated, 1},
        {a->reason, b->reason, 1},
        {a->ply, b->ply, sizeof(uint32_t)},
        {a->info_hash, b->info_hash, sizeof(uint64_t)},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const unsigned char *of_all = arrays[i].of_all;
        assert_memory_equal(of_all + row * arrays[i].size, arrays[i].of_one, arrays[i].size);
    }
}

/* One call for many games, and a call for each of them. */
static void compare_rows(const char *variant, uint32_t steps) {
    struct learner all, one[ROWS];
    uint64_t seeds[ROWS], seed = 1;
    uint8_t over[ROWS];
    learner_open(&all, variant, &(ensign_options){.games = ROWS});
    for (uint32_t row = 0; row < ROWS; row++) learner_open(&one[row], variant, NULL);
    memset(over, 1, sizeof over);
    for (uint32_t step = 0; step < steps; step += ROWS) {
        int32_t played[ROWS], alone;
        for (uint32_t row = 0; row < ROWS; row++) seeds[row] = over[row] ? seed++ : 0;
        assert_int_equal(ensign_reset(all.batch, over, seeds, NULL, &all.out), ENSIGN_OK);
        assert_int_equal(ensign_step_random(all.batch, played, &all.out), ENSIGN_OK);
        for (uint32_t row = 0; row < ROWS; row++) {
            if (over[row])
                assert_int_equal(ensign_reset(one[row].batch, NULL, &seeds[row], NULL, NULL),
                                 ENSIGN_OK);
            assert_int_equal(ensign_step_random(one[row].batch, &alone, &one[row].out), ENSIGN_OK);
            assert_int_equal(alone, played[row]);
            assert_same_row(&all, row, &one[row]);
            over[row] = all.out.terminated[row];
        }
    }
    for (uint32_t row = 0; row < ROWS; row++) learner_close(&one[row]);
    learner_close(&all);
}

static void a_game_of_many_is_the_game_played_alone(void **state) {
    (void)state;
    uint32_t variants = 0;
    while (line_variants()[variants]) variants++;
    const uint32_t steps = at_length() ? 10000000 / variants : sanitized() ? 320 : 1600;
    for (const char *const *variant = line_variants(); *variant; variant++)
        compare_rows(*variant, steps);
}

static void a_game_that_is_over_begins_again_in_the_same_step(void **state) {
    (void)state;
    const ensign_options options = {.games = 4, .flags = ENSIGN_AUTO_RESET};
    struct learner learner;
    learner_open(&learner, "quick", &options);
    reset(&learner);
    int ended = 0;
    for (int ply = 0; ply < 3000; ply++) {
        assert_int_equal(ensign_step_random(learner.batch, NULL, &learner.out), ENSIGN_OK);
        for (uint32_t game = 0; game < 4; game++) {
            const float *reward = learner.out.reward + 2 * game;
            assert_true(reward[0] == -reward[1]);
            assert_int_not_equal(learner_action(&learner, game, 0), -1);
            if (!learner.out.terminated[game]) {
                assert_true(reward[0] == 0);
                assert_int_equal(learner.out.reason[game], 0);
                continue;
            }
            ended++;
            assert_int_equal(learner.out.ply[game], 0);
            assert_true(learner.out.episode[game] >= 1);
            assert_non_null(ensign_reason_name(learner.out.reason[game]));
        }
    }
    assert_true(ended > 4);
    learner_close(&learner);
}

static void a_limit_of_the_options_truncates(void **state) {
    (void)state;
    const ensign_options options = {.plies_limit = 30};
    struct learner learner;
    learner_open(&learner, "original", &options);
    reset(&learner);
    for (int ply = 1; ply <= 30; ply++) {
        assert_int_equal(ensign_step_random(learner.batch, NULL, &learner.out), ENSIGN_OK);
        assert_int_equal(learner.out.truncated[0], ply == 30);
        assert_int_equal(learner.out.terminated[0], 0);
    }
    assert_int_equal(ensign_step_random(learner.batch, NULL, &learner.out), ENSIGN_OK);
    assert_int_equal(learner.out.ply[0], 30); /* it is over */
    learner_close(&learner);
}

static void an_illegal_action_is_reported_and_not_played(void **state) {
    (void)state;
    const ensign_options options = {.games = 2};
    struct learner learner;
    char why[256];
    learner_open(&learner, "original", &options);
    reset(&learner);
    const uint64_t before = learner.out.info_hash[0];
    int32_t actions[2] = {0, learner_action(&learner, 1, 3)};
    assert_int_equal(ensign_step(learner.batch, actions, &learner.out), ENSIGN_ILLEGAL);
    assert_int_equal(learner.out.reason[0], ENSIGN_REASON_ILLEGAL);
    assert_int_equal(learner.out.reason[1], 0);
    assert_int_equal(learner.out.ply[0], 0);
    assert_int_equal(learner.out.ply[1], 1);
    assert_true(before == learner.out.info_hash[0]);
    assert_true(ensign_why(learner.batch, 0, 0, why, sizeof why) > 10);
    const int32_t odd[] = {-2, 1800, 1 << 30, INT32_MIN};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        actions[0] = odd[i];
        actions[1] = -1;
        assert_int_equal(ensign_step(learner.batch, actions, &learner.out), ENSIGN_ILLEGAL);
        assert_true(ensign_why(learner.batch, 0, odd[i], why, sizeof why) > 0);
        assert_int_equal(ensign_move_text(learner.batch, 0, odd[i], why, sizeof why), 0);
    }
    learner_close(&learner);
}

static void agents_lay_out_armies(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "duel", "infiltrator"};
    const ensign_options options = {.flags = ENSIGN_SETUPS_BY_AGENT};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct learner learner;
        learner_open(&learner, variants[v], &options);
        reset(&learner);
        assert_int_equal(ensign_step_random(learner.batch, NULL, NULL), ENSIGN_USAGE);
        const uint32_t laid = learner.shape.zone[0] + learner.shape.zone[1];
        for (uint32_t i = 0; i < laid; i++) {
            char text[96];
            assert_int_equal(learner.out.to_move[0], i >= learner.shape.zone[0]);
            assert_int_equal(learner.out.ply[0], 0);
            const int32_t action = learner_action(&learner, 0, i * UINT64_C(2654435761));
            assert_true(action >= 0);
            ensign_action_text(learner.rules, (uint32_t)action, 0, text, sizeof text);
            assert_int_equal(text[0], '=');
            assert_int_equal(ensign_step(learner.batch, &action, &learner.out), ENSIGN_OK);
        }
        assert_int_equal(learner.out.to_move[0], 0);
        const int32_t action = learner_action(&learner, 0, 5);
        assert_int_equal(ensign_step(learner.batch, &action, &learner.out), ENSIGN_OK);
        assert_int_equal(learner.out.ply[0], 1);
        learner_close(&learner);
    }
}

static void armies_that_the_variant_does_not_allow_are_refused(void **state) {
    (void)state;
    struct learner learner;
    learner_open(&learner, "original", NULL);
    reset(&learner);
    uint8_t kinds[80];
    memset(kinds, 1, sizeof kinds);
    const uint64_t before = learner.out.info_hash[0];
    assert_int_equal(ensign_reset(learner.batch, NULL, NULL, kinds, &learner.out), ENSIGN_SETUP);
    kinds[3] = 200;
    assert_int_equal(ensign_reset(learner.batch, NULL, NULL, kinds, &learner.out), ENSIGN_SETUP);
    ensign_observe(learner.batch, -1, &learner.out);
    assert_true(before == learner.out.info_hash[0]);
    learner_close(&learner);
}

static void rules_travel_as_bytes(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "infiltrator", "lightning", "galaxy",
                                           "variants/examples/fog.lua"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct learner learner;
        ensign_error error = {.size = sizeof error};
        learner_open(&learner, variants[v], NULL);
        const size_t length = ensign_rules_write(learner.rules, NULL, 0);
        unsigned char *bytes = malloc(length);
        assert_int_equal(ensign_rules_write(learner.rules, bytes, length), length);
        ensign_rules *read = ensign_rules_read(bytes, length, &error);
        assert_non_null(read);
        ensign_shape shape = {.size = sizeof shape};
        assert_int_equal(ensign_shape_of(read, NULL, &shape), ENSIGN_OK);
        assert_memory_equal(&shape, &learner.shape, sizeof shape);
        ensign_batch *batch = ensign_batch_new(read, NULL, &error);
        const uint64_t seed = 5;
        ensign_reset(batch, NULL, &seed, NULL, NULL);
        ensign_reset(learner.batch, NULL, &seed, NULL, NULL);
        for (int ply = 0; ply < 100; ply++) {
            int32_t played[2];
            ensign_step_random(batch, &played[0], NULL);
            ensign_step_random(learner.batch, &played[1], NULL);
            assert_int_equal(played[0], played[1]);
        }
        assert_int_equal(ensign_copy(batch, 0, learner.batch, 0), ENSIGN_OK);
        ensign_batch_free(batch);
        ensign_rules_free(read);
        /* Damaged ones are refused, or rules all the same; nothing worse. */
        struct {
            uint64_t state;
        } chance = {v + 1};
        for (int i = 0; i < (sanitized() ? 60 : 400); i++) {
            chance.state = chance.state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t at = (size_t)(chance.state >> 20) % (i % 2 ? 400 : length);
            const unsigned char was = bytes[at];
            bytes[at] ^= (unsigned char)(1u << (chance.state >> 60 & 7));
            ensign_rules_free(ensign_rules_read(bytes, length, &error));
            bytes[at] = was;
        }
        for (size_t cut = 0; cut < length; cut += length / 37 + 1)
            assert_null(ensign_rules_read(bytes, cut, &error));
        free(bytes);
        learner_close(&learner);
    }
}

/* Reads what the learner's rules, changed, are as bytes. */
static void assert_refused_as_bytes(const struct learner *learner) {
    static unsigned char bytes[1 << 16];
    ensign_error error = {.size = sizeof error};
    const size_t length = ensign_rules_write(learner->rules, bytes, sizeof bytes);
    assert_in_range(length, 1, sizeof bytes);
    assert_null(ensign_rules_read(bytes, length, &error));
    assert_int_equal(error.status, ENSIGN_DATA);
}

static void rules_that_only_a_script_could_answer_are_refused(void **state) {
    (void)state;
    struct learner learner;
    learner_open(&learner, "duel", NULL);
    struct rules *rules = learner.rules->rules;
    const uint8_t was = rules->outcome[2][1];
    rules->outcome[2][1] = ASK_THE_VARIANT;
    assert_refused_as_bytes(&learner);
    rules->outcome[2][1] = was;
    strcpy(rules->name, "two\nlines");
    assert_refused_as_bytes(&learner);
    learner_close(&learner);
}

/* Also with memory that others have used. */
static void a_game_that_hides_nothing_is_drawn_as_it_is(void **state) {
    (void)state;
    static char told[2][1 << 16];
    struct learner learner;
    const uint64_t seeds[2] = {7, 8};
    mallopt(M_PERTURB, 0xA5);
    learner_open(&learner, "variants/examples/hounds.lua", &(ensign_options){.games = 2});
    assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
    for (int ply = 0; ply < 40; ply++) {
        const int32_t actions[2] = {learner_action(&learner, 0, (uint64_t)ply * 7), -1};
        assert_int_equal(ensign_step(learner.batch, actions, &learner.out), ENSIGN_OK);
        if (learner.out.terminated[0]) break;
        for (int side = 0; side <= 1; side++) {
            assert_int_equal(
                ensign_sample(learner.batch, 0, side, NULL, (uint64_t)ply, learner.batch, 1, 1),
                ENSIGN_OK);
            for (uint32_t game = 0; game < 2; game++)
                assert_true(ensign_text(learner.batch, game, ENSIGN_ALL, told[game],
                                        sizeof told[game]) > 0);
            assert_string_equal(told[0], told[1]);
        }
    }
    mallopt(M_PERTURB, 0);
    learner_close(&learner);
}

static void damaged_games_are_refused(void **state) {
    (void)state;
    struct learner learner;
    ensign_error error = {.size = sizeof error};
    learner_open(&learner, "original", NULL);
    reset(&learner);
    for (int i = 0; i < 50; i++) ensign_step_random(learner.batch, NULL, NULL);
    const size_t length = ensign_save(learner.batch, 0, NULL, 0);
    unsigned char *bytes = malloc(length);
    assert_int_equal(ensign_save(learner.batch, 0, bytes, length), length);
    for (size_t at = 0; at < length; at += at < 64 ? 1 : 97) {
        bytes[at] ^= 4;
        assert_int_equal(ensign_load(learner.batch, 0, bytes, length, &error), ENSIGN_DATA);
        bytes[at] ^= 4;
    }
    for (size_t cut = 0; cut < length; cut += 113)
        assert_int_equal(ensign_load(learner.batch, 0, bytes, cut, &error), ENSIGN_DATA);
    assert_int_equal(ensign_load(learner.batch, 0, bytes, length, &error), ENSIGN_OK);
    struct learner other;
    learner_open(&other, "duel", NULL);
    assert_int_equal(ensign_load(other.batch, 0, bytes, length, &error), ENSIGN_DATA);
    learner_close(&other);
    free(bytes);
    learner_close(&learner);
}

static void wrong_use_gives_an_error(void **state) {
    (void)state;
    struct learner learner;
    ensign_error error = {.size = sizeof error};
    char text[32];
    assert_null(ensign_rules_load(NULL, 0, &error));
    assert_int_equal(error.status, ENSIGN_USAGE);
    assert_null(ensign_rules_load("no-such-variant", 0, &error));
    assert_int_equal(error.status, ENSIGN_NOT_FOUND);
    assert_true(error.text[0]);
    assert_null(ensign_rules_load("tests/data/no_such.lua", 0, NULL));
    assert_null(ensign_rules_load("original", 8, &error));
    assert_null(ensign_rules_read(NULL, 3, &error));
    assert_null(ensign_batch_new(NULL, NULL, &error));
    assert_int_equal(ensign_shape_of(NULL, NULL, NULL), ENSIGN_USAGE);
    ensign_rules_free(NULL);
    ensign_batch_free(NULL);
    learner_open(&learner, "duel", NULL);
    const ensign_options wrong[] = {{.size = 3},
                                    {.size = sizeof *wrong, .games = UINT32_MAX},
                                    {.size = sizeof *wrong, .flags = 1u << 20},
                                    {.size = sizeof *wrong, .planes = 1u << 20},
                                    {.size = sizeof *wrong, .moves = 65},
                                    {.size = sizeof *wrong, .undo = 4097}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error.status = ENSIGN_OK;
        assert_null(ensign_batch_new(learner.rules, &wrong[i], &error));
        assert_int_equal(error.status, ENSIGN_USAGE);
    }
    ensign_out short_out = {.size = 4};
    const int32_t action = 0;
    assert_int_equal(ensign_reset(NULL, NULL, NULL, NULL, NULL), ENSIGN_USAGE);
    assert_int_equal(ensign_reset(learner.batch, NULL, NULL, NULL, &short_out), ENSIGN_USAGE);
    assert_int_equal(ensign_step(learner.batch, NULL, NULL), ENSIGN_USAGE);
    assert_int_equal(ensign_step(NULL, &action, NULL), ENSIGN_USAGE);
    assert_int_equal(ensign_observe(learner.batch, 2, NULL), ENSIGN_USAGE);
    assert_int_equal(ensign_undo(learner.batch, 0), ENSIGN_USAGE);
    assert_int_equal(ensign_undo(learner.batch, 9), ENSIGN_USAGE);
    assert_int_equal(ensign_copy(learner.batch, 0, learner.batch, 1), ENSIGN_USAGE);
    assert_int_equal(ensign_save(learner.batch, 1, NULL, 0), 0);
    assert_int_equal(ensign_load(learner.batch, 0, NULL, 0, NULL), ENSIGN_USAGE);
    assert_int_equal(ensign_text(learner.batch, 0, 4, text, sizeof text), 0);
    assert_int_equal(ensign_sample(learner.batch, 0, 0, NULL, 1, learner.batch, 0, 1),
                     ENSIGN_USAGE);
    assert_int_equal(ensign_kind_name(learner.rules, 0, text, sizeof text), 0);
    assert_int_equal(ensign_plane_name(learner.rules, NULL, 1000, text, sizeof text), 0);
    assert_int_equal(ensign_action_read(learner.rules, 0, "a1-a1"), -1);
    assert_int_equal(ensign_action_read(learner.rules, 0, "z9-a1"), -1);
    assert_int_equal(ensign_action_read(learner.rules, 0, ""), -1);
    learner_close(&learner);
}

static void every_plane_and_scalar_has_a_name_of_its_own(void **state) {
    (void)state;
    struct learner learner;
    const ensign_options options = {.planes = 127};
    learner_open(&learner, "infiltrator", &options);
    static char name[256][64];
    assert_in_range(learner.shape.planes, 1, 256);
    for (uint32_t i = 0; i < learner.shape.planes; i++) {
        assert_true(ensign_plane_name(learner.rules, &learner.options, i, name[i], sizeof name[i]) >
                    0);
        for (uint32_t j = 0; j < i; j++) assert_string_not_equal(name[i], name[j]);
    }
    for (uint32_t i = 0; i < learner.shape.scalars; i++) {
        assert_true(ensign_scalar_name(learner.rules, i, name[i], sizeof name[i]) > 0);
        for (uint32_t j = 0; j < i; j++) assert_string_not_equal(name[i], name[j]);
    }
    learner_close(&learner);
}

struct worker {
    struct learner *learner;
    uint64_t hash;
    int busy;
};

static void *play_many(void *argument) {
    struct worker *worker = argument;
    ensign_error error = {.size = sizeof error};
    const ensign_options options = {
        .size = sizeof options, .games = 32, .flags = ENSIGN_AUTO_RESET, .seed = 3};
    ensign_batch *batch = ensign_batch_new(worker->learner->rules, &options, &error);
    uint64_t hash[32] = {0};
    ensign_out out = {.size = sizeof out, .info_hash = hash};
    ensign_reset(batch, NULL, NULL, NULL, &out);
    for (int step = 0; step < 400; step++) {
        ensign_step_random(batch, NULL, &out);
        for (int i = 0; i < 32; i++) worker->hash = worker->hash * 31 + hash[i];
    }
    ensign_batch_free(batch);
    return NULL;
}

static void batches_of_two_threads_share_rules(void **state) {
    (void)state;
    struct learner learner;
    pthread_t thread[3];
    struct worker worker[3] = {{&learner, 0, 0}, {&learner, 0, 0}, {&learner, 0, 0}};
    learner_open(&learner, "lightning", NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, play_many, &worker[i]), 0);
    for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
    assert_true(worker[0].hash == worker[1].hash && worker[1].hash == worker[2].hash);
    learner_close(&learner);
}

static void *intrude(void *argument) {
    struct worker *worker = argument;
    for (int i = 0; i < 2000; i++)
        worker->busy += ensign_step_random(worker->learner->batch, NULL, NULL) == ENSIGN_BUSY;
    return NULL;
}

static void two_threads_in_one_batch_are_told(void **state) {
    (void)state;
    struct learner learner;
    pthread_t thread[2];
    const ensign_options options = {.games = 8, .flags = ENSIGN_AUTO_RESET};
    struct worker worker[2] = {{&learner, 0, 0}, {&learner, 0, 0}};
    learner_open(&learner, "duel", &options);
    reset(&learner);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, intrude, &worker[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    /* Whether they met is chance; that nothing broke is not. */
    assert_int_equal(ensign_step_random(learner.batch, NULL, &learner.out), ENSIGN_OK);
    learner_close(&learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_waits_for_its_first_reset),
        cmocka_unit_test(the_same_seed_gives_the_same_game),
        cmocka_unit_test(a_game_of_many_is_the_game_played_alone),
        cmocka_unit_test(a_game_that_is_over_begins_again_in_the_same_step),
        cmocka_unit_test(a_limit_of_the_options_truncates),
        cmocka_unit_test(an_illegal_action_is_reported_and_not_played),
        cmocka_unit_test(agents_lay_out_armies),
        cmocka_unit_test(armies_that_the_variant_does_not_allow_are_refused),
        cmocka_unit_test(rules_travel_as_bytes),
        cmocka_unit_test(rules_that_only_a_script_could_answer_are_refused),
        cmocka_unit_test(a_game_that_hides_nothing_is_drawn_as_it_is),
        cmocka_unit_test(damaged_games_are_refused),
        cmocka_unit_test(wrong_use_gives_an_error),
        cmocka_unit_test(every_plane_and_scalar_has_a_name_of_its_own),
        cmocka_unit_test(batches_of_two_threads_share_rules),
        cmocka_unit_test(two_threads_in_one_batch_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
