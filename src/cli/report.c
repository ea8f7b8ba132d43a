/* report.c - `ensign report`: a match or single games as a page or as JSON. */
#include "base/draft.h"
#include "base/paths.h"
#include "cli.h"
#include "cli/report/report_page.h"
#include "host/records.h"
#include "host/report/report_json.h"
#include "outlet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct report_values {
    struct arguments sources;
    const char *output, *variant;
    uint32_t games; /* 0: as many as fit */
    bool json;
};

static const char *const ALL[] = {"all", NULL};

static int run_report(const void *values);
const struct command command_report = {
    COMMAND(report, .games = 0),
    .summary = "write a match or a game as a page for the browser",
    .synopsis = {"FOLDER [OPTIONS]", "RECORD… [OPTIONS]"},
    .prose =
        "Writes a page about the match in FOLDER, finished or not, or about single records: "
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
             "fit in 8 MiB)",
             .least = 1, .most = UINT32_MAX - 1, .words = ALL},
            {"json", INTO(report, json), "print the numbers and the list of games as JSON instead"},
            {OPTION_VARIANT, INTO(report, variant),
             "variant to use instead of the one that was played: a name or a path"},
        },
};

/* Records on their way into one report. */
struct report_reading {
    const struct summary_options *options;
    struct records *records; /* keeps the rules */
    uint32_t count;
    struct summary *report;        /* NULL before the first record */
    char variant[FOLDER_PATH_MAX]; /* of the first, which holds for all */
};

/* Returns the exit code; all but EXIT_DONE after an error message. */
static int add_record(struct report_reading *reading, const char *path) {
    struct records *records = reading->records;
    struct fault fault = {0};
    if (!records_open(records, path, &fault)) return cli_fail(&fault);
    if (!reading->report) {
        memcpy(reading->variant, records->rules_name, sizeof reading->variant);
        reading->report = summary_of_records(records->rules, reading->count, reading->options);
        if (!reading->report) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    }
    if (strcmp(reading->variant, records->rules_name) != 0) {
        return cli_misuse("report",
                          "\"%s\" is a game of %s, the others of %s: one variant is expected", path,
                          records->rules_name, reading->variant);
    }
    if (reading->report && summary_add_record(reading->report, &records->replay, &fault))
        return EXIT_DONE;
    fault_place(&fault, fault.file[0] ? NULL : path, 0, 0);
    return cli_fail(&fault);
}

/* NULL after an error message. */
static struct summary *read_records(struct report_reading *reading, char **paths, int *code) {
    struct fault fault = {0};
    for (uint32_t i = 0; i < reading->count && *code == EXIT_DONE; i++)
        *code = add_record(reading, paths[i]);
    if (*code == EXIT_DONE && !summary_finish(reading->report, &fault)) *code = cli_fail(&fault);
    if (*code == EXIT_DONE) return reading->report;
    summary_free(reading->report);
    return NULL;
}

static int print_numbers(const struct summary *report) {
    json_t *document = report_numbers(report), *games = report_games(report);
    if (json_object_set_new(document, "games", games)) {
        json_decref(document);
        document = NULL;
    }
    return cli_json(document, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
}

/* Writes beside an existing page and replaces it only by a complete one. */
static int write_page(const struct summary *report, const char *path) {
    struct draft draft;
    struct fault fault = {0};
    if (!draft_begin(&draft, path, 0, &fault)) return cli_fail(&fault);
    if (!report_page_write(report, draft.out) && !ferror(draft.out)) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        draft_drop(&draft);
        return cli_fail(&fault);
    }
    if (!draft_end(&draft, NULL, &fault)) return cli_fail(&fault);
    if (strcmp(path, "-") != 0) {
        cli_line(stdout, "%s: %" PRIu32 " %s, %zu of them to step through", path, report->games,
                 cli_noun(report->games, "game", "games"), report->reel.count);
    }
    return EXIT_DONE;
}

static int report_finish(const struct summary *report, const struct report_values *asked,
                         const char *output) {
    if (report->unread) {
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(&report->unread_why, why, sizeof why);
        fprintf(stderr, "ensign: %s (records that cannot be replayed: %" PRIu32 ")\n", why,
                report->unread);
    }
    int code = asked->json ? print_numbers(report) : write_page(report, output);
    return code == EXIT_DONE && report->unread ? EXIT_SHORT : code;
}

static struct summary *read_sources(struct records *records, const struct summary_options *options,
                                    const struct arguments *sources, int *code) {
    struct fault fault = {0};
    if (path_is_folder(sources->list[0])) {
        struct summary *report = summary_of_folder(sources->list[0], options, &fault);
        if (!report) *code = cli_fail(&fault);
        return report;
    }
    struct report_reading reading = {
        .options = options, .records = records, .count = (uint32_t)sources->count};
    return read_records(&reading, sources->list, code);
}

static int run_report(const void *values) {
    const struct report_values *asked = values;
    const struct arguments *sources = &asked->sources;
    for (int i = 0; i < sources->count && sources->count > 1; i++) {
        if (path_is_folder(sources->list[i])) {
            return cli_misuse("report",
                              "\"%s\" is a folder: one folder alone, or records are expected",
                              sources->list[i]);
        }
    }
    char name[FOLDER_PATH_MAX] = "report.html"; /* no record's page may replace a match's */
    if (!path_is_folder(sources->list[0]) &&
        !outlet_name(sources->list[0], ".html", name, sizeof name) && !asked->output)
        return cli_misuse("report", "the name of \"%s\" is too long", sources->list[0]);
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    const struct summary_options options = {.folders = &folders,
                                            .variant = asked->variant,
                                            .games_max = asked->games ? asked->games : UINT32_MAX,
                                            .bytes_max = asked->games ? SIZE_MAX : REEL_BYTES_MAX};
    struct records records = {.folders = &folders, .variant = asked->variant};
    int code = EXIT_DONE;
    struct summary *report = read_sources(&records, &options, sources, &code);
    if (report) code = report_finish(report, asked, asked->output ? asked->output : name);
    summary_free(report);
    records_clear(&records);
    return code;
}
