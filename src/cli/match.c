/* match.c - `ensign match`: bots play many games, and who is stronger. */
#include "host/match.h"
#include "cli.h"
#include "excerpt.h"
#include "host/files.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FORFEITS_SHOWN = 10 };

static const char help[] =
    "usage: ensign match PLAYER PLAYER… [OPTIONS]\n"
    "\n"
    "Every two players play GAMES games, in pairs: the same two set-ups on the same colours and\n"
    "the same chance, players exchanged. A player is a bot's name or path, or \"ucc:COMMAND\": an\n"
    "external program that lays out its own army. Between bots the output is the same for any -j.\n"
    "\n"
    "  -v, --variant VARIANT   what is played (original)\n"
    "  -n, --games GAMES       between any two bots, rounded up to pairs (100)\n"
    "  -j, --jobs JOBS         threads (one for each processor)\n"
    "  -s, --seed N            where all chance comes from (1)\n"
    "  -o, --output FOLDER     write one record a game into a new or empty folder\n"
    "      --first red|blue    who begins; else what the variant says, or a coin for each pair\n"
    "      --setups FILE       draw set-ups from a file instead of asking the bots\n"
    "      --fuel N            work units of a bot's callback, Lua instructions (50000000)\n"
    "      --memory MIB        memory of a bot (64)\n"
    "      --deadline MS       time of a bot or program for an answer (10000)\n"
    "      --trust             run bots in this process, not each in a locked one of its own\n"
    "      --json              one JSON document instead of a table\n"
    "  -h, --help              this text\n";

enum {
    OPTION_FIRST = 256,
    OPTION_SETUPS,
    OPTION_FUEL,
    OPTION_MEMORY,
    OPTION_DEADLINE,
    OPTION_TRUST,
    OPTION_JSON
};

static const struct option options[] = {
    {"variant", required_argument, NULL, 'v'},
    {"games", required_argument, NULL, 'n'},
    {"jobs", required_argument, NULL, 'j'},
    {"seed", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"first", required_argument, NULL, OPTION_FIRST},
    {"setups", required_argument, NULL, OPTION_SETUPS},
    {"fuel", required_argument, NULL, OPTION_FUEL},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"deadline", required_argument, NULL, OPTION_DEADLINE},
    {"trust", no_argument, NULL, OPTION_TRUST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {0},
};

struct arguments {
    struct match_options match;
    const char *variant, *setups_path;
    bool json, help, trust;
};

static bool read_option(struct arguments *arguments, const char *command, int option) {
    struct match_options *match = &arguments->match;
    uint64_t number;
    switch (option) {
    case 'v':
        arguments->variant = optarg;
        return true;
    case 'n':
        if (!options_number(command, "--games", optarg, 1, MATCH_GAMES_MAX, &number)) return false;
        match->games = (uint32_t)number;
        return true;
    case 'j':
        if (!options_number(command, "--jobs", optarg, 1, MATCH_JOBS_MAX, &number)) return false;
        match->jobs = (int)number;
        return true;
    case 's':
        return options_number(command, "--seed", optarg, 0, INT64_MAX, &match->seed);
    case 'o':
        match->folder = optarg;
        return true;
    case OPTION_FIRST:
        if (!strcmp(optarg, "red") || !strcmp(optarg, "blue")) {
            match->first = optarg[0] == 'r' ? MATCH_FIRST_RED : MATCH_FIRST_BLUE;
            return true;
        }
        cli_misuse(command, "--first \"%s\": \"red\" or \"blue\" is expected", optarg);
        return false;
    case OPTION_SETUPS:
        arguments->setups_path = optarg;
        return true;
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
    case OPTION_TRUST:
        return arguments->trust = true;
    case OPTION_JSON:
        return arguments->json = true;
    case 'h':
        return arguments->help = true;
    default:
        return false;
    }
}

static bool read_players(struct match_options *match, int argc, char **argv) {
    match->players = (const char *const *)(argv + optind);
    match->player_count = argc - optind;
    if (match->player_count < 2 || match->player_count > MATCH_PLAYERS_MAX) {
        cli_misuse(argv[0], "%d players: 2 to %d are expected", match->player_count,
                   MATCH_PLAYERS_MAX);
        return false;
    }
    for (int i = 0; i < match->player_count; i++) {
        const char *name = match->players[i];
        if (!strcmp(name, "human")) {
            cli_misuse(argv[0], "player \"%s\": only bots and programs play matches", name);
            return false;
        }
    }
    uint64_t meetings = (uint64_t)match->player_count * (uint64_t)(match->player_count - 1) / 2;
    if (match->games % 2) {
        match->games++;
        fprintf(stderr, "ensign: playing %" PRIu32 " games, so that all are in pairs\n",
                match->games);
    }
    if (meetings * match->games > MATCH_GAMES_MAX) {
        cli_misuse(argv[0], "%" PRIu64 " games in all: at most %d are expected",
                   meetings * match->games, MATCH_GAMES_MAX);
        return false;
    }
    return true;
}

