/* plan.c - what a match is to be.
 *
 * A store keeps the words with which its match was begun, and a match is resumed by reading them
 * once more, so that there is one way from words to a plan. They are fetched by a process of its
 * own, which ends at once: what SQLite reads on the way, the set-ups of games among it, must not
 * lie in the memory that the bots' processes are copied from. The seed is none of those words: it
 * is taken out of the arguments, and read from the store only when the nursery is there. */
#include "plan.h"

#include "cli/cli.h"
#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GAMES = 100, GAMES_OF_TEST = 100000, ORIGIN_BYTES_MAX = 1 << 20, WORDS_MAX = 4096 };

enum {
    OPTION_FIRST = 256,
    OPTION_SETUPS,
    OPTION_VERSUS,
    OPTION_GAUNTLET,
    OPTION_SPRT,
    OPTION_RESUME,
    OPTION_FUEL,
    OPTION_MEMORY,
    OPTION_DEADLINE,
    OPTION_TRUST,
    OPTION_JSON,
    OPTION_EVENTS,
    OPTION_ALLOW_PROGRAMS
};

static const struct option options[] = {
    {"variant", required_argument, NULL, 'v'},
    {"games", required_argument, NULL, 'n'},
    {"jobs", required_argument, NULL, 'j'},
    {"seed", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"first", required_argument, NULL, OPTION_FIRST},
    {"setups", required_argument, NULL, OPTION_SETUPS},
    {"versus", required_argument, NULL, OPTION_VERSUS},
    {"gauntlet", no_argument, NULL, OPTION_GAUNTLET},
    {"sprt", required_argument, NULL, OPTION_SPRT},
    {"resume", no_argument, NULL, OPTION_RESUME},
    {"fuel", required_argument, NULL, OPTION_FUEL},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"deadline", required_argument, NULL, OPTION_DEADLINE},
    {"trust", no_argument, NULL, OPTION_TRUST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"events", no_argument, NULL, OPTION_EVENTS},
    {"allow-programs", no_argument, NULL, OPTION_ALLOW_PROGRAMS},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char *option_name(int option) {
    int i = 0;
    while (options[i].val != option) i++;
    return options[i].name;
}

static bool read_first(struct match_options *match, const char *command) {
    if (!strcmp(optarg, "red") || !strcmp(optarg, "blue")) {
        match->first = optarg[0] == 'r' ? MATCH_FIRST_RED : MATCH_FIRST_BLUE;
        return true;
    }
    cli_misuse(command, "--first \"%s\": \"red\" or \"blue\" is expected", optarg);
    return false;
}

static bool read_sprt(struct plan *plan, const char *command) {
    struct fault fault = {0};
    plan->match.sprt = &plan->sprt;
    if (sprt_read(optarg, &plan->sprt, &fault)) return true;
    cli_misuse(command, "--sprt %s", fault.text);
    return false;
}

static bool read_folder(struct plan *plan, const char *command) {
    /* Records' names have to fit behind it. */
    if (strlen(optarg) < sizeof plan->folder - 64) {
        strcpy(plan->folder, optarg);
        return true;
    }
    cli_misuse(command, "--output: the path is too long");
    return false;
}

/* Those that a match which is resumed has been told already. */
static bool read_fixed_option(struct plan *plan, const char *command, int option) {
    struct match_options *match = &plan->match;
    uint64_t number;
    if (option != 's') plan->refused = option_name(option);
    switch (option) {
    case 'v':
        plan->variant = optarg;
        return true;
    case 'n':
        if (!options_number(command, "--games", optarg, 1, MATCH_GAMES_MAX, &number)) return false;
        match->games = (uint32_t)number;
        return plan->games_given = true;
    case 's':
        return options_seed(command, optarg, INT64_MAX);
    case OPTION_FIRST:
        return read_first(match, command);
    case OPTION_SETUPS:
        plan->setups = optarg;
        return true;
    case OPTION_VERSUS:
        plan->versus = optarg;
        return true;
    case OPTION_GAUNTLET:
        return match->gauntlet = true;
    case OPTION_SPRT:
        return read_sprt(plan, command);
    case OPTION_FUEL:
        return options_number(command, "--fuel", optarg, 1000, UINT64_MAX / 2, &match->limits.fuel);
    case OPTION_MEMORY:
        if (!options_number(command, "--memory", optarg, 1, 1 << 16, &number)) return false;
        match->limits.memory = (size_t)number << 20;
        return true;
    case OPTION_DEADLINE:
        if (!options_number(command, "--deadline", optarg, 1, INT_MAX, &number)) return false;
        match->deadline = (int)number;
        return true;
    default:
        return false;
    }
}

