/* Games as bytes that somebody has changed, with a hash that fits: reading refuses them, or gives a
 * game that is consistent, can be shown to both sides and can be played to its end. Every byte is
 * changed in turn at full length, else some of them. And parts of another game of the same start,
 * as many as could fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/know/integrity.h"
#include "games/length.h"
#include "games/line.h"
#include "games/sanitized.h"
#include "learner.h"
#include "lib/batch_inside.h"

enum { CHECK_AT = 24, HEAD = 56, ROOM = 1 << 17, TEXT = 1 << 16 };

static unsigned char bytes[ROOM], forged[ROOM], other[ROOM];
static struct { uint32_t refused, read; } loads;

static void sign(unsigned char *game, size_t length) {
    const uint64_t check = bytes_hash(0, game + HEAD, length - HEAD);
    memcpy(game + CHECK_AT, &check, sizeof check);
}

static void assert_consistent(const struct learner *learner, size_t at) {
    const struct slot *slot = batch_slot(learner->batch, 0);
    struct fault fault = {0};
    if (!slot->laying.on && !integrity_game(&slot->game, &fault))
        fail_msg("byte %zu: %s", at, fault.text);
}

/* Everything that can be asked of a game, then moves until it is over, or `most`. */
static void use(struct learner *learner, size_t at, uint64_t seed, uint32_t most) {
    static char text[TEXT];
    for (int eyes = ENSIGN_RED; eyes <= ENSIGN_ALL; eyes++)
        assert_true(ensign_text(learner->batch, 0, eyes, text, sizeof text) > 0);
    for (int side = 0; side <= 1; side++) {
        ensign_observe(learner->batch, side, &learner->out);
        ensign_sample(learner->batch, 0, side, NULL, seed, learner->batch, 1, 1);
    }
    struct random random = random_stream(seed, STREAM_PLAYOUT, at);
    for (uint32_t ply = 0; ply < most; ply++) {
        ensign_observe(learner->batch, -1, &learner->out);
        if (learner->out.terminated[0] || learner->out.truncated[0]) return;
        const int32_t action = learner_action(learner, 0, random_next(&random));
        if (action < 0) fail_msg("byte %zu: a running game without a legal action", at);
        const ensign_status status =
            ensign_step(learner->batch, (int32_t[]){action, -1}, &learner->out);
        if (status == ENSIGN_SCRIPT) return;
        if (status != ENSIGN_OK)
            fail_msg("byte %zu: an action of the mask is refused: %s", at,
                     ensign_status_name(status));
        assert_consistent(learner, at);
    }
}

/* Reads what lies in `forged`, changed at `at`. */
static void load_forged(struct learner *learner, size_t length, size_t at, uint64_t seed,
                        uint32_t most) {
    ensign_error error = {.size = sizeof error};
    sign(forged, length);
    const ensign_status status = ensign_load(learner->batch, 0, forged, length, &error);
    if (status != ENSIGN_OK) {
        if (status != ENSIGN_DATA && status != ENSIGN_SCRIPT)
            fail_msg("byte %zu: %s: %s", at, ensign_status_name(status), error.text);
        loads.refused++;
        return;
    }
    loads.read++;
    assert_consistent(learner, at);
    use(learner, at, seed, most);
}

static void forge(struct learner *learner, size_t length, size_t at, unsigned char value,
                  uint64_t seed, uint32_t most) {
    memcpy(forged, bytes, length);
    if (forged[at] == value) return;
    forged[at] = value;
    load_forged(learner, length, at, seed, most);
}

/* Plays so many random plies in all games. */
static void play_some(struct learner *learner, uint32_t plies, struct random *random) {
    for (uint32_t ply = 0; ply < plies && !learner->out.terminated[0]; ply++) {
        int32_t actions[3];
        for (uint32_t game = 0; game < 2; game++)
            actions[game] = learner_action(learner, game, random_next(random));
        actions[2] = -1;
        assert_int_equal(ensign_step(learner->batch, actions, &learner->out), ENSIGN_OK);
        if (learner->out.terminated[1]) return;
    }
}

