/* play.c - the command "play": one game at the terminal.
 *
 * Seats the players, lets the referee run the game, and when it is over uncovers the board and
 * saves the record. A record holds both set-ups, so nothing of it is written before the end. */
#include "arrange.h"
#include "cli.h"
#include "host/files.h"
#include "host/referee.h"
#include "host/replay.h"
#include "host/setup_library.h"
#include "options.h"
#include "player_human.h"
#include "story.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: ensign play [VARIANT] [OPTIONS]\n\n"
    "Plays one game at the terminal; VARIANT is \"original\" unless you name another.\n\n"
    "  --red PLAYER     \"human\" (the default), a bot, or \"ucc:COMMAND\": an external program\n"
    "  --blue PLAYER    a bot (hunter unless named), \"ucc:COMMAND\" or \"human\"\n"
    "  --setup SETUP    the human's set-up: a name of the library (see ensign setups), a file, or\n"
    "                   \"random\"; without it you arrange your own\n"
    "  --first SIDE     \"red\" or \"blue\" begins, instead of whom the rules name\n"
    "  --seed N         the same seed gives the same chance\n"
    "  --deadline MS    time of a bot or program for an answer (10000)\n"
    "  --trust          run bots in this process, not each in a locked one of its own\n"
    "  -o, --output FILE  where the record goes\n" LANG_USAGE;

struct play {
    const char *variant, *names[2], *setup, *output, *lang;
    struct language *language;
    int first;    /* enum side, -1: as the rules say */
    int deadline; /* ms for an answer of a bot or program */
    bool trust;   /* bots run in this process */
    struct nursery *nursery;
    uint64_t seed;
    struct folders folders;
    struct rules *rules;
    struct table table;
    struct player players[2];
    struct watch watch;
    struct setup setups[2];
    bool arranged[2]; /* setups[side] is to be used */
};

static bool is_human(const struct play *play, int side) {
    return !strcmp(play->names[side], "human");
}

/* EXIT_DONE to go on, -1 when help was asked for, else the exit code. */
static int read_options(struct play *play, int argc, char **argv) {
    static const struct option options[] = {
        {"red", required_argument, NULL, 'r'},
        {"blue", required_argument, NULL, 'b'},
        {"setup", required_argument, NULL, 'u'},
        {"first", required_argument, NULL, 'f'},
        {"seed", required_argument, NULL, 's'},
        {"output", required_argument, NULL, 'o'},
        {"deadline", required_argument, NULL, 'd'},
        {"trust", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        LANG_OPTION,
        {NULL, 0, NULL, 0},
    };
    uint64_t number;
    int letter;
    while ((letter = options_next(argc, argv, ":o:h", options)) != -1) {
        switch (letter) {
        case 'r':
            play->names[RED] = optarg;
            break;
        case 'b':
            play->names[BLUE] = optarg;
            break;
        case 'u':
            play->setup = optarg;
            break;
        case 'o':
            play->output = optarg;
            break;
        case 'f':
            if (strcmp(optarg, "red") && strcmp(optarg, "blue")) {
                return cli_misuse("play", "--first takes red or blue, not \"%s\"", optarg);
            }
            play->first = strcmp(optarg, "red") ? BLUE : RED;
            break;
        case 'd':
            if (!options_number("play", "--deadline", optarg, 1, INT_MAX, &number)) {
                return EXIT_USAGE;
            }
            play->deadline = (int)number;
            break;
        case OPTION_LANG:
            play->lang = optarg;
            break;
        case 't':
            play->trust = true;
            break;
        case 's':
            if (!options_number("play", "--seed", optarg, 0, UINT64_MAX, &play->seed)) {
                return EXIT_USAGE;
            }
            break;
        case 'h':
            fputs(USAGE, stdout);
            return -1;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind < argc) play->variant = argv[optind++];
    if (optind < argc) return cli_misuse("play", "one variant is enough, \"%s\"?", argv[optind]);
    if (play->output && !access(play->output, F_OK)) {
        return cli_misuse("play", "%s is there already", play->output);
    }
    return EXIT_DONE;
}

static bool open_players(struct play *play, struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &play->players[side];
        struct random setup =
            random_stream(play->seed, side == RED ? STREAM_RED_SETUP : STREAM_BLUE_SETUP, 0);
        struct random chance =
            random_stream(play->seed, side == RED ? STREAM_RED_BOT : STREAM_BLUE_BOT, 0);
        const struct player_options seat = {&play->folders,
                                            play->rules,
                                            SANDBOX_DEFAULTS,
                                            play->deadline,
                                            play->names[side_other((enum side)side)],
                                            play->nursery};
        bool opened = is_human(play, side)
                          ? player_human(player, &play->table, (enum side)side, setup, fault)
                          : player_open(player, &seat, play->names[side], chance, fault);
        if (!opened) return false;
    }
    return true;
}

/* Set-ups that are settled before the game: those named with --setup, and those people arrange.
 * False without words in `fault` when somebody left. */
static bool arrange(struct play *play, struct fault *fault) {
    bool bots_only = play->table.people == 0;
    for (int side = RED; side <= BLUE; side++) {
        if (!is_human(play, side) && !(bots_only && side == RED && play->setup)) continue;
        if (play->players[side].own_setup) {
            return fault_set(fault, STATUS_USAGE, "--setup: %s lays out its own army",
                             play->players[side].name);
        }
        struct setup *setup = &play->setups[side];
        struct random random =
            random_stream(play->seed, side == RED ? STREAM_RED_SETUP : STREAM_BLUE_SETUP, 0);
        play->arranged[side] = true;
        bool done = play->setup ? setup_library_load(&play->folders, play->rules, play->setup,
                                                     &random, setup, fault)
                                : arrange_ask(&play->table, play->rules, (enum side)side, &random,
                                              setup, fault);
        if (!done) return false;
    }
    return true;
}

static enum side first_side(const struct play *play) {
    if (play->first >= 0) return (enum side)play->first;
    if (play->rules->first != FIRST_CHOSEN) return play->rules->first == FIRST_BLUE ? BLUE : RED;
    struct random coin = random_stream(play->seed, STREAM_FIRST, 0);
    return random_below(&coin, 2) ? BLUE : RED;
}

/* Makes the folders of a path that are not there yet. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777); /* what goes wrong shows when the file is written */
        *slash = '/';
    }
}