static bool read_option(struct plan *plan, const char *command, int option) {
    uint64_t number;
    switch (option) {
    case 'j':
        if (!options_number(command, "--jobs", optarg, 1, MATCH_JOBS_MAX, &number)) return false;
        plan->match.jobs = (int)number;
        return plan->jobs_given = true;
    case 'o':
        return read_folder(plan, command);
    case OPTION_RESUME:
        return plan->resume = true;
    case OPTION_JSON:
        return plan->json = true;
    case OPTION_EVENTS:
        return plan->events = true;
    case OPTION_TRUST:
        return plan->trust = true;
    case OPTION_ALLOW_PROGRAMS:
        return plan->allow_programs = true;
    case 'h':
        return plan->help = true;
    case OPTION_WRONG:
        return false;
    default:
        return read_fixed_option(plan, command, option);
    }
}

static void set_defaults(struct plan *plan) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    *plan = (struct plan){
        .variant = "original",
        .match = {.games = GAMES,
                  .jobs = processors > MATCH_JOBS_MAX ? MATCH_JOBS_MAX : (int)processors,
                  .limits = SANDBOX_DEFAULTS,
                  .deadline = PLAYER_DEADLINE}};
}

/* Stands where the option --seed and its value have been. */
static char no_word[] = "";

bool plan_keeps_word(const struct plan *plan, int argument) {
    return plan->argv[argument] != no_word;
}

/* The option that was just read and its value are none of the words that are kept. */
static void drop_option(char **argv) {
    int last = optind - 1;
    if (argv[last] == optarg) argv[last - 1] = no_word;
    argv[last] = no_word;
}

/* Takes the arguments apart; what is left are the players. */
static bool parse(struct plan *plan, int argc, char **argv) {
    set_defaults(plan);
    optind = 0;
    for (int option; (option = options_next(argc, argv, ":v:n:j:s:o:h", options)) != -1;) {
        if (!read_option(plan, argv[0], option)) return false;
        if (option == 's') drop_option(argv);
        if (plan->help) return true;
    }
    plan->match.players = (const char *const *)(argv + optind);
    plan->match.player_count = argc - optind;
    plan->argc = argc;
    plan->argv = argv;
    return true;
}

static bool check_players(const struct plan *plan, const char *command) {
    const struct match_options *match = &plan->match;
    for (int i = 0; i < match->player_count; i++) {
        if (strcmp(match->players[i], "human") != 0) continue;
        cli_misuse(command, "player \"human\": only bots and programs play matches");
        return false;
    }
    if (plan->versus) {
        if (match->player_count == 1 && plan->setups) return true;
        cli_misuse(command, "%s",
                   plan->setups ? "--versus: one bot is expected, which plays both families"
                                : "--versus is the second family; --setups with the first is "
                                  "expected");
        return false;
    }
    if (match->player_count < 2 || match->player_count > MATCH_PLAYERS_MAX) {
        bool families = match->player_count == 1 && plan->setups;
        cli_misuse(command, "%d %s: 2 to %d are expected%s", match->player_count,
                   cli_noun((uint64_t)match->player_count, "player", "players"), MATCH_PLAYERS_MAX,
                   families ? ", or --versus with other set-ups for the same one" : "");
        return false;
    }
    if (!match->sprt || match->player_count == 2) return true;
    cli_misuse(command, "--sprt tests one difference: 2 players are expected");
    return false;
}

