/* inspect_print.c - lines of facts about a variant, a bot, set-ups or a record. */
#include "inspect_print.h"

#include "cli/cli.h"
#include "cli/rulesheet.h"
#include "host/match/statistics.h"

#include <inttypes.h>
#include <string.h>

static void print_reasons(FILE *out, const uint32_t reasons[REASON_COUNT]) {
    fputs("   ", out);
    for (int reason = 0; reason < REASON_COUNT; reason++)
        if (reasons[reason])
            fprintf(out, " %s %" PRIu32, reason_name((enum reason)reason), reasons[reason]);
    fputc('\n', out);
}

/* Prints the share of each of `kinds` in all attacks, or in all falls. */
static void print_shares(FILE *out, const struct rules *rules, const char *what, kindset kinds,
                         const uint64_t counts[KINDS_MAX]) {
    uint64_t all = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) all += counts[kind];
    if (!all) return;
    fprintf(out, "    %s:", what);
    for (; kinds; kinds &= kinds - 1) {
        int kind = __builtin_ctz(kinds);
        fprintf(out, " %s %.1f %%%s", rules->kind[kind].name,
                100 * (double)counts[kind] / (double)all, kinds & (kinds - 1) ? "," : "\n");
    }
}

static void print_first(FILE *out, const struct points *points, int digits) {
    fprintf(out,
            "    the first mover scores %.*f %% (between %.*f and %.*f with 95 %% certainty)\n",
            digits, 100 * points->mean, digits, 100 * points->low, digits, 100 * points->high);
}

static void print_balance(FILE *out, const struct rules *rules, const struct balance *balance) {
    struct points first =
        statistics_points(balance->first_wins, balance->draws, balance->first_losses);
    kindset all = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) all |= kindset_of(kind);
    fprintf(out,
            "  %" PRIu32 " more, unchecked: half of them last %" PRIu32 " to %" PRIu32
            " plies, median %" PRIu32 "; red wins %" PRIu32 ", blue %" PRIu32 ", draws %" PRIu32
            "\n",
            balance->games, balance->quartile[0], balance->quartile[2], balance->quartile[1],
            balance->wins[RED], balance->wins[BLUE], balance->draws);
    print_reasons(out, balance->reasons);
    print_first(out, &first, 1);
    print_shares(out, rules, "attacks", rules->mobile, balance->attacks);
    print_shares(out, rules, "falls", all, balance->falls);
}

/* `balanced`: print_balance() follows, which knows better how the first mover scores. */
static void print_trial(FILE *out, const struct rules *rules, const struct trial *trial,
                        bool balanced) {
    fprintf(out,
            "  %" PRIu32 " random %s: %.1f plies on average, %" PRIu32 " to %" PRIu32
            "; red wins %" PRIu32 ", blue %" PRIu32 ", draws %" PRIu32 "\n",
            trial->games, cli_noun(trial->games, "game", "games"),
            (double)trial->plies / trial->games, trial->shortest, trial->longest, trial->wins[RED],
            trial->wins[BLUE], trial->draws);
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
        fprintf(out, "    %s of %s: used %" PRIu64 " times\n", ability->name,
                pieces > 1 ? "several pieces" : rules->kind[ability->actor].name, uses);
    }
    for (int call = 0; call < CALL_COUNT; call++)
        if (rules->calls && (rules->calls->declared >> call & 1))
            fprintf(out, "    %s: asked %" PRIu64 " times, changed something %" PRIu64 " times\n",
                    call_name((enum call)call), trial->calls[call].asked, trial->calls[call].moved);
}

static void print_variant(FILE *out, const char *path, const struct inspection *inspection) {
    const struct rules *rules = inspection->rules;
    const struct loader_trial *trial = &inspection->trial;
    cli_line(out, "%s: variant \"%s\", %d pieces a side on %d x %d", path, rules->title,
             rules->army_size, rules->board.files, rules->board.ranks);
    if (trial->tests) fprintf(out, "  %d of its %d tests hold\n", trial->held, trial->tests);
    rulesheet_combat(out, NULL, rules);
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
    cli_line(out,
             "%s: bot, two games of %s against itself: %" JSON_INTEGER_FORMAT
             " and %" JSON_INTEGER_FORMAT " %s",
             path, text_of(inspection, "variant"), plies[0], plies[1],
             cli_noun((uint64_t)plies[1], "ply", "plies"));
}

static void print_setups(FILE *out, const char *path, const struct inspection *inspection) {
    json_int_t count = number_of(inspection->facts, "setups");
    cli_line(out, "%s: %" JSON_INTEGER_FORMAT " set-up%s of %s", path, count, count == 1 ? "" : "s",
             text_of(inspection, "variant"));
}

static void print_record(FILE *out, const char *path, const struct inspection *inspection) {
    const char *reason = text_of(inspection, "reason");
    bool known = strcmp(reason, reason_name(REASON_NONE)) != 0;
    cli_line(out, "%s: record of %s, %" JSON_INTEGER_FORMAT " plies, %s%s%s", path,
             text_of(inspection, "variant"), number_of(inspection->facts, "plies"),
             text_of(inspection, "result"), known ? " by " : "", known ? reason : "");
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

void inspect_print(FILE *out, const char *path, const struct inspection *inspection) {
    if (inspection->log.length) print_log(out, path, inspection->log.text);
    if (inspection->rules)
        print_variant(out, path, inspection);
    else if (!inspection->whole)
        return;
    else if (!strcmp(inspection->kind, "bot"))
        print_bot(out, path, inspection);
    else if (!strcmp(inspection->kind, "setups"))
        print_setups(out, path, inspection);
    else
        print_record(out, path, inspection);
}