/* Saves a game after some random moves, and forges its bytes. */
static void forge_game(const char *variant, uint32_t flags, uint32_t plies, uint64_t seed) {
    struct learner learner;
    const bool whole = at_length();
    const uint32_t step = whole ? 1 : sanitized() ? 181 : 97;
    learner_open(&learner, variant, &(ensign_options){.games = 2, .flags = flags});
    const uint64_t seeds[2] = {seed, seed};
    assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
    struct random random = random_stream(seed, STREAM_PLAYOUT, 1);
    for (uint32_t ply = 0; ply < plies && !learner.out.terminated[0]; ply++) {
        const int32_t action = learner_action(&learner, 0, random_next(&random));
        assert_int_equal(ensign_step(learner.batch, (int32_t[]){action, -1}, &learner.out),
                         ENSIGN_OK);
    }
    const size_t length = ensign_save(learner.batch, 0, bytes, sizeof bytes);
    assert_in_range(length, HEAD + 1, sizeof bytes);
    memcpy(forged, bytes, length);
    sign(forged, length);
    assert_memory_equal(forged, bytes, length);
    for (size_t at = random_below(&random, step); at < length; at += step) {
        if (at >= CHECK_AT && at < CHECK_AT + sizeof(uint64_t)) continue;
        const unsigned char values[] = {(unsigned char)(bytes[at] ^ 1u << random_below(&random, 8)),
                                        (unsigned char)random_next(&random),
                                        (unsigned char)(bytes[at] + 1), 0, 255};
        const bool to_the_end = random_below(&random, whole ? 16 : 64) == 0;
        forge(&learner, length, at, values[random_below(&random, sizeof values)], seed,
              to_the_end ? 5000 : 12);
    }
    assert_int_equal(ensign_load(learner.batch, 0, bytes, length, NULL), ENSIGN_OK);
    learner_close(&learner);
}

static void a_forged_game_is_refused_or_can_be_played(void **state) {
    (void)state;
    memset(&loads, 0, sizeof loads);
    uint64_t seed = 1;
    for (const char *const *variant = line_variants(); *variant; variant++, seed++)
        forge_game(*variant, seed % 2 ? ENSIGN_RECORD : 0, (uint32_t)(seed * 7 % 60), seed);
    assert_true(loads.refused > 0 && loads.read > 0);
}

static void a_forged_army_is_refused_or_can_be_laid_out(void **state) {
    (void)state;
    static const uint32_t laid[] = {0, 5, 13};
    for (size_t i = 0; i < sizeof laid / sizeof *laid; i++) {
        forge_game("duel", ENSIGN_SETUPS_BY_AGENT, laid[i], 100 + i);
        forge_game("original", ENSIGN_SETUPS_BY_AGENT, 5 * laid[i], 200 + i);
    }
}

/* Two games of one start, and now and then of one length: parts of one in the other. */
static void splice_games(const char *variant, uint32_t flags, uint32_t plies, uint64_t seed) {
    struct learner learner;
    struct random random = random_stream(seed, STREAM_PLAYOUT, 2);
    const int tries = at_length() ? 20000 : sanitized() ? 60 : 200;
    learner_open(&learner, variant, &(ensign_options){.games = 2, .flags = flags});
    const uint64_t seeds[2] = {seed, seed};
    assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
    play_some(&learner, plies, &random);
    const size_t length = ensign_save(learner.batch, 0, bytes, sizeof bytes);
    const size_t others = ensign_save(learner.batch, 1, other, sizeof other);
    assert_true(length <= sizeof bytes && others <= sizeof other);
    const size_t common = length < others ? length : others;
    for (int i = 0; i < tries; i++) {
        size_t at = 0;
        memcpy(forged, bytes, length);
        for (uint32_t part = random_below(&random, 3) + 1; part; part--) {
            const size_t most = (size_t)1 << random_below(&random, 12);
            at = HEAD + random_below(&random, (uint32_t)(common - HEAD));
            const size_t part_length = common - at < most ? common - at : most;
            const bool same = random_below(&random, 4);
            const size_t from = same ? at : HEAD + random_below(&random, (uint32_t)(at - HEAD + 1));
            memcpy(forged + at, other + from, part_length);
        }
        load_forged(&learner, length, at, seed, random_below(&random, 64) ? 12 : 5000);
    }
    learner_close(&learner);
}

static void parts_of_another_game_are_refused_or_can_be_played(void **state) {
    (void)state;
    memset(&loads, 0, sizeof loads);
    uint64_t seed = 1;
    for (const char *const *variant = line_variants(); *variant; variant++, seed++)
        splice_games(*variant, seed % 2 ? ENSIGN_RECORD : 0, (uint32_t)(seed * 7 % 60), seed);
    assert_true(loads.refused > 0 && loads.read > 0);
}

/* What a side knows is a list of pieces, of which those that fell stand nowhere. In the fog the
 * rest may be behind the game. */
