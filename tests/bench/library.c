/* library.c - steps a second of libensign, with and without what a learner asks for, against an
 * engine that lists moves and does nothing else (plain_engine.h).
 *
 * All figures are measured in turn, several times, in processor time, so that the ratios hold on a
 * busy machine too. */
#include "core/play/position.h"
#include "lib/ensign.h"
#include "plain_engine.h"
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] = "usage: bench_library [SECONDS [VARIANT [RUNS]]]\n";

enum { RUNS_MAX = 51, CAP = 1000, SIZES = 2 };
static const uint32_t SIZE[SIZES] = {64, 1024};

enum asked {
    PLAIN,
    NOTHING,
    BITS,
    BITS_AND_CELLS,
    BYTES,
    PLANES_AND_BYTES,
    CHOSEN, /* by the caller, from the bits */
    FIGURES
};
static const char *const TITLE[FIGURES] = {
    [PLAIN] = "a plain engine that lists moves",
    [NOTHING] = "no observation",
    [BITS] = "mask as bits",
    [BITS_AND_CELLS] = "mask as bits, cells",
    [BYTES] = "mask as bytes",
    [PLANES_AND_BYTES] = "default planes, mask as bytes",
    [CHOSEN] = "mask as bits, cells, actions given",
};

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void fail(const char *text) {
    fprintf(stderr, "bench_library: %s\n", text);
    exit(1);
}

struct arena {
    struct rules *rules; /* of the plain engine */
    struct random random;
    ensign_batch *batch[SIZES];
    ensign_shape shape;
    ensign_out all;
    int32_t *actions;
};

static double plain(struct arena *arena, double seconds) {
    const double start = now();
    double spent;
    uint64_t plies = 0;
    do {
        struct setup setup[2];
        struct position position;
        for (int i = 0; i < 2; i++)
            if (!setup_random(arena->rules, (enum side)i, &arena->random, &setup[i], NULL))
                fail("no set-up");
        position_from_setups(arena->rules, &setup[0], &setup[1], RED, &position);
        plies += plain_engine_play(arena->rules, &position, CAP, &arena->random);
        spent = now() - start;
    } while (spent < seconds);
    return (double)plies / spent;
}

/* A random action of each mask. */
static void choose(struct arena *arena, uint32_t games) {
    for (uint32_t game = 0; game < games; game++) {
        const uint64_t *mask = arena->all.mask_bits + game * arena->shape.mask_words;
        uint32_t count = 0;
        for (uint32_t i = 0; i < arena->shape.mask_words; i++)
            count += (uint32_t)__builtin_popcountll(mask[i]);
        if (!count) fail("no legal action");
        uint32_t pick = random_below(&arena->random, count), word = 0;
        for (; pick >= (uint32_t)__builtin_popcountll(mask[word]); word++)
            pick -= (uint32_t)__builtin_popcountll(mask[word]);
        uint64_t left = mask[word];
        while (pick--) left &= left - 1;
        arena->actions[game] = (int32_t)(64 * word + (uint32_t)__builtin_ctzll(left));
    }
}

