/* inspect.c - finds the errors of a file and gathers facts about it.
 *
 * A variant is loaded, searched for likely mistakes, put through its own tests and played in random
 * games, a few fully checked and many for the balance; a bot plays two games against itself in its
 * locked process; set-ups are read one by one; a record is played. */
#include "inspect.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/rulesheet.h"
#include "host/check/balance.h"
#include "host/match/statistics.h"
#include "host/match/tournament.h"
#include "host/seed.h"
#include "host/wall/loader.h"
#include "inspect_json.h"
#include "lua/source_map.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a fault, placed in the file if it has no place. */
static void add_fault(struct inspection *inspection, const char *path, struct fault *fault) {
    if (!fault->file[0]) fault_place(fault, path, 0, 0);
    faults_add(inspection->faults, fault);
}

static const struct rules *wanted_rules(struct inspector *inspector,
                                        struct inspection *inspection) {
    struct fault fault = {0};
    const char *name = inspector->variant ? inspector->variant : "original";
    if (!inspector->rules) inspector->rules = loader_variant(inspector->folders, name, &fault);
    if (!inspector->rules) faults_add(inspection->faults, &fault);
    return inspector->rules;
}

/* Places remarks without a place where their key is written. */
static void place_remarks(struct faults *faults, const char *path) {
    size_t length = 0;
    char *text = files_read(path, READER_FILE_MAX, &length, NULL);
    for (size_t i = 0; i < faults->count; i++) {
        struct remark *remark = &faults->list[i];
        struct source_place place = {0};
        if (remark->fault.file[0]) continue;
        if (text) place = source_map_find(text, length, remark->key);
        fault_place(&remark->fault, path, place.line, place.column);
    }
    free(text);
    faults_sort(faults, path);
}

/* Seconds until the deadline, at least one. The first call sets the deadline. */
static int inspector_seconds_left(struct inspector *inspector) {
    int64_t now = clock_ms();
    if (!inspector->deadline) inspector->deadline = now + 1000 * (int64_t)inspector->seconds;
    int64_t left = (inspector->deadline - now + 999) / 1000;
    return left < 1 ? 1 : (int)left;
}

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

/* Plays many more games, if the variant has no calls. */
static void weigh_balance(struct inspector *inspector, const struct rules *rules, const char *path,
                          FILE *out, struct inspection *inspection) {
    const struct balance_options options = {rules, inspector->balance, inspector->seed,
                                            inspector->deadline};
    struct fault fault = {0};
    struct balance balance;
    if (rules->calls || !inspector->balance || inspection->faults->errors) return;
    if (!balance_run(&options, &balance, &fault)) {
        add_fault(inspection, path, &fault);
        return;
    }
    if (balance.games) {
        print_balance(out, rules, &balance);
        json_object_set_new(inspection->facts, "balance", inspect_json_balance(rules, &balance));
    }
    if (balance.games == inspector->balance) return;
    fault_set(&fault, STATUS_TIME,
              "left out after %d seconds: %" PRIu32 " of %" PRIu32
              " games for the balance; --seconds allows more",
              inspector->seconds, inspector->balance - balance.games, inspector->balance);
    fault_place(&fault, path, 0, 0);
    faults_warn(inspection->faults, &fault);
}

/* Warns of tests and games left out for lack of time, but not of games left out because the calls
 * have been asked often enough. */
static void note_left_out(const struct loader_trial *trial, const char *path,
                          struct inspection *inspection) {
    struct fault fault = {0};
    char tests[64] = "", games[64] = "";
    uint32_t unplayed = trial->played ? trial->games - trial->trial.games : 0;
    if (trial->tried < trial->tests)
        snprintf(tests, sizeof tests, "%d of %d tests", trial->tests - trial->tried, trial->tests);
    if (unplayed && !trial_asked_enough(&trial->trial))
        snprintf(games, sizeof games, "%" PRIu32 " of %" PRIu32 " random games", unplayed,
                 trial->games);
    if (!tests[0] && !games[0]) return;
    fault_set(&fault, STATUS_TIME, "left out after %d seconds: %s%s%s; --seconds allows more",
              trial->seconds, tests, tests[0] && games[0] ? ", " : "", games);
    fault_place(&fault, path, 0, 0);
    faults_warn(inspection->faults, &fault);
}

