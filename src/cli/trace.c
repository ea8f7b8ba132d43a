/* trace.c - `ensign trace`: how a bot decides at one ply of a record. */
#include "host/trace.h"

#include "bot/view_text.h"
#include "command.h"
#include "host/match/origin.h"
#include "host/players.h"
#include "host/records.h"
#include "host/safe_json.h"
#include "host/seed.h"
#include "lua/logbook.h"
#include "profile_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trace_values {
    const char *record, *bot, *variant;
    uint32_t ply; /* 0: the last */
    int deadline;
    bool profile, verbose, trust, json, fresh, wall;
};

static int run_trace(const void *values);
const struct command command_trace = {
    COMMAND(trace, .deadline = PLAYER_DEADLINE),
    .summary = "ask a bot again at one ply of a record",
    .synopsis = {"RECORD BOT [--ply N] [OPTIONS]"},
    .prose =
        "Shows how BOT decides at one ply of RECORD. It sees what the side to move saw in the "
        "game, and is asked for the move of ply N. Prints that side's view, what the bot prints, "
        "its move, whether that is the record's, and its fuel and time. Its random numbers and "
        "limits are those of the match whose match.sqlite is beside the record, or else its random "
        "numbers those of the record's seed, as \"play\" writes it; --seed gives another.",
    .arguments = {{NULL, 0, "RECORD", VALUE_RECORD, INTO(trace, record), .needed = true},
                  {NULL, 0, "BOT", VALUE_BOT, INTO(trace, bot), .needed = true,
                   .most = FOLDER_PATH_MAX - 1}},
    .options =
        {
            {"ply", 0, "N", VALUE_NUMBER, INTO(trace, ply),
             "the move to decide, counted from 1 (default: the record's last)", .least = 1,
             .most = UINT32_MAX - 1},
            {"profile", INTO(trace, profile),
             "also print where the fuel went, line by line; the bot is slower then, and the time "
             "limit ten times as long"},
            {"verbose", INTO(trace, verbose),
             "also show what the bot printed before: when it was loaded, set up, started, and "
             "when it observed the game"},
            {OPTION_SEED_SECRET},
            {OPTION_VARIANT, INTO(trace, variant),
             "variant to use instead of the record's own: a name or a path",
             .most = FOLDER_PATH_MAX - 1},
            {OPTION_DEADLINE, INTO(trace, deadline)},
            {OPTION_TRUST, INTO(trace, trust)},
            {OPTION_FRESH, INTO(trace, fresh)},
            {OPTION_WALL, INTO(trace, wall)},
            {OPTION_JSON, INTO(trace, json)},
        },
};

enum { LINES_MAX = 1 << 16, PROFILE_PATIENCE = 10 };

struct tracing {
    const struct trace_values *asked;
    struct folders folders;
    struct records records;
    struct trace trace;
    struct origin_terms terms; /* of the match that the record is of */
    struct origin origin;
    bool seeded;             /* with --seed */
    struct profile *profile; /* NULL: not asked for */
    json_t *lines;           /* what the bot printed: {"ply", "function", "text"} */
};

static void take_line(void *context, const struct log_line *line) {
    json_t *lines = context;
    if (json_array_size(lines) < LINES_MAX)
        json_array_append_new(lines, json_pack("{s:I, s:s, s:s}", "ply", (json_int_t)line->ply,
                                               "function", line->callback, "text", line->text));
}

static bool is_about_the_move(const json_t *line) {
    const char *function = json_string_value(json_object_get(line, "function"));
    return !strcmp(function, "move");
}

static void print_lines(const struct tracing *tracing) {
    size_t index;
    json_t *line;
    json_array_foreach(tracing->lines, index, line) {
        const char *text = json_string_value(json_object_get(line, "text"));
        if (is_about_the_move(line))
            cli_line(stdout, "| %s", text);
        else if (tracing->asked->verbose)
            cli_line(stdout, "%" JSON_INTEGER_FORMAT " %s | %s",
                     json_integer_value(json_object_get(line, "ply")),
                     json_string_value(json_object_get(line, "function")), text);
    }
}