/* A line that is overwritten; on a terminal only, some times a second. */
static void show_progress(void *context, uint32_t done, uint32_t total) {
    struct timespec now, *last = context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed =
        (double)(now.tv_sec - last->tv_sec) + 1e-9 * (double)(now.tv_nsec - last->tv_nsec);
    if (done < total && passed < 0.1) return;
    *last = now;
    fprintf(stderr, "\r%" PRIu32 " of %" PRIu32 " games", done, total);
    if (done == total) fprintf(stderr, "\r\033[K");
}

static uint32_t forfeit_count(const struct statistics *statistics) {
    uint32_t count = 0;
    for (int r = 0; r < REASON_COUNT; r++) count += statistics->forfeits[r];
    return count;
}

/* "+17", "-inf", "?". */
static const char *elo_text(double elo, char out[16]) {
    if (isnan(elo)) return "?";
    if (isinf(elo)) return elo > 0 ? "+inf" : "-inf";
    snprintf(out, 16, "%+.0f", round(elo) + 0.0); /* no "-0" */
    return out;
}

static void print_table(const struct match *match, const struct arguments *arguments) {
    const struct rules *rules = arguments->match.rules;
    int width = 6;
    for (int i = 0; i < match->player_count; i++) {
        int length = (int)strlen(match->name[i]);
        if (length > width) width = length;
    }
    printf("%s: %" PRIu32 " games in %" PRIu32 " pair%s, seed %" PRIu64 "\n\n", rules->title,
           match->game_count, match->game_count / 2, match->game_count == 2 ? "" : "s",
           arguments->match.seed);
    printf("%-*s %7s %7s %7s %9s %8s %7s   %s\n", width, "player", "wins", "draws", "losses",
           "forfeits", "score", "Elo", "95 % interval");
    for (int i = 0; i < match->player_count; i++) {
        const struct statistics *statistics = &match->statistics[i];
        struct elo elo = statistics_elo(statistics);
        char text[3][16];
        printf("%-*s %7" PRIu32 " %7" PRIu32 " %7" PRIu32 " %9" PRIu32 " %6.1f %% %7s   %s … %s\n",
               width, match->name[i], statistics->wins, statistics->draws, statistics->losses,
               forfeit_count(statistics), 100 * statistics_score(statistics),
               elo_text(elo.difference, text[0]), elo_text(elo.low, text[1]),
               elo_text(elo.high, text[2]));
    }
    uint32_t reasons[REASON_COUNT] = {0};
    uint64_t plies = 0;
    for (uint32_t g = 0; g < match->game_count; g++) {
        reasons[match->games[g].reason]++;
        plies += match->games[g].plies;
    }
    const char *comma = "\nends: ";
    for (int r = 0; r < REASON_COUNT; r++) {
        if (!reasons[r]) continue;
        printf("%s%s %" PRIu32, comma, reason_name((enum reason)r), reasons[r]);
        comma = ", ";
    }
    printf("\nplies a game: %.1f\nhash: %016" PRIx64 "\n", (double)plies / match->game_count,
           match->hash);
}

/* JSON knows no infinity; null stands for what cannot be said. Tenths are enough. */
static json_t *elo_json(double elo) {
    return isfinite(elo) ? json_real(round(elo * 10) / 10 + 0.0) : json_null();
}

static json_t *player_json(const char *name, const struct statistics *statistics) {
    struct elo elo = statistics_elo(statistics);
    json_t *forfeits = json_object();
    for (int r = 0; r < REASON_COUNT; r++) {
        if (statistics->forfeits[r]) {
            json_object_set_new(forfeits, reason_name((enum reason)r),
                                json_integer(statistics->forfeits[r]));
        }
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "name", name, "wins",
                     (json_int_t)statistics->wins, "losses", (json_int_t)statistics->losses,
                     "draws", (json_int_t)statistics->draws, "forfeits", forfeits, "elo",
                     elo_json(elo.difference), "elo_low", elo_json(elo.low), "elo_high",
                     elo_json(elo.high));
}

