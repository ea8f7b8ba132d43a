/* watch.c - `ensign watch`: a game that goes on while its file is edited.
 *
 * Whenever the file, or one that it loads, is saved, it is loaded again and the same game
 * continues: under the new rules if they allow all moves so far, else as the user decides. If the
 * file has an error the old rules stay in force. Each part, a stretch of play or a judgement of the
 * moves so far, begins with the game as it was saved (host/table/saved.h). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/files.h"
#include "cli/play/rescue.h"
#include "cli/play/round.h"
#include "command.h"
#include "core/play/position.h"
#include "host/check/inspect.h"
#include "host/playback.h"
#include "host/players.h"
#include "host/seed.h"
#include "jail/loader.h"
#include "lua/logbook.h"

/* The armies that people lay out, kept while the variant changes, by the letters of their pieces: a
 * changed variant may number its kinds anew. */
struct armies {
    int files, ranks;                  /* of the board; 0: there are no armies */
    char letter[2][BOARD_SQUARES_MAX]; /* 0: none */
};

static void armies_keep(struct armies *armies, const struct rules *rules,
                        const struct setup setups[2]) {
    *armies = (struct armies){rules->board.files, rules->board.ranks, {{0}}};
    for (int side = RED; side <= BLUE; side++) {
        for (square at = 0; at < rules->board.squares; at++) {
            kind_id kind = setups[side].at[at];
            if (kind != KIND_NONE) armies->letter[side][at] = rules->kind[kind].letter;
        }
    }
}

/* Leaves out pieces that the rules do not have; no pieces if the board has another shape. */
static void armies_take(const struct armies *armies, const struct rules *rules,
                        struct setup setups[2]) {
    memset(setups, 0, 2 * sizeof *setups);
    if (armies->files != rules->board.files || armies->ranks != rules->board.ranks) return;
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (armies->letter[side][at])
                setups[side].at[at] = rules_kind_of_letter(rules, armies->letter[side][at]);
}

struct watch_values {
    const char *file, *named[2], *variant, *setup, *lang;
    int deadline;
    bool plain, trust;
    bool programs_fresh, wall;
};

static int run_watch(const void *values);
const struct command command_watch = {
    COMMAND(watch, .variant = "duel", .deadline = PLAYER_DEADLINE),
    .summary = "play a variant or a bot while you edit its file",
    .synopsis = {"FILE [OPTIONS]"},
    .prose =
        "Plays a game of the variant in FILE, or with the bot in it, while you edit FILE. "
        "Whenever you save it, or a file it loads, it is checked, and the same game goes on with "
        "the new version; if it cannot, you are told why, and a fault stays under the board until "
        "it is mended. The game ends with the program: it is not saved, and no record is written.",
    .arguments = {{NULL, 0, "FILE", VALUE_SCRIPT, INTO(watch, file), .needed = true}},
    .options =
        {
            {"red", 0, "PLAYER", VALUE_PLAYER, .opens = true, INTO(watch, named[RED]),
             "\"human\", a bot, \"json:COMMAND\" or \"ucc:COMMAND\" (default human; for a bot's file, that bot)",
             .most = FOLDER_PATH_MAX - 1},
            {"blue", 0, "PLAYER", VALUE_PLAYER, .opens = true, INTO(watch, named[BLUE]),
             "the same (default hunter; for a bot's file, rookie)", .most = FOLDER_PATH_MAX - 1},
            {OPTION_VARIANT, INTO(watch, variant), "variant that a bot's file plays",
             .most = FOLDER_PATH_MAX - 1},
            {"setup", 0, "SETUP", VALUE_SETUP, INTO(watch, setup), "the human's set-up, as in play",
             .most = FOLDER_PATH_MAX - 1},
            {OPTION_SEED_SECRET},
            {"plain", INTO(watch, plain),
             "lines of text instead of a full screen; always used in a pipe"},
            {OPTION_DEADLINE, INTO(watch, deadline)},
            {OPTION_TRUST, INTO(watch, trust)},
            {OPTION_FRESH, INTO(watch, programs_fresh)},
            {OPTION_WALL, INTO(watch, wall)},
            {OPTION_LANG, INTO(watch, lang)},
        },
};

