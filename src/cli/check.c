/* check.c - `ensign check`: are these files what they should be?
 *
 * Each sort of file is read by the very code that plays it, so what passes here can be played. A
 * variant then has to get through some random games, a bot through two games against itself. */
#include "cli.h"
#include "core/calls.h"
#include "excerpt.h"
#include "host/claim.h"
#include "host/files.h"
#include "host/match.h"
#include "options.h"
#include "records.h"
#include "schema.h"
#include "script/variant.h"
#include "script/variant_calls.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ensign check FILE… [OPTIONS]\n"
    "\n"
    "Checks variants and bots (.lua), set-ups (.txt) and records (.rec): one line a fault, then\n"
    "what was checked. A variant plays 200 random games, a bot two against itself.\n"
    "\n"
    "  -v, --variant VARIANT   what set-ups and bots are checked for (original); for records,\n"
    "                          instead of their own\n"
    "      --schema            print the format of variants as a JSON Schema, and nothing else\n"
    "  -h, --help              this text\n";

enum { OPTION_SCHEMA = 256 };

static const struct option options[] = {
    {"variant", required_argument, NULL, 'v'},
    {"schema", no_argument, NULL, OPTION_SCHEMA},
    {"help", no_argument, NULL, 'h'},
    {0},
};

enum { RANDOM_GAMES = 200, RANDOM_PLIES_MAX = 10000 };

struct checker {
    const struct folders *folders;
    const char *variant; /* NULL if none was named */
    struct rules *rules; /* of the variant for set-ups and bots; loaded when first needed */
    struct records records;
};

/* Prints the fault with the file's name if it has none. */
static int fail_in(const char *path, struct fault *fault) {
    if (!fault->file[0]) fault_place(fault, path, 0, 0);
    return cli_fail(fault);
}

static const struct rules *wanted_rules(struct checker *checker, int *code) {
    *code = EXIT_DONE;
    if (!checker->rules) {
        const char *name = checker->variant ? checker->variant : "original";
        checker->rules = cli_variant(checker->folders, name, code);
    }
    return checker->rules;
}

/* What random games of a variant came to. */
struct trial {
    uint64_t plies;
    uint32_t wins[2], draws; /* wins by side */
    double first_points;     /* of the side that began */
};

static bool play_random_games(const struct rules *rules, struct trial *trial, struct fault *fault) {
    struct game *game = malloc(sizeof *game);
    struct ply *plies = malloc(RANDOM_PLIES_MAX * sizeof *plies);
    struct move *moves = malloc(rules->moves_max * sizeof *moves);
    bool played = game && plies && moves;
    if (!played) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (uint32_t i = 0; played && i < RANDOM_GAMES; i++) {
        struct random chance = random_stream(1, STREAM_PLAYOUT, i);
        struct setup setups[2];
        struct position position;
        enum side first = rules->first == FIRST_CHOSEN ? (i % 2 ? BLUE : RED)
                          : rules->first == FIRST_BLUE ? BLUE
                                                       : RED;
        played = setup_random(rules, &chance, &setups[RED], fault) &&
                 setup_random(rules, &chance, &setups[BLUE], fault);
        if (!played) break;
        position_from_setups(rules, &setups[RED], &setups[BLUE], first, &position);
        game_start(game, rules, &position, NULL, plies, RANDOM_PLIES_MAX);
        while (!game_over(game)) {
            size_t count = game_moves(game, moves, rules->moves_max);
            if (count == 0) break;
            game_play(game, moves[random_below(&chance, (uint32_t)count)], NULL);
        }
        played = !calls_take(fault);
        trial->plies += game->ply_count;
        if (game->result == RESULT_DRAW) {
            trial->draws++;
            trial->first_points += 0.5;
        } else {
            enum side winner = game->result == RESULT_RED ? RED : BLUE;
            trial->wins[winner]++;
            trial->first_points += winner == first;
        }
    }
    free(game);
    free(plies);
    free(moves);
    return played;
}

/* Prints every remark; the exit code that the errors among them ask for. */
static int tell_faults(const struct faults *faults) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        char text[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(&remark->fault, text, sizeof text);
        fprintf(stderr, "ensign: %s%s", remark->warning ? "warning: " : "", text);
        if (remark->page) fprintf(stderr, " (see %s)", remark->page);
        fputc('\n', stderr);
        excerpt_print(stderr, &remark->fault);
        int one = remark->warning ? EXIT_DONE : status_exit_code(remark->fault.status);
        if (one > code) code = one;
    }
    size_t all = faults->errors + faults->warnings;
    if (all > faults->count) fprintf(stderr, "ensign: and %zu more\n", all - faults->count);
    return code;
}

