/* check.c - `ensign check`: finds errors in files.
 *
 * Errors go to standard error, each with its place; facts about a file go to standard output. With
 * --json both are in one document, for editors and scripts. */
#include "base/descriptors.h"
#include "cli.h"
#include "cli/check/inspect_print.h"
#include "cli/check/schema.h"
#include "host/check/inspect_json.h"
#include "profile_table.h"

#include <string.h>

struct check_values {
    struct arguments files;
    struct inspect_terms terms;
    bool strict, json, schema, profile;
};

static int run_check(const void *values);
const struct command command_check = {
    COMMAND(check, .terms = INSPECT_DEFAULTS),
    .summary = "check variants, bots, set-ups and records",
    .synopsis = {"FILE… [OPTIONS]", "--schema"},
    .prose =
        "Checks variants and bots (.lua), set-ups (.txt) and records (.rec). Reports every error "
        "with its place, what was expected and the page that explains it. A variant without errors "
        "is searched for likely mistakes, put through its own tests and played in random games, "
        "and its combat table is printed. A bot plays two games against itself; every move of a "
        "record is judged. Scripts run in locked processes.",
    .arguments = {{NULL, 0, "FILE", VALUE_FILE, INTO(check, files), .many = true}},
    .options =
        {
            {OPTION_VARIANT, INTO(check, terms.variant),
             "variant of set-ups and bots (default: original if they fit it, else the first that "
             "they fit); for records, instead of their own"},
            {"games", 'n', "N", VALUE_NUMBER, INTO(check, terms.games),
             "random games of a variant, fully checked", .most = 100000},
            {"balance", 0, "N", VALUE_NUMBER, INTO(check, terms.balance),
             "more random games, fast and unchecked, for the balance of a variant without calls",
             .most = 1000000},
            {OPTION_SEED, INTO(check, terms.seed), "seed of the random games"},
            {"seconds", 0, "N", VALUE_NUMBER, INTO(check, terms.seconds),
             "time limit for all files; every file is loaded, but tests and games that have not "
             "begun by then are left out, with a warning",
             .least = 1, .most = 86400},
            {"profile", INTO(check, profile),
             "also print where the fuel of a variant went, line by line, over load, tests and "
             "games (of a bot: \"ensign trace\")"},
            {"strict", INTO(check, strict), "fail on warnings too"},
            {"json", INTO(check, json),
             "print one JSON document: {\"files\": [{\"file\", \"kind\", \"ok\", \"errors\", "
             "\"warnings\", \"more\", \"faults\": [{\"severity\", \"file\", \"line\", "
             "\"column\", \"key\", \"value\", \"message\", \"expected\", \"page\", "
             "\"status\"}…], …}…]}; \"more\" counts faults beyond the first 20"},
            {"schema", INTO(check, schema), "print the variant format as a JSON Schema, and stop"},
        },
};

struct checking {
    struct inspector inspector;
    bool strict;
    bool profiles;
    bool as_json;
    json_t *json; /* the array of files; NULL without --json or without memory */
};

static int check_file(struct checking *checking, const char *path) {
    struct inspection inspection = {0};
    struct fault fault = {0};
    inspection.profile = checking->profiles ? profile_new() : NULL;
    if ((checking->profiles && !inspection.profile) ||
        !inspect_file(&checking->inspector, path, &inspection)) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        profile_free(inspection.profile);
        inspection_clear(&inspection);
        return cli_fail(&fault);
    }
    if (!strcmp(inspection.kind, "bot") && cli_cage_warning())
        fprintf(stderr, "ensign: %s\n", cli_cage_warning());
    int code = inspection_exit_code(&inspection, checking->strict);
    bool has_profile = inspection.profile && profile_total(inspection.profile);
    if (checking->as_json) {
        json_t *file = inspect_json_file(path, &inspection, checking->strict);
        if (has_profile)
            json_object_set_new(file, "profile", profile_table_json(inspection.profile));
        cli_json_add(&checking->json, file);
    } else {
        inspect_print(stdout, path, &inspection);
        if (has_profile) profile_table_print(stdout, inspection.profile);
        fflush(stdout);
        cli_remarks(inspection.faults);
    }
    profile_free(inspection.profile);
    inspection_clear(&inspection);
    return code;
}

static int run_check(const void *values) {
    const struct check_values *asked = values;
    struct folders folders;
    int code = EXIT_DONE;
    if (asked->schema) return cli_json(schema_variant(), JSON_INDENT(1));
    if (!asked->files.count) return cli_misuse("check", "a file is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct fault fault = {0};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, &fault)) return cli_fail(&fault);
    struct checking checking = {.inspector = {.folders = &folders, .terms = asked->terms},
                                .strict = asked->strict,
                                .profiles = asked->profile,
                                .as_json = asked->json,
                                .json = asked->json ? json_array() : NULL};
    for (int i = 0; i < asked->files.count; i++) {
        int one = check_file(&checking, asked->files.list[i]);
        if (one > code) code = one;
    }
    if (asked->json) {
        int printed = cli_json(json_pack("{s:o}", "files", checking.json), JSON_INDENT(1));
        if (printed > code) code = printed;
    }
    inspector_clear(&checking.inspector);
    return code;
}