/* Result of a part, above the exit codes of cli.h. */
enum outcome_of_part {
    PART_RELOAD = 16, /* a file has changed */
    PART_AGAIN,       /* from the start */
    PART_NEW,         /* the new rules are in force */
    PART_OLD          /* the old rules stay */
};

enum { TESTS_SECONDS = 10 }; /* limit of a variant's own tests at each load */

struct watch {
    struct folders folders;
    const struct language *language;
    struct ui ui;
    struct changes *changes;
    char saved[SAVED_PATH_MAX]; /* file of the game; empty if there is none */
    const struct watch_values *asked;
    char file[FOLDER_PATH_MAX]; /* path of the watched file */
    bool is_bot;
    struct rules *rules;  /* in force; NULL before the first successful load */
    struct armies armies; /* of people */
    uint64_t seed;        /* of each game: one that begins again is the same */
    struct round round;
};

static bool watch_ask(struct watch *watch, const char *english) {
    return watch->ui.agrees(watch->ui.self, language_text(watch->language, english));
}

/* Judges the moves so far under the new rules and asks how to go on if they do not fit. */
static int judge_moves(struct watch *watch, struct rules *rules, struct record *record) {
    struct ui *ui = &watch->ui;
    struct fault fault = {0};
    struct playback replay = {0};
    char line[1024];
    if (!playback_open(&replay, record, rules, &fault)) {
        /* Without its place: the saved file means nothing to the user. */
        char why[LANGUAGE_TEXT_MAX];
        language_fault(watch->language, &fault, why, sizeof why);
        language_write(line, sizeof line, watch->language,
                       "The set-ups of this game do not fit the new rules ({1}). Start a new game?",
                       why);
        return ui->agrees(ui->self, line) ? PART_AGAIN : PART_OLD;
    }
    bool legal = playback_run(&replay, UINT32_MAX, &fault);
    playback_close(&replay);
    if (legal || !replay.illegal_ply) {
        language_write(line, sizeof line, watch->language,
                       "The new rules allow all {1} plies so far; the game goes on.",
                       NUMBER_TEXT(replay.plies));
        ui->say(ui->self, line);
        return PART_NEW;
    }
    language_write(line, sizeof line, watch->language,
                   "The new rules forbid ply {1}, {2} ({3}): {4}", NUMBER_TEXT(replay.illegal_ply),
                   replay.illegal_move, verdict_name(replay.rule),
                   language_text(watch->language, verdict_sentence(replay.rule)));
    ui->say(ui->self, line);
    language_write(line, sizeof line, watch->language, "Continue from the {1} plies before it?",
                   NUMBER_TEXT(replay.illegal_ply - 1));
    if (!ui->agrees(ui->self, line)) return PART_OLD;
    record->move_count = replay.illegal_ply - 1;
    return PART_NEW;
}

/* Replaces the saved game by the record. */
static bool keep_prefix(const char *path, const struct record *record, struct fault *fault) {
    char *text = record_write(record);
    bool written = text ? files_replace(path, text, strlen(text), fault)
                        : fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(text);
    return written;
}

/* The saved game. NULL with a fault. */
static struct record *read_game(const struct watch *watch, struct fault *fault) {
    size_t length;
    char *text = files_read(watch->saved, RECORD_BYTES_MAX, &length, fault);
    struct record *record = text ? record_read(text, length, fault) : NULL;
    free(text);
    return record;
}

static void forget_game(struct watch *watch) {
    if (watch->saved[0]) unlink(watch->saved);
    watch->saved[0] = 0;
}

/* A part: decides whether the game goes on under `rules`. */
static int watch_judge(struct watch *watch, struct rules *rules) {
    struct fault fault = {0};
    struct record *record = read_game(watch, &fault);
    if (!record) return cli_fail(&fault);
    size_t moves = record->move_count;
    int part = judge_moves(watch, rules, record);
    if (watch->ui.interrupted) return PART_RELOAD;
    if (part == PART_AGAIN) {
        forget_game(watch);
        return PART_NEW;
    }
    if (part == PART_OLD) {
        watch->ui.say(watch->ui.self,
                      language_text(watch->language,
                                    TEXT("The old rules stay in force until the next change.")));
    }
    if (record->move_count < moves && !keep_prefix(watch->saved, record, &fault))
        return cli_fail(&fault);
    return part;
}

