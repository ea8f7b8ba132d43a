/* check.c - `ensign check`: are these files what they should be?
 *
 * What is wrong goes to standard error, each with its place; what a file is, to standard output.
 * For editors and scripts both are one JSON document. */
#include "cli.h"
#include "cli/check/inspect.h"
#include "cli/check/inspect_json.h"
#include "cli/check/schema.h"
#include "host/safe_json.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ensign check FILE… [OPTIONS]\n"
    "\n"
    "Checks variants and bots (.lua), set-ups (.txt) and records (.rec): all that is wrong with\n"
    "them, each with its place, what was expected and which page explains it. Then, if nothing is\n"
    "wrong: a variant's own tests, whether it means what it says, who beats whom, and random games\n"
    "in which nothing may go wrong; two games of a bot against itself; whether each move of a\n"
    "record is legal. Scripts are run in locked processes.\n"
    "\n"
    "  -v, --variant VARIANT   what set-ups and bots are checked for (original); for records,\n"
    "                          instead of their own\n"
    "  -n, --games N           random games of a variant, 0 to 100000 (200)\n"
    "      --seed N            what chance begins with (1)\n"
    "      --seconds N         time for all files, 1 to 86400 (60): every file is loaded, tests and\n"
    "                          games that have not begun by then are left out, with a warning\n"
    "      --strict            a warning fails too\n"
    "      --json              one JSON document: {\"files\": [{\"file\", \"kind\", \"ok\",\n"
    "                          \"errors\", \"warnings\", \"more\", \"faults\": [{\"severity\",\n"
    "                          \"file\", \"line\", \"column\", \"key\", \"value\", \"message\",\n"
    "                          \"expected\", \"page\", \"status\"}…], …}…]}; \"more\" counts those\n"
    "                          beyond the first 20\n"
    "      --schema            print the format of variants as a JSON Schema, and nothing else\n"
    "  -h, --help              this text\n";

enum {
    OPTION_SCHEMA = 256,
    OPTION_JSON,
    OPTION_STRICT,
    OPTION_SEED,
    OPTION_SECONDS,
    GAMES_MAX = 100000,
    SECONDS_MAX = 86400
};

static const struct option options[] = {
    {"variant", required_argument, NULL, 'v'},
    {"games", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"schema", no_argument, NULL, OPTION_SCHEMA},
    {"help", no_argument, NULL, 'h'},
    {0},
};

struct checking {
    struct inspector inspector;
    bool strict;
    bool as_json;
    json_t *json; /* the array of files; NULL: none, or no memory */
};

/* What the errors, and with --strict the warnings, ask for. */
static int exit_code_of(const struct faults *faults, bool strict) {
    int code = strict && faults->warnings ? EXIT_SHORT : EXIT_DONE;
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        int one = remark->warning ? EXIT_DONE : status_exit_code(remark->fault.status);
        /* What a line of the file names and is not there makes the file wrong, not its use. */
        if (one == EXIT_USAGE && remark->fault.line) one = EXIT_SHORT;
        if (one > code) code = one;
    }
    return code;
}

static int check_file(struct checking *checking, const char *path) {
    struct inspection inspection = {0};
    char *unseen = NULL;
    size_t length = 0;
    FILE *out = checking->as_json ? open_memstream(&unseen, &length) : stdout;
    if (!out || !inspect_file(&checking->inspector, path, out, &inspection)) {
        struct fault fault = {.status = STATUS_OK};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        if (out && out != stdout) fclose(out);
        free(unseen);
        inspection_clear(&inspection);
        return cli_fail(&fault);
    }
    const struct faults *faults = inspection.faults;
    int code = exit_code_of(faults, checking->strict);
    if (checking->as_json) {
        json_t *file =
            json_pack("{s:o, s:s, s:b, s:I, s:I, s:I, s:o}", "file", safe_json(path), "kind",
                      inspection.kind, "ok", code == EXIT_DONE, "errors",
                      (json_int_t)faults->errors, "warnings", (json_int_t)faults->warnings, "more",
                      (json_int_t)(faults->errors + faults->warnings - faults->count), "faults",
                      inspect_json_faults(faults));
        json_object_update(file, inspection.facts);
        cli_json_add(&checking->json, file);
        fclose(out);
        free(unseen);
    } else {
        fflush(stdout);
        cli_remarks(faults);
    }
    inspection_clear(&inspection);
    return code;
}

/* Reads the options. EXIT_DONE, with `*done` set if that was all; else EXIT_USAGE. */
static int read_options(int argc, char **argv, struct checking *checking, bool *json, bool *done) {
    struct inspector *inspector = &checking->inspector;
    uint64_t games = inspector->games, seconds = (uint64_t)inspector->seconds;
    int code = EXIT_DONE;
    for (int option; (option = options_next(argc, argv, ":v:n:h", options)) != -1;) {
        if (option == OPTION_WRONG) return EXIT_USAGE;
        if (option == 'n' && !options_number(argv[0], "--games", optarg, 0, GAMES_MAX, &games))
            return EXIT_USAGE;
        if (option == OPTION_SEED &&
            !options_number(argv[0], "--seed", optarg, 0, UINT64_MAX, &inspector->seed))
            return EXIT_USAGE;
        if (option == OPTION_SECONDS &&
            !options_number(argv[0], "--seconds", optarg, 1, SECONDS_MAX, &seconds))
            return EXIT_USAGE;
        if (option == 'v') inspector->variant = optarg;
        if (option == OPTION_STRICT) checking->strict = true;
        if (option == OPTION_JSON) *json = true;
        if (option == 'h') fputs(help, stdout);
        if (option == OPTION_SCHEMA) code = cli_json(schema_variant(), JSON_INDENT(1));
        if (option == 'h' || option == OPTION_SCHEMA) {
            *done = true;
            return code;
        }
    }
    inspector->games = (uint32_t)games;
    inspector->seconds = (int)seconds;
    return optind < argc ? EXIT_DONE : cli_misuse(argv[0], "a file is expected");
}

int command_check(int argc, char **argv) {
    struct checking checking = {.inspector = {.games = 200, .seed = 1, .seconds = 60}};
    bool json = false, done = false;
    int code = read_options(argc, argv, &checking, &json, &done);
    if (done || code != EXIT_DONE) return code;
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    checking.inspector.folders = checking.inspector.records.folders = &folders;
    checking.as_json = json;
    if (json) checking.json = json_array();
    for (int i = optind; i < argc; i++) {
        int one = check_file(&checking, argv[i]);
        if (one > code) code = one;
    }
    if (json) {
        int printed = cli_json(json_pack("{s:o}", "files", checking.json), JSON_INDENT(1));
        if (printed > code) code = printed;
    }
    inspector_clear(&checking.inspector);
    return code;
}
