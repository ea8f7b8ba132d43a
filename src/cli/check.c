/* check.c - `ensign check`: finds errors in files.
 *
 * Errors go to standard error, each with its place; facts about a file go to standard output. With
 * --json both are in one document, for editors and scripts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/descriptors.h"
#include "cli/check/schema.h"
#include "cli/cli.h"
#include "cli/rulesheet.h"
#include "command.h"
#include "host/check/inspect.h"
#include "host/check/inspect_json.h"
#include "host/match/statistics.h"
#include "profile_table.h"

/* Lines of facts about a variant, a bot, set-ups or a record; errors are printed elsewhere. */
enum { FIGURE_MAX = 32 };

/* "12.5 %" */
static const char *share_text(double share, int digits, char out[FIGURE_MAX]) {
    snprintf(out, FIGURE_MAX, "%.*f %%", digits, 100 * share);
    return out;
}

static void print_reasons(FILE *out, const uint32_t reasons[REASON_COUNT]) {
    fputs("   ", out);
    for (int reason = 0; reason < REASON_COUNT; reason++)
        if (reasons[reason])
            fprintf(out, " %s %" PRIu32, language_reason(cli_tongue(), (enum reason)reason),
                    reasons[reason]);
    fputc('\n', out);
}

/* The key of a kind, "marshal", or its name in another language. */
static const char *kind_text(const struct rules *rules, kind_id kind) {
    const struct language *language = cli_tongue();
    return language ? language_kind(language, rules, kind) : rules->kind[kind].name;
}

/* Prints the share of each of `kinds` in all attacks, or in all falls. */
static void print_shares(FILE *out, const struct rules *rules, const char *what, kindset kinds,
                         const uint64_t counts[KINDS_MAX]) {
    uint64_t all = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) all += counts[kind];
    if (!all) return;
    fprintf(out, "    %s:", language_text(cli_tongue(), what));
    for (; kinds; kinds &= kinds - 1) {
        int kind = __builtin_ctz(kinds);
        char share[FIGURE_MAX];
        fprintf(out, " %s %s%s", kind_text(rules, (kind_id)kind),
                share_text((double)counts[kind] / (double)all, 1, share),
                kinds & (kinds - 1) ? "," : "\n");
    }
}

static void print_first(FILE *out, const struct points *points, int digits) {
    char mean[FIGURE_MAX], low[FIGURE_MAX], high[FIGURE_MAX];
    fputs("    ", out);
    language_line(out, cli_tongue(),
                  "the first mover scores {1} (between {2} and {3} with 95 % certainty)",
                  share_text(points->mean, digits, mean), share_text(points->low, digits, low),
                  share_text(points->high, digits, high));
}

static void print_wins(FILE *out, const uint32_t wins[2], uint32_t draws) {
    language_line(out, cli_tongue(), "; red wins {1}, blue {2}, draws {3}", NUMBER_TEXT(wins[RED]),
                  NUMBER_TEXT(wins[BLUE]), NUMBER_TEXT(draws));
}

static void print_balance(FILE *out, const struct rules *rules, const struct balance *balance) {
    struct points first =
        statistics_points(balance->first_wins, balance->draws, balance->first_losses);
    kindset all = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) all |= kindset_of(kind);
    fputs("  ", out);
    language_print(out, cli_tongue(),
                   "{1} more, unchecked: half of them last {2} to {3} plies, median {4}",
                   NUMBER_TEXT(balance->games), NUMBER_TEXT(balance->quartile[0]),
                   NUMBER_TEXT(balance->quartile[2]), NUMBER_TEXT(balance->quartile[1]));
    print_wins(out, balance->wins, balance->draws);
    print_reasons(out, balance->reasons);
    print_first(out, &first, 1);
    print_shares(out, rules, TEXT("attacks"), rules->mobile, balance->attacks);
    print_shares(out, rules, TEXT("falls"), all, balance->falls);
}

