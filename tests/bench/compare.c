/* compare.c - random playouts of the core against two slower ways to play them.
 *
 * `x plain` is the speed relative to an engine that lists all moves and has only steps, runs and
 * battles (plain_engine.h), `x slow` relative to the reference, which plays by all the rules. All
 * figures are measured in turn, so that the ratios hold on a busy machine too. */
#include "bot/bot.h"
#include "cli/bench/figures.h"
#include "core/know/eyes.h"
#include "jail/zygote.h"
#include "plain_engine.h"
#include "reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char usage[] = "usage: bench_compare [SECONDS [VARIANT...]]\n"
                            "SECONDS is the time for each figure, above 0 and up to %d (1);\n"
                            "without VARIANT original, duel, infiltrator and galaxy in turn.\n";

enum { SECONDS_MAX = 3600 };

static const char *const usual[] = {"original", "duel", "infiltrator", "galaxy", NULL};

static double seconds_since(clock_t start) {
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static double figure_plain(struct workshop *workshop, double seconds) {
    clock_t start = clock();
    double spent;
    uint64_t plies = 0;
    do {
        struct position position;
        if (!workshop_position(workshop, &position)) return 0;
        plies += plain_engine_play(workshop->rules, &position, FIGURE_CAP, &workshop->random);
        spent = seconds_since(start);
    } while (spent < seconds);
    return (double)plies / spent;
}

/* Plays one random game. False with workshop->fault. */
static bool play_reference(struct workshop *workshop, struct reference *reference) {
    struct position position;
    if (!workshop_position(workshop, &position)) return false;
    reference_start(reference, &position, NULL);
    while (reference_now(reference)->result == RESULT_NONE) {
        size_t count = reference_moves(reference, workshop->moves, workshop->rules->moves_max);
        if (workshop->fault.status != STATUS_OK) return false;
        if (count == 0) break;
        uint32_t pick = random_below(&workshop->random, (uint32_t)count);
        reference_play(reference, workshop->moves[pick]);
    }
    return true;
}

static double figure_slow(struct workshop *workshop, double seconds) {
    struct reference *reference = reference_new(workshop->rules, false, FIGURE_CAP);
    if (!reference) return fault_set(&workshop->fault, STATUS_NO_MEMORY, "out of memory");
    reference->fault = &workshop->fault;
    clock_t start = clock();
    double spent = 0;
    uint64_t plies = 0;
    bool played;
    do {
        played = play_reference(workshop, reference);
        plies += reference->plies;
        spent = seconds_since(start);
    } while (played && spent < seconds);
    reference_free(reference);
    return played ? (double)plies / spent : 0;
}

/* Playouts by a bot that answers with the number of plies it played, from the first position of one
 * game. */
static double figure_of_bot(struct workshop *workshop, const char *path, double seconds) {
    static struct eyes eyes;
    struct game game;
    struct position position;
    struct bot_answer answer;
    struct bot *bot = bot_new(workshop->folders, path, SANDBOX_DEFAULTS,
                              &(const struct chance){{1}}, &workshop->fault);
    bool played = bot && workshop_position(workshop, &position);
    if (played) {
        game_start(&game, workshop->rules, &position, NULL, workshop->plies, FIGURE_CAP);
        eyes_open(&eyes, &game);
    }
    size_t count = played ? game_moves(&game, workshop->moves, workshop->rules->moves_max) : 0;
    clock_t start = clock();
    double spent = 0, plies = 0;
    while (played && spent < seconds) {
        played = bot_move(bot, &eyes.view[RED], workshop->moves, count, &answer, &workshop->fault);
        plies += played ? strtod(answer.text, NULL) : 0;
        spent = seconds_since(start);
    }
    bot_free(bot);
    return played ? plies / spent : 0;
}

static double figure_one_by_one(struct workshop *workshop, double seconds) {
    return figure_of_bot(workshop, ENSIGN_ROOT "/tests/bench/one_by_one.lua", seconds);
}

static double figure_together(struct workshop *workshop, double seconds) {
    return figure_of_bot(workshop, ENSIGN_ROOT "/tests/bench/together.lua", seconds);
}

enum { PLAIN, SLOW, FIRST_COMPARED };

/* Nothing here is written as JSON, so no figure has a key. */
static const struct figure figures[] = {
    [PLAIN] = {NULL, "a plain engine that lists moves", "Mplies/s", 1e6, false, figure_plain},
    [SLOW] = {NULL, "the slow reference", "kplies/s", 1e3, false, figure_slow},
    {NULL, "random playouts, one at a time", "Mplies/s", 1e6, false, figure_playouts},
    {NULL, "random playouts, many at once", "Mplies/s", 1e6, false, figure_batches},
    {NULL, "playouts from samples of a hidden army", "Mplies/s", 1e6, false, figure_sampled},
    {NULL, "random playouts, moves listed", "Mplies/s", 1e6, false, figure_listed},
    {NULL, "a bot's game:playout", "Mplies/s", 1e6, false, figure_one_by_one},
    {NULL, "a bot's game:playouts, many at once", "Mplies/s", 1e6, false, figure_together},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

static void print_comparison(const char *variant, const struct reading *readings) {
    printf("%s\n  %-40s %8s %-10s %-19s %8s %8s\n", variant, "", "median", "", "least to greatest",
           "x plain", "x slow");
    for (int i = 0; i < FIGURES; i++) {
        const struct figure *figure = &figures[i];
        double median = reading_median(&readings[i]);
        printf("  %-40s %8.2f %-9s %8.2f to ", figure->title, median / figure->per, figure->unit,
               readings[i].run[0] / figure->per);
        double greatest = readings[i].run[FIGURE_RUNS - 1] / figure->per;
        if (i < FIRST_COMPARED)
            printf("%.2f\n", greatest);
        else
            printf("%-8.2f %8.2f %8.1f\n", greatest, median / reading_median(&readings[PLAIN]),
                   median / reading_median(&readings[SLOW]));
    }
    fflush(stdout);
}

static bool compare_variant(const struct folders *folders, const char *variant, double seconds,
                            struct fault *fault) {
    static struct workshop workshop; /* too large for a stack */
    struct reading readings[FIGURES];
    bool measured = workshop_open(&workshop, folders, variant) &&
                    workshop_measure(&workshop, figures, FIGURES, seconds, readings);
    if (measured) print_comparison(variant, readings);
    *fault = workshop.fault;
    workshop_close(&workshop);
    return measured;
}

int main(int argc, char **argv) {
    zygote_open(argc, argv);
    const char *const *variants = argc > 2 ? (const char *const *)argv + 2 : usual;
    struct folders folders;
    struct fault fault = {0};
    char *end = NULL;
    double seconds = argc > 1 ? strtod(argv[1], &end) : 1;
    if ((end && (end == argv[1] || *end)) || !(seconds > 0 && seconds <= SECONDS_MAX)) {
        fprintf(stderr, usage, SECONDS_MAX);
        return 2;
    }
    bool done = folders_find(&folders, &fault);
    for (; done && *variants; variants++)
        done = compare_variant(&folders, *variants, seconds, &fault);
    if (done) return 0;
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(&fault, line, sizeof line);
    fprintf(stderr, "bench_compare: %s\n", line);
    return 1;
}
