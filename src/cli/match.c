/* match.c - `ensign match`: many games between players, and their ratings.
 *
 * A folder is made only after all players could be loaded. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/match/match_json.h"
#include "cli/match/match_table.h"
#include "cli/match/plan.h"
#include "cli/match/progress.h"
#include "command.h"
#include "host/machines/coordinator.h"
#include "host/match/tournament.h"
#include "host/program/external_sight.h"
#include "host/setups/setup_library.h"

/* A match that other machines play (`match --over`). */
#if ENSIGN_CLUSTER
struct over {
    const struct plan *plan;
    struct progress *progress;
    struct coordinator_options options;
    struct coordinator *coordinator; /* NULL: the match is played here */
};

static void report(void *context, const struct tournament *match, const char *line) {
    struct over *over = context;
    progress_tell(over->progress, line);
    progress_show(over->progress, match, over->plan->match.sprt);
}

static void warn(void *context, const char *line) {
    struct over *over = context;
    progress_close(over->progress);
    cli_line(stderr, "ensign: %s", line);
}

/* Connects, if the plan says so, before there is a store. `over` must not be moved. */
static bool over_open(struct over *over, const struct plan *plan, struct progress *progress,
                      struct fault *fault) {
    const struct match_values *asked = &plan->asked;
    over->plan = plan;
    over->progress = progress;
    if (!asked->over) return true;
    over->options = (struct coordinator_options){
        .server = {.url = asked->over, .creds = asked->creds, .part = "match"},
        .variant = asked->variant,
        .version = ENSIGN_VERSION,
        .trust = asked->trust,
        .report = report,
        .warn = warn,
        .context = over};
    if (asked->key && !seal_read_secret(asked->key, &over->options.secret, fault)) return false;
    over->coordinator = coordinator_open(&over->options, fault);
    return over->coordinator;
}

/* Gives the match its executor. Its id stays in the store, if there is one. */
static bool over_begin(struct over *over, struct store *store, struct tournament_options *match,
                       struct fault *fault) {
    const char *former = store ? store_meta(store, "over") : NULL;
    if (!over->coordinator) return true;
    if (former && strlen(former) != SEAL_ID_MAX - 1) former = NULL;
    match->executor = coordinator_carrier(over->coordinator, former);
    return !store || store_put_meta(store, "over", coordinator_match(over->coordinator), fault);
}

static void over_close(struct over *over) {
    coordinator_close(over->coordinator);
    over->coordinator = NULL;
}
#else /* run_match() refuses --over */
struct over {
    char none;
};
#define over_open(over, plan, progress, fault) true
#define over_begin(over, store, match, fault) true
#define over_close(over) (void)0
#endif

static const char *const SIDES[] = {"red", "blue", NULL};

