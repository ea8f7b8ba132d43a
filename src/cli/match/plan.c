/* plan.c - makes the plan of a match from arguments.
 *
 * A store keeps the arguments of its match, and a match is resumed by parsing them again. */
#include "plan.h"

#include "base/processors.h"
#include "cli/command.h"
#include "host/players.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 100, GAMES_OF_TEST = 100000, WORDS_MAX = 4096 };

/* Turns the values into options of a match. False after an error message. */
static bool take_values(struct plan *plan, const struct match_values *asked) {
    struct fault fault = {0};
    struct tournament_options *match = &plan->match;
    plan->asked = *asked;
    *match = (struct tournament_options){
        .players = (const char *const *)asked->players.list,
        .player_count = asked->players.count,
        .gauntlet = asked->gauntlet,
        .games = asked->games  ? asked->games
                 : asked->sprt ? GAMES_OF_TEST
                               : GAMES,
        .jobs = asked->jobs ? asked->jobs : processors_count(TOURNAMENT_JOBS_MAX),
        .first = (enum tournament_first)(asked->first + 1),
        .limits = SANDBOX_DEFAULTS,
        .deadline = asked->deadline,
        .no_limits = asked->no_limits,
        .programs = {
            .fresh = asked->fresh, .wall = asked->wall, .memory = (size_t)asked->memory << 20}};
    if (asked->fuel) match->limits.fuel = asked->fuel;
    if (asked->memory) match->limits.memory = (size_t)asked->memory << 20;
    if (asked->clock && !pace_read(asked->clock, &match->pace, &fault)) {
        cli_misuse("match", "--clock: %s", fault.text);
        return false;
    }
    if (!asked->sprt) return true;
    match->sprt = &plan->sprt;
    if (sprt_read(asked->sprt, &plan->sprt, &fault)) return true;
    char text[LANGUAGE_TEXT_MAX];
    language_fault(cli_tongue(), &fault, text, sizeof text);
    cli_misuse("match", "--sprt %s", text);
    return false;
}

static bool check_players(const struct plan *plan) {
    const struct tournament_options *match = &plan->match;
    for (int i = 0; i < match->player_count; i++) {
        if (strcmp(match->players[i], "human") != 0) continue;
        cli_misuse("match", "player \"human\": only bots and programs play matches");
        return false;
    }
    if (plan->asked.versus) {
        if (match->player_count == 1 && plan->asked.setups) return true;
        cli_misuse("match", "%s",
                   plan->asked.setups ? "--versus: one bot is expected, which plays both families"
                                      : "--versus is the second family; --setups with the first is "
                                        "expected");
        return false;
    }
    if (match->player_count < 2 || match->player_count > TOURNAMENT_PLAYERS_MAX) {
        if (match->player_count == 1 && plan->asked.setups) {
            cli_misuse("match",
                       "1 player: 2 to %d are expected, or --versus with other set-ups for the "
                       "same one",
                       TOURNAMENT_PLAYERS_MAX);
        } else if (match->player_count == 1) {
            cli_misuse("match", "1 player: 2 to %d are expected", TOURNAMENT_PLAYERS_MAX);
        } else {
            cli_misuse("match", "%d players: 2 to %d are expected", match->player_count,
                       TOURNAMENT_PLAYERS_MAX);
        }
        return false;
    }
    if (!match->sprt || match->player_count == 2) return true;
    cli_misuse("match", "--sprt tests one difference: 2 players are expected");
    return false;
}

static bool check_games(struct plan *plan) {
    struct tournament_options *match = &plan->match;
    const struct pairing pairing = {plan->asked.versus ? 2 : match->player_count, match->gauntlet};
    uint64_t meetings = pairing_meetings(&pairing);
    if (match->games % 2) {
        match->games++;
        language_line(stderr, cli_tongue(), "ensign: playing {1} games, so that all are in pairs",
                      NUMBER_TEXT(match->games));
    }
    if (meetings * match->games <= TOURNAMENT_GAMES_MAX) return true;
    cli_misuse("match", "%" PRIu64 " games in all: at most %d are expected",
               meetings * match->games, TOURNAMENT_GAMES_MAX);
    return false;
}

/* Fills plan->words. False if the list is empty or wrong, or without memory. */
static bool take_words(struct plan *plan, const json_t *arguments) {
    struct arguments *words = &plan->words;
    size_t count = json_array_size(arguments);
    if (count < 1 || count > WORDS_MAX) return false;
    words->list = calloc(count + 1, sizeof *words->list);
    for (; words->list && words->count < (int)count; words->count++) {
        const char *word = json_string_value(json_array_get(arguments, (size_t)words->count));
        words->list[words->count] = word ? strdup(word) : NULL;
        if (!words->list[words->count]) return false;
    }
    return words->list;
}