static void inspect_variant(struct inspector *inspector, const char *path, FILE *out,
                            struct inspection *inspection) {
    struct loader_trial trial = {.judge = true,
                                 .games = inspector->games,
                                 .seed = inspector->seed,
                                 .seconds = inspector_seconds_left(inspector)};
    struct rules *rules = loader_try(inspector->folders, path, &trial, inspection->faults);
    if (rules) {
        cli_line(out, "%s: variant \"%s\", %d pieces a side on %d x %d", path, rules->title,
                 rules->army_size, rules->board.files, rules->board.ranks);
        if (trial.tests) fprintf(out, "  %d of its %d tests hold\n", trial.held, trial.tests);
        json_object_update_new(inspection->facts,
                               inspect_json_variant(rules, trial.held, trial.tests));
        rulesheet_combat(out, NULL, rules);
        note_left_out(&trial, path, inspection);
        if (trial.played && trial.trial.games) {
            print_trial(out, rules, &trial.trial, !rules->calls && inspector->balance);
            json_object_set_new(inspection->facts, "trial",
                                inspect_json_trial(rules, &trial.trial));
        }
        weigh_balance(inspector, rules, path, out, inspection);
    }
    place_remarks(inspection->faults, path);
    rules_free(rules);
}

/* Set when the time for the two games of a bot is over. */
static atomic_bool out_of_time;

static void handle_alarm(int number) {
    (void)number;
    atomic_store(&out_of_time, true);
}

/* Plays two games of the bot against itself, or as much of them as time allows. */
static struct tournament *play_itself(struct inspector *inspector, const struct rules *rules,
                                      const char *path, struct fault *fault) {
    const char *const players[2] = {path, path};
    struct tournament_options tournament_options = {.folders = inspector->folders,
                                                    .rules = rules,
                                                    .players = players,
                                                    .player_count = 2,
                                                    .games = 2,
                                                    .jobs = 1,
                                                    .limits = SANDBOX_DEFAULTS,
                                                    .deadline = PLAYER_DEADLINE,
                                                    .stop = &out_of_time};
    const struct player_options bots = {
        .folders = inspector->folders, .rules = rules, .limits = tournament_options.limits};
    if (!cli_nursery(false, &bots, &tournament_options.nursery, fault)) return NULL;
    if (!seed_stretch(inspector->seed, &tournament_options.chance, fault)) {
        nursery_close(tournament_options.nursery);
        return NULL;
    }
    struct sigaction before, action = {.sa_handler = handle_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, &before);
    atomic_store(&out_of_time, false);
    alarm((unsigned)inspector_seconds_left(inspector));
    struct tournament *match = tournament_run(&tournament_options, fault);
    alarm(0);
    sigaction(SIGALRM, &before, NULL);
    nursery_close(tournament_options.nursery);
    return match;
}

static void inspect_bot(struct inspector *inspector, const char *path, FILE *out,
                        struct inspection *inspection) {
    struct fault fault = {0};
    char title[TITLE_MAX];
    if (!loader_bot(inspector->folders, path, title, inspection->faults)) return;
    const struct rules *rules = wanted_rules(inspector, inspection);
    struct tournament *match = rules ? play_itself(inspector, rules, path, &fault) : NULL;
    if (!match) {
        if (rules) add_fault(inspection, path, &fault);
        return;
    }
    if (match->forfeit_count || match->late_count) {
        fault = match->forfeit_count ? match->forfeits[0].fault : match->late[0].fault;
        add_fault(inspection, path, &fault);
    } else if (!tournament_complete(match)) {
        fault_set(&fault, STATUS_TIME,
                  "left out after %d seconds: %" PRIu32 " of 2 games of the bot against itself; "
                  "--seconds allows more",
                  inspector->seconds, match->game_count - match->counted);
        fault_place(&fault, path, 0, 0);
        faults_warn(inspection->faults, &fault);
    } else {
        cli_line(out, "%s: bot, two games of %s against itself: %" PRIu32 " and %" PRIu32 " %s",
                 path, rules->name, match->games[0].plies, match->games[1].plies,
                 cli_noun(match->games[1].plies, "ply", "plies"));
    }
    json_object_update_new(inspection->facts, inspect_json_match(rules, match));
    tournament_free(match);
}

