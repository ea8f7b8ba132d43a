/* report.c - `ensign report`: a match or single games as a page, or as numbers. */
#include "base/draft.h"
#include "base/paths.h"
#include "cli.h"
#include "cli/report/report_page.h"
#include "host/report/report_json.h"
#include "options.h"
#include "outlet.h"
#include "records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: ensign report FOLDER [OPTIONS]\n"
    "       ensign report RECORD… [OPTIONS]\n"
    "\n"
    "Writes a page about the match in a folder, finished or not, or about single records: ratings,\n"
    "cross table, how games went, where battles happened, and the games themselves, to be stepped\n"
    "through as either side saw them. The page is one file that needs no network.\n"
    "\n"
    "  -o, --output FILE       where the page goes; \"-\" is standard output (report.html; of records\n"
    "                          NAME.html, after the first)\n"
    "      --games N|all       games that can be replayed in the page, in pairs, evenly chosen,\n"
    "                          and forfeits (as many as fit 8 MiB)\n"
    "      --json              write the numbers and the list of games to standard output instead\n"
    "  -v, --variant VARIANT   name or path of the rules, instead of those that were played by\n"
    "  -h, --help              this text\n";

enum { OPTION_GAMES = 256, OPTION_JSON };

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'}, {"games", required_argument, NULL, OPTION_GAMES},
    {"json", no_argument, NULL, OPTION_JSON}, {"variant", required_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},         {0},
};

struct arguments {
    struct report_options report;
    const char *output;
    bool json;
};

/* Records on their way into one report. */
struct reading {
    const char *command;
    const struct report_options *options;
    struct records *records; /* keeps the rules */
    uint32_t count;
    struct report *report;         /* NULL before the first record */
    char variant[FOLDER_PATH_MAX]; /* of the first, which holds for all */
};

/* Returns the exit code, after a complaint if it is not EXIT_DONE. */
static int add_record(struct reading *reading, const char *path) {
    struct records *records = reading->records;
    struct fault fault = {0};
    if (!records_open(records, path, &fault)) return cli_fail(&fault);
    if (!reading->report) {
        memcpy(reading->variant, records->rules_name, sizeof reading->variant);
        reading->report = report_of_records(records->rules, reading->count, reading->options);
        if (!reading->report) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    }
    if (strcmp(reading->variant, records->rules_name) != 0) {
        return cli_misuse(reading->command,
                          "\"%s\" is a game of %s, the others of %s: one variant is expected", path,
                          records->rules_name, reading->variant);
    }
    if (reading->report && report_add_record(reading->report, &records->replay, &fault)) {
        return EXIT_DONE;
    }
    fault_place(&fault, fault.file[0] ? NULL : path, 0, 0);
    return cli_fail(&fault);
}

/* NULL after a complaint. */
static struct report *read_records(struct reading *reading, char **paths, int *code) {
    struct fault fault = {0};
    for (uint32_t i = 0; i < reading->count && *code == EXIT_DONE; i++) {
        *code = add_record(reading, paths[i]);
    }
    if (*code == EXIT_DONE && !report_finish(reading->report, &fault)) *code = cli_fail(&fault);
    if (*code == EXIT_DONE) return reading->report;
    report_free(reading->report);
    return NULL;
}

static int print_numbers(const struct report *report) {
    json_t *document = report_numbers(report), *games = report_games(report);
    if (json_object_set_new(document, "games", games)) {
        json_decref(document);
        document = NULL;
    }
    return cli_json(document, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
}

/* A page that is already there is lost only to a whole one. */
static int write_page(const struct report *report, const char *path) {
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
        cli_line(stdout, "%s: %" PRIu32 " %s, %zu of them to be stepped through", path,
                 report->games, cli_noun(report->games, "game", "games"), report->reel.count);
    }
    return EXIT_DONE;
}

static int finish(const struct report *report, const struct arguments *arguments) {
    if (report->unread) {
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(&report->unread_why, why, sizeof why);
        fprintf(stderr, "ensign: %s (records that cannot be replayed: %" PRIu32 ")\n", why,
                report->unread);
    }
    int code = arguments->json ? print_numbers(report) : write_page(report, arguments->output);
    return code == EXIT_DONE && report->unread ? EXIT_SHORT : code;
}

static bool read_option(struct arguments *arguments, const char *command, int option) {
    uint64_t number;
    switch (option) {
    case 'o':
        arguments->output = optarg;
        return true;
    case 'v':
        arguments->report.variant = optarg;
        return true;
    case OPTION_JSON:
        arguments->json = true;
        return true;
    case OPTION_GAMES:
        arguments->report.bytes_max = SIZE_MAX;
        if (!strcmp(optarg, "all")) return true;
        if (!options_number(command, "--games", optarg, 1, UINT32_MAX - 1, &number)) return false;
        arguments->report.games_max = (uint32_t)number;
        return true;
    default:
        return false;
    }
}

int command_report(int argc, char **argv) {
    struct arguments arguments = {
        .report = {.games_max = UINT32_MAX, .bytes_max = REEL_BYTES_MAX},
    };
    for (int option; (option = options_next(argc, argv, ":o:v:h", options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!read_option(&arguments, argv[0], option)) return EXIT_USAGE;
    }
    int count = argc - optind;
    char **paths = argv + optind;
    if (count < 1) return cli_misuse(argv[0], "a match's folder or a record is expected");
    for (int i = 0; i < count && count > 1; i++) {
        if (path_is_folder(paths[i])) {
            return cli_misuse(argv[0], "\"%s\" is a folder: it alone, or records are expected",
                              paths[i]);
        }
    }
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    arguments.report.folders = &folders;
    struct records records = {.folders = &folders, .variant = arguments.report.variant};
    int code = EXIT_DONE;
    struct report *report;
    char name[FOLDER_PATH_MAX]; /* not that of a match's page, which it must not replace */
    if (!arguments.output && path_is_folder(paths[0])) {
        arguments.output = "report.html";
    } else if (!arguments.output) {
        if (!outlet_name(paths[0], ".html", name, sizeof name)) {
            return cli_misuse(argv[0], "the name of \"%s\" is too long", paths[0]);
        }
        arguments.output = name;
    }
    if (path_is_folder(paths[0])) {
        struct fault fault = {0};
        report = report_of_folder(paths[0], &arguments.report, &fault);
        if (!report) code = cli_fail(&fault);
    } else {
        struct reading reading = {.command = argv[0],
                                  .options = &arguments.report,
                                  .records = &records,
                                  .count = (uint32_t)count};
        report = read_records(&reading, paths, &code);
    }
    if (report) code = finish(report, &arguments);
    report_free(report);
    records_clear(&records);
    return code;
}
