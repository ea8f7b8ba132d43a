/* The examples of variants/examples: each carries tests that hold, and random games of it keep the
 * invariants of the core: what is listed is legal, what is taken back was never there, what both
 * sides are told leads them to the pieces that stand, and to samples that differ from the game in
 * what is hidden alone. ENSIGN_LONG=1 plays a hundred times as many. */
#include "core/know/eyes.h"
#include "core/know/integrity.h"
#include "core/know/sample.h"
#include "core/play/calls.h"
#include "host/check/claim.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 20, PLIES = 400, EXAMPLES_LEAST = 11 };

static struct folders folders;
static struct game game, before;
static struct ply plies[PLIES];
static struct eyes eyes;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

/* Calls `visit` with the path of each example. */
static void each_example(void (*visit)(const char *path)) {
    static const char where[] = ENSIGN_ROOT "/variants/examples";
    DIR *folder = opendir(where);
    int examples = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", where, entry->d_name);
        visit(path);
        examples++;
    }
    closedir(folder);
    assert_true(examples >= EXAMPLES_LEAST);
}

static void try_tests(const char *path) {
    struct claims claims;
    struct faults *faults = faults_new();
    struct rules *rules = variant_examine(&folders, path, faults, &claims);
    if (rules && !claims.count) fail_msg("%s carries no tests", path);
    for (int i = 0; rules && i < claims.count; i++)
        claim_holds(rules, &claims, &claims.list[i], faults);
    if (faults->errors)
        fail_msg("%s:%d: %s", path, faults->list[0].fault.line, faults->list[0].fault.text);
    claims_clear(&claims);
    rules_free(rules);
    free(faults);
}

static void every_example_carries_tests_that_hold(void **state) {
    (void)state;
    each_example(try_tests);
}

/* A game that the side to move may imagine has the same pieces of its own, and the same history as
 * far as the variant may ask for it. */
static void assert_imagined_rightly(const char *path, struct random *chance) {
    static struct sampler sampler;
    static double sums[DEAL_ROOM];
    static struct ply sample_plies[2 * SAMPLE_TAIL];
    struct game sample;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    const struct view *view = &eyes.view[game.to_move];
    if (game_over(&game) || game.rules->sight) return;
    for (int i = 0; i < view->count; i++) may_be[i] = view_may_be(view, i);
    sampler.deal.table = sums;
    sampler.deal.room = DEAL_ROOM;
    sampler_start(&sampler, view, may_be, 0);
    if (deal_prepare(&sampler.deal) == DEAL_NONE) fail_msg("%s: no army fits", path);
    sampler_draw(&sampler, chance, &sample, sample_plies, 2 * SAMPLE_TAIL);
    for (square at = 0; at < game.rules->board.squares; at++) {
        cell there = game.at[at], imagined = sample.at[at];
        bool own = there && cell_side(there) == (enum side)game.to_move;
        bool same = own ? there == imagined
                        : !there == !imagined &&
                              !((there ^ imagined) & (CELL_WALKED | CELL_BLUE | CELL_RETURNED));
        if (!same) fail_msg("%s: ply %u: a sample differs", path, (unsigned)game.ply_count);
    }
    assert_int_equal(sample.earlier + sample.ply_count, game.ply_count);
    assert_int_equal(sample.to_move, game.to_move);
    for (kind_id k = 1; k <= game.rules->kinds; k++)
        assert_int_equal(game_returnable(&sample, (enum side)game.to_move, k),
                         game_returnable(&game, (enum side)game.to_move, k));
}

static void play_one(const char *path, const struct rules *rules, struct move *moves,
                     uint64_t number) {
    struct random chance = random_stream(21, STREAM_PLAYOUT, number);
    struct setup red, blue;
    struct position position;
    struct fault fault = {.text = "undo changes the game"};
    assert_true(setup_random(rules, RED, &chance, &red, &fault));
    assert_true(setup_random(rules, RED, &chance, &blue, &fault));
    position_from_setups(rules, &red, &blue, RED, &position);
    game_start(&game, rules, &position, NULL, plies, PLIES);
    eyes_open(&eyes, &game);
    while (!game_over(&game)) {
        size_t count = game_moves(&game, moves, rules->moves_max);
        assert_true(count > 0 && count <= rules->moves_max);
        struct move move = moves[random_below(&chance, (uint32_t)count)];
        memcpy(&before, &game, sizeof game);
        game_play(&game, move, NULL);
        game_undo(&game);
        bool good = integrity_moves(&game, moves, count, move.from, &fault) &&
                    !memcmp(&before, &game, sizeof game);
        eyes_play(&eyes, &game, move);
        good = good && integrity_game(&game, &fault) &&
               integrity_view(&eyes.view[RED], &game, &fault) &&
               integrity_view(&eyes.view[BLUE], &game, &fault);
        if (!good) fail_msg("%s: ply %u: %s", path, (unsigned)game.ply_count, fault.text);
        if (game.ply_count % 8 == 0) assert_imagined_rightly(path, &chance);
    }
    if (calls_take(&fault)) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
}

static void play_games(const char *path) {
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, path, &fault);
    if (!rules) fail_msg("%s: %s", path, fault.text);
    struct move *moves = calloc(rules->moves_max, sizeof *moves);
    uint64_t games = getenv("ENSIGN_LONG") ? 100 * GAMES : GAMES;
    for (uint64_t i = 0; i < games; i++) play_one(path, rules, moves, i);
    free(moves);
    rules_free(rules);
}

static void random_games_of_every_example_keep_the_invariants(void **state) {
    (void)state;
    each_example(play_games);
}

static void views_follow_every_effect_in_the_light_and_in_the_fog(void **state) {
    (void)state;
    play_games(ENSIGN_ROOT "/tests/data/upheaval.lua");
    play_games(ENSIGN_ROOT "/tests/data/upheaval_in_fog.lua");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_carries_tests_that_hold),
        cmocka_unit_test(random_games_of_every_example_keep_the_invariants),
        cmocka_unit_test(views_follow_every_effect_in_the_light_and_in_the_fog),
    };
    return cmocka_run_group_tests_name("host/examples", tests, find_folders, NULL);
}