static int run_match(const void *values);
const struct command command_match = {
    COMMAND(match, .variant = "original", .first = -1, .deadline = PLAYER_DEADLINE),
    .summary = "play many games between bots and compare them",
    .synopsis = {"PLAYER PLAYER… [OPTIONS]", "PLAYER --setups SETUP --versus SETUP [OPTIONS]",
                 "--resume -o FOLDER [-j JOBS] [--seed N] [--allow-programs]"},
    .prose =
        "Every two players play GAMES games, in pairs: in the second game of a pair they exchange "
        "colours, and each keeps its army and its random numbers. A PLAYER is a bot's name or "
        "path, "
        "or an external program, \"json:COMMAND\" or \"ucc:COMMAND\". Between bots all but the milliseconds is the same for any -j.",
    .arguments = {{NULL, 0, "PLAYER", VALUE_BOT, INTO(match, players), .many = true,
                   .opens = true}},
    .options =
        {
            {OPTION_VARIANT, INTO(match, variant), "variant to play", .excludes = "resume"},
            {"games", 'n', "GAMES", VALUE_NUMBER, INTO(match, games),
             "games between each two players, rounded up to pairs; 100 unless given, with --sprt "
             "at most 100000",
             .least = 1, .most = TOURNAMENT_GAMES_MAX, .excludes = "resume"},
            {"jobs", 'j', "JOBS", VALUE_NUMBER, INTO(match, jobs),
             "threads; one for each processor unless given", .least = 1,
             .most = TOURNAMENT_JOBS_MAX},
            {"seed", 's', "N", VALUE_SEED, .most = INT64_MAX,
             .help = "the same seed gives the same games (default: a new seed, printed with the "
                     "results)"},
            {"gauntlet", INTO(match, gauntlet),
             "the first player meets each of the others (default: all meet all)",
             .excludes = "resume"},
            {"first", 0, NULL, VALUE_WORD, INTO(match, first),
             "the side that moves first (default: as the variant says, or a coin toss for each "
             "pair)",
             .words = SIDES, .excludes = "resume"},
            {"no-limits", INTO(match, no_limits),
             "play without the variant's draw limits; a game still ends after 1048576 plies",
             .excludes = "resume"},
            {"setups", 0, "SETUP", VALUE_SETUP, INTO(match, setups),
             "set-ups to play instead of the bots' own: drawn from a file, \"random\", or one from "
             "the library (see ensign setups)",
             .excludes = "resume"},
            {"versus", 0, "SETUP", VALUE_SETUP, INTO(match, versus),
             "with --setups: compare two families of set-ups; one bot plays those against these",
             .excludes = "resume"},
            {"sprt", 0, "ELO0,ELO1[,ALPHA,BETA]", VALUE_TEXT, INTO(match, sprt),
             "stop as soon as it is decided whether the first player is stronger by ELO0 or by "
             "ELO1; ALPHA and BETA are the error rates (default 0.05)",
             .excludes = "resume"},
            {"clock", 0, "SECONDS+INCREMENT", VALUE_TEXT, INTO(match, clock),
             "time of each side for a whole game, and what each move adds to it, as in 60+0.5; for "
             "Lua bots 100,000,000 instructions of fuel pass for a second. Who has none left "
             "forfeits",
             .excludes = "resume"},
            {"output", 'o', "FOLDER", VALUE_FOLDER, INTO(match, folder),
             "write every game into a new or empty folder as soon as it ends: one record each, and "
             "all results in match.sqlite",
             .most = PLAN_FOLDER_BYTES_MAX},
            {"resume", INTO(match, resume),
             "continue the match in the folder with its original options. Asks before it starts "
             "external programs, which the folder's author chose. A match with a program needs "
             "--seed again; without it the remaining games get new random numbers"},
            {"allow-programs", INTO(match, allow_programs),
             "with --resume: start external programs without asking"},
            {"log", 0, "FOLDER", VALUE_FOLDER, INTO(match, log),
             "write what the bots print into a new or empty folder, one file a game and side: "
             "0001-red.log, with lines \"PLY FUNCTION: TEXT\"",
             .most = PLAN_FOLDER_BYTES_MAX, .unkept = true},
            {"fuel", 0, "N", VALUE_NUMBER, INTO(match, fuel),
             "limit of a bot's callback, in Lua instructions (default 50000000)", .least = 1000,
             .most = UINT64_MAX / 2, .excludes = "resume"},
            {"memory", 0, "MIB", VALUE_NUMBER, INTO(match, memory),
             "memory limit of a bot, and with --wall of a program; 64 and 1024 unless given",
             .least = 1, .most = 1 << 16, .excludes = "resume"},
            {OPTION_DEADLINE, INTO(match, deadline), .excludes = "resume"},
            {OPTION_TRUST, INTO(match, trust)},
            {OPTION_FRESH, INTO(match, fresh), .excludes = "resume"},
            {OPTION_WALL, INTO(match, wall), .excludes = "resume"},
            {"over", 0, "URL", VALUE_TEXT, INTO(match, over),
             "have the pairs played by machines that run \"ensign worker URL\", through the NATS "
             "server at nats://HOST[:PORT] or tls://HOST[:PORT]",
             .unkept = true},
            {OPTION_CREDS, INTO(match, creds), .needs = "over"},
            {OPTION_KEY, INTO(match, key), .needs = "over"},
            {"json", INTO(match, json),
             "print one JSON document instead of a table; with --events it is their last line"},
            {"events", INTO(match, events),
             "print one line of JSON for each finished game, in order, and one for the match"},
            {"verbose", INTO(match, verbose),
             "with --json or --events, also print how long a move took, in milliseconds"},
        },
    .notes =
        {"Ctrl-C stops a match and prints the standings and the command that resumes it; a second "
         "Ctrl-C stops at once. Exit code 1: the match was stopped early, a game was forfeited, or "
         "a bot or a set-up has an error."},
    .typed = offsetof(struct match_values, typed),
};

/* A match and its parts, in the order in which they are made. */
struct running {
    struct plan plan;
    struct folders folders;
    struct sources *sources;
    struct rules *rules;
    struct setup_pool setups[2];
    struct store *store;
    struct tournament *match;
    struct buffer stood; /* set-ups of the games, for --json */
    struct progress progress;
    struct over over;
    int logs; /* the folder of --log, which may be moved meanwhile; -1: none */
    bool said_locked;
};

static void game_finished(void *context, const struct tournament *match,
                          const struct tournament_news *news) {
    struct running *running = context;
    if (running->plan.asked.events) match_json_game(match, news);
    if (running->plan.asked.json) match_json_keep(&running->stood, news);
    progress_show(&running->progress, match, running->plan.match.sprt);
}