/* Reads the origin of a match from its store. EXIT_DONE, or an exit code after an error message. */
static int read_origin(struct plan *plan, char directory[PATH_MAX]) {
    struct fault fault = {0};
    struct store *store = store_open(plan->folder, STORE_READ, &fault);
    if (!store) return cli_fail(&fault);
    const char *words = store_meta(store, "arguments");
    json_t *arguments = words ? json_loads(words, 0, NULL) : NULL;
    const char *begun_in = store_meta(store, "directory");
    bool told = begun_in && strlen(begun_in) < PATH_MAX && take_words(plan, arguments);
    if (told) strcpy(directory, begun_in);
    json_decref(arguments);
    store_close(store);
    return told ? EXIT_DONE
                : cli_misuse("match", "%s: the match does not say how it was begun", plan->folder);
}

/* Prints a word of an untrusted store: all but printable ASCII as \xNN. */
static void print_escaped(FILE *out, const char *word) {
    for (; *word; word++)
        if (*word == '\\' || *word < ' ' || *word > '~')
            fprintf(out, "\\x%02x", (unsigned char)*word);
        else
            putc(*word, out);
}

static bool is_yes(FILE *in) {
    char line[8];
    return fgets(line, sizeof line, in) && (!strcmp(line, "y\n") || !strcmp(line, "yes\n"));
}

/* May the external programs that a store names be started? They run as the user and were chosen by
 * the store's author. EXIT_DONE, or EXIT_USAGE after an error message. */
static int allow_programs(const struct plan *plan, const char *directory) {
    const struct tournament_options *match = &plan->match;
    const struct language *language = cli_tongue();
    bool asks = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    int count = 0;
    for (int i = 0; i < match->player_count; i++) {
        if (!player_is_program(match->players[i])) continue;
        if (plan->asked.allow_programs) return EXIT_DONE;
        if (!count++) {
            language_print(stderr, language,
                           asks ? TEXT("ensign match: the match would start these programs, which "
                                       "can do whatever you can, in ")
                                : TEXT("ensign match: the match would start "));
            if (asks) print_escaped(stderr, directory);
        }
        fputs(asks ? "\n  " : count > 1 ? ", \"" : "\"", stderr);
        print_escaped(stderr, match->players[i]);
        if (!asks) putc('"', stderr);
    }
    if (!count) return EXIT_DONE;
    if (!asks) {
        language_line(stderr, language, "; --allow-programs starts them (see \"{1} match --help\")",
                      cli_program);
        return EXIT_USAGE;
    }
    putc('\n', stderr);
    language_print(stderr, language, "Start them? (y/n) ");
    fflush(stderr);
    if (is_yes(stdin)) return EXIT_DONE;
    language_line(stderr, language, "ensign match: no program was started");
    return EXIT_USAGE;
}

/* Makes the plan from the store and the options given now. */
static int resume_from(struct plan *plan) {
    const struct match_values now = plan->asked;
    struct match_values then;
    char directory[PATH_MAX];
    int code = read_origin(plan, directory);
    if (code != EXIT_DONE) return code;
    if (chdir(directory) != 0) {
        return cli_misuse("match", "the match was begun in %s, which cannot be entered: %s",
                          directory, strerror(errno));
    }
    if (!command_read(&command_match, plan->words.count, plan->words.list, &then, &code))
        return EXIT_USAGE;
    then.resume = true;
    if (now.json || now.events) {
        then.json = now.json;
        then.events = now.events;
    }
    then.verbose = then.verbose || now.verbose;
    then.trust = now.trust;
    then.allow_programs = now.allow_programs;
    if (now.jobs) then.jobs = now.jobs;
    then.over = now.over;
    then.log = now.log;
    then.creds = now.creds;
    then.key = now.key;
    return take_values(plan, &then) ? allow_programs(plan, directory) : EXIT_USAGE;
}

static int plan_resume(struct plan *plan) {
    char folder[PATH_MAX];
    if (!plan->folder[0]) return cli_misuse("match", "--resume: -o FOLDER is expected");
    if (plan->match.player_count) {
        return cli_misuse("match",
                          "\"%s\" does not go with --resume, which takes the players from "
                          "the folder",
                          plan->match.players[0]);
    }
    /* A wrong folder is reported when it is opened. */
    if (realpath(plan->folder, folder) && strlen(folder) <= PLAN_FOLDER_BYTES_MAX)
        strcpy(plan->folder, folder);
    return resume_from(plan);
}

int plan_make(struct plan *plan, const struct match_values *asked) {
    snprintf(plan->folder, sizeof plan->folder, "%s", asked->folder ? asked->folder : "");
    if (!take_values(plan, asked)) return EXIT_USAGE;
    if (asked->log && asked->over)
        return cli_misuse("match", "--log does not go with --over: other machines send no logs");
    int code = asked->resume ? plan_resume(plan) : EXIT_DONE;
    if (code != EXIT_DONE) return code;
    return check_players(plan) && check_games(plan) ? EXIT_DONE : EXIT_USAGE;
}

void plan_clear(struct plan *plan) {
    for (int i = 0; i < plan->words.count; i++)
        if (command_keeps(plan->words.list[i])) free(plan->words.list[i]);
    free(plan->words.list);
    plan->words = (struct arguments){0};
}