static bool check_games(struct plan *plan, const char *command) {
    struct match_options *match = &plan->match;
    const struct pairing pairing = {plan->versus ? 2 : match->player_count, match->gauntlet};
    uint64_t meetings = pairing_meetings(&pairing);
    if (match->sprt && !plan->games_given) match->games = GAMES_OF_TEST;
    if (match->games % 2) {
        match->games++;
        fprintf(stderr, "ensign: playing %" PRIu32 " games, so that all are in pairs\n",
                match->games);
    }
    if (meetings * match->games <= MATCH_GAMES_MAX) return true;
    cli_misuse(command, "%" PRIu64 " games in all: at most %d are expected",
               meetings * match->games, MATCH_GAMES_MAX);
    return false;
}

/* What a process of its own has read from a store: words and a folder, or why not. */
static json_t *origin_json(const char *folder) {
    struct fault fault = {.status = STATUS_OK};
    struct store *store = store_open(folder, STORE_READ, &fault);
    if (!store) {
        return json_pack("{s:i, s:s, s:s}", "status", fault.status, "file", fault.file, "text",
                         fault.text);
    }
    const char *words = store_meta(store, "arguments");
    json_t *arguments = words ? json_loads(words, 0, NULL) : NULL;
    json_t *origin = json_pack("{s:o?}", "arguments", arguments);
    const char *directory = store_meta(store, "directory");
    if (directory) json_object_set_new(origin, "directory", json_string(directory));
    store_close(store);
    return origin;
}

static json_t *read_origin(const char *folder) {
    int ends[2];
    if (pipe(ends) != 0) return NULL;
    fflush(stdout);
    pid_t reader = fork();
    if (reader == 0) {
        json_t *origin = origin_json(folder);
        _exit(!origin || json_dumpfd(origin, ends[1], 0) != 0);
    }
    close(ends[1]);
    json_t *origin = reader > 0 ? json_loadfd(ends[0], 0, NULL) : NULL;
    close(ends[0]);
    while (reader > 0 && waitpid(reader, NULL, 0) < 0 && errno == EINTR) {}
    return origin;
}

/* Fills plan->words; false if there are none. */
static bool take_words(struct plan *plan, const json_t *arguments) {
    size_t count = json_array_size(arguments);
    if (count < 1 || count > WORDS_MAX) return false;
    plan->words = calloc(count + 1, sizeof *plan->words);
    for (size_t i = 0; plan->words && i < count; i++) {
        const char *word = json_string_value(json_array_get(arguments, i));
        plan->words[i] = word ? strdup(word) : NULL;
        if (!plan->words[i]) return false;
    }
    plan->argc = (int)count;
    return plan->words;
}

/* Prints a word of a store so that nothing in it can act on a terminal or hide: all but printable
 * ASCII as \xNN. */
static void print_escaped(FILE *out, const char *word) {
    for (; *word; word++) {
        if (*word == '\\' || *word < ' ' || *word > '~') {
            fprintf(out, "\\x%02x", (unsigned char)*word);
        } else {
            putc(*word, out);
        }
    }
}

static bool is_yes(FILE *in) {
    char line[8];
    return fgets(line, sizeof line, in) && (!strcmp(line, "y\n") || !strcmp(line, "yes\n"));
}

/* May the external programs that a store names be started? They run as the user, and whoever made
 * the store chose them. EXIT_DONE, or EXIT_USAGE after a complaint. */