/* Writes what a script printed. Only then: a program that plays may read the folder. */
static bool game_logged(void *context, uint32_t number, const char *whose, const char *lines,
                        struct fault *fault) {
    const struct running *running = context;
    char folder[32], path[STORE_PATH_MAX];
    snprintf(folder, sizeof folder, "/proc/self/fd/%d", running->logs);
    store_log_path(folder, running->match->game_count, number + 1, whose, path);
    if (files_write_anew(path, lines, strlen(lines), fault)) return true;
    fault_place(fault, running->plan.asked.log, 0, 0);
    return false;
}

/* Some games were wrong: all are told again. */
static void begin_anew(void *context) {
    struct running *running = context;
    if (running->plan.asked.events) match_json_anew();
    buffer_clear(&running->stood);
    running->stood = match_json_setups();
}

static bool read_family(struct running *running, const char *path, int index, struct fault *fault) {
    struct tournament_family *family = &running->plan.match.family[index];
    struct setup_pool *setups = &running->setups[index];
    size_t length;
    family->name = path_file(path);
    if (!strcmp(path, "random")) return true;
    if (running->rules->armies == ARMIES_BY_CHANCE)
        return fault_set(fault, STATUS_USAGE,
                         "each game of \"%s\" draws the armies: only \"random\" ones fit",
                         running->rules->name);
    if (!running->rules->same_starts)
        return fault_set(fault, STATUS_USAGE,
                         "the sides of \"%s\" start differently: set-ups cannot be exchanged, only "
                         "\"random\" ones drawn",
                         running->rules->name);
    if (word_is_name(path)) {
        struct library_setup found;
        struct fault unnamed = {0};
        if (setup_library_find(&running->folders, running->rules, RED, path, &found, &unnamed)) {
            family->setups = setups;
            return setup_pool_add(setups, &found.setup, (struct setup_origin){1, 0}) ||
                   fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        }
        if (unnamed.status != STATUS_NOT_FOUND || access(path, F_OK)) {
            *fault = unnamed;
            return false;
        }
    }
    char *text = files_read_text(path, SETUP_POOL_BYTES_MAX, &length, fault);
    if (!text) return false;
    bool read = setup_pool_read(running->rules, RED, text, length, setups, fault);
    if (read && !sources_note(running->sources, path, text, length))
        read = fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(text);
    if (read)
        family->setups = setups;
    else if (!fault->file[0])
        fault_place(fault, path, 0, 0);
    return read;
}

static bool read_families(struct running *running, struct fault *fault) {
    const struct plan *plan = &running->plan;
    running->plan.match.family_count = plan->asked.versus ? 2 : plan->asked.setups ? 1 : 0;
    return (!plan->asked.setups || read_family(running, plan->asked.setups, 0, fault)) &&
           (!plan->asked.versus || read_family(running, plan->asked.versus, 1, fault));
}

/* Another process has locked the results: says so, once, and waits until the match is ended. */
static bool wait_for_store(void *context, const char *path, int64_t waited) {
    enum { SAID_AFTER = 2000 };
    struct running *running = context;
    if (!running->said_locked && waited >= SAID_AFTER) {
        struct fault locked = {0};
        fault_set(&locked, STATUS_SYSTEM, "is locked by another process; the match waits");
        fault_place(&locked, path, 0, 0);
        cli_fail(&locked);
        running->said_locked = true;
    }
    return !running->plan.match.stop || !atomic_load(running->plan.match.stop);
}

/* Makes or opens the store, if there is a folder, and writes what is known before the first game.
 */
static bool open_store(struct running *running, struct fault *fault) {
    struct plan *plan = &running->plan;
    if (!plan->asked.resume && !plan_begin(plan, fault)) return false;
    if (!plan->folder[0]) return true;
    if (!sources_note_program(running->sources, fault)) return false;
    if (plan->asked.resume) {
        running->store = store_open(plan->folder, STORE_WRITE, fault);
        if (!running->store) return false;
        if (!sources_agree(running->sources, running->store, fault)) {
            if (!fault->file[0]) fault_place(fault, plan->folder, 0, 0);
            return false;
        }
        if (!plan_take_up(plan, running->store, fault)) return false;
    } else {
        running->store = store_create(plan->folder, fault);
        if (!running->store || !plan_keep(plan, running->match, running->store, fault))
            return false;
    }
    plan->match.store = running->store;
    if (!external_sight_hide(plan->folder))
        return fault_set(fault, STATUS_USAGE, "the path of the folder is too long");
    cli_tongue(); /* before there are threads */
    store_wait(running->store, wait_for_store, running);
    return tournament_enter(running->match, fault);
}

/* At most once. */
static void hint_at_repetition(const struct tournament_options *options) {
    const char *hint = NULL;
    for (int i = 0; i < options->player_count && !hint; i++)
        hint = cli_repetition_hint(options->players[i], options->rules);
    if (hint) fprintf(stderr, "ensign: %s\n", hint);
}

