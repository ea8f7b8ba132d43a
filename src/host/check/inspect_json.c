/* inspect_json.c - facts and faults as JSON. */
#include "inspect_json.h"

#include "host/match/statistics.h"
#include "host/safe_json.h"
#include "host/seat/message.h"
#include "lua/logbook.h"
#include "unsaved.h"

#include <stdio.h>
#include <string.h>

json_t *inspect_json_variant(const struct rules *rules, int held, int tests) {
    json_t *variant = json_pack("{s:s, s:i, s:{s:i, s:i}, s:{s:i, s:i}, s:o}", "title",
                                rules->title, "pieces", rules_size(rules), "board", "files",
                                (int)rules->board.files, "ranks", (int)rules->board.ranks, "tests",
                                "held", held, "count", tests, "combat", message_battles(rules));
    json_t *outline = message_outline(rules);
    json_object_update(variant, outline);
    json_decref(outline);
    return variant;
}

static json_t *reasons_json(const uint32_t counts[REASON_COUNT]) {
    json_t *reasons = json_object();
    for (int reason = 0; reason < REASON_COUNT; reason++)
        if (counts[reason])
            json_object_set_new(reasons, reason_name((enum reason)reason),
                                json_integer(counts[reason]));
    return reasons;
}

static json_t *kinds_json(const struct rules *rules, const struct trial *trial) {
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds,
                              json_pack("{s:s, s:I, s:I, s:I}", "name", rules->kind[kind].name,
                                        "moves", (json_int_t)trial->moves[kind], "attacks",
                                        (json_int_t)trial->attacks[kind], "falls",
                                        (json_int_t)trial->falls[kind]));
    return kinds;
}

static json_t *abilities_json(const struct rules *rules, const struct trial *trial) {
    json_t *abilities = json_array();
    for (int i = 0; i < rules->abilities; i++)
        json_array_append_new(abilities, json_pack("{s:s, s:s, s:I}", "piece",
                                                   rules->kind[rules->ability[i].actor].name,
                                                   "name", rules->ability[i].name, "uses",
                                                   (json_int_t)trial->uses[i]));
    return abilities;
}

static json_t *calls_json(const struct rules *rules, const struct trial *trial) {
    json_t *calls = json_array();
    for (int call = 0; call < CALL_COUNT; call++)
        if (rules->calls && (rules->calls->declared >> call & 1))
            json_array_append_new(calls,
                                  json_pack("{s:s, s:I, s:I}", "name", call_name((enum call)call),
                                            "asked", (json_int_t)trial->calls[call].asked,
                                            "changed", (json_int_t)trial->calls[call].moved));
    return calls;
}

static json_t *points_json(uint32_t wins, uint32_t draws, uint32_t losses) {
    struct points points = statistics_points(wins, draws, losses);
    return json_pack("{s:f, s:f, s:f}", "score", points.mean, "low", points.low, "high",
                     points.high);
}

json_t *inspect_json_trial(const struct rules *rules, const struct trial *trial) {
    json_t *endings = json_object();
    for (int i = 0; i < TRIAL_ENDINGS_MAX && trial->ending[i].games; i++)
        json_object_set_new(endings, trial->ending[i].text, json_integer(trial->ending[i].games));
    return json_pack("{s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "games",
                     (json_int_t)trial->games, "average", (double)trial->plies / trial->games,
                     "shortest", (json_int_t)trial->shortest, "longest", (json_int_t)trial->longest,
                     "red", (json_int_t)trial->wins[RED], "blue", (json_int_t)trial->wins[BLUE],
                     "draws", (json_int_t)trial->draws, "reasons", reasons_json(trial->reasons),
                     "endings", endings, "first",
                     points_json(trial->first_wins, trial->draws, trial->first_losses), "pieces",
                     kinds_json(rules, trial), "abilities", abilities_json(rules, trial), "calls",
                     calls_json(rules, trial));
}

json_t *inspect_json_balance(const struct rules *rules, const struct balance *balance) {
    json_t *kinds = json_array(), *quartiles = json_array();
    for (int i = 0; i < QUARTILES; i++)
        json_array_append_new(quartiles, json_integer(balance->quartile[i]));
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds, json_pack("{s:s, s:I, s:I}", "name", rules->kind[kind].name,
                                               "attacks", (json_int_t)balance->attacks[kind],
                                               "falls", (json_int_t)balance->falls[kind]));
    return json_pack(
        "{s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "games", (json_int_t)balance->games,
        "shortest", (json_int_t)balance->shortest, "longest", (json_int_t)balance->longest,
        "quartiles", quartiles, "red", (json_int_t)balance->wins[RED], "blue",
        (json_int_t)balance->wins[BLUE], "draws", (json_int_t)balance->draws, "reasons",
        reasons_json(balance->reasons), "first",
        points_json(balance->first_wins, balance->draws, balance->first_losses), "pieces", kinds);
}

