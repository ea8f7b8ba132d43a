/* workbench.c - `ensign watch`: a game that goes on while its file is being written.
 *
 * Whenever the file, or one that it is made from, is saved, it is loaded again and the same game
 * continues: under the new rules if they allow all that was played, else as people decide. A file
 * with a fault changes nothing; the rules that were in force stay.
 *
 * This process loads files and never holds a game. Each stretch of play, and each judgement of the
 * moves so far, is a process of its own that takes the game from its saved file (host/saved.h), so
 * that bots are always forked from a process without hidden ranks. */
#include "base/faults.h"
#include "base/files.h"
#include "cli.h"
#include "cli/play/rescue.h"
#include "cli/play/round.h"
#include "host/replay.h"
#include "host/seed.h"
#include "host/wall/loader.h"
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: ensign watch FILE [OPTIONS]\n\n"
    "Plays a game of a variant's file, or with a bot's, while you write it. Whenever you save it,\n"
    "or a file that it is made from, it is checked and the same game goes on with what is new; or\n"
    "you are told why that cannot be.\n\n"
    "  --red PLAYER            \"human\", a bot, or \"ucc:COMMAND\" (human; of a bot's file: the bot)\n"
    "  --blue PLAYER           the same (hunter; of a bot's file: rookie)\n"
    "  -v, --variant VARIANT   what the bot of a file plays (duel)\n"
    "  --setup SETUP           the human's set-up, as in play\n"
    "  --seed N                the same seed gives the same chance (by chance)\n"
    "  --deadline MS           time of a bot or program for an answer (10000)\n"
    "  --trust                 run bots in this process, not each in a locked one of its own\n" LANG_USAGE;

/* How a stretch of play, or a judgement, came out; as a process's exit code above those of cli.h.
 */
enum outcome_of_part {
    PART_RELOAD = 16, /* a file has changed */
    PART_AGAIN,       /* from the start */
    PART_NEW,         /* the new rules are in force */
    PART_OLD          /* those before them stay */
};

enum { TESTS_SECONDS = 10 }; /* for a variant's own tests, each time that it is loaded */

/* What the processes of a game tell the one that holds none. */
struct news {
    char path[SAVED_PATH_MAX]; /* of the saved game; empty if there is none to go on with */
};

struct workbench {
    struct folders folders;
    struct language *language;
    struct front front;
    struct changes *changes;
    struct news *news; /* shared with all parts */
    const char *file, *lang, *variant, *named[2];
    bool is_bot;
    struct rules *rules; /* in force; NULL before the first file without a fault */
    struct round round;
};

static bool ask(struct workbench *bench, const char *english) {
    return bench->front.agrees(bench->front.self, language_text(bench->language, english));
}

/* What to say of the moves so far under rules that are new. */
static int judge_moves(struct workbench *bench, struct rules *rules, struct record *record) {
    struct front *front = &bench->front;
    struct fault fault = {0};
    struct replay replay = {0};
    char line[1024];
    if (!replay_open(&replay, record, rules, &fault)) {
        fault.line = fault.column = 0; /* of a file that nobody has written */
        front->complain(front->self, &fault);
        if (ask(bench,
                TEXT("The set-ups of this game do not fit the new rules. Begin a new one?"))) {
            return PART_AGAIN;
        }
        return PART_OLD;
    }
    bool legal = replay_run(&replay, UINT32_MAX, &fault);
    replay_close(&replay);
    if (legal || !replay.illegal_ply) {
        language_write(line, sizeof line, bench->language,
                       "The new rules allow all {1} plies so far; the game goes on.",
                       NUMBER_TEXT(replay.plies));
        front->say(front->self, line);
        return PART_NEW;
    }
    language_write(line, sizeof line, bench->language,
                   "The new rules forbid ply {1}, {2} ({3}): {4}", NUMBER_TEXT(replay.illegal_ply),
                   replay.illegal_move, verdict_name(replay.rule),
                   language_text(bench->language, verdict_sentence(replay.rule)));
    front->say(front->self, line);
    language_write(line, sizeof line, bench->language, "Go on from the {1} plies before it?",
                   NUMBER_TEXT(replay.illegal_ply - 1));
    if (!front->agrees(front->self, line)) return PART_OLD;
    record->move_count = replay.illegal_ply - 1;
    return PART_NEW;
}

/* Writes the record over the file of the game. */
static bool keep_prefix(const char *path, const struct record *record, struct fault *fault) {
    char *text = record_write(record);
    bool written = text ? files_replace(path, text, strlen(text), fault)
                        : fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(text);
    return written;
}