static bool running_play(struct running *running, struct fault *fault) {
    hint_at_repetition(&running->plan.match);
    running->plan.match.stop = interrupt_catch();
    bool played = tournament_play(running->match, fault);
    interrupt_release();
    progress_close(&running->progress);
    return played &&
           (!running->store || plan_end(&running->plan, running->match, running->store, fault));
}

/* Makes the folder of the logs; a resumed match may add to it. */
static bool open_logs(struct running *running, struct fault *fault) {
    const struct match_values *asked = &running->plan.asked;
    if (!asked->log) return true;
    if (!(asked->resume ? files_folder : files_empty_folder)(asked->log, fault)) return false;
    running->logs = open(asked->log, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (running->logs >= 0) return true;
    fault_set(fault, STATUS_SYSTEM, "the folder cannot be read: %s", strerror(errno));
    fault_place(fault, asked->log, 0, 0);
    return false;
}

static bool running_prepare_and_play(struct running *running, struct fault *fault) {
    struct tournament_options *options = &running->plan.match;
    const struct player_options bots = {
        .folders = options->folders, .rules = options->rules, .limits = options->limits};
    int games_at_once = options->jobs - 1;
    bool played =
        descriptors_reserve(DESCRIPTORS_OF_PLAY + games_at_once * DESCRIPTORS_OF_GAME, fault) &&
        cli_template(running->plan.asked.trust, &bots, &options->template, fault) &&
        read_families(running, fault) && (running->match = tournament_open(options, fault)) &&
        over_open(&running->over, &running->plan, &running->progress, fault) &&
        open_store(running, fault) && open_logs(running, fault) &&
        over_begin(&running->over, running->store, options, fault) && running_play(running, fault);
    over_close(&running->over);
    template_close(options->template);
    return played;
}

static void say_how_to_go_on(const struct running *running) {
    const struct tournament *match = running->match;
    const struct language *language = cli_tongue();
    language_print(stderr, language, "ensign: ended after {1} of {2} games",
                   NUMBER_TEXT(match->counted), NUMBER_TEXT(match->game_count));
    language_print(stderr, language,
                   running->store ? TEXT("; to go on:")
                                  : TEXT("; with -o FOLDER it could be resumed"));
    if (running->store) {
        fputs("\n  ", stderr);
        plan_print_resume(&running->plan, stderr);
    }
    putc('\n', stderr);
}

static int running_report(const struct running *running) {
    const struct plan *plan = &running->plan;
    const struct tournament *match = running->match;
    bool whole = true;
    if (plan->asked.events) whole = match_json_end(match, plan);
    if (plan->asked.json) whole = match_json_print(match, plan, &running->stood) && whole;
    if (!plan->asked.json && !plan->asked.events) match_table_print(match, plan);
    fflush(stdout);
    match_table_faults(match);
    if (!tournament_complete(match)) say_how_to_go_on(running);
    if (!whole) return EXIT_HOST;
    return match->forfeit_count || !tournament_complete(match) ? EXIT_SHORT : EXIT_DONE;
}

static int play_match(struct running *running) {
    struct plan *plan = &running->plan;
    struct fault fault = {0};
    int code;
    if (!cli_folders(&running->folders)) return EXIT_HOST;
    running->sources = sources_open(&READER_DISK);
    if (!running->sources) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        return cli_fail(&fault);
    }
    running->folders.reader = sources_reader(running->sources);
    running->rules = cli_variant(&running->folders, plan->asked.variant, &code);
    if (!running->rules) return code;
    plan->match.folders = &running->folders;
    plan->match.rules = running->rules;
    plan->match.sources = running->sources;
    plan->match.finished = game_finished;
    plan->match.anew = begin_anew;
    plan->match.log = plan->asked.log ? game_logged : NULL;
    plan->match.context = running;
    if (running_prepare_and_play(running, &fault)) return running_report(running);
    return cli_fail(&fault);
}

static int run_match(const void *values) {
    const struct match_values *asked = values;
    if (!ENSIGN_CLUSTER && asked->over) return cli_lacks("match --over", "ENSIGN_CLUSTER");
    struct running *running = calloc(1, sizeof *running);
    if (!running) return EXIT_HOST;
    running->stood = match_json_setups();
    running->logs = -1;
    progress_open(&running->progress);
    int code = plan_make(&running->plan, values);
    if (code == EXIT_DONE) code = play_match(running);
    store_close(running->store);
    tournament_free(running->match);
    for (int i = 0; i < 2; i++) setup_pool_clear(&running->setups[i]);
    buffer_clear(&running->stood);
    rules_free(running->rules);
    sources_close(running->sources);
    if (running->logs >= 0) close(running->logs);
    plan_clear(&running->plan);
    free(running);
    return code;
}