static int allow_programs(const struct plan *plan, const char *directory) {
    const struct match_options *match = &plan->match;
    bool asks = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    int count = 0;
    for (int i = 0; i < match->player_count; i++) {
        if (!player_is_program(match->players[i])) continue;
        if (plan->allow_programs) return EXIT_DONE;
        if (!count++) {
            fputs("ensign match: the match would start ", stderr);
            if (asks) fputs("these programs, which can do whatever you can", stderr);
            if (asks) fputs(", in ", stderr), print_escaped(stderr, directory);
        }
        fputs(asks ? "\n  " : count > 1 ? ", \"" : "\"", stderr);
        print_escaped(stderr, match->players[i]);
        if (!asks) putc('"', stderr);
    }
    if (!count) return EXIT_DONE;
    if (!asks) {
        fprintf(stderr, "; --allow-programs starts them (see \"%s match --help\")\n", cli_program);
        return EXIT_USAGE;
    }
    fputs("\nStart them? (y/n) ", stderr);
    fflush(stderr);
    if (is_yes(stdin)) return EXIT_DONE;
    fputs("ensign match: no program was started\n", stderr);
    return EXIT_USAGE;
}

/* From the origin to the plan, with what the command at hand adds. */
static int resume_from(struct plan *plan, const json_t *origin) {
    struct plan asked = *plan;
    struct fault fault = {.status = STATUS_OK};
    const char *text = json_string_value(json_object_get(origin, "text"));
    const char *directory = json_string_value(json_object_get(origin, "directory"));
    if (text) {
        const char *file = json_string_value(json_object_get(origin, "file"));
        fault_set(&fault, (enum status)json_integer_value(json_object_get(origin, "status")), "%s",
                  text);
        fault_place(&fault, file, 0, 0);
        return cli_fail(&fault);
    }
    if (!directory || !take_words(plan, json_object_get(origin, "arguments"))) {
        return cli_misuse("match", "%s: the match does not say how it was begun", asked.folder);
    }
    if (chdir(directory) != 0) {
        return cli_misuse("match", "the match was begun in %s, which cannot be entered: %s",
                          directory, strerror(errno));
    }
    char **words = plan->words;
    bool good = parse(plan, plan->argc, words); /* begins with a new plan */
    plan->words = words;
    if (!good) return EXIT_USAGE;
    strcpy(plan->folder, asked.folder);
    plan->resume = true;
    plan->json = asked.json || (plan->json && !asked.events);
    plan->events = asked.events || (plan->events && !asked.json);
    plan->trust = asked.trust;
    plan->allow_programs = asked.allow_programs;
    if (asked.jobs_given) plan->match.jobs = asked.match.jobs;
    return allow_programs(plan, directory);
}

static int resume(struct plan *plan) {
    char folder[PATH_MAX];
    if (!plan->folder[0]) return cli_misuse("match", "--resume: -o FOLDER is expected");
    if (plan->refused || plan->match.player_count) {
        return cli_misuse("match",
                          "\"%s%s\" does not go with --resume, which takes everything from the "
                          "store but -j, --seed, --json, --events, --trust and --allow-programs",
                          plan->refused ? "--" : "",
                          plan->refused ? plan->refused : plan->match.players[0]);
    }
    /* Also when it is no folder: whoever opens it will say so. */
    if (realpath(plan->folder, folder) && strlen(folder) < sizeof plan->folder - 64) {
        strcpy(plan->folder, folder);
    }
    json_t *origin = read_origin(plan->folder);
    if (!origin) {
        fputs("ensign: the match in the folder cannot be read\n", stderr);
        return EXIT_HOST;
    }
    int code = resume_from(plan, origin);
    json_decref(origin);
    return code;
}

int plan_read(struct plan *plan, int argc, char **argv) {
    if (!parse(plan, argc, argv)) return EXIT_USAGE;
    if (plan->help) return EXIT_DONE;
    if (plan->json && plan->events) {
        return cli_misuse(argv[0], "--json and --events exclude each other");
    }
    if (plan->resume) {
        int code = resume(plan);
        if (code != EXIT_DONE) return code;
    }
    return check_players(plan, argv[0]) && check_games(plan, argv[0]) ? EXIT_DONE : EXIT_USAGE;
}

void plan_clear(struct plan *plan) {
    for (char **word = plan->words; word && *word; word++) {
        if (*word != no_word) free(*word);
    }
    free(plan->words);
    plan->words = NULL;
}
