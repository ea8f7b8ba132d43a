/* inspect.c - finds the errors of a file and gathers facts about it.
 *
 * A variant is loaded, searched for likely mistakes, put through its own tests and played in random
 * games, a few fully checked and many for the balance; a bot plays two games against itself in its
 * locked process; set-ups are read one by one; a record is played. */
#include "inspect.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"
#include "compliance.h"
#include "fitting.h"
#include "host/match/match_game.h"
#include "host/match/tournament.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/seed.h"
#include "host/setups/setup_pool.h"
#include "inspect_json.h"
#include "lua/source_map.h"
#include "unsaved.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file being checked. */
struct inspected {
    const char *path;
    const char *text; /* all of it */
    size_t length;
};

/* Adds a fault, placed in the file if it has no place. */
static struct remark *add_fault(struct inspection *inspection, const char *path,
                                struct fault *fault) {
    if (!fault->file[0]) fault_place(fault, path, 0, 0);
    return faults_add(inspection->faults, fault);
}

static void note_unfit(const char *path, struct inspection *inspection, const struct rules *rules) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_SETUP,
              "it fits no variant; it was checked with %s, the closest (-v takes another)",
              rules->name);
    fault_place(&fault, path, 0, 0);
    faults_warn(inspection->faults, &fault);
}

/* The rules of the terms' variant, or of one that the bot or the set-ups fit; these are `*own`. */
static const struct rules *wanted_rules(struct inspector *inspector, const struct inspected *file,
                                        struct inspection *inspection, struct rules **own) {
    struct fault fault = {0};
    const char *name = inspector->terms.variant;
    *own = NULL;
    if (name && !inspector->rules)
        inspector->rules = loader_variant(inspector->folders, name, &fault);
    if (!name) {
        const struct fitting fitting =
            strcmp(inspection->kind, "bot") != 0
                ? fitting_setups(inspector->folders, file->text, file->length, &fault)
                : fitting_bot(inspector->folders, file->path, &fault);
        *own = fitting.rules;
        if (fitting.rules && !fitting.fits) note_unfit(file->path, inspection, fitting.rules);
    }
    const struct rules *rules = name ? inspector->rules : *own;
    if (!rules) faults_add(inspection->faults, &fault);
    return rules;
}

/* Places remarks without a place where their key is written. */
static void place_remarks(struct faults *faults, const struct inspected *file) {
    for (size_t i = 0; i < faults->count; i++) {
        struct remark *remark = &faults->list[i];
        struct source_place place = {0};
        if (remark->fault.file[0]) continue;
        if (file->length <= READER_FILE_MAX)
            place = source_map_find(file->text, file->length, remark->key);
        fault_place(&remark->fault, file->path, place.line, place.column);
    }
    faults_sort(faults, file->path);
}

/* Seconds until the deadline, at least one. The first call sets the deadline. */
static int inspector_seconds_left(struct inspector *inspector) {
    int64_t now = clock_ms();
    if (!inspector->deadline) inspector->deadline = now + 1000 * (int64_t)inspector->terms.seconds;
    int64_t left = (inspector->deadline - now + 999) / 1000;
    return left < 1 ? 1 : (int)left;
}