static double library(struct arena *arena, enum asked asked, int size, double seconds) {
    ensign_out out = {.size = sizeof out, .reward = arena->all.reward};
    if (asked == BITS || asked == BITS_AND_CELLS || asked == CHOSEN)
        out.mask_bits = arena->all.mask_bits;
    if (asked == BITS_AND_CELLS || asked == CHOSEN) out.cells = arena->all.cells;
    if (asked == BYTES || asked == PLANES_AND_BYTES) out.mask = arena->all.mask;
    if (asked == PLANES_AND_BYTES) out.planes = arena->all.planes;
    out.terminated = arena->all.terminated;
    out.to_move = arena->all.to_move;
    ensign_observe(arena->batch[size], -1, &out);
    const double start = now();
    double spent;
    uint64_t steps = 0;
    do {
        ensign_status status;
        if (asked == CHOSEN) {
            choose(arena, SIZE[size]);
            status = ensign_step(arena->batch[size], arena->actions, &out);
        } else {
            status = ensign_step_random(arena->batch[size], NULL, &out);
        }
        if (status != ENSIGN_OK) fail("a step failed");
        steps += SIZE[size];
        spent = now() - start;
    } while (spent < seconds);
    return (double)steps / spent;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void open_arena(struct arena *arena, const char *variant) {
    struct folders folders;
    struct fault fault = {0};
    ensign_error error = {.size = sizeof error};
    ensign_options options = {.size = sizeof options, .flags = ENSIGN_AUTO_RESET, .seed = 1};
    options.plies_limit = CAP;
    if (!folders_find(&folders, &fault) ||
        !(arena->rules = variant_load(&folders, variant, &fault)))
        fail(fault.text);
    ensign_rules *rules = ensign_rules_load(variant, 0, &error);
    if (!rules) fail(error.text);
    arena->random = random_stream(1, STREAM_PLAYOUT, 0);
    arena->shape.size = sizeof arena->shape;
    ensign_shape_of(rules, &options, &arena->shape);
    for (int i = 0; i < SIZES; i++) {
        options.games = SIZE[i];
        arena->batch[i] = ensign_batch_new(rules, &options, &error);
        if (!arena->batch[i]) fail(error.text);
        ensign_reset(arena->batch[i], NULL, NULL, NULL, NULL);
        for (int step = 0; step < 500; step++) ensign_step_random(arena->batch[i], NULL, NULL);
    }
    ensign_rules_free(rules);
    const ensign_shape *shape = &arena->shape;
    const size_t games = SIZE[SIZES - 1];
    arena->all = (ensign_out){
        .size = sizeof arena->all,
        .planes = malloc(games * shape->planes * shape->squares),
        .mask_bits = malloc(games * shape->mask_words * sizeof(uint64_t)),
        .mask = malloc(games * shape->actions),
        .cells = malloc(games * shape->squares),
        .reward = malloc(games * 2 * sizeof(float)),
        .to_move = malloc(games),
        .terminated = malloc(games),
    };
    arena->actions = malloc(games * sizeof *arena->actions);
}

int main(int argc, char **argv) {
    static struct arena arena;
    static double reading[FIGURES][SIZES][RUNS_MAX];
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0.5;
    const char *variant = argc > 2 ? argv[2] : "original";
    const int runs = argc > 3 ? atoi(argv[3]) : 5;
    if (!(seconds > 0 && seconds < 3600) || runs < 1 || runs > RUNS_MAX) {
        fputs(usage, stderr);
        return 2;
    }
    open_arena(&arena, variant);
    for (int run = 0; run < runs; run++)
        for (int figure = 0; figure < FIGURES; figure++)
            for (int size = 0; size < (figure == PLAIN ? 1 : SIZES); size++)
                reading[figure][size][run] =
                    figure == PLAIN ? plain(&arena, seconds)
                                    : library(&arena, (enum asked)figure, size, seconds);
    printf("%s: %u actions, %u planes, %zu bytes a game\n%-38s %9s %11s %9s %11s\n", variant,
           arena.shape.actions, arena.shape.planes, arena.shape.game_bytes, "Msteps/s, median",
           "64 games", "greatest", "1,024", "greatest");
    for (int figure = 0; figure < FIGURES; figure++) {
        printf("  %-36s", TITLE[figure]);
        for (int size = 0; size < (figure == PLAIN ? 1 : SIZES); size++) {
            double *run = reading[figure][size];
            qsort(run, (size_t)runs, sizeof *run, compare);
            const double median = run[runs / 2];
            printf(" %9.2f %11.2f", median / 1e6, run[runs - 1] / 1e6);
        }
        if (figure != PLAIN)
            printf("   %.2f x plain",
                   reading[figure][SIZES - 1][runs / 2] / reading[PLAIN][0][runs / 2]);
        putchar('\n');
    }
    return 0;
}