json_t *inspect_json_match(const struct rules *rules, const struct tournament *match) {
    json_t *games = json_array();
    for (uint32_t i = 0; i < match->game_count; i++)
        json_array_append_new(games,
                              json_pack("{s:s, s:s, s:I}", "result",
                                        result_name((enum result)match->games[i].result), "reason",
                                        reason_name((enum reason)match->games[i].reason), "plies",
                                        (json_int_t)match->games[i].plies));
    return json_pack("{s:s, s:o}", "variant", rules->name, "games", games);
}

static json_t *number_json(int number) {
    return number > 0 ? json_integer(number) : json_null();
}

static json_t *text_json(const char *text) {
    return text && text[0] ? safe_json(text) : json_null();
}

static json_t *faults_json(const struct faults *faults) {
    json_t *list = json_array();
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        const struct fault *fault = &remark->fault;
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:s}", "severity",
                            remark->warning ? "warning" : "error", "file", text_json(fault->file),
                            "line", number_json(fault->line), "column", number_json(fault->column),
                            "key", text_json(remark->key), "value", text_json(remark->value),
                            "message", fault->text, "expected", text_json(remark->expected), "page",
                            text_json(remark->page), "status", status_name(fault->status)));
    }
    return list;
}

/* The lines, the first LINES_MAX of them. */
static json_t *log_json(const char *log) {
    enum { LINES_MAX = 1000 };
    char line[LOGBOOK_ROOM];
    json_t *list = json_array();
    for (int i = 0; *log && i < LINES_MAX; i++) {
        size_t length = strcspn(log, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, log);
        json_array_append_new(list, safe_json(line));
        log += length + (log[length] == '\n');
    }
    return list;
}

json_t *inspect_json_file(const char *path, const struct inspection *inspection, bool strict) {
    const struct faults *faults = inspection->faults;
    json_t *file =
        json_pack("{s:o, s:s, s:b, s:I, s:I, s:I, s:o}", "file", safe_json(path), "kind",
                  inspection->kind, "ok", !inspection_exit_code(inspection, strict), "errors",
                  (json_int_t)faults->errors, "warnings", (json_int_t)faults->warnings, "more",
                  (json_int_t)(faults->errors + faults->warnings - faults->count), "faults",
                  faults_json(faults));
    json_object_update(file, inspection->facts);
    if (inspection->log.length) json_object_set_new(file, "log", log_json(inspection->log.text));
    return file;
}

static bool terms_sound(const struct inspect_terms *terms) {
    enum { GAMES_MAX = 100000, BALANCE_MAX = 1000000, SECONDS_MAX = 24 * 60 * 60 };
    return terms->games <= GAMES_MAX && terms->balance <= BALANCE_MAX && terms->seconds >= 1 &&
           terms->seconds <= SECONDS_MAX &&
           (!terms->variant || strlen(terms->variant) < FOLDER_PATH_MAX);
}

json_t *inspect_json_text(const struct folders *folders, const struct inspect_terms *terms,
                          const char *name, const char *text, size_t length, struct fault *fault) {
    struct inspection inspection = {0};
    struct inspector inspector = {.folders = folders, .terms = *terms};
    json_t *document = NULL;
    if (!unsaved_may_be_named(name))
        fault_set(fault, STATUS_USAGE,
                  "a file's name is expected, without a folder, that ends in .lua, .txt or .rec");
    else if (length > INSPECT_TEXT_MAX)
        fault_set(fault, STATUS_USAGE, "the text has %zu bytes, at most %d are expected", length,
                  INSPECT_TEXT_MAX);
    else if (!terms_sound(terms))
        fault_set(fault, STATUS_USAGE, "terms of a check out of range");
    else if (!inspect_text(&inspector, name, text, length, &inspection) ||
             !(document =
                   json_pack("{s:[o]}", "files", inspect_json_file(name, &inspection, false))))
        fault_set(fault, STATUS_NO_MEMORY, "no memory for the answer");
    inspection_clear(&inspection);
    inspector_clear(&inspector);
    return document;
}