static int print_json(const struct match *match, const struct arguments *arguments) {
    json_t *games = json_array(), *players = json_array();
    for (uint32_t g = 0; g < match->game_count; g++) {
        const struct match_game *game = &match->games[g];
        json_array_append_new(games,
                              json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "red",
                                        match->name[game->player[RED]], "blue",
                                        match->name[game->player[BLUE]], "result",
                                        result_name((enum result)game->result), "reason",
                                        reason_name((enum reason)game->reason), "plies",
                                        (json_int_t)game->plies, "seed", (json_int_t)game->seed));
    }
    for (int i = 0; i < match->player_count; i++) {
        json_array_append_new(players, player_json(match->name[i], &match->statistics[i]));
    }
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, match->hash);
    json_t *document = json_pack(
        "{s:s, s:I, s:o, s:o, s:s}", "variant", arguments->match.rules->name, "seed",
        (json_int_t)arguments->match.seed, "games", games, "players", players, "hash", hash);
    bool written =
        document && !json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(document);
    return written ? EXIT_DONE : EXIT_HOST;
}

/* Why games were forfeited, for those who have to mend a bot. Returns whether any was. */
static bool report_forfeits(const struct match *match) {
    struct fault last = {0};
    int shown = 0;
    for (uint32_t g = 0; g < match->game_count; g++) {
        const struct match_game *game = &match->games[g];
        if (!game->forfeit) continue;
        if (shown++ == FORFEITS_SHOWN) {
            fprintf(stderr, "ensign: … and more games were forfeited\n");
            return true;
        }
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        int loser = game->result == RESULT_RED ? BLUE : RED;
        fault_format(game->forfeit, why, sizeof why);
        fprintf(stderr, "ensign: game %" PRIu32 ": %s (%s) forfeits: %s\n", g + 1,
                match->name[game->player[loser]], side_name((enum side)loser), why);
        if (game->forfeit->line != last.line || strcmp(game->forfeit->file, last.file) != 0) {
            excerpt_print(stderr, game->forfeit);
        }
        last = *game->forfeit;
    }
    return shown > 0;
}

static int run_match(struct arguments *arguments) {
    struct fault fault = {0};
    struct timespec last = {0};
    if (isatty(STDERR_FILENO)) {
        arguments->match.progress = show_progress;
        arguments->match.context = &last;
    }
    struct match *match = NULL;
    const struct player_options bots = {.folders = arguments->match.folders,
                                        .rules = arguments->match.rules,
                                        .limits = arguments->match.limits};
    if (cli_nursery(arguments->trust, &bots, &arguments->match.nursery, &fault)) {
        match = match_run(&arguments->match, &fault);
        nursery_close(arguments->match.nursery);
    }
    if (!match) return cli_fail(&fault) == EXIT_HOST ? EXIT_HOST : EXIT_USAGE;
    int code = EXIT_DONE;
    if (arguments->json) {
        code = print_json(match, arguments);
    } else {
        print_table(match, arguments);
    }
    if (report_forfeits(match) && code == EXIT_DONE) code = EXIT_SHORT;
    match_free(match);
    return code;
}

static bool read_setups(const char *path, const struct rules *rules, struct setups *setups,
                        int *code) {
    struct fault fault = {0};
    size_t length;
    char *text = files_read(path, SETUPS_BYTES_MAX, &length, &fault);
    bool read = text && setups_read(rules, text, length, setups, &fault);
    free(text);
    if (read) return true;
    if (!fault.file[0]) fault_place(&fault, path, 0, 0);
    *code = cli_fail(&fault) == EXIT_HOST ? EXIT_HOST : EXIT_USAGE;
    return false;
}

int command_match(int argc, char **argv) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments arguments = {.variant = "original",
                                  .match = {.games = 100,
                                            .jobs = 1,
                                            .seed = 1,
                                            .limits = SANDBOX_DEFAULTS,
                                            .deadline = PLAYER_DEADLINE}};
    if (processors > 1) {
        arguments.match.jobs = processors > MATCH_JOBS_MAX ? MATCH_JOBS_MAX : (int)processors;
    }
    for (int option; (option = options_next(argc, argv, ":v:n:j:s:o:h", options)) != -1;) {
        if (!read_option(&arguments, argv[0], option)) return EXIT_USAGE;
        if (arguments.help) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
    }
    if (!read_players(&arguments.match, argc, argv)) return EXIT_USAGE;
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    int code;
    struct rules *rules = cli_variant(&folders, arguments.variant, &code);
    if (!rules) return code;
    struct setups setups = {0};
    arguments.match.folders = &folders;
    arguments.match.rules = rules;
    if (arguments.setups_path) arguments.match.setups = &setups;
    if (!arguments.setups_path || read_setups(arguments.setups_path, rules, &setups, &code)) {
        code = run_match(&arguments);
    }
    setups_clear(&setups);
    rules_free(rules);
    return code;
}