/* Plays many more games, if the variant has no calls. */
static void weigh_balance(struct inspector *inspector, const char *path,
                          struct inspection *inspection) {
    const struct rules *rules = inspection->rules;
    const struct inspect_terms *terms = &inspector->terms;
    const struct balance_options options = {rules, terms->balance, terms->seed,
                                            inspector->deadline};
    struct balance *balance = &inspection->balance;
    struct fault fault = {0};
    if (rules->calls || !terms->balance) return;
    if (inspection->faults->errors) {
        fault_set(&fault, STATUS_RULES,
                  "the %" PRIu32 " games for the balance are left out until the errors are mended",
                  terms->balance);
        fault_place(&fault, path, 0, 0);
        faults_warn(inspection->faults, &fault);
        return;
    }
    if (!balance_run(&options, balance, &fault)) {
        *balance = (struct balance){0};
        add_fault(inspection, path, &fault);
        return;
    }
    if (balance->games)
        json_object_set_new(inspection->facts, "balance", inspect_json_balance(rules, balance));
    if (balance->games == terms->balance) return;
    fault_set(&fault, STATUS_TIME,
              "left out after %d seconds: %" PRIu32 " of %" PRIu32
              " games for the balance; --seconds allows more",
              terms->seconds, terms->balance - balance->games, terms->balance);
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

static void inspect_variant(struct inspector *inspector, const struct inspected *file,
                            struct inspection *inspection) {
    struct loader_trial *trial = &inspection->trial;
    *trial = (struct loader_trial){.work = &TRIAL_WORK,
                                   .judge = true,
                                   .games = inspector->terms.games,
                                   .seed = inspector->terms.seed,
                                   .seconds = inspector_seconds_left(inspector),
                                   .log = &inspection->log,
                                   .profile = inspection->profile};
    inspection->rules = loader_try(inspector->folders, file->path, trial, inspection->faults);
    const struct rules *rules = inspection->rules;
    if (rules) {
        json_object_update_new(inspection->facts,
                               inspect_json_variant(rules, trial->held, trial->tests));
        note_left_out(trial, file->path, inspection);
        if (trial->played && trial->trial.games)
            json_object_set_new(inspection->facts, "trial",
                                inspect_json_trial(rules, &trial->trial));
        weigh_balance(inspector, file->path, inspection);
    }
    place_remarks(inspection->faults, file);
}

/* A thread that says when the time for the two games of a bot is over. */
struct timer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int64_t deadline;
    bool over; /* the games are; under the lock */
    bool runs;
    atomic_bool out_of_time;
};

static void *timer_run(void *context) {
    struct timer *timer = context;
    pthread_mutex_lock(&timer->lock);
    while (!timer->over && clock_wait(&timer->ended, &timer->lock, timer->deadline)) {}
    pthread_mutex_unlock(&timer->lock);
    atomic_store(&timer->out_of_time, true);
    return NULL;
}

static void timer_begin(struct timer *timer, int64_t deadline) {
    *timer = (struct timer){.deadline = deadline};
    pthread_mutex_init(&timer->lock, NULL);
    clock_condition(&timer->ended);
    timer->runs = !pthread_create(&timer->thread, NULL, timer_run, timer);
}

static void timer_end(struct timer *timer) {
    pthread_mutex_lock(&timer->lock);
    timer->over = true;
    pthread_cond_signal(&timer->ended);
    pthread_mutex_unlock(&timer->lock);
    if (timer->runs) pthread_join(timer->thread, NULL);
    pthread_cond_destroy(&timer->ended);
    pthread_mutex_destroy(&timer->lock);
}

/* Keeps what the bot printed as red of the first game. */
static bool keep_log(void *context, uint32_t number, const char *whose, const char *lines,
                     struct fault *fault) {
    (void)fault;
    if (!number && !strcmp(whose, "red")) buffer_add_text(context, lines);
    return true; /* the first lines are shown anyway: a log that is too long may be cut */
}

/* Plays two games of the bot against itself, or as much of them as time allows. */
static struct tournament *play_itself(struct inspector *inspector, const struct rules *rules,
                                      const char *path, struct buffer *log, struct fault *fault) {
    const char *const players[2] = {path, path};
    struct timer timer;
    struct tournament_options tournament_options = {.folders = inspector->folders,
                                                    .rules = rules,
                                                    .players = players,
                                                    .player_count = 2,
                                                    .games = 2,
                                                    .jobs = 1,
                                                    .limits = SANDBOX_DEFAULTS,
                                                    .deadline = PLAYER_DEADLINE,
                                                    .stop = &timer.out_of_time,
                                                    .log = keep_log,
                                                    .context = log};
    const struct player_options bots = {
        .folders = inspector->folders, .rules = rules, .limits = tournament_options.limits};
    tournament_options.template = player_template(&bots, fault);
    if (!tournament_options.template) return NULL;
    if (!seed_stretch(inspector->terms.seed, &tournament_options.chance, fault)) {
        template_close(tournament_options.template);
        return NULL;
    }
    timer_begin(&timer, clock_ms() + 1000 * (int64_t)inspector_seconds_left(inspector));
    struct tournament *match = tournament_run(&tournament_options, fault);
    timer_end(&timer);
    template_close(tournament_options.template);
    return match;
}