static int check_variant(struct checker *checker, const char *path) {
    struct fault fault = {0};
    struct trial trial = {0};
    struct faults *faults = faults_new();
    if (!faults) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        return cli_fail(&fault);
    }
    struct claims claims;
    struct rules *rules = variant_examine(checker->folders, path, faults, &claims);
    int held = 0;
    for (int i = 0; rules && i < claims.count; i++)
        held += claim_holds(rules, claims.file, &claims.list[i], faults);
    if (rules) printf("%d of %d tests\n", held, claims.count);
    claims_clear(&claims);
    int code = tell_faults(faults);
    free(faults);
    if (!rules) return code;
    variant_calls_doubt(rules);
    bool played = play_random_games(rules, &trial, &fault);
    if (played) {
        printf("%s: variant \"%s\", %d pieces a side on %d x %d; %d random games: %.1f plies on "
               "average, red wins %" PRIu32 ", blue %" PRIu32 ", draws %" PRIu32
               "; the first side has %.0f %%\n",
               path, rules->title, rules->army_size, rules->board.files, rules->board.ranks,
               RANDOM_GAMES, (double)trial.plies / RANDOM_GAMES, trial.wins[RED], trial.wins[BLUE],
               trial.draws, 100 * trial.first_points / RANDOM_GAMES);
    } else {
        code = fail_in(path, &fault);
    }
    rules_free(rules);
    return code;
}

static int check_bot(struct checker *checker, const char *path) {
    int code;
    const struct rules *rules = wanted_rules(checker, &code);
    if (!rules) return code;
    struct fault fault = {0};
    const char *const players[2] = {path, path};
    struct match_options match_options = {.folders = checker->folders,
                                          .rules = rules,
                                          .players = players,
                                          .player_count = 2,
                                          .games = 2,
                                          .jobs = 1,
                                          .seed = 1,
                                          .limits = SANDBOX_DEFAULTS,
                                          .deadline = PLAYER_DEADLINE};
    const struct player_options bots = {
        .folders = checker->folders, .rules = rules, .limits = match_options.limits};
    struct match *match = NULL;
    if (cli_nursery(false, &bots, &match_options.nursery, &fault)) {
        match = match_run(&match_options, &fault);
        nursery_close(match_options.nursery);
    }
    if (!match) return fail_in(path, &fault);
    if (match->forfeit_count) {
        const struct match_forfeit *forfeit = &match->forfeits[0];
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(&forfeit->fault, why, sizeof why);
        fprintf(stderr, "ensign: %s: game %" PRIu32 " of %s: %s\n", path, forfeit->number + 1,
                rules->name, why);
        excerpt_print(stderr, &forfeit->fault);
        code = EXIT_SHORT;
    }
    if (code == EXIT_DONE) {
        printf("%s: bot, two games of %s against itself: %" PRIu32 " and %" PRIu32 " plies\n", path,
               rules->name, match->games[0].plies, match->games[1].plies);
    }
    match_free(match);
    return code;
}

static int check_setups(struct checker *checker, const char *path) {
    int code;
    const struct rules *rules = wanted_rules(checker, &code);
    if (!rules) return code;
    struct fault fault = {0};
    struct setups setups = {0};
    size_t length;
    char *text = files_read(path, SETUPS_BYTES_MAX, &length, &fault);
    if (text && setups_read(rules, text, length, &setups, &fault)) {
        printf("%s: %zu set-up%s of %s\n", path, setups.count, setups.count == 1 ? "" : "s",
               rules->name);
    } else {
        code = fail_in(path, &fault);
    }
    setups_clear(&setups);
    free(text);
    return code;
}

static int check_record(struct checker *checker, const char *path) {
    struct fault fault = {0};
    struct records *records = &checker->records;
    records->variant = checker->variant;
    if (!records_play(records, path, UINT32_MAX, &fault)) return fail_in(path, &fault);
    const struct replay *replay = &records->replay;
    printf("%s: record of %s, %" PRIu32 " plies, %s%s%s\n", path, records->rules->name,
           replay->plies, result_name(replay->result), replay->reason ? " by " : "",
           replay->reason ? reason_name(replay->reason) : "");
    return EXIT_DONE;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && !strcmp(text + length - end_length, end);
}

static int check_file(struct checker *checker, const char *path) {
    struct fault fault = {0};
    size_t length;
    char *text = files_read(path, SETUPS_BYTES_MAX, &length, &fault);
    free(text);
    if (!text) return cli_fail(&fault);
    if (ends_with(path, ".txt")) return check_setups(checker, path);
    if (ends_with(path, ".rec")) return check_record(checker, path);
    if (!ends_with(path, ".lua")) {
        fprintf(stderr, "ensign: %s: a name that ends in .lua, .txt or .rec is expected\n", path);
        return EXIT_USAGE;
    }
    return cli_is_bot(checker->folders, path) ? check_bot(checker, path)
                                              : check_variant(checker, path);
}

int command_check(int argc, char **argv) {
    struct checker checker = {0};
    for (int option; (option = options_next(argc, argv, ":v:h", options)) != -1;) {
        if (option == OPTION_WRONG) return EXIT_USAGE;
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (option == OPTION_SCHEMA) {
            json_t *schema = schema_variant();
            json_dumpf(schema, stdout, JSON_INDENT(1));
            putchar('\n');
            json_decref(schema);
            return EXIT_DONE;
        }
        checker.variant = optarg;
    }
    if (optind >= argc) return cli_misuse(argv[0], "a file is expected");
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    checker.folders = checker.records.folders = &folders;
    int code = EXIT_DONE;
    for (int i = optind; i < argc; i++) {
        int one = check_file(&checker, argv[i]);
        if (one > code) code = one;
    }
    records_clear(&checker.records);
    rules_free(checker.rules);
    return code;
}
