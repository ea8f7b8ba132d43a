/* report.c - `ensign report`: a match or single games as a page or as JSON. */
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/report/embedded.h"
#include "cli/report/page.h"
#include "command.h"
#include "host/analysis.h"
#include "host/match/store.h"
#include "host/player.h"
#include "host/players.h"
#include "host/records.h"
#include "host/report/report_json.h"
#include "host/report/summary.h"
#include "host/safe_json.h"
#include "jail/loader.h"
#include "lua/language.h"
#include "outlet.h"

/* The data of the page, as its scripts read them. */
/* Reports, each of another variant, and the language of their page. */
struct report_pages {
    const struct summary *const *reports;
    size_t count;
    const struct language *language; /* NULL: English */
};

static void write_title(const void *context, FILE *out) {
    const struct report_pages *pages = context;
    const struct summary *report = pages->reports[0];
    for (size_t i = 0; i < pages->count; i++) {
        if (i) fputs(", ", out);
        page_text(language_title(pages->language, pages->reports[i]->rules), out);
    }
    if (pages->count > 1) return;
    for (int i = 0; i < report->players && i < 4; i++) {
        fputs(i ? " - " : ": ", out);
        page_text(report->name[i], out);
    }
    if (report->players > 4) fputs(" …", out);
}

/* `[game, red, blue, result, reason, first, start, plies, notes, ending]`, and if a bot was asked
 * for the chances `bot, chances`, as film.js reads it. */
static json_t *film_json(const struct summary *report, const struct reel_game *entry) {
    const struct summary_game *game = &report->list[entry->game];
    const struct film *film = &entry->film;
    json_t *notes = film->note_count ? json_object() : json_null();
    for (size_t i = 0; i < film->note_count; i++) {
        char ply[16];
        snprintf(ply, sizeof ply, "%u", film->notes[i].ply);
        json_object_set_new(notes, ply, json_string(film->notes[i].move));
    }
    json_t *document =
        json_pack("[I, i, i, s, s, s, s, s, o, o]", (json_int_t)game->number,
                  (int)game->player[RED], (int)game->player[BLUE],
                  result_name((enum result)game->result), reason_name((enum reason)game->reason),
                  side_name(film->first), film->start, film->text, notes, safe_json(film->ending));
    if (film->chances) {
        json_array_append_new(document, safe_json(film->bot));
        json_array_append_new(document, json_string(film->chances));
    }
    return document;
}

static bool write_films(const struct summary *report, FILE *out) {
    putc('[', out);
    for (size_t i = 0; i < report->reel.count; i++) {
        fputs(i ? ",\n" : "\n", out);
        if (!page_json(film_json(report, &report->reel.list[i]), out)) return false;
    }
    fputs("]", out);
    return true;
}

static json_t *kinds_json(const struct language *language, const struct rules *rules) {
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds, json_string(language_kind(language, rules, kind)));
    return kinds;
}

/* Reasons, and by report the variants' titles and kinds; none in English. */
static void add_words(const void *context, json_t *words) {
    const struct report_pages *pages = context;
    const struct language *language = pages->language;
    json_t *titles = json_array(), *kinds = json_array();
    for (int r = 0; language && r < REASON_COUNT; r++)
        json_object_set_new(json_object_get(words, "texts"), reason_name((enum reason)r),
                            json_string(language_reason(language, (enum reason)r)));
    for (size_t i = 0; language && i < pages->count; i++) {
        const struct rules *rules = pages->reports[i]->rules;
        json_array_append_new(titles, json_string(language_title(language, rules)));
        json_array_append_new(kinds, kinds_json(language, rules));
    }
    json_object_set_new(words, "titles", titles);
    json_object_set_new(words, "kinds", kinds);
}

/* The elements of the first report are "numbers" and "films", those of the second "numbers-2" … */
static bool write_data(const void *context, FILE *out) {
    const struct report_pages *pages = context;
    for (size_t i = 0; i < pages->count; i++) {
        char id[32], end[24] = "";
        if (i) snprintf(end, sizeof end, "-%zu", i + 1);
        snprintf(id, sizeof id, "numbers%s", end);
        page_data_begin(id, out);
        if (!page_json(report_numbers(pages->reports[i]), out)) return false;
        page_data_end(out);
        snprintf(id, sizeof id, "films%s", end);
        page_data_begin(id, out);
        if (!write_films(pages->reports[i], out)) return false;
        page_data_end(out);
    }
    return true;
}