static void inspect_bot_games(struct inspector *inspector, const char *path,
                              struct inspection *inspection, const struct rules *rules) {
    struct fault fault = {0};
    struct tournament *match = play_itself(inspector, rules, path, &inspection->log, &fault);
    if (!match) {
        add_fault(inspection, path, &fault);
        return;
    }
    if (match->forfeit_count || match->late_count) {
        fault = match->forfeit_count ? match->forfeits[0].fault : match->late[0].fault;
        remark_explain(add_fault(inspection, path, &fault), "bots/REFERENCE.md#the-view");
    } else if (!tournament_complete(match)) {
        fault_set(&fault, STATUS_TIME,
                  "left out after %d seconds: %" PRIu32 " of 2 games of the bot against itself; "
                  "--seconds allows more",
                  inspector->terms.seconds, match->game_count - match->counted);
        fault_place(&fault, path, 0, 0);
        faults_warn(inspection->faults, &fault);
    } else {
        inspection->whole = true;
    }
    json_object_update_new(inspection->facts, inspect_json_match(rules, match));
    tournament_free(match);
}

static void inspect_bot(struct inspector *inspector, const struct inspected *file,
                        struct inspection *inspection) {
    struct bot_card card;
    struct rules *own;
    if (!loader_bot(inspector->folders, file->path, &card, inspection->faults)) return;
    const struct rules *rules = wanted_rules(inspector, file, inspection, &own);
    if (rules) inspect_bot_games(inspector, file->path, inspection, rules);
    rules_free(own);
}

/* Is the file at `path` in a folder of that name? NAME/init.lua counts as NAME. */
static bool lies_in(const char *path, const char *folder) {
    static const char init[] = "/init.lua";
    char *whole = realpath(path, NULL);
    bool found = false;
    if (whole) {
        if (path_ends(whole, init)) *strrchr(whole, '/') = 0;
        *strrchr(whole, '/') = 0;
        found = !strcmp(path_file(whole), folder);
    }
    free(whole);
    return found;
}

enum script_kind inspect_script_kind(const struct folders *folders, const char *path,
                                     struct fault *fault) {
    enum script_kind kind = loader_script(folders, path, fault);
    if (kind == SCRIPT_BROKEN || folders->reader) return kind;
    if (lies_in(path, "bots")) return SCRIPT_BOT;
    return lies_in(path, "variants") ? SCRIPT_VARIANT : kind;
}