/* A part: begins the game, or continues it from its file. */
static int watch_play(struct watch *watch, struct rules *rules) {
    struct round *round = &watch->round;
    bool over;
    round->rules = rules;
    int code = round_open(round);
    if (code != EXIT_DONE) return code;
    armies_take(&watch->armies, rules, round->setups);
    code = round_play(round, watch->saved[0] ? watch->saved : NULL, &over);
    armies_keep(&watch->armies, rules, round->setups);
    snprintf(watch->saved, sizeof watch->saved, "%s", round->kept);
    template_close(round->template);
    if (watch->ui.interrupted) return PART_RELOAD;
    if (!over || watch->ui.ended) return code;
    bool again = watch_ask(watch, TEXT("Play again from the start? Or save the file."));
    if (watch->ui.interrupted) return PART_RELOAD;
    if (again) forget_game(watch);
    return again ? PART_AGAIN : code;
}

/* A part: waits for the file to be saved, with the game so far to look at. */
static int watch_await(struct watch *watch, struct rules *rules) {
    struct fault fault = {0};
    struct record *record = watch->saved[0] ? read_game(watch, &fault) : NULL;
    bool goes_on = watch->ui.await(watch->ui.self, rules, record);
    record_free(record);
    return goes_on ? PART_RELOAD : EXIT_SHORT;
}

/* Runs a part; what it does to the round is forgotten. */
static int run_part(struct watch *watch, struct rules *rules,
                    int (*part)(struct watch *watch, struct rules *rules)) {
    const struct round before = watch->round;
    watch->ui.heed(watch->ui.self, watch->changes);
    int code = part(watch, rules);
    watch->round = before;
    return code;
}

/* Loads a variant and runs its own tests; a failed test is reported but does not stop the game.
 * NULL after printing the errors. */
static struct rules *watch_load_variant(const struct watch *watch, const char *name) {
    struct faults *faults = faults_new();
    struct buffer log = buffer_of(LOADER_LOG_MAX);
    struct loader_trial tests = {.work = &TRIAL_WORK, .seconds = TESTS_SECONDS, .log = &log};
    if (!faults) return NULL;
    struct rules *rules = loader_try(&watch->folders, name, &tests, faults);
    for (const char *line = log.text; line && *line; line += strcspn(line, "\n") + 1) {
        char words[LOGBOOK_ROOM + 64];
        snprintf(words, sizeof words, "[%.*s", (int)strcspn(line, "\n"), line);
        words[strcspn(words, ":")] = ']';
        watch->ui.say(watch->ui.self, words);
    }
    buffer_clear(&log);
    watch->ui.pin(watch->ui.self, faults);
    free(faults);
    return rules;
}

static bool bot_loads(const struct watch *watch) {
    struct faults *faults = faults_new();
    struct bot_card card;
    bool loads = faults && loader_bot(&watch->folders, watch->file, &card, faults);
    if (faults) watch->ui.pin(watch->ui.self, faults);
    free(faults);
    return loads;
}

/* Loads the file again. False after printing the errors. For a bot `*rules` may be the old ones. */
static bool watch_load(struct watch *watch, struct rules **rules) {
    changes_happened(watch->changes); /* clears it before the file is read */
    watch->is_bot =
        watch->is_bot || inspect_script_kind(&watch->folders, watch->file, NULL) == SCRIPT_BOT;
    if (watch->is_bot && !bot_loads(watch)) return false;
    const char *variant = watch->is_bot ? watch->asked->variant : watch->file;
    *rules = watch->is_bot && watch->rules ? watch->rules : watch_load_variant(watch, variant);
    return *rules;
}

static void copy(char out[FOLDER_PATH_MAX], const char *text) {
    snprintf(out, FOLDER_PATH_MAX, "%s", text);
}