/* A process's life: may the game go on under `rules`? */
static int judge(struct workbench *bench, struct rules *rules) {
    struct fault fault = {0};
    size_t length;
    char *text = files_read(bench->news->path, RECORD_BYTES_MAX, &length, &fault);
    struct record *record = text ? record_read(text, length, &fault) : NULL;
    if (!record) return cli_fail(&fault);
    size_t moves = record->move_count;
    int part = judge_moves(bench, rules, record);
    if (bench->front.interrupted) return PART_RELOAD;
    if (part == PART_AGAIN) {
        unlink(bench->news->path);
        bench->news->path[0] = 0;
        return PART_NEW;
    }
    if (part == PART_OLD) {
        bench->front.say(bench->front.self,
                         language_text(bench->language,
                                       TEXT("The old rules stay in force until the next change.")));
    }
    if (record->move_count < moves && !keep_prefix(bench->news->path, record, &fault)) {
        return cli_fail(&fault);
    }
    return part;
}

/* A process's life: plays the game, or goes on with it. */
static int play(struct workbench *bench, struct rules *rules) {
    struct round *round = &bench->round;
    bool over;
    round->rules = rules;
    int code = round_open(round);
    if (code != EXIT_DONE) return code;
    rescue_start();
    code = round_play(round, bench->news->path[0] ? bench->news->path : NULL, &over);
    snprintf(bench->news->path, sizeof bench->news->path, "%s", round->kept);
    nursery_close(round->nursery);
    if (bench->front.interrupted) return PART_RELOAD;
    if (!over || bench->front.ended) return code;
    bool again = ask(bench, TEXT("Once more from the start? Or save the file."));
    if (bench->front.interrupted) return PART_RELOAD;
    return again ? PART_AGAIN : code;
}

/* Runs a part in a process of its own; its exit code. */
static int run_part(struct workbench *bench, struct rules *rules,
                    int (*part)(struct workbench *bench, struct rules *rules)) {
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) _exit(EXIT_HOST);
        int code = part(bench, rules);
        fflush(NULL);
        _exit(code);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child > 0 && WIFEXITED(status)) return WEXITSTATUS(status);
    if (child > 0 && WIFSIGNALED(status)) raise(WTERMSIG(status));
    return EXIT_HOST;
}

/* Loads a variant and tries the tests that it carries; one that does not hold is told and keeps
 * nobody from playing. NULL after all that is wrong was told. */
static struct rules *load_variant(const struct workbench *bench, const char *name) {
    struct faults *faults = faults_new();
    struct loader_trial tests = {.seconds = TESTS_SECONDS};
    if (!faults) return NULL;
    struct rules *rules = loader_try(&bench->folders, name, &tests, faults);
    cli_remarks(faults);
    free(faults);
    return rules;
}

static bool bot_loads(const struct workbench *bench) {
    struct faults *faults = faults_new();
    char title[TITLE_MAX];
    bool loads = faults && loader_bot(&bench->folders, bench->file, title, faults);
    if (faults) cli_remarks(faults);
    free(faults);
    return loads;
}

/* Loads the file again. False after all that is wrong was told; `*rules` are new or as they were.
 */
static bool load(struct workbench *bench, struct rules **rules) {
    changes_happened(bench->changes); /* what comes after this is seen again */
    bench->is_bot = bench->is_bot || cli_script(&bench->folders, bench->file, NULL) == SCRIPT_BOT;
    if (bench->is_bot && !bot_loads(bench)) return false;
    const char *variant = bench->is_bot ? bench->variant : bench->file;
    *rules = bench->is_bot && bench->rules ? bench->rules : load_variant(bench, variant);
    return *rules;
}

/* Waits for the file to be saved. False if people would rather stop. */
static bool wait_for_change(struct workbench *bench) {
    while (!ask(bench, TEXT("Mend the file and save it. Or stop watching?"))) {
        if (bench->front.interrupted) {
            front_lines_heed(&bench->front, bench->changes);
            return true;
        }
        if (bench->front.ended) return false;
    }
    return false;
}

static void copy(char out[FOLDER_PATH_MAX], const char *text) {
    snprintf(out, FOLDER_PATH_MAX, "%s", text);
}

/* Who plays what; a bot's file is one of the players. */
static void set_terms(struct workbench *bench) {
    struct terms *terms = &bench->round.terms;
    const char *const usual[2] = {bench->is_bot ? bench->file : "human",
                                  bench->is_bot ? "rookie" : "hunter"};
    for (int side = RED; side <= BLUE; side++) {
        copy(terms->player[side], bench->named[side] ? bench->named[side] : usual[side]);
    }
    copy(terms->variant, bench->is_bot ? bench->variant : bench->file);
}

/* Takes the rules of a file that is without fault, if the game allows it. The part's exit code. */
static int take(struct workbench *bench, struct rules *rules) {
    int part = PART_NEW;
    bool same = rules == bench->rules;
    if (bench->news->path[0] && !same) part = run_part(bench, rules, judge);
    if (bench->news->path[0] && same) {
        bench->front.say(
            bench->front.self,
            language_text(bench->language, TEXT("The bot has changed; the game goes on.")));
    }
    if (same) return part;
    if (part == PART_NEW) {
        rules_free(bench->rules);
        bench->rules = rules;
    } else {
        rules_free(rules);
    }
    return part;
}

