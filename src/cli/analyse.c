/* analyse.c - `ensign analyse`: how the chances stood in a game, and its worst moves. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/columns.h"
#include "command.h"
#include "host/analysis.h"
#include "host/players.h"
#include "host/records.h"

/* The analysed game as text and as JSON. Chances are whole per cent. */
struct analysed {
    const struct rules *rules;
    const struct record *record;
    const struct analysis *analysis;
};

enum { CELL_MAX = 128, COLUMNS = 8 };

/* A row of the table; columns of numbers are aligned at their right end. */
struct row {
    char cell[COLUMNS][CELL_MAX];
};

static const bool RIGHT[COLUMNS] = {true, false, false, true, false, true, true, true};

static void write_percent(char *out, size_t size, uint16_t chance) {
    snprintf(out, size, "%d %%", (chance + APPRAISAL_CERTAIN / 200) / (APPRAISAL_CERTAIN / 100));
}

/* "61", as sentences have it. */
static const char *percent_number(char out[CELL_MAX], uint16_t chance) {
    snprintf(out, CELL_MAX, "%d", (chance + APPRAISAL_CERTAIN / 200) / (APPRAISAL_CERTAIN / 100));
    return out;
}

static void fill_heads(const struct analysed *analysed, struct row *row) {
    const struct language *language = cli_tongue();
    const char *const heads[COLUMNS] = {language_text(language, TEXT("ply")),
                                        language_text(language, TEXT("side")),
                                        language_text(language, TEXT("played")),
                                        "",
                                        analysed->analysis->bot,
                                        "",
                                        language_side(language, RED),
                                        language_side(language, BLUE)};
    for (int i = 0; i < COLUMNS; i++) snprintf(row->cell[i], CELL_MAX, "%s", heads[i]);
}

/* The row of a ply, from 0; behind the last one that of the end. */
static void fill_row(const struct analysed *analysed, uint32_t at, struct row *row) {
    const struct analysis *analysis = analysed->analysis;
    *row = (struct row){{{0}}};
    for (int side = RED; side <= BLUE; side++)
        write_percent(row->cell[6 + side], CELL_MAX, analysis->chance[side][at]);
    if (at == analysis->count) {
        snprintf(row->cell[1], CELL_MAX, "%s", language_text(cli_tongue(), TEXT("end")));
        return;
    }
    const struct analysis_ply *ply = &analysis->plies[at];
    snprintf(row->cell[0], CELL_MAX, "%" PRIu32, at + 1);
    snprintf(row->cell[1], CELL_MAX, "%s", language_side(cli_tongue(), (enum side)ply->side));
    snprintf(row->cell[2], CELL_MAX, "%s", ply->played);
    write_percent(row->cell[3], CELL_MAX, ply->played_chance);
    snprintf(row->cell[4], CELL_MAX, "%s", ply->best);
    write_percent(row->cell[5], CELL_MAX, ply->best_chance);
}

static void widen(const struct row *row, int width[COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++) {
        int columns = columns_of(row->cell[i], SIZE_MAX);
        if (columns > width[i]) width[i] = columns;
    }
}

static void print_row(const struct row *row, const int width[COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++) {
        if (i) fputs("  ", stdout);
        if (i == COLUMNS - 2) putchar(' ');
        columns_print(stdout, row->cell[i], RIGHT[i] ? -width[i] : width[i]);
    }
    putchar('\n');
}

static void print_table(const struct analysed *analysed) {
    int width[COLUMNS] = {0};
    struct row row;
    fill_heads(analysed, &row);
    widen(&row, width);
    for (uint32_t at = 0; at <= analysed->analysis->count; at++) {
        fill_row(analysed, at, &row);
        widen(&row, width);
    }
    fill_heads(analysed, &row);
    print_row(&row, width);
    for (uint32_t at = 0; at <= analysed->analysis->count; at++) {
        fill_row(analysed, at, &row);
        print_row(&row, width);
    }
}

/* One sentence: what the move cost by what the side could know, and what came of it. */
static void print_worst(const struct analysed *analysed, uint32_t at) {
    const struct analysis_ply *ply = &analysed->analysis->plies[at];
    const struct language *language = cli_tongue();
    char played[CELL_MAX], best[CELL_MAX], after[CELL_MAX];
    const char *pattern = TEXT("ply {1}, {2}: {3} % to win, {4} kept {5} %; {6} % after it");
    if (ply->blind && ply->met != KIND_NONE)
        pattern = TEXT("ply {1}, {2}: {3} % to win, {4} kept {5} %; the unknown piece attacked was "
                       "{7}, {6} % after it");
    else if (ply->blind)
        pattern = TEXT("ply {1}, {2}: {3} % to win, {4} kept {5} %; the piece attacked stayed "
                       "unknown, {6} % after it");
    fputs("  ", stdout);
    language_line(stdout, language, pattern, NUMBER_TEXT(at + 1), ply->played,
                  percent_number(played, ply->played_chance), ply->best,
                  percent_number(best, ply->best_chance),
                  percent_number(after, analysed->analysis->chance[ply->side][at + 1]),
                  language_kind(language, analysed->rules, ply->met));
}

static const char *player_name(const struct analysed *analysed, enum side side) {
    return record_tag_or(analysed->record, side == RED ? "Red" : "Blue", "?");
}

static void print_side(const struct analysed *analysed, enum side side) {
    uint32_t worst[WORST_MAX];
    int count = analysis_worst(analysed->analysis, side, worst);
    putchar('\n');
    if (!count)
        language_line(stdout, cli_tongue(),
                      side == RED ? TEXT("Red ({1}): no move cost 1 % or more.")
                                  : TEXT("Blue ({1}): no move cost 1 % or more."),
                      player_name(analysed, side));
    else
        language_line(stdout, cli_tongue(),
                      side == RED ? TEXT("Red's worst moves ({1}):")
                                  : TEXT("Blue's worst moves ({1}):"),
                      player_name(analysed, side));
    for (int i = 0; i < count; i++) print_worst(analysed, worst[i]);
}

/* Prints a table of the plies and the worst moves of both sides. */
static void analyse_print(const struct analysed *analysed) {
    const struct analysis *analysis = analysed->analysis;
    char end[CELL_MAX * 4];
    print_table(analysed);
    if (analysis->result != RESULT_NONE) {
        language_end(cli_tongue(), analysis->result, analysis->reason, NULL, end, sizeof end);
        putchar('\n');
        cli_line(stdout, "%s", end);
    }
    print_side(analysed, RED);
    print_side(analysed, BLUE);
}

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
                           struct template *template, const char *bot, struct analysis *analysis,
                           struct fault *fault) {
    struct analysis_options options = {.seat = {.folders = records->folders,
                                                .limits = SANDBOX_DEFAULTS,
                                                .deadline = asked->deadline,
                                                .template = template},
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
        return cli_json(analysis_json(analysis, records->rules, records->record),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    analyse_print(&analysed);
    return EXIT_DONE;
}

static int run_analyse(const void *values) {
    const struct analyse_values *asked = values;
    struct folders folders;
    struct fault fault = {0};
    struct template *template = NULL;
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
        done = cli_template(asked->trust, &bots, &template, &fault) &&
               analyse_record(asked, &records, template, bot, &analysis, &fault);
    }
    template_close(template);
    code = done ? print_analysis(asked, &records, &analysis) : cli_fail(&fault);
    analysis_clear(&analysis);
    records_clear(&records);
    return code;
}