/* `balanced`: print_balance() follows, which knows better how the first mover scores. */
static void print_trial(FILE *out, const struct rules *rules, const struct trial *trial,
                        bool balanced) {
    char mean[FIGURE_MAX];
    snprintf(mean, sizeof mean, "%.1f", (double)trial->plies / trial->games);
    fputs("  ", out);
    language_print(out, cli_tongue(),
                   trial->games == 1 ? TEXT("{1} random game: {2} plies on average, {3} to {4}")
                                     : TEXT("{1} random games: {2} plies on average, {3} to {4}"),
                   NUMBER_TEXT(trial->games), mean, NUMBER_TEXT(trial->shortest),
                   NUMBER_TEXT(trial->longest));
    print_wins(out, trial->wins, trial->draws);
    print_reasons(out, trial->reasons);
    for (int i = 0; i < TRIAL_ENDINGS_MAX && trial->ending[i].games; i++)
        fprintf(out, "    \"%s\" %" PRIu32 "\n", trial->ending[i].text, trial->ending[i].games);
    struct points first = statistics_points(trial->first_wins, trial->draws, trial->first_losses);
    if (!balanced) print_first(out, &first, 0);
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        uint64_t uses = 0;
        int pieces = 0;
        bool told = false; /* counted with an earlier piece that shares the ability */
        for (int k = 0; k < rules->abilities; k++) {
            if (!tally_same(rules->ability[k].tally, ability->tally)) continue;
            uses += trial->uses[k];
            told |= k < i;
            pieces++;
        }
        if (told) continue;
        fputs("    ", out);
        language_line(out, cli_tongue(), "{1} of {2}: used {3} times",
                      language_text(cli_tongue(), ability->name),
                      pieces > 1 ? language_text(cli_tongue(), TEXT("several pieces"))
                                 : kind_text(rules, ability->actor),
                      NUMBER_TEXT(uses));
    }
    for (int call = 0; call < CALL_COUNT; call++) {
        if (!rules->calls || !(rules->calls->declared >> call & 1)) continue;
        fputs("    ", out);
        language_line(out, cli_tongue(), "{1}: asked {2} times, changed something {3} times",
                      call_name((enum call)call), NUMBER_TEXT(trial->calls[call].asked),
                      NUMBER_TEXT(trial->calls[call].moved));
    }
}

static void print_variant(FILE *out, const char *path, const struct inspection *inspection) {
    const struct rules *rules = inspection->rules;
    const struct loader_trial *trial = &inspection->trial;
    const struct language *language = cli_tongue();
    char size[FIGURE_MAX];
    snprintf(size, sizeof size, "%d x %d", rules->board.files, rules->board.ranks);
    language_line(out, language, "{1}: variant \"{2}\", {3} pieces a side on {4}", path,
                  language_title(language, rules), NUMBER_TEXT(rules_size(rules)), size);
    if (trial->tests) {
        fputs("  ", out);
        language_line(out, language, "{1} of its {2} tests hold", NUMBER_TEXT(trial->held),
                      NUMBER_TEXT(trial->tests));
    }
    rulesheet_combat(out, language, rules);
    if (trial->played && trial->trial.games)
        print_trial(out, rules, &trial->trial, inspection->balance.games);
    if (inspection->balance.games) print_balance(out, rules, &inspection->balance);
}

static const char *text_of(const struct inspection *inspection, const char *key) {
    return json_string_value(json_object_get(inspection->facts, key));
}

static json_int_t number_of(const json_t *facts, const char *key) {
    return json_integer_value(json_object_get(facts, key));
}

static void print_bot(FILE *out, const char *path, const struct inspection *inspection) {
    const json_t *games = json_object_get(inspection->facts, "games");
    json_int_t plies[2];
    for (size_t i = 0; i < 2; i++) plies[i] = number_of(json_array_get(games, i), "plies");
    language_line(out, cli_tongue(), "{1}: bot, two games of {2} against itself: {3} and {4} plies",
                  path, text_of(inspection, "variant"), NUMBER_TEXT(plies[0]),
                  NUMBER_TEXT(plies[1]));
}

static void print_setups(FILE *out, const char *path, const struct inspection *inspection) {
    json_int_t count = number_of(inspection->facts, "setups");
    language_line(out, cli_tongue(),
                  count == 1 ? TEXT("{1}: {2} set-up of {3}") : TEXT("{1}: {2} set-ups of {3}"),
                  path, NUMBER_TEXT(count), text_of(inspection, "variant"));
}