/* Says what the bot drew from, and what is missing to decide as in the game. */
static void print_origin(const struct tracing *tracing) {
    const struct origin *origin = &tracing->origin;
    const struct language *language = cli_tongue();
    if (origin->known)
        language_line(stdout, language, "random numbers: as in game {1} of the match",
                      NUMBER_TEXT(origin->number));
    else if (origin->found)
        language_line(stdout, language,
                      "random numbers: others than in the match: its seed is needed, with "
                      "--seed or in its match.sqlite");
    else if (!tracing->seeded)
        language_line(stdout, language,
                      "random numbers: of the record's seed, as in a game of play; of a match, its "
                      "match.sqlite must be beside the record");
    if (origin->clocked)
        language_line(stdout, language, "the match had a clock; what was left on it is not kept");
}

static const char *origin_name(const struct tracing *tracing) {
    if (tracing->origin.known) return "match";
    if (tracing->origin.found) return "unknown";
    return tracing->seeded ? "seed" : "record";
}

static void print_trace(const struct tracing *tracing) {
    const struct trace *trace = &tracing->trace;
    char board[VIEW_TEXT_MAX];
    view_text(&trace->view, board);
    printf("%s\n\n", board);
    print_lines(tracing);
    if (json_array_size(tracing->lines)) putchar('\n');
    const struct language *language = cli_tongue();
    char ms[32];
    snprintf(ms, sizeof ms, "%.1f", (double)trace->ns / 1e6);
    if (!trace->answered && !trace->played[0])
        language_line(stdout, language, "move: none");
    else if (!trace->answered)
        language_line(stdout, language, "move: none; the record has {1}", trace->played);
    else if (!trace->played[0])
        language_line(stdout, language, "move: {1}; the record ends here", trace->move);
    else if (trace->same)
        language_line(stdout, language, "move: {1}, as in the record", trace->move);
    else
        language_line(stdout, language, "move: {1}; the record has {2}", trace->move,
                      trace->played);
    if (trace->metered)
        language_line(stdout, language, "fuel: {1}", NUMBER_TEXT(trace->answer.fuel));
    language_line(stdout, language, "time: {1} ms", ms);
    print_origin(tracing);
    if (!tracing->profile) return;
    profile_table_print(stdout, tracing->profile);
    language_line(stdout, language,
                  "(the table counts each instruction, fuel only whole thousands of them)");
}

static json_t *text_or_null(const char *text) {
    return text[0] ? safe_json(text) : json_null();
}

static int print_json(struct tracing *tracing) {
    const struct trace *trace = &tracing->trace;
    json_t *lines = json_array(), *line;
    size_t index;
    json_array_foreach(tracing->lines, index, line) {
        if (tracing->asked->verbose || is_about_the_move(line)) json_array_append(lines, line);
    }
    json_t *document = json_pack(
        "{s:s, s:I, s:s, s:o, s:o, s:o, s:b, s:s, s:o, s:o, s:f, s:o}", "variant",
        tracing->records.rules->name, "ply", (json_int_t)trace->view.plies + 1, "side",
        side_name(trace->side), "bot", safe_json(tracing->asked->bot), "move",
        text_or_null(trace->move), "record", text_or_null(trace->played), "same", (int)trace->same,
        "chance", origin_name(tracing), "fault", text_or_null(trace->fault.text), "fuel",
        trace->metered ? json_integer((json_int_t)trace->answer.fuel) : json_null(), "ms",
        (double)trace->ns / 1e6, "log", lines);
    if (document && tracing->profile)
        json_object_set_new(document, "profile", profile_table_json(tracing->profile));
    return cli_json(document, JSON_INDENT(1));
}

static struct sandbox_limits limits_of(const struct tracing *tracing) {
    return tracing->terms.found ? tracing->terms.limits : SANDBOX_DEFAULTS;
}