/* Sets players and variant; a bot's file is one of the players. */
static void set_terms(struct watch *watch) {
    struct terms *terms = &watch->round.terms;
    const char *const usual[2] = {watch->is_bot ? watch->file : "human",
                                  watch->is_bot ? "rookie" : "hunter"};
    for (int side = RED; side <= BLUE; side++) {
        copy(terms->player[side],
             watch->asked->named[side] ? watch->asked->named[side] : usual[side]);
    }
    copy(terms->variant, watch->is_bot ? watch->asked->variant : watch->file);
}

/* Puts freshly loaded rules in force if the game fits them. Returns a part's result. */
static int watch_take(struct watch *watch, struct rules *rules) {
    int part = PART_NEW;
    bool same = rules == watch->rules;
    if (watch->saved[0] && !same) part = run_part(watch, rules, watch_judge);
    if (watch->saved[0] && same) {
        watch->ui.say(
            watch->ui.self,
            language_text(watch->language, TEXT("The bot has changed; the game goes on.")));
    }
    if (same) return part;
    if (part == PART_NEW) {
        rules_free(watch->rules);
        watch->rules = rules;
    } else {
        rules_free(rules);
    }
    return part;
}

static int watch_file(struct watch *watch) {
    int part = PART_RELOAD;
    while (part >= PART_RELOAD) {
        struct rules *rules = NULL;
        bool loaded = part == PART_AGAIN || watch_load(watch, &rules);
        if (loaded && part != PART_AGAIN) {
            part = watch_take(watch, rules);
            if (part < PART_RELOAD) return part;
            if (part == PART_RELOAD) continue;
            set_terms(watch);
        } else if (!loaded && (!watch->rules || watch->is_bot)) {
            part = run_part(watch, watch->rules, watch_await);
            continue;
        } else if (!loaded) {
            watch->ui.say(
                watch->ui.self,
                language_text(watch->language,
                              TEXT("The old rules stay in force until the next change.")));
        }
        part = run_part(watch, watch->rules, watch_play);
    }
    return part;
}

static int watch_open(struct watch *watch, struct fault *fault) {
    watch->changes = changes_open(fault);
    if (!watch->changes) return cli_fail(fault);
    watch->folders.reader = changes_reader(watch->changes);
    rescue_start();
    if (!ui_open(&watch->ui, watch->asked->plain, &watch->folders, watch->language, fault))
        return cli_fail(fault);
    watch->ui.heed(watch->ui.self, watch->changes);
    watch->round.folders = &watch->folders;
    watch->round.language = watch->language;
    watch->round.ui = &watch->ui;
    watch->round.seed = &watch->seed;
    return EXIT_DONE;
}

static int run_watch(const void *values) {
    const struct watch_values *asked = values;
    struct watch watch = {
        .asked = asked,
        .language = cli_tongue(),
        .round = {.deadline = asked->deadline,
                  .passing = true,
                  .trust = asked->trust,
                  .verbose = true,
                  .programs = {.fresh = asked->programs_fresh, .wall = asked->wall},
                  .terms = {.first = -1}}};
    struct fault fault = {0};
    int code;
    if (asked->setup) copy(watch.round.terms.setup, asked->setup);
    saved_sweep_watched();
    if (!cli_folders(&watch.folders)) return EXIT_HOST;
    if (player_is_program(asked->file))
        return cli_misuse(
            "watch",
            "\"%s\" is a program, which cannot be watched; the file of a variant or of a "
            "bot in Lua is expected, and programs play as --red or --blue",
            asked->file);
    if (!folders_resolve(&watch.folders, FOLDER_VARIANTS, asked->file, watch.file, &fault))
        return cli_fail(&fault);
    const struct watch_values *usual = command_watch.defaults;
    if (asked->variant != usual->variant &&
        inspect_script_kind(&watch.folders, watch.file, NULL) == SCRIPT_VARIANT)
        return cli_misuse("watch", "--variant goes with a bot's file; \"%s\" is a variant",
                          asked->file);
    code = watch_open(&watch, &fault);
    if (!code && !seed_take(UINT64_MAX, &watch.seed, &fault)) code = cli_fail(&fault);
    if (!code) code = watch_file(&watch);
    forget_game(&watch);
    if (watch.ui.close) watch.ui.close(watch.ui.self);
    changes_close(watch.changes);
    rules_free(watch.rules);
    if (watch.ui.signal) raise(watch.ui.signal); /* tells our parent */
    return code;
}