static void print_program(FILE *out, const char *text, const struct inspection *inspection) {
    const json_t *facts = inspection->facts;
    language_line(out, cli_tongue(),
                  "{1}: program, {2} positions in {3} games of {4} variants; its slowest answer "
                  "took {5} ms",
                  text, NUMBER_TEXT(number_of(facts, "positions")),
                  NUMBER_TEXT(number_of(facts, "games")),
                  NUMBER_TEXT(json_array_size(json_object_get(facts, "variants"))),
                  NUMBER_TEXT(number_of(facts, "slowest_ms")));
}

static void print_record(FILE *out, const char *path, const struct inspection *inspection) {
    const char *reason = text_of(inspection, "reason");
    bool known = strcmp(reason, reason_name(REASON_NONE)) != 0;
    const struct language *language = cli_tongue();
    const char *plies = NUMBER_TEXT(number_of(inspection->facts, "plies"));
    const char *result = text_of(inspection, "result");
    if (known)
        language_line(out, language, "{1}: record of {2}, {3} plies, {4} by {5}", path,
                      text_of(inspection, "variant"), plies, language_text(language, result),
                      language_text(language, reason));
    else
        language_line(out, language, "{1}: record of {2}, {3} plies, {4}", path,
                      text_of(inspection, "variant"), plies, language_text(language, result));
}

enum { LINES_SHOWN = 60 };

static void print_log(FILE *out, const char *path, const char *log) {
    int lines = 0, left = 0;
    cli_line(out, "%s: printed", path);
    for (const char *line = log; *line; line += strcspn(line, "\n") + 1)
        if (lines++ < LINES_SHOWN)
            cli_line(out, "  %.*s", (int)strcspn(line, "\n"), line);
        else
            left++;
    if (left) fprintf(out, "  and %d more lines\n", left);
}

/* Prints nothing about a file that cannot be used. */
static void inspect_print(FILE *out, const char *path, const struct inspection *inspection) {
    if (inspection->log.length) print_log(out, path, inspection->log.text);
    if (inspection->rules)
        print_variant(out, path, inspection);
    else if (number_of(inspection->facts, "positions"))
        print_program(out, path, inspection);
    else if (!inspection->whole)
        return;
    else if (!strcmp(inspection->kind, "bot"))
        print_bot(out, path, inspection);
    else if (!strcmp(inspection->kind, "setups"))
        print_setups(out, path, inspection);
    else
        print_record(out, path, inspection);
}

struct check_values {
    struct arguments files;
    struct inspect_terms terms;
    bool strict, json, schema, profile;
};

static int run_check(const void *values);
const struct command command_check = {
    COMMAND(check, .terms = INSPECT_DEFAULTS),
    .summary = "check variants, bots, set-ups, records and programs",
    .synopsis = {"FILE|PROGRAM… [OPTIONS]", "--schema"},
    .prose =
        "Checks variants and bots (.lua), set-ups (.txt) and records (.rec). Reports every error "
        "with its place, what was expected and the page that explains it. A variant without errors "
        "is searched for likely mistakes, put through its own tests and played in random games, "
        "and its combat table is printed. A bot plays two games against itself; every move of a "
        "record is judged. Scripts run in locked processes. A program (json:COMMAND, ucc:COMMAND or "
        "the name of a registered one) is tried in games of every variant.",
    .arguments = {{NULL, 0, "FILE", VALUE_FILE, INTO(check, files), .many = true, .opens = true}},
    .options =
        {
            {OPTION_VARIANT, INTO(check, terms.variant),
             "variant of set-ups and bots (default: original if they fit it, else the first that "
             "they fit); for records, instead of their own; for programs, instead of all"},
            {"games", 'n', "N", VALUE_NUMBER, INTO(check, terms.games),
             "random games of a variant, fully checked", .most = 100000},
            {"balance", 0, "N", VALUE_NUMBER, INTO(check, terms.balance),
             "more random games, fast and unchecked, for the balance of a variant without calls",
             .most = 1000000},
            {"positions", 0, "N", VALUE_NUMBER, INTO(check, terms.positions),
             "positions of each variant in which a program is asked for a move", .least = 1,
             .most = 100000},
            {OPTION_DEADLINE, INTO(check, terms.deadline)},
            {OPTION_WALL, INTO(check, terms.wall)},
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