static void knowledge_that_no_side_can_have_is_refused(void **state) {
    static const char *const variants[] = {"variants/examples/arbiter.lua",
                                           "variants/examples/fog.lua"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct learner learner;
        struct view view;
        const uint64_t seeds[2] = {i, i};
        learner_open(&learner, variants[i], &(ensign_options){.games = 2});
        assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
        const size_t length = ensign_save(learner.batch, 0, bytes, sizeof bytes);
        unsigned char *at = bytes + HEAD + learner.batch->eyes_at + offsetof(struct eyes, view);
        memcpy(&view, at, sizeof view);
        const int army = view.count / 2;
        for (int more = 1; view.count + more <= 2 * BOARD_SQUARES_MAX; more += army) {
            struct view forged_view = view;
            for (int k = 0; k < more; k++)
                forged_view.piece[forged_view.count++] =
                    (struct view_piece){.side = BLUE,
                                        .at = SQUARE_NONE,
                                        .start = SQUARE_NONE,
                                        .may_be = learner.batch->rules->army,
                                        .unseen = i > 0};
            memcpy(at, &forged_view, sizeof forged_view);
            sign(bytes, length);
            assert_int_equal(ensign_load(learner.batch, 1, bytes, length, NULL), ENSIGN_DATA);
        }
        const size_t numbers[] = {offsetof(struct view, to_move), offsetof(struct view, result),
                                  offsetof(struct view, reason)};
        for (int k = 0; k < 3; k++) {
            memcpy(at, &view, sizeof view);
            at[numbers[k]] = 200;
            sign(bytes, length);
            assert_int_equal(ensign_load(learner.batch, 1, bytes, length, NULL), ENSIGN_DATA);
        }
        memcpy(at, &view, sizeof view);
        sign(bytes, length);
        assert_int_equal(ensign_load(learner.batch, 1, bytes, length, NULL), ENSIGN_OK);
        learner_close(&learner);
    }
}

/* All enemies out of red's sight have fallen, it thinks, and so many more that its list is full. */
static void knowledge_without_room_for_more_harms_nobody(void **state) {
    struct learner learner;
    struct view view;
    (void)state;
    learner_open(&learner, "variants/examples/fog.lua", &(ensign_options){.games = 2});
    for (uint64_t seed = 0; seed < 8; seed++) {
        const uint64_t seeds[2] = {seed, seed};
        assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
        const size_t length = ensign_save(learner.batch, 0, bytes, sizeof bytes);
        unsigned char *at = bytes + HEAD + learner.batch->eyes_at + offsetof(struct eyes, view);
        memcpy(&view, at, sizeof view);
        for (int i = 0; i < 2 * BOARD_SQUARES_MAX; i++) {
            struct view_piece *piece = &view.piece[i];
            if (i < view.count && piece->at != SQUARE_NONE) continue;
            *piece = (struct view_piece){.side = BLUE,
                                         .at = SQUARE_NONE,
                                         .start = SQUARE_NONE,
                                         .kind = 1,
                                         .may_be = kindset_of(1)};
        }
        view.count = 2 * BOARD_SQUARES_MAX;
        memcpy(at, &view, sizeof view);
        sign(bytes, length);
        assert_int_equal(ensign_load(learner.batch, 0, bytes, length, NULL), ENSIGN_OK);
        use(&learner, 0, seed, 600);
        ensign_sample(learner.batch, 0, RED, NULL, seed, learner.batch, 1, 1);
    }
    learner_close(&learner);
}

/* Leaves this byte where later calls keep their variables. */
static __attribute__((noinline)) void fill_stack(int byte) {
    unsigned char room[1 << 16];
    memset(room, byte, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

/* Plays so many plies, draws a game that could be it, and saves both, where memory that nobody has
 * set holds this byte. The length of the two. */
static size_t save_both(const char *variant, uint32_t plies, int byte, unsigned char *out) {
    struct learner learner;
    struct random random = random_stream(plies, STREAM_PLAYOUT, 4);
    const uint64_t seeds[2] = {plies, plies};
    size_t length = 0;
    mallopt(M_PERTURB, byte);
    learner_open(&learner, variant, &(ensign_options){.games = 2, .flags = ENSIGN_RECORD});
    assert_int_equal(ensign_reset(learner.batch, NULL, seeds, NULL, &learner.out), ENSIGN_OK);
    play_some(&learner, plies, &random);
    fill_stack(byte);
    ensign_sample(learner.batch, 0, plies % 2, NULL, plies, learner.batch, 1, 1);
    for (uint32_t game = 0; game < 2; game++)
        length += ensign_save(learner.batch, game, out + length, ROOM - length);
    assert_in_range(length, 2 * HEAD, ROOM);
    mallopt(M_PERTURB, 0);
    learner_close(&learner);
    return length;
}

static void what_is_saved_holds_nothing_of_other_memory(void **state) {
    static const uint32_t plies[] = {9, 70, 240};
    (void)state;
    for (const char *const *variant = line_variants(); *variant; variant++)
        for (size_t i = 0; i < sizeof plies / sizeof *plies; i++) {
            const size_t length = save_both(*variant, plies[i], 0x11, bytes);
            if (length != save_both(*variant, plies[i], 0xEE, other) ||
                memcmp(bytes, other, length) != 0)
                fail_msg("%s after %u plies", *variant, plies[i]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forged_game_is_refused_or_can_be_played),
        cmocka_unit_test(a_forged_army_is_refused_or_can_be_laid_out),
        cmocka_unit_test(parts_of_another_game_are_refused_or_can_be_played),
        cmocka_unit_test(knowledge_that_no_side_can_have_is_refused),
        cmocka_unit_test(knowledge_without_room_for_more_harms_nobody),
        cmocka_unit_test(what_is_saved_holds_nothing_of_other_memory),
    };
    return cmocka_run_group_tests_name("lib/saved", tests, NULL, NULL);
}