/* Where a record goes that nobody has named a place for; false without a home. */
static bool usual_place(const struct play *play, char path[TABLE_PATH_MAX]) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char folder[TABLE_PATH_MAX / 2], stamp[32];
    time_t now = time(NULL);
    struct tm day;
    if (state && *state == '/') {
        snprintf(folder, sizeof folder, "%s", state);
    } else if (home && *home) {
        snprintf(folder, sizeof folder, "%s/.local/state", home);
    } else {
        return false;
    }
    if (!localtime_r(&now, &day)) return false;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &day);
    for (int i = 1; i < 100; i++) { /* two games may end in one second */
        char number[8] = "";
        if (i > 1) snprintf(number, sizeof number, "-%d", i);
        snprintf(path, TABLE_PATH_MAX, "%s/ensign/games/%s-%s%s.rec", folder, play->rules->name,
                 stamp, number);
        if (access(path, F_OK)) break;
    }
    make_folders(path);
    return true;
}

/* The place that was named, and should it fail the usual one: a game is not to be lost. */
static int save(struct play *play, const struct record *record, bool anything) {
    char usual[TABLE_PATH_MAX];
    const char *named = play->table.save_as[0] ? play->table.save_as : play->output;
    struct fault fault = {0};
    int code = EXIT_DONE;
    if (!named && !anything) return EXIT_DONE;
    char *text = record_write(record);
    if (!text) return EXIT_HOST;
    const char *path = named;
    bool saved = named && files_write_new(named, text, strlen(text), &fault);
    if (named && !saved) {
        fflush(play->table.terminal.out); /* what was told comes before the complaint */
        code = cli_fail(&fault);
    }
    if (!saved && usual_place(play, usual)) {
        path = usual;
        saved = files_write_new(usual, text, strlen(text), &fault);
        if (!saved) code = cli_fail(&fault);
    }
    free(text);
    if (saved) {
        language_line(play->table.terminal.out, play->language, "The record is in {1}", path);
    }
    return code;
}