static void inspect_script(struct inspector *inspector, const char *path, FILE *out,
                           struct inspection *inspection) {
    struct fault fault = {0};
    switch (cli_script(inspector->folders, path, &fault)) {
    case SCRIPT_BROKEN:
        inspection->kind = "script";
        add_fault(inspection, path, &fault);
        break;
    case SCRIPT_BOT:
        inspection->kind = "bot";
        inspect_bot(inspector, path, out, inspection);
        break;
    case SCRIPT_VARIANT:
        inspection->kind = "variant";
        inspect_variant(inspector, path, out, inspection);
    }
}

struct complaint {
    struct inspection *inspection;
    const char *path;
};

static void inspect_complain(void *context, const struct fault *wrong) {
    const struct complaint *complaint = context;
    struct fault fault = *wrong;
    fault_place(&fault, complaint->path, 0, 0);
    remark_explain(faults_add(complaint->inspection->faults, &fault), "README.md#texts");
}

static void inspect_setups(struct inspector *inspector, const char *path, FILE *out,
                           struct inspection *inspection) {
    const struct rules *rules = wanted_rules(inspector, inspection);
    struct fault fault = {0};
    struct setup_pool setups = {0};
    struct complaint complaint = {inspection, path};
    size_t length;
    char *text = rules ? files_read(path, SETUP_POOL_BYTES_MAX, &length, &fault) : NULL;
    if (text &&
        setup_pool_survey(rules, text, length, inspect_complain, &complaint, &setups, &fault)) {
        if (!inspection->faults->errors)
            cli_line(out, "%s: %zu set-up%s of %s", path, setups.count,
                     setups.count == 1 ? "" : "s", rules->name);
        json_object_update_new(inspection->facts, json_pack("{s:s, s:I}", "variant", rules->name,
                                                            "setups", (json_int_t)setups.count));
    } else if (rules) {
        add_fault(inspection, path, &fault);
    }
    setup_pool_clear(&setups);
    free(text);
}

static void inspect_record(struct inspector *inspector, const char *path, FILE *out,
                           struct inspection *inspection) {
    struct fault fault = {0};
    struct records *records = &inspector->records;
    records->variant = inspector->variant;
    records->faults = inspection->faults;
    bool legal = records_play(records, path, UINT32_MAX, &fault);
    records->faults = NULL;
    bool judged = records->record && records->rules &&
                  (records->variant || record_tag(records->record, "Variant"));
    if (judged && !records->replay.session)
        record_start_examine(records->record, records->rules, inspection->faults);
    for (size_t i = 0; i < inspection->faults->count; i++)
        fault_place(&inspection->faults->list[i].fault, path, 0, 0);
    if (!legal && !inspection->faults->errors) add_fault(inspection, path, &fault);
    if (!records->replay.session) return;
    const struct playback *replay = &records->replay;
    if (legal)
        cli_line(out, "%s: record of %s, %" PRIu32 " plies, %s%s%s", path, records->rules->name,
                 replay->plies, result_name(replay->result), replay->reason ? " by " : "",
                 replay->reason ? reason_name(replay->reason) : "");
    json_object_update_new(inspection->facts,
                           json_pack("{s:s, s:I, s:s, s:s}", "variant", records->rules->name,
                                     "plies", (json_int_t)replay->plies, "result",
                                     result_name(replay->result), "reason",
                                     reason_name(replay->reason)));
}

bool inspect_file(struct inspector *inspector, const char *path, FILE *out,
                  struct inspection *inspection) {
    struct fault fault = {0};
    size_t length;
    inspection->kind = "file";
    inspection->faults = faults_new();
    inspection->facts = json_object();
    if (!inspection->faults || !inspection->facts) return false;
    char *text = files_read(path, SETUP_POOL_BYTES_MAX, &length, &fault);
    free(text);
    if (!text) {
        faults_add(inspection->faults, &fault);
    } else if (path_ends(path, ".txt")) {
        inspection->kind = "setups";
        inspect_setups(inspector, path, out, inspection);
    } else if (path_ends(path, ".rec")) {
        inspection->kind = "record";
        inspect_record(inspector, path, out, inspection);
    } else if (!path_ends(path, ".lua")) {
        fault_set(&fault, STATUS_USAGE, "a name that ends in .lua, .txt or .rec is expected");
        add_fault(inspection, path, &fault);
    } else {
        inspect_script(inspector, path, out, inspection);
    }
    return true;
}

void inspection_clear(struct inspection *inspection) {
    free(inspection->faults);
    json_decref(inspection->facts);
}

void inspector_clear(struct inspector *inspector) {
    records_clear(&inspector->records);
    rules_free(inspector->rules);
}
