/* bench.c - `ensign bench`: how fast the parts are on this machine.
 *
 * Each figure is the median of FIGURE_RUNS runs, with their minimum and maximum. figures.c
 * measures; tests/bench/compare.c compares the playouts with slower ones. */
#include "cli/bench/figures.h"
#include "columns.h"
#include "command.h"
#include "host/safe_json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_values {
    const char *variant;
    double seconds;
    bool json;
};

static int run_bench(const void *values);
const struct command command_bench = {
    COMMAND(bench, .seconds = 1),
    .summary = "measure the speed of playouts, bots and matches",
    .synopsis = {"[OPTIONS]"},
    .prose =
        "Measures the speed of playouts, move lists, bots and matches, on one core unless a figure "
        "says otherwise. Prints the median, the least and the greatest of five runs.",
    .options =
        {
            {OPTION_VARIANT, INTO(bench, variant),
             "variant to measure (default: original, duel, infiltrator and galaxy in turn)"},
            {"seconds", 0, "S", VALUE_SECONDS, INTO(bench, seconds),
             "seconds for each figure, up to 3600", .most = 3600},
            {OPTION_JSON, INTO(bench, json)},
        },
};

static const char *const usual[] = {"original", "duel", "infiltrator", "galaxy"};

static const struct figure figures[] = {
    {"plies_per_second", "random playouts, one at a time", "Mplies/s", 1e6, false, figure_playouts},
    {"batch_plies_per_second", "random playouts, many at once", "Mplies/s", 1e6, false,
     figure_batches},
    {"sampled_plies_per_second", "playouts from samples of a hidden army", "Mplies/s", 1e6, false,
     figure_sampled},
    {"listed_plies_per_second", "random playouts, moves listed", "Mplies/s", 1e6, false,
     figure_listed},
    {"perft_leaves_per_second", "perft 3, every leaf played", "Mleaves/s", 1e6, false,
     figure_perft_unbulked},
    {"perft_bulk_leaves_per_second", "perft 3, leaves counted", "Mleaves/s", 1e6, false,
     figure_perft},
    {"copy_seconds", "copying a game", "ns", 1e-9, true, figure_copies},
    {"bot_turn_seconds", "a trivial bot's turn, in process", "us", 1e-6, true, figure_bot_turns},
    {"child_turn_seconds", "the same in its own process (wall clock)", "us", 1e-6, true,
     figure_bot_turns_in_child},
    {"exchange_seconds", "a bare question to one (wall clock)", "us", 1e-6, true, figure_exchanges},
    {"lua_rounds_per_second", "a tight Lua loop, fuel counted", "Mrounds/s", 1e6, false,
     figure_lua_counted},
    {"lua_uncounted_rounds_per_second", "the same, fuel not counted", "Mrounds/s", 1e6, false,
     figure_lua_uncounted},
    {"load_seconds", "loading the variant", "ms", 1e-3, true, figure_loads},
    {"games_per_second", "games between two rookies, -j 1", "games/s", 1, false, figure_match},
    {"two_jobs_games_per_second", "games between two rookies, -j 2", "games/s", 1, false,
     figure_match_two_jobs},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

static void print_table(const struct workshop *workshop, const struct reading *readings,
                        size_t state_bytes) {
    const char *why;
    int at_once = playouts_at_once(workshop->playouts, &why);
    columns_print(stdout, workshop->variant, 0);
    printf(": ");
    if (playouts_why_listed(workshop->playouts))
        printf("moves are listed, because %s\n", why);
    else
        printf("moves are drawn unlisted (%s), %d games at once%s%s\n", playouts_instructions(),
               at_once, why ? ", not 256, because " : "", why ? why : "");
    printf("  %-40s %8s %-10s %s\n", "", "median", "", "least to greatest");
    for (int i = 0; i < FIGURES; i++) {
        const struct figure *figure = &figures[i];
        const struct reading *reading = &readings[i];
        printf("  %-40s %8.2f %-9s %8.2f to %.2f\n", figure->title,
               reading_median(reading) / figure->per, figure->unit, reading->run[0] / figure->per,
               reading->run[FIGURE_RUNS - 1] / figure->per);
    }
    printf("  %-40s %8.2f KiB\n", "a trivial bot's Lua state", (double)state_bytes / 1024);
}

static json_t *json_of(const struct workshop *workshop, const struct reading *readings,
                       size_t state_bytes) {
    const char *why = playouts_why_listed(workshop->playouts);
    json_t *document = json_object(), *spread = json_object();
    json_object_set_new(document, "variant", safe_json(workshop->variant));
    for (int i = 0; i < FIGURES; i++) {
        const struct reading *reading = &readings[i];
        json_object_set_new(document, figures[i].key, json_real(reading_median(reading)));
        json_object_set_new(spread, figures[i].key,
                            json_pack("[f,f]", reading->run[0], reading->run[FIGURE_RUNS - 1]));
    }
    json_object_set_new(document, "game_bytes", json_integer((json_int_t)sizeof(struct game)));
    json_object_set_new(document, "state_bytes", json_integer((json_int_t)state_bytes));
    json_object_set_new(document, "instructions",
                        why ? json_null() : json_string(playouts_instructions()));
    json_object_set_new(document, "at_once",
                        json_integer(playouts_at_once(workshop->playouts, NULL)));
    json_object_set_new(document, "listed_because", why ? json_string(why) : json_null());
    json_object_set_new(document, "spread", spread);
    return document;
}

/* Measures one variant; appends to `documents`, or prints if that is NULL. Returns the exit code.
 */
static int bench_variant(const struct folders *folders, const char *variant, double seconds,
                         json_t *documents) {
    struct workshop *workshop = malloc(sizeof *workshop);
    struct reading readings[FIGURES];
    size_t state_bytes = 0;
    int code = EXIT_DONE;
    if (!workshop) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        return cli_fail(&fault);
    }
    if (!workshop_open(workshop, folders, variant)) {
        code = cli_fail(&workshop->fault);
        if (workshop->fault.status == STATUS_NOT_FOUND) code = EXIT_USAGE;
    } else if (!workshop_measure(workshop, figures, FIGURES, seconds, readings) ||
               !(state_bytes = workshop_state_bytes(workshop))) {
        code = cli_fail(&workshop->fault);
    } else if (documents) {
        json_array_append_new(documents, json_of(workshop, readings, state_bytes));
    } else {
        print_table(workshop, readings, state_bytes);
        fflush(stdout);
    }
    workshop_close(workshop);
    free(workshop);
    return code;
}

static int run_bench(const void *values) {
    const struct bench_values *asked = values;
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    json_t *documents = asked->json ? json_array() : NULL;
    int code = EXIT_DONE;
    if (asked->variant)
        code = bench_variant(&folders, asked->variant, asked->seconds, documents);
    else
        for (size_t i = 0; i < sizeof usual / sizeof usual[0] && code == EXIT_DONE; i++)
            code = bench_variant(&folders, usual[i], asked->seconds, documents);
    if (documents && code == EXIT_DONE) {
        json_t *whole = asked->variant ? json_incref(json_array_get(documents, 0))
                                       : json_pack("{s:O}", "variants", documents);
        code = cli_json(whole, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
    }
    json_decref(documents);
    return code;
}