static void inspect_script(struct inspector *inspector, const struct inspected *file,
                           struct inspection *inspection) {
    struct fault fault = {0};
    switch (inspect_script_kind(inspector->folders, file->path, &fault)) {
    case SCRIPT_BROKEN:
        inspection->kind = "script";
        add_fault(inspection, file->path, &fault);
        break;
    case SCRIPT_BOT:
        inspection->kind = "bot";
        inspect_bot(inspector, file, inspection);
        break;
    case SCRIPT_VARIANT:
        inspection->kind = "variant";
        inspect_variant(inspector, file, inspection);
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
    remark_explain(faults_add(complaint->inspection->faults, &fault),
                   "variants/FORMATS.md#set-ups");
}

static void inspect_setups(struct inspector *inspector, const struct inspected *file,
                           struct inspection *inspection) {
    struct rules *own;
    const struct rules *rules = wanted_rules(inspector, file, inspection, &own);
    struct fault fault = {0};
    struct setup_pool setups = {0};
    struct complaint complaint = {inspection, file->path};
    const enum side side = rules ? setup_pool_side(rules, file->text, file->length) : RED;
    if (rules && setup_pool_survey(rules, side, file->text, file->length, inspect_complain,
                                   &complaint, &setups, &fault)) {
        inspection->whole = !inspection->faults->errors;
        json_object_update_new(inspection->facts, json_pack("{s:s, s:I}", "variant", rules->name,
                                                            "setups", (json_int_t)setups.count));
    } else if (rules) {
        add_fault(inspection, file->path, &fault);
    }
    setup_pool_clear(&setups);
    rules_free(own);
}

static void inspect_record(struct inspector *inspector, const struct inspected *file,
                           struct inspection *inspection) {
    struct fault fault = {0};
    struct records *records = &inspector->records;
    records->folders = inspector->folders;
    records->variant = inspector->terms.variant;
    records->faults = inspection->faults;
    inspection->whole =
        records_play_text(records, file->path, file->text, file->length, UINT32_MAX, &fault);
    records->faults = NULL;
    bool judged = records->record && records->rules &&
                  (records->variant || record_tag(records->record, "Variant"));
    if (judged && !records->replay.session)
        record_start_examine(records->record, records->rules, inspection->faults);
    for (size_t i = 0; i < inspection->faults->count; i++)
        fault_place(&inspection->faults->list[i].fault, file->path, 0, 0);
    if (!inspection->whole && !inspection->faults->errors)
        add_fault(inspection, file->path, &fault);
    for (size_t i = 0; i < inspection->faults->count; i++)
        if (!inspection->faults->list[i].page[0])
            remark_explain(&inspection->faults->list[i], "variants/FORMATS.md#records");
    if (!records->replay.session) return;
    const struct playback *replay = &records->replay;
    json_object_update_new(inspection->facts,
                           json_pack("{s:s, s:I, s:s, s:s}", "variant", records->rules->name,
                                     "plies", (json_int_t)replay->plies, "result",
                                     result_name(replay->result), "reason",
                                     reason_name(replay->reason)));
}

static void inspect_program(struct inspector *inspector, const char *program,
                            struct inspection *inspection) {
    const struct inspect_terms *terms = &inspector->terms;
    struct timer timer;
    inspection->kind = "program";
    timer_begin(&timer, clock_ms() + 1000 * (int64_t)inspector_seconds_left(inspector));
    const struct compliance_terms test = {.folders = inspector->folders,
                                          .program = program,
                                          .variant = terms->variant,
                                          .positions = terms->positions,
                                          .deadline = terms->deadline,
                                          .wall = terms->wall,
                                          .seed = terms->seed,
                                          .stop = &timer.out_of_time};
    inspection->whole = compliance_test(&test, inspection->faults, inspection->facts);
    timer_end(&timer);
    for (size_t i = 0; i < inspection->faults->count; i++)
        remark_explain(&inspection->faults->list[i], "bots/programs/README.md#check-a-program");
}

/* Checks a file that could be read, by its ending. */
static void inspect_content(struct inspector *inspector, const struct inspected *file,
                            struct inspection *inspection) {
    struct fault fault = {0};
    if (path_ends(file->path, ".txt")) {
        inspection->kind = "setups";
        inspect_setups(inspector, file, inspection);
    } else if (path_ends(file->path, ".rec")) {
        inspection->kind = "record";
        inspect_record(inspector, file, inspection);
    } else if (!path_ends(file->path, ".lua")) {
        fault_set(&fault, STATUS_USAGE, "a name that ends in .lua, .txt or .rec is expected");
        add_fault(inspection, file->path, &fault);
    } else {
        inspect_script(inspector, file, inspection);
    }
}

static bool inspection_open(struct inspection *inspection) {
    inspection->kind = "file";
    inspection->faults = faults_new();
    inspection->facts = json_object();
    inspection->log = buffer_of(MATCH_GAME_LOG_MAX);
    return inspection->faults && inspection->facts;
}

bool inspect_file(struct inspector *inspector, const char *path, struct inspection *inspection) {
    struct fault fault = {0};
    struct inspected file = {.path = path};
    if (!inspection_open(inspection)) return false;
    if (player_is_program(path)) {
        inspect_program(inspector, path, inspection);
        return true;
    }
    size_t ceiling = path_ends(path, ".rec") ? (size_t)RECORD_BYTES_MAX : SETUP_POOL_BYTES_MAX;
    char *text = files_read_text(path, ceiling, &file.length, &fault);
    file.text = text;
    if (text)
        inspect_content(inspector, &file, inspection);
    else
        faults_add(inspection->faults, &fault);
    free(text);
    return true;
}

bool inspect_text(struct inspector *inspector, const char *name, const char *text, size_t length,
                  struct inspection *inspection) {
    const struct folders *folders = inspector->folders;
    const struct inspected file = {name, text, length};
    struct unsaved unsaved;
    if (!inspection_open(inspection)) return false;
    unsaved_open(&unsaved, folders, name, text, length);
    inspector->folders = &unsaved.folders;
    inspect_content(inspector, &file, inspection);
    inspector->folders = folders;
    return true;
}

int inspection_exit_code(const struct inspection *inspection, bool strict) {
    const struct faults *faults = inspection->faults;
    int code = strict && faults->warnings;
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        int one = remark->warning ? 0 : status_exit_code(remark->fault.status);
        /* A missing name inside a file is an error of the file, not of usage. */
        if (one == 2 && remark->fault.line) one = 1;
        if (one > code) code = one;
    }
    return code;
}

void inspection_clear(struct inspection *inspection) {
    free(inspection->faults);
    json_decref(inspection->facts);
    buffer_clear(&inspection->log);
    rules_free(inspection->rules);
}

void inspector_clear(struct inspector *inspector) {
    records_clear(&inspector->records);
    rules_free(inspector->rules);
}