/* The chance of the seats: of the match, or of a seed as in `play`. */
static bool take_chance(struct tracing *tracing, struct trace_options *options,
                        struct fault *fault) {
    struct origin *origin = &tracing->origin;
    struct chance game;
    uint64_t seed = 0;
    tracing->seeded = seed_given();
    if (tracing->seeded && !seed_take(UINT64_MAX, &seed, fault)) return false;
    if (!origin_find(tracing->asked->record, tracing->seeded ? &seed : NULL, origin, fault))
        return false;
    options->drawn = origin->found && !origin->asked;
    memcpy(options->chance, origin->chance, sizeof options->chance);
    if (origin->known) return true;
    if ((!tracing->seeded && !records_seed(tracing->records.record, &seed, fault)) ||
        !seed_stretch(seed, &game, fault))
        return false;
    for (uint64_t side = RED; side <= BLUE; side++)
        options->chance[side] = chance_derive(&game, CHANCE_SEAT, side);
    return true;
}

static bool trace_record(struct tracing *tracing, struct template *template, struct fault *fault) {
    const struct trace_values *asked = tracing->asked;
    struct records *records = &tracing->records;
    if (!records_open(records, asked->record, fault)) return false;
    const struct log_sink log = {take_line, tracing->lines};
    struct trace_options options = {
        .seat = {.folders = &tracing->folders,
                 .rules = records->rules,
                 .limits = limits_of(tracing),
                 .deadline = asked->profile ? PROFILE_PATIENCE * asked->deadline : asked->deadline,
                 .template = template,
                 .programs = {.fresh = asked->fresh, .wall = asked->wall},
                 .log = &log,
                 .profiles = asked->profile},
        .bot = asked->bot,
        .record = records->record,
        .ply = asked->ply ? asked->ply : (uint32_t)records->record->move_count};
    if (!options.ply) options.ply = 1;
    return take_chance(tracing, &options, fault) &&
           trace_run(&options, &tracing->trace, tracing->profile, fault);
}

static int trace_bot(struct tracing *tracing) {
    const struct trace_values *asked = tracing->asked;
    struct fault fault = {0};
    struct template *template = NULL;
    struct records *records = &tracing->records;
    records->folders = &tracing->folders;
    records->variant = asked->variant;
    if (!records_load(records, asked->record, &fault)) return cli_fail(&fault);
    if (!origin_terms(asked->record, &tracing->terms, &fault)) return cli_fail(&fault);
    const struct player_options bots = {
        .folders = &tracing->folders, .rules = records->rules, .limits = limits_of(tracing)};
    bool traced = cli_template(asked->trust, &bots, &template, &fault) &&
                  trace_record(tracing, template, &fault);
    template_close(template);
    if (!traced) return cli_fail(&fault);
    int code = EXIT_DONE;
    if (asked->json)
        code = print_json(tracing);
    else
        print_trace(tracing);
    fflush(stdout);
    if (tracing->trace.fault.status == STATUS_OK) return code;
    return asked->json ? EXIT_SHORT : cli_fail(&tracing->trace.fault);
}

static int run_trace(const void *values) {
    struct tracing tracing = {.asked = values};
    struct fault fault = {0};
    int code = EXIT_HOST;
    if (tracing.asked->profile && player_is_program(tracing.asked->bot))
        return cli_misuse("trace", "--profile counts the fuel of a bot in Lua; \"%s\" is a program",
                          tracing.asked->bot);
    if (!strcmp(tracing.asked->record, "-"))
        return cli_misuse("trace", "a file is expected, not standard input");
    tracing.lines = json_array();
    if (tracing.asked->profile) tracing.profile = profile_new();
    if (!tracing.lines || (tracing.asked->profile && !tracing.profile)) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        code = cli_fail(&fault);
    } else if (cli_folders(&tracing.folders)) {
        code = trace_bot(&tracing);
    }
    records_clear(&tracing.records);
    profile_free(tracing.profile);
    json_decref(tracing.lines);
    return code;
}