/* The board as it really was at the end. */
static void uncover(const struct play *play, const struct record *record) {
    struct ply *plies = malloc((record->move_count + 1) * sizeof *plies);
    struct game *game = malloc(sizeof *game);
    struct replay replay;
    struct fault fault = {0};
    if (plies && game &&
        record_replay(record, play->rules, UINT32_MAX, game, plies, &replay, &fault)) {
        fputc('\n', play->table.terminal.out);
        language_line(play->table.terminal.out, play->language, "Uncovered:");
        struct picture picture;
        picture_game(&picture, game);
        terminal_draw(&play->table.terminal, &picture, NULL, 0);
    }
    free(game);
    free(plies);
}

static int tell_end(struct play *play, const struct referee_report *report,
                    const struct record *record) {
    FILE *out = play->table.terminal.out;
    char end[512];
    if (play->table.ended) language_line(out, play->language, "The input has ended.");
    uncover(play, record);
    language_end(play->language, report->result, report->reason, end, sizeof end);
    language_line(out, play->language, "{1} Plies: {2}.", end, NUMBER_TEXT(report->plies));
    int code = EXIT_DONE;
    if (report->forfeit.status != STATUS_OK) {
        fflush(out);
        code = cli_fail(&report->forfeit);
    }
    int saved = save(play, record, report->plies > 0);
    return saved == EXIT_DONE ? code : saved;
}

static int run(struct play *play) {
    struct fault fault = {0};
    struct record *record = record_new();
    struct referee_report *report = calloc(1, sizeof *report);
    int code = EXIT_HOST;
    if (!record || !report) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a game");
        code = cli_fail(&fault);
    } else if (!arrange(play, &fault)) {
        code = fault.text[0] ? cli_fail(&fault) : EXIT_DONE;
        if (code == EXIT_DONE) {
            language_line(play->table.terminal.out, play->language, "No game was played.");
        }
    } else {
        if (!play->table.people) watch_start(&play->watch, &play->table, play->players);
        struct player *const players[2] = {&play->players[RED], &play->players[BLUE]};
        struct referee_options options = {.first = first_side(play), .seed = play->seed};
        for (int side = RED; side <= BLUE; side++) {
            if (play->arranged[side]) options.setups[side] = &play->setups[side];
        }
        code = referee_play(play->rules, players, &options, record, report, &fault)
                   ? tell_end(play, report, record)
                   : cli_fail(&fault);
    }
    free(report);
    record_free(record);
    return code;
}

int command_play(int argc, char **argv) {
    struct play play = {.variant = "original",
                        .names = {"human", "hunter"},
                        .first = -1,
                        .deadline = PLAYER_DEADLINE};
    play.seed = ((uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid()) % 1000000;
    int code = read_options(&play, argc, argv);
    if (code) return code < 0 ? EXIT_DONE : code;
    if (!cli_folders(&play.folders)) return EXIT_HOST;
    if (!cli_language(&play.folders, play.lang, &play.language, &code)) return code;
    play.rules = cli_variant(&play.folders, play.variant, &code);
    if (!play.rules) {
        language_free(play.language);
        return code;
    }
    table_open(&play.table, stdin, stdout, is_human(&play, RED) + is_human(&play, BLUE),
               play.language);
    play.table.folders = &play.folders;
    struct fault fault = {0};
    const struct player_options bots = {
        .folders = &play.folders, .rules = play.rules, .limits = SANDBOX_DEFAULTS};
    if (cli_nursery(play.trust, &bots, &play.nursery, &fault) && open_players(&play, &fault)) {
        language_line(stdout, play.language, "{1}, red: {2}, blue: {3}, seed {4}",
                      language_title(play.language, play.rules), play.names[RED], play.names[BLUE],
                      NUMBER_TEXT(play.seed));
        fflush(stdout); /* before any complaint */
        code = run(&play);
    } else {
        code = cli_fail(&fault);
    }
    for (int side = RED; side <= BLUE; side++) {
        if (play.players[side].close) play.players[side].close(play.players[side].self);
    }
    nursery_close(play.nursery);
    rules_free(play.rules);
    language_free(play.language);
    return code;
}