static int run(struct workbench *bench) {
    int part = PART_RELOAD;
    while (part >= PART_RELOAD) {
        struct rules *rules = NULL;
        bool loaded = part == PART_AGAIN || load(bench, &rules);
        if (loaded && part != PART_AGAIN) {
            part = take(bench, rules);
            if (part < PART_RELOAD) return part;
            if (part == PART_RELOAD) continue;
            set_terms(bench);
        } else if (!loaded && (!bench->rules || bench->is_bot)) {
            if (!wait_for_change(bench)) return EXIT_SHORT;
            part = PART_RELOAD;
            continue;
        } else if (!loaded) {
            bench->front.say(
                bench->front.self,
                language_text(bench->language,
                              TEXT("The old rules stay in force until the next change.")));
        }
        part = run_part(bench, bench->rules, play);
    }
    return part;
}

/* EXIT_DONE to go on, -1 when help was asked for, else the exit code. */
static int read_options(struct workbench *bench, int argc, char **argv) {
    static const struct option options[] = {
        {"red", required_argument, NULL, 'r'},
        {"blue", required_argument, NULL, 'b'},
        {"variant", required_argument, NULL, 'v'},
        {"setup", required_argument, NULL, 'u'},
        {"seed", required_argument, NULL, 's'},
        {"deadline", required_argument, NULL, 'd'},
        {"trust", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        LANG_OPTION,
        {NULL, 0, NULL, 0},
    };
    struct round *round = &bench->round;
    uint64_t number;
    for (int letter; (letter = options_next(argc, argv, ":v:h", options)) != -1;) {
        switch (letter) {
        case 'r':
        case 'b':
            bench->named[letter == 'r' ? RED : BLUE] = optarg;
            break;
        case 'v':
            bench->variant = optarg;
            break;
        case 'u':
            copy(round->terms.setup, optarg);
            break;
        case 's':
            if (!options_seed("watch", optarg, UINT64_MAX)) return EXIT_USAGE;
            break;
        case 'd':
            if (!options_number("watch", "--deadline", optarg, 1, INT_MAX, &number)) {
                return EXIT_USAGE;
            }
            round->deadline = (int)number;
            break;
        case 't':
            round->trust = true;
            break;
        case OPTION_LANG:
            bench->lang = optarg;
            break;
        case 'h':
            fputs(USAGE, stdout);
            return -1;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind >= argc) return cli_misuse("watch", "which file?");
    bench->file = argv[optind++];
    if (optind < argc) return cli_misuse("watch", "one file is enough, \"%s\"?", argv[optind]);
    return EXIT_DONE;
}

/* The file itself, of a name too. */
static int find_file(struct workbench *bench, char path[FOLDER_PATH_MAX]) {
    struct fault fault = {0};
    if (!folders_resolve(&bench->folders, FOLDER_VARIANTS, bench->file, path, &fault)) {
        return cli_fail(&fault);
    }
    bench->file = path;
    return EXIT_DONE;
}

static int open_bench(struct workbench *bench, struct fault *fault) {
    bench->changes = changes_open(fault);
    if (!bench->changes) return cli_fail(fault);
    bench->folders.reader = changes_reader(bench->changes);
    bench->news =
        mmap(NULL, sizeof *bench->news, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bench->news == MAP_FAILED) {
        bench->news = NULL;
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return cli_fail(fault);
    }
    if (!front_lines(&bench->front, &bench->folders, bench->language, fault)) {
        return cli_fail(fault);
    }
    front_lines_heed(&bench->front, bench->changes);
    bench->round.folders = &bench->folders;
    bench->round.language = bench->language;
    bench->round.front = &bench->front;
    return EXIT_DONE;
}

int command_watch(int argc, char **argv) {
    struct workbench bench = {.variant = "duel",
                              .round = {.deadline = PLAYER_DEADLINE, .terms = {.first = -1}}};
    struct fault fault = {0};
    char path[FOLDER_PATH_MAX];
    int code = read_options(&bench, argc, argv);
    if (code) return code < 0 ? EXIT_DONE : code;
    if (!cli_folders(&bench.folders)) return EXIT_HOST;
    code = find_file(&bench, path);
    if (code) return code;
    if (!cli_language(&bench.folders, bench.lang, &bench.language, &code)) return code;
    code = open_bench(&bench, &fault);
    /* Each game takes it in a process of its own: one that begins again has the same chance. */
    if (!code && !seed_settle(&fault)) code = cli_fail(&fault);
    if (!code) code = run(&bench);
    if (bench.front.close) bench.front.close(bench.front.self);
    if (bench.news) munmap(bench.news, sizeof *bench.news);
    changes_close(bench.changes);
    rules_free(bench.rules);
    language_free(bench.language);
    return code;
}