/* False without memory; the caller checks ferror(). */
static bool report_page_write(const struct report_pages *pages, FILE *out) {
    static const unsigned char *const scripts[] = {
        dom_js, board_js, charts_js, film_js, sections_js, curve_js, replay_js, main_js, NULL};
    const struct page page = {.language = pages->language,
                              .scripts = scripts,
                              .title = write_title,
                              .data = write_data,
                              .words = add_words,
                              .context = pages};
    return page_write(&page, out);
}

/* How the chances stood in each game: analyses the games and adds the chances to their films. */
/* The bots of one variant; empty: nobody asks for chances. */
struct report_chances {
    const char *bot;
    const struct folders *folders;
    const struct rules *rules;
    struct rules *own_rules;   /* owned; NULL: `rules` are the caller's */
    struct template *template; /* owned; NULL: there are no chances */
};

enum { TEXT_MAX = 64 << 20 };

/* Opens the bots. False with a fault of the host. */
static bool report_chances_open(struct report_chances *chances, const struct folders *folders,
                                const struct rules *rules, const char *bot, struct fault *fault) {
    const struct player_options bots = {
        .folders = folders, .rules = rules, .limits = SANDBOX_DEFAULTS};
    *chances = (struct report_chances){.bot = bot, .folders = folders, .rules = rules};
    return cli_template(false, &bots, &chances->template, fault);
}

/* The same for the rules of the match in a folder, if they can be loaded: what is wrong with them
 * is said when the match is read. */
static bool report_chances_open_match(struct report_chances *chances,
                                      const struct summary_options *options, const char *folder,
                                      const char *bot, struct fault *fault) {
    char path[SUMMARY_PATH_MAX];
    struct fault unsaid = {0};
    summary_variant(folder, options, path);
    struct rules *rules = *path ? loader_variant(options->folders, path, &unsaid) : NULL;
    bool opened = !rules || report_chances_open(chances, options->folders, rules, bot, fault);
    chances->own_rules = rules;
    return opened;
}

static void report_chances_close(struct report_chances *chances) {
    template_close(chances->template);
    rules_free(chances->own_rules);
    *chances = (struct report_chances){.bot = NULL};
}

static unsigned per_mille(uint16_t chance) {
    return (chance + APPRAISAL_CERTAIN / 2000U) / (APPRAISAL_CERTAIN / 1000U);
}

