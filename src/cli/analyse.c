/* analyse.c - `ensign analyse`: how the chances stood in a game, and its worst moves. */
#include "analyse/analyse_print.h"
#include "cli.h"
#include "host/players.h"
#include "host/records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct analyse_values {
    const char *record, *bot, *variant, *lang;
    int deadline;
    bool trust, json;
};

static int run_analyse(const void *values);
const struct command command_analyse = {
    COMMAND(analyse, .deadline = PLAYER_DEADLINE),
    .summary = "how the chances stood in a game, and its worst moves",
    .synopsis = {"RECORD [--bot BOT] [OPTIONS]"},
    .prose =
        "Takes a bot for each side through RECORD. Each sees what its side saw. Prints for each "
        "ply the move and the chance to win after it, the move with the best chance, and both "
        "sides' chances before it, each by what that side knew; then the three moves of each side "
        "that cost it most by what it could know, and its chance once it saw what they led to.",
    .arguments = {{NULL, 0, "RECORD", VALUE_RECORD, INTO(analyse, record), .needed = true}},
    .options =
        {
            {"bot", 0, "BOT", VALUE_BOT, INTO(analyse, bot),
             "bot to ask; it has a function appraise (default: the strongest of these)",
             .most = FOLDER_PATH_MAX - 1},
            {OPTION_SEED_SECRET},
            {OPTION_VARIANT, INTO(analyse, variant),
             "variant to use instead of the record's own: a name or a path",
             .most = FOLDER_PATH_MAX - 1},
            {OPTION_DEADLINE, INTO(analyse, deadline)},
            {OPTION_TRUST, INTO(analyse, trust)},
            {OPTION_JSON, INTO(analyse, json)},
            {OPTION_LANG, INTO(analyse, lang)},
        },
};

static void show_progress(void *context, uint32_t ply, uint32_t plies) {
    (void)context;
    if (!isatty(STDERR_FILENO)) return;
    fputc('\r', stderr);
    language_print(stderr, cli_tongue(), "{1} of {2} plies", NUMBER_TEXT(ply), NUMBER_TEXT(plies));
    fputs("\033[K", stderr);
}

static bool analyse_record(const struct analyse_values *asked, struct records *records,
                           struct nursery *nursery, const char *bot, struct analysis *analysis,
                           struct fault *fault) {
    struct analysis_options options = {.seat = {.folders = records->folders,
                                                .limits = SANDBOX_DEFAULTS,
                                                .deadline = asked->deadline,
                                                .nursery = nursery},
                                       .bot = bot,
                                       .progress = show_progress};
    if (!records_play(records, asked->record, UINT32_MAX, fault)) return false;
    options.seat.rules = records->rules;
    bool done = records_seed(records->record, &options.seed, fault) &&
                analysis_run(&options, records->record, analysis, fault);
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    return done;
}

static int print_analysis(const struct analyse_values *asked, const struct records *records,
                          const struct analysis *analysis) {
    const struct analysed analysed = {records->rules, records->record, analysis};
    if (asked->json)
        return cli_json(analyse_json(&analysed), JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    analyse_print(&analysed);
    return EXIT_DONE;
}

static int run_analyse(const void *values) {
    const struct analyse_values *asked = values;
    struct folders folders;
    struct fault fault = {0};
    struct nursery *nursery = NULL;
    struct analysis analysis = {.count = 0};
    char bot[FOLDER_PATH_MAX];
    int code = EXIT_HOST;
    if (asked->bot && player_is_program(asked->bot))
        return cli_misuse("analyse", "\"%s\": a bot in Lua is expected", asked->bot);
    if (!strcmp(asked->record, "-"))
        return cli_misuse("analyse", "a file is expected, not standard input");
    if (!cli_folders(&folders) || !cli_appraiser(&folders, asked->bot, bot, &code)) return code;
    struct records records = {.folders = &folders, .variant = asked->variant};
    bool done = records_load(&records, asked->record, &fault);
    if (done) {
        const struct player_options bots = {
            .folders = &folders, .rules = records.rules, .limits = SANDBOX_DEFAULTS};
        done = cli_nursery(asked->trust, &bots, &nursery, &fault) &&
               analyse_record(asked, &records, nursery, bot, &analysis, &fault);
    }
    nursery_close(nursery);
    code = done ? print_analysis(asked, &records, &analysis) : cli_fail(&fault);
    analysis_clear(&analysis);
    records_clear(&records);
    return code;
}