static bool write_chances(const struct analysis *analysis, struct film *film, struct fault *fault) {
    struct buffer text = buffer_of(TEXT_MAX);
    for (uint32_t at = 0; at <= analysis->count; at++)
        film_add_number(&text, per_mille(analysis->chance[RED][at]) << 12 |
                                   per_mille(analysis->chance[BLUE][at]));
    film->chances = buffer_take(&text);
    memcpy(film->bot, analysis->bot, sizeof film->bot);
    return film->chances || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

static bool add_game(const struct report_chances *chances, const char *path, struct film *film,
                     struct fault *fault) {
    struct analysis_options options = {.seat = {.folders = chances->folders,
                                                .rules = chances->rules,
                                                .limits = SANDBOX_DEFAULTS,
                                                .deadline = PLAYER_DEADLINE,
                                                .template = chances->template},
                                       .bot = chances->bot};
    struct analysis analysis = {.count = 0};
    size_t length;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    struct record *record = text ? record_read(text, length, fault) : NULL;
    bool done = record && !record->damaged && records_seed(record, &options.seed, fault) &&
                analysis_run(&options, record, &analysis, fault) &&
                write_chances(&analysis, film, fault);
    analysis_clear(&analysis);
    record_free(record);
    free(text);
    return done;
}

static void show_progress(size_t game, size_t games) {
    if (!isatty(STDERR_FILENO)) return;
    fputc('\r', stderr);
    if (game < games)
        language_print(stderr, cli_tongue(), "{1} of {2} games", NUMBER_TEXT(game),
                       NUMBER_TEXT(games));
    fputs("\033[K", stderr);
}

/* Asks the bot about every game that the report has a film of, whose record is that of the match in
 * `folder`, or, if that is NULL, the one at its number in `paths`. Shows progress on a terminal.
 * False with a fault. */
static bool report_chances_add(const struct report_chances *chances, struct summary *report,
                               const char *folder, char *const *paths, struct fault *fault) {
    const size_t count = chances->template ? report->reel.count : 0;
    bool added = true;
    for (size_t i = 0; i < count && added; i++) {
        struct reel_game *entry = &report->reel.list[i];
        const uint32_t number = report->list[entry->game].number;
        char path[STORE_PATH_MAX];
        if (folder) store_record_path(folder, report->planned, number, path);
        show_progress(i, count);
        added = add_game(chances, folder ? path : paths[number - 1], &entry->film, fault);
    }
    show_progress(count, count);
    return added;
}

struct report_values {
    struct arguments sources;
    const char *output, *variant, *lang, *bot;
    uint32_t games; /* 0: as many as fit */
    bool json, analyse;
};

enum { RECORDS_MAX = 1 << 20 };

static const char *const ALL[] = {"all", NULL};

static int run_report(const void *values);
const struct command command_report = {
    COMMAND(report, .games = 0),
    .summary = "write a match or a game as a page for the browser",
    .synopsis = {"FOLDER [OPTIONS]", "RECORD… [OPTIONS]"},
    .prose =
        "Writes a page about the match in FOLDER, finished or not, or about single records or a "
        "folder of them, of any variants: "
        "ratings, cross table, how games went, where battles happened, and the games themselves, "
        "to step through as either side saw them. The page is one file and needs no network.",
    .arguments = {{NULL, 0, "FOLDER|RECORD", VALUE_PATH, INTO(report, sources),
                   "a match's folder or a record", .needed = true, .many = true}},
    .options =
        {
            {"output", 'o', "FILE", VALUE_FILE, INTO(report, output),
             "file to write; \"-\" is standard output (default report.html; for records NAME.html, "
             "after the first)"},
            {"games", 0, "N", VALUE_NUMBER, INTO(report, games),
             "games to include for replay: evenly chosen pairs, and forfeits (default: as many as "
             "fit in 8 MiB); of several variants, for each",
             .least = 1, .most = UINT32_MAX - 1, .words = ALL},
            {"json", INTO(report, json), "print the numbers and the list of games as JSON instead"},
            {"analyse", INTO(report, analyse),
             "also show how the chances stood, as a curve under the board", .excludes = "json"},
            {"bot", 0, "BOT", VALUE_BOT, INTO(report, bot),
             "with --analyse: bot to ask; it has a function appraise (default: the strongest of "
             "these)",
             .most = FOLDER_PATH_MAX - 1},
            {OPTION_VARIANT, INTO(report, variant),
             "variant to use instead of the one that was played: a name or a path"},
            {OPTION_LANG, INTO(report, lang)},
        },
};

/* The records of one variant on their way into a report. */
struct report_reading {
    struct records records; /* keeps the rules */
    char **paths;           /* owned, not the texts */
    size_t count;
    size_t kept; /* the first of them, which are in the report */
    struct report_chances chances;
    struct summary *report;        /* NULL before the first record */
    char variant[FOLDER_PATH_MAX]; /* as the Variant tag says; empty: none or unreadable */
};

/* All reports: of the match, or of the records by variant, in the order of their first games. */
struct reporting {
    const struct report_values *asked;
    const struct folders *folders;
    const char *bot; /* for the chances; NULL: nobody wants them */
    struct report_reading *list;
    size_t count;
    bool lenient; /* records that cannot be replayed are named and left out */
    struct complaints complaints;
    int exit_code;
};

static void read_variant(const char *path, char variant[FOLDER_PATH_MAX]) {
    size_t length;
    struct fault fault = {0};
    char *text = strcmp(path, "-") != 0 ? files_read(path, RECORD_BYTES_MAX, &length, NULL) : NULL;
    struct record *record = text ? record_read(text, length, &fault) : NULL;
    snprintf(variant, FOLDER_PATH_MAX, "%s", record ? record_tag_or(record, "Variant", "") : "");
    record_free(record);
    free(text);
}

/* Puts the record with those of its variant. False without memory. */
static bool sort_record(struct reporting *reporting, char *path) {
    char variant[FOLDER_PATH_MAX] = "";
    size_t at = 0;
    if (!reporting->asked->variant)
        (reporting->bot ? records_variant : read_variant)(path, variant);
    while (at < reporting->count && strcmp(reporting->list[at].variant, variant) != 0) at++;
    if (at == reporting->count) {
        struct report_reading *list = array_grown(reporting->list, at, sizeof *list, RECORDS_MAX);
        if (!list) return false;
        reporting->list = list;
        list[reporting->count++] = (struct report_reading){
            .records = {.folders = reporting->folders, .variant = reporting->asked->variant}};
        memcpy(list[at].variant, variant, sizeof variant);
    }
    struct report_reading *reading = &reporting->list[at];
    char **paths = array_grown(reading->paths, reading->count, sizeof *paths, RECORDS_MAX);
    if (!paths) return false;
    reading->paths = paths;
    paths[reading->count++] = path;
    return true;
}

static struct summary_options options_of(const struct reporting *reporting) {
    uint32_t games = reporting->asked->games;
    size_t share = reporting->count ? reporting->count : 1;
    return (struct summary_options){.folders = reporting->folders,
                                    .variant = reporting->asked->variant,
                                    .games_max = games ? games : UINT32_MAX,
                                    .bytes_max = games ? SIZE_MAX : REEL_BYTES_MAX / share};
}

/* Returns the exit code; all but EXIT_DONE after an error message. */
static int add_record(struct reporting *reporting, struct report_reading *reading,
                      const char *path) {
    struct records *records = &reading->records;
    struct fault fault = {0};
    if (reporting->lenient && !records_play(records, path, UINT32_MAX, &fault)) {
        cli_complain(&reporting->complaints, &fault);
        reporting->exit_code = EXIT_SHORT;
        return EXIT_DONE;
    }
    if (!records_open(records, path, &fault)) return cli_fail(&fault);
    if (!reading->report) {
        const struct summary_options options = options_of(reporting);
        reading->report = summary_of_records(records->rules, (uint32_t)reading->count, &options);
        if (!reading->report) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    }
    if (reading->report && summary_add_record(reading->report, &records->replay, &fault)) {
        reading->paths[reading->kept++] = (char *)path;
        return EXIT_DONE;
    }
    fault_place(&fault, fault.file[0] ? NULL : path, 0, 0);
    return cli_fail(&fault);
}

/* The reports of records, sorted before; false after an error message. */
static bool read_records(struct reporting *reporting) {
    struct fault fault = {0};
    int code = EXIT_DONE;
    size_t kept = 0;
    for (size_t i = 0; i < reporting->count && code == EXIT_DONE; i++) {
        struct report_reading *reading = &reporting->list[i];
        for (size_t n = 0; n < reading->count && code == EXIT_DONE; n++)
            code = add_record(reporting, reading, reading->paths[n]);
        if (code == EXIT_DONE && reading->report && !summary_finish(reading->report, &fault))
            code = cli_fail(&fault);
        if (reading->report) kept++;
    }
    cli_complained(&reporting->complaints);
    if (code != EXIT_DONE) reporting->exit_code = code;
    return code == EXIT_DONE && kept;
}

static json_t *numbers_json(const struct summary *report) {
    json_t *document = report_numbers(report), *games = report_games(report);
    if (!json_object_set_new(document, "games", games)) return document;
    json_decref(document);
    return NULL;
}

/* Of several variants, a list. */
static int print_numbers(const struct summary *const *reports, size_t count) {
    json_t *document = count > 1 ? json_array() : numbers_json(reports[0]);
    for (size_t i = 0; i < count && count > 1; i++)
        cli_json_add(&document, numbers_json(reports[i]));
    return cli_json(document, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
}

/* Writes beside an existing page and replaces it only by a complete one. */
static int write_page(const struct summary *const *reports, size_t count,
                      const struct report_values *asked, const char *path) {
    struct atomic_file draft;
    struct fault fault = {0};
    uint32_t games = 0;
    size_t films = 0;
    if (!atomic_file_begin(&draft, path, asked->output ? 0 : ATOMIC_FILE_NO_LINK, &fault))
        return cli_fail(&fault);
    const struct report_pages pages = {reports, count, cli_tongue()};
    if (!report_page_write(&pages, draft.out) && !ferror(draft.out)) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        atomic_file_drop(&draft);
        return cli_fail(&fault);
    }
    if (!atomic_file_end(&draft, NULL, &fault)) return cli_fail(&fault);
    for (size_t i = 0; i < count; i++) {
        games += reports[i]->games;
        films += reports[i]->reel.count;
    }
    if (strcmp(path, "-") != 0) {
        language_line(stdout, cli_tongue(),
                      games == 1 ? TEXT("{1}: {2} game, {3} of them to step through")
                                 : TEXT("{1}: {2} games, {3} of them to step through"),
                      path, NUMBER_TEXT(games), NUMBER_TEXT(films));
    }
    return EXIT_DONE;
}

static int write_reports(const struct summary *const *reports, size_t count,
                         const struct report_values *asked, const char *output) {
    return asked->json ? print_numbers(reports, count) : write_page(reports, count, asked, output);
}

static int finish_match(const struct summary *report, const struct report_values *asked,
                        const char *output) {
    if (report->unread) {
        char why[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
        language_fault_line(cli_tongue(), &report->unread_why, why, sizeof why);
        language_line(stderr, cli_tongue(), "ensign: {1} (records that cannot be replayed: {2})",
                      why, NUMBER_TEXT(report->unread));
    }
    int code = write_reports(&report, 1, asked, output);
    return code == EXIT_DONE && report->unread ? EXIT_SHORT : code;
}

/* Opens the bots of each variant before any record is read here. What is wrong with a variant is
 * said when its records are. */
static bool open_chances(struct reporting *reporting, struct fault *fault) {
    bool opened = true;
    for (size_t i = 0; i < reporting->count && opened && reporting->bot; i++) {
        struct report_reading *reading = &reporting->list[i];
        struct records *records = &reading->records;
        struct fault unsaid = {0};
        if (!records->variant && path_is_meant(reading->variant, ".lua")) continue;
        snprintf(records->rules_name, sizeof records->rules_name, "%s",
                 records->variant ? records->variant : reading->variant);
        records->rules = loader_variant(reporting->folders, records->rules_name, &unsaid);
        opened = !records->rules || report_chances_open(&reading->chances, reporting->folders,
                                                        records->rules, reporting->bot, fault);
    }
    return opened;
}

static bool add_chances(struct reporting *reporting, struct fault *fault) {
    bool added = true;
    for (size_t i = 0; i < reporting->count && added; i++) {
        struct report_reading *reading = &reporting->list[i];
        added = !reading->report ||
                report_chances_add(&reading->chances, reading->report, NULL, reading->paths, fault);
    }
    return added;
}

static int finish_records(struct reporting *reporting, const char *output) {
    const struct summary **reports = calloc(reporting->count, sizeof(struct summary *));
    size_t count = 0;
    if (!reports) return EXIT_HOST;
    for (size_t i = 0; i < reporting->count; i++)
        if (reporting->list[i].report) reports[count++] = reporting->list[i].report;
    int code = write_reports(reports, count, reporting->asked, output);
    free(reports);
    return code == EXIT_DONE ? reporting->exit_code : code;
}

static int report_records(struct reporting *reporting, char **paths, size_t count,
                          const char *output) {
    bool sorted = true;
    struct fault fault = {0};
    for (size_t i = 0; i < count && sorted; i++) sorted = sort_record(reporting, paths[i]);
    if (!sorted) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    int code;
    if (!sorted || !open_chances(reporting, &fault))
        code = cli_fail(&fault);
    else if (!read_records(reporting))
        code = reporting->exit_code;
    else if (!add_chances(reporting, &fault))
        code = cli_fail(&fault);
    else
        code = finish_records(reporting, output);
    for (size_t i = 0; i < reporting->count; i++) {
        summary_free(reporting->list[i].report);
        report_chances_close(&reporting->list[i].chances);
        records_clear(&reporting->list[i].records);
        free(reporting->list[i].paths);
    }
    free(reporting->list);
    return code;
}

static int report_match(struct reporting *reporting, const char *folder, const char *output) {
    struct fault fault = {0};
    const struct summary_options options = options_of(reporting);
    struct report_chances chances = {.bot = NULL};
    struct summary *report = NULL;
    if (!reporting->bot ||
        report_chances_open_match(&chances, &options, folder, reporting->bot, &fault))
        report = summary_of_folder(folder, &options, &fault);
    bool done = report && report_chances_add(&chances, report, folder, NULL, &fault);
    int code = done ? finish_match(report, reporting->asked, output) : cli_fail(&fault);
    summary_free(report);
    report_chances_close(&chances);
    return code;
}

/* The records of a folder without a match. False without memory. */
static bool list_records(const char *folder, glob_t *found) {
    char pattern[2 * PATH_MAX + 16], *out = pattern, beside[PATH_MAX];
    *found = (glob_t){0};
    int length = snprintf(beside, sizeof beside, "%s/%s", folder, STORE_FILE);
    if (length < 0 || length >= (int)sizeof beside || path_is_file(beside)) return true;
    for (const char *at = folder; *at; at++) { /* the folder's name is no pattern */
        if (strchr("*?[\\", *at)) *out++ = '\\';
        *out++ = *at;
    }
    strcpy(out, "/*.rec");
    return glob(pattern, 0, NULL, found) != GLOB_NOSPACE;
}

/* False after an error message if the page would replace a record or the results that it is about.
 * `match` is the folder of the results, or NULL. */
static bool may_replace(const char *output, char *const *records, size_t count, const char *match) {
    char file[PATH_MAX], folder[PATH_MAX];
    struct fault fault = {0};
    if (!strcmp(output, "-")) return true;
    bool same =
        match && realpath(output, file) && path_folder(file, folder, sizeof folder) &&
        path_is_same(folder, match) &&
        (path_ends(file, ".rec") || !strncmp(path_file(file), STORE_FILE, strlen(STORE_FILE)));
    for (size_t i = 0; i < count && !same; i++) same = path_is_same(records[i], output);
    if (!same) return true;
    fault_set(&fault, STATUS_USAGE, "holds what the page is made from; give another path");
    fault_place(&fault, output, 0, 0);
    cli_fail(&fault);
    return false;
}

static int run_report(const void *values) {
    const struct report_values *asked = values;
    const struct arguments *sources = &asked->sources;
    const char *first = sources->list[0];
    for (int i = 0; i < sources->count && sources->count > 1; i++) {
        if (path_is_folder(sources->list[i])) {
            return cli_misuse("report",
                              "\"%s\" is a folder: one folder alone, or records are expected",
                              sources->list[i]);
        }
    }
    char name[FOLDER_PATH_MAX] = "report.html"; /* no record's page may replace a match's */
    if (!path_is_folder(first) && !outlet_name(first, ".html", name, sizeof name) && !asked->output)
        return cli_misuse("report", "the name of \"%s\" is too long", first);
    struct folders folders;
    glob_t found = {0};
    char bot[FOLDER_PATH_MAX];
    int code = EXIT_HOST;
    const bool analyse = asked->analyse || asked->bot;
    if (asked->bot && player_is_program(asked->bot))
        return cli_misuse("report", "\"%s\": a bot in Lua is expected", asked->bot);
    for (int i = 0; i < sources->count; i++)
        if (analyse && !strcmp(sources->list[i], "-"))
            return cli_misuse("report", "a file is expected, not standard input");
    if (!cli_folders(&folders) || (analyse && !cli_appraiser(&folders, asked->bot, bot, &code)))
        return code;
    struct reporting reporting = {.asked = asked, .folders = &folders, .bot = analyse ? bot : NULL};
    const char *output = asked->output ? asked->output : name;
    const bool folder = path_is_folder(first);
    if (folder && !list_records(first, &found)) return EXIT_HOST;
    char **records = folder ? found.gl_pathv : sources->list;
    const size_t count = folder ? found.gl_pathc : (size_t)sources->count;
    reporting.lenient = folder;
    if (!asked->json && !may_replace(output, records, count, folder ? first : NULL))
        code = EXIT_USAGE;
    else
        code = count ? report_records(&reporting, records, count, output)
                     : report_match(&reporting, first, output);
    globfree(&found);
    return code;
}
