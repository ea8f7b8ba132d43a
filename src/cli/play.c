/* play.c - `ensign play`: games at the terminal, one after the other.
 *
 * Takes the terms of a game from the options, an unfinished game or the start screen, plays it, and
 * offers another one with sides exchanged. ui.h is the user interface; a round
 * (round.h) plays the game. */
#include "base/paths.h"
#include "cli/play/rescue.h"
#include "cli/play/round.h"
#include "command.h"
#include "host/bot_levels.h"
#include "host/lesson.h"
#include "jail/loader.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { VARIANT = 2 };

struct play_values {
    const char *named[3]; /* players of red and blue, and the variant (or the file to continue) */
    const char *setup, *output, *lang, *clock;
    int first, level, deadline, step;
    bool goes_on, fresh, lesson, plain, trust, verbose;
    bool programs_fresh, wall;
};

static const char *const SIDES[] = {"red", "blue", NULL};

static int run_play(const void *values);
const struct command command_play = {
    COMMAND(play, .first = -1, .level = -1, .deadline = PLAYER_DEADLINE),
    .summary = "play a game in the terminal",
    .synopsis = {"[VARIANT] [OPTIONS]", "--continue [FILE] [OPTIONS]",
                 "--lesson [FILE] [--step N]"},
    .prose =
        "Plays a game in the terminal. Without VARIANT, --red, --blue and --setup a start screen "
        "asks for them. The default VARIANT is \"original\".",
    .arguments = {{NULL, 0, "VARIANT", VALUE_VARIANT, INTO(play, named[VARIANT]),
                   .most = FOLDER_PATH_MAX - 1}},
    .options =
        {
            {"red", 0, "PLAYER", VALUE_PLAYER, .opens = true, INTO(play, named[RED]),
             "\"human\", a bot's name or path, or an external program, \"json:COMMAND\" or \"ucc:COMMAND\" (default "
             "human)",
             .most = FOLDER_PATH_MAX - 1},
            {"blue", 0, "PLAYER", VALUE_PLAYER, .opens = true, INTO(play, named[BLUE]),
             "the same (default lieutenant)", .most = FOLDER_PATH_MAX - 1},
            {"level", 0, NULL, VALUE_WORD, INTO(play, level),
             "the opponent by its level instead of its name", .words = BOT_LEVELS,
             .excludes = "continue"},
            {"setup", 0, "SETUP", VALUE_SETUP, INTO(play, setup),
             "the human's set-up: a library name (see ensign setups), a file, or \"random\" "
             "(default: you arrange your own)",
             .most = FOLDER_PATH_MAX - 1, .excludes = "continue"},
            {"first", 0, NULL, VALUE_WORD, INTO(play, first),
             "the side that moves first (default: as the rules say)", .words = SIDES,
             .excludes = "continue"},
            {"clock", 0, "MINUTES+SECONDS", VALUE_TEXT, INTO(play, clock),
             "time of each side for the whole game, and what each move adds to it, as in 10+5; who "
             "has none left loses. Not while the keyboard changes hands",
             .excludes = "continue"},
            {OPTION_SEED_SECRET, .excludes = "continue"},
            {"continue", INTO(play, goes_on),
             "continue the game in FILE, or the game you left last"},
            {"new", INTO(play, fresh), "begin a new game without offering to continue an old one",
             .excludes = "continue"},
            {"lesson", INTO(play, lesson),
             "learn the game in five minutes, or play the lesson in FILE (see variants/FORMATS.md)",
             .excludes = "continue"},
            {"step", 0, "N", VALUE_NUMBER, INTO(play, step), "the lesson's step to begin with",
             .least = 1, .most = LESSON_STEPS_MAX},
            {"plain", INTO(play, plain),
             "lines of text instead of a full screen; always used in a pipe"},
            {"verbose", INTO(play, verbose),
             "show what the bots print, in lines of text; that tells you their pieces"},
            {OPTION_DEADLINE, INTO(play, deadline)},
            {OPTION_TRUST, INTO(play, trust)},
            {OPTION_FRESH, INTO(play, programs_fresh)},
            {OPTION_WALL, INTO(play, wall)},
            {"output", 'o', "PATH", VALUE_PATH, INTO(play, output),
             "where to write the record of a finished game: a new file, or a folder"},
            {OPTION_LANG, INTO(play, lang)},
        },
    .notes =
        {"A running game is saved after every turn, in a file in $XDG_STATE_HOME/ensign/saved (or "
         "~/.local/state/ensign/saved) that holds both armies and that only you can read. "
         "Quitting, "
         "a signal, a closed terminal or a crash lose nothing; the next \"ensign play\" offers to "
         "continue the game. With --continue, --red and --blue may name other players. Records of "
         "finished games go to the folder \"games\" beside \"saved\", unless -o is given.",
         "An external program could read that file. While one plays, the game is kept in memory "
         "and written when you leave it; a crash or kill -9 loses it."},
};

struct play_run {
    const struct play_values *asked;
    struct folders folders;
    const struct language *language;
    struct ui ui;
    struct round round;
    struct pace pace;
};

/* "duel, red: human, blue: hunter, move 23, 2026-03-14 20:15" */
static void play_describe(const struct play_run *play, const struct saved_summary *left, char *out,
                          size_t size) {
    char when[32] = "";
    time_t then = (time_t)left->when;
    struct tm day;
    if (localtime_r(&then, &day)) strftime(when, sizeof when, "%Y-%m-%d %H:%M", &day);
    language_write(out, size, play->language, "{1}, red: {2}, blue: {3}, move {4}, {5}",
                   left->variant, left->player[RED], left->player[BLUE],
                   NUMBER_TEXT(left->plies / 2 + 1), when);
}

/* Does an unfinished game have the players and the variant that the options name? */
static bool play_fits(const struct play_run *play, const struct saved_summary *left) {
    const char *const names[] = {left->player[RED], left->player[BLUE], left->variant};
    for (int i = 0; i < 3; i++)
        if (play->asked->named[i] && strcmp(play->asked->named[i], names[i]) != 0) return false;
    return true;
}

/* Asks which game to continue: its index; -1: a new game; -2: the input has ended. */
static int play_offer(struct play_run *play, const struct saved_summary *list, int count) {
    struct ui *ui = &play->ui;
    char lines[SAVED_LISTED_MAX + 1][SAVED_NAME_MAX], question[SAVED_NAME_MAX + 128];
    const char *items[SAVED_LISTED_MAX + 1];
    for (int i = 0; i < count; i++) {
        play_describe(play, &list[i], lines[i], sizeof lines[i]);
        items[i] = lines[i];
    }
    if (count == 1) {
        language_write(question, sizeof question, play->language,
                       "There is an unfinished game: {1}. Continue it?", lines[0]);
        if (ui->agrees(ui->self, question)) return 0;
    } else {
        items[count] = language_text(play->language, TEXT("a new game"));
        int chosen = ui->choose(
            ui->self,
            language_text(play->language, TEXT("Which unfinished game do you want to continue?")),
            items, count + 1);
        if (chosen < 0) return -2;
        if (chosen < count) return chosen;
    }
    return -1;
}

/* Finds the unfinished game to continue. False for a new game, or (`leaves`) for none at all. */
static bool pick_left(struct play_run *play, struct saved_summary *left, bool *leaves) {
    struct saved_summary *list;
    size_t count = saved_list(&list), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (play->asked->goes_on || play_fits(play, &list[i])) list[kept++] = list[i];
    int chosen = !kept ? -1 : play->asked->goes_on ? 0 : play_offer(play, list, (int)kept);
    *leaves = chosen == -2;
    if (chosen >= 0) *left = list[chosen];
    free(list);
    return chosen >= 0;
}

static void copy(char out[FOLDER_PATH_MAX], const char *text) {
    snprintf(out, FOLDER_PATH_MAX, "%s", text);
}

/* Sets the terms of an unfinished game; players named in the options replace those of the file. */
static bool take_terms(struct play_run *play, const struct saved_summary *left,
                       struct fault *fault) {
    struct terms *terms = &play->round.terms;
    copy(terms->variant, left->variant);
    if (!left->variant[0]) {
        fault_set(fault, STATUS_TEXT, "does not name its variant");
        fault_place(fault, left->path, 0, 0);
        return false;
    }
    for (int side = RED; side <= BLUE; side++) {
        copy(terms->player[side],
             play->asked->named[side] ? play->asked->named[side] : left->player[side]);
        if (terms->player[side][0]) continue;
        fault_set(fault, STATUS_USAGE,
                  "does not name a player of %s that can be found; %s is needed",
                  side_name((enum side)side), side == RED ? "--red" : "--blue");
        fault_place(fault, left->path, 0, 0);
        return false;
    }
    return true;
}

static void new_terms(struct play_run *play) {
    struct terms *terms = &play->round.terms;
    const char *const usual[3] = {"human", "lieutenant", "original"};
    for (int side = RED; side <= BLUE; side++) {
        copy(terms->player[side],
             play->asked->named[side] ? play->asked->named[side] : usual[side]);
    }
    copy(terms->variant,
         play->asked->named[VARIANT] ? play->asked->named[VARIANT] : usual[VARIANT]);
    if (play->asked->setup) copy(terms->setup, play->asked->setup);
    terms->first = play->asked->first;
    terms->pace = play->pace;
}

/* Finds the opponent of --level, which plays the side that no option names. Returns the exit code,
 * EXIT_DONE on success. */
static int take_level(const struct folders *folders, struct play_values *asked,
                      char name[FOLDER_PATH_MAX]) {
    enum bot_level level = (enum bot_level)(LEVEL_BEGINNER + asked->level);
    struct bot_levels ladder;
    struct fault fault = {0};
    if (asked->named[RED] && asked->named[BLUE])
        return cli_misuse("play", "--level, --red and --blue; the level is that of a side without "
                                  "a name");
    const struct rung *rung = NULL;
    if (bot_levels_read(folders, &ladder, &fault) && !(rung = bot_levels_find(&ladder, level)))
        fault_set(&fault, STATUS_NOT_FOUND,
                  "no bot has the level \"%s\"; \"%s list bots\" shows their levels",
                  bot_level_name(level), cli_program);
    if (rung) copy(name, rung->name);
    if (rung) asked->named[asked->named[BLUE] ? RED : BLUE] = name;
    bot_levels_clear(&ladder);
    return rung ? EXIT_DONE : cli_fail(&fault);
}

/* Plays game after game while the players want another. `path`: unfinished game, NULL: a new one.
 */
static int play_rounds(struct play_run *play, const char *path) {
    struct ui *ui = &play->ui;
    struct terms *terms = &play->round.terms;
    bool over;
    int code = round_open(&play->round);
    for (bool again = code == EXIT_DONE; again; path = NULL) {
        int ended = round_play(&play->round, path, &over);
        if (ended > code) code = ended;
        bool people = !strcmp(terms->player[RED], "human") || !strcmp(terms->player[BLUE], "human");
        again = over && ui->asks && people &&
                ui->agrees(ui->self,
                           language_text(play->language, TEXT("Play again with sides swapped?")));
        if (again) round_exchange(&play->round);
    }
    round_close(&play->round);
    return code;
}

/* A lesson that is played, one step after another. */
struct schooling {
    struct ui *ui;
    const struct folders *folders;
    const struct language *language;
    struct lesson lesson;
    struct rules *rules;
    const char *variant; /* of the rules */
    const char *path;
};

static bool learn_rules(struct schooling *school, const struct lesson_step *step,
                        struct fault *fault) {
    const char *variant = record_tag(step->record, "Variant");
    if (school->rules && !strcmp(school->variant, variant)) return true;
    rules_free(school->rules);
    school->variant = variant;
    school->rules = loader_variant(school->folders, variant, fault);
    return school->rules;
}

/* The step at which to begin; -1: none. */
static int choose_step(struct schooling *school) {
    const struct lesson *lesson = &school->lesson;
    const char *titles[LESSON_STEPS_MAX];
    if (!school->ui->asks || lesson->count == 1) return 0;
    for (int i = 0; i < lesson->count; i++)
        titles[i] = language_text(school->language, lesson->step[i].title);
    return school->ui->choose(school->ui->self,
                              language_text(school->language, TEXT("The lesson: begin with")),
                              titles, lesson->count);
}

/* Plays a step. False at the end: the user leaves, or there is a fault. */
static bool play_step(struct schooling *school, int number, struct fault *fault) {
    struct ui *ui = school->ui;
    const struct lesson_step *step = &school->lesson.step[number];
    const struct language *language = school->language;
    struct lesson_play play;
    char heading[LANGUAGE_TEXT_MAX], task[LANGUAGE_TEXT_MAX];
    if (!learn_rules(school, step, fault)) return false;
    if (!lesson_begin(&play, step, school->rules, fault)) {
        fault_place(fault, school->path, 0, 0);
        return false;
    }
    struct ui_lesson words = {.title = heading,
                              .text = language_text(language, step->text),
                              .task = task,
                              .done = language_text(language, step->done),
                              .plies = (uint32_t)step->record->move_count,
                              .last = number + 1 == school->lesson.count};
    language_write(heading, sizeof heading, language, "Lesson, {1} of {2}: {3}",
                   NUMBER_TEXT(number + 1), NUMBER_TEXT(school->lesson.count),
                   language_text(language, step->title));
    language_write(task, sizeof task, language, "Your task: {1}",
                   language_text(language, step->task));
    play.refusal = language_text(language, TEXT("The rules allow that, but it is not your task."));
    const enum side other = side_other(play.learner);
    struct table_options options = {.rules = school->rules, .game = lesson_terms(&play)};
    options.ready[other] = &play.other;
    options.game.names[play.learner] = "human";
    struct table table;
    struct ui_game game = {
        .table = &table, .names = {"human", "human"}, .eyes = -1, .lesson = &words};
    game.names[other] = language_text(language, TEXT("the lesson"));
    table_init(&table);
    ui->begin(ui->self, 1, heading);
    bool goes_on =
        table_open(&table, &options, fault) && ui->play(ui->self, &game, fault) && !words.leaves;
    table_close(&table);
    return goes_on;
}

/* Plays the lesson in the file at `path` (NULL: the stock one) from a step on; 0: from the first,
 * or from the one that the user chooses where questions are asked. Nothing is saved and no record
 * is kept. Returns the exit code. */
static int lesson_run(struct ui *ui, const struct folders *folders, const struct language *language,
                      const char *path, int step) {
    struct schooling school = {.ui = ui, .folders = folders, .language = language};
    struct fault fault = {0};
    char stock[FOLDER_PATH_MAX + 16];
    snprintf(stock, sizeof stock, "%s/lesson.txt", folders->scripts);
    school.path = path ? path : stock;
    if (lesson_read(&school.lesson, school.path, &fault)) {
        if (step > school.lesson.count) {
            fault_set(&fault, STATUS_USAGE, "this lesson has %d steps, not %d", school.lesson.count,
                      step);
            fault_place(&fault, school.path, 0, 0);
        }
        int at = fault.status != STATUS_OK ? -1 : step ? step - 1 : choose_step(&school);
        while (at >= 0 && at < school.lesson.count && play_step(&school, at, &fault)) at++;
    }
    lesson_clear(&school.lesson);
    rules_free(school.rules);
    if (fault.status != STATUS_OK) ui->complain(ui->self, &fault);
    return status_exit_code(fault.status);
}

static int play_lesson(const struct play_run *play, const char *path) {
    return lesson_run(play->round.ui, &play->folders, play->language, path, play->asked->step);
}

/* Plays what the start screen chooses, until the user quits or leaves a game unfinished. */
static int play_as_chosen(struct play_run *play) {
    struct ui *ui = &play->ui;
    struct round *round = &play->round;
    int code = EXIT_DONE;
    while (!round->kept[0] && ui->start(ui->self, &round->terms)) {
        int ended = round->terms.lesson ? play_lesson(play, NULL) : play_rounds(play, NULL);
        round->terms.lesson = false;
        if (ended > code) code = ended;
        memset(round->setups, 0, sizeof round->setups);
    }
    return code;
}

static int play_as_asked(struct play_run *play) {
    struct ui *ui = &play->ui;
    struct saved_summary left;
    struct fault fault = {0};
    bool found = false, leaves = false;
    if (play->asked->lesson) return play_lesson(play, play->asked->named[VARIANT]);
    if (play->asked->goes_on && play->asked->named[VARIANT]) {
        found = saved_look(play->asked->named[VARIANT], &left, &fault);
    } else if (play->asked->goes_on || (ui->asks && !play->asked->fresh)) {
        found = pick_left(play, &left, &leaves);
        if (play->asked->goes_on && !found)
            fault_set(&fault, STATUS_NOT_FOUND, "there is no unfinished game");
    }
    if (leaves) return EXIT_DONE;
    if (fault.status == STATUS_OK && found) take_terms(play, &left, &fault);
    if (fault.status != STATUS_OK) {
        ui->complain(ui->self, &fault);
        return status_exit_code(fault.status);
    }
    if (found) return play_rounds(play, left.path);
    new_terms(play);
    bool all_named = play->asked->named[RED] || play->asked->named[BLUE] ||
                     play->asked->named[VARIANT] || play->asked->setup;
    return ui->start && !all_named ? play_as_chosen(play) : play_rounds(play, NULL);
}

static int run_play(const void *values) {
    struct play_values terms = *(const struct play_values *)values;
    const struct play_values *asked = &terms;
    char opponent[FOLDER_PATH_MAX];
    struct play_run play = {
        .asked = asked,
        .round = {.output = asked->output,
                  .deadline = asked->deadline,
                  .trust = asked->trust,
                  .verbose = asked->verbose,
                  .programs = {.fresh = asked->programs_fresh, .wall = asked->wall}}};
    struct fault fault = {0};
    struct stat about;
    int code = EXIT_DONE;
    if (asked->output && !stat(asked->output, &about) && !S_ISDIR(about.st_mode)) {
        return cli_misuse("play", "%s already exists; remove it or give another path",
                          asked->output);
    }
    if (asked->step && !asked->lesson)
        return cli_misuse("play", "--step is an option of --lesson; add --lesson or leave it out");
    if (asked->clock && !pace_read_minutes(asked->clock, &play.pace, &fault))
        return cli_misuse("play", "--clock: %s", fault.text);
    if (!cli_folders(&play.folders)) return EXIT_HOST;
    if (asked->level >= 0 && (code = take_level(&play.folders, &terms, opponent))) return code;
    play.round.folders = &play.folders;
    play.round.language = play.language = cli_tongue();
    play.round.ui = &play.ui;
    rescue_start();
    const bool plain = asked->plain || asked->verbose;
    if (ui_open(&play.ui, plain, &play.folders, play.language, &fault)) {
        code = play_as_asked(&play);
        play.ui.close(play.ui.self);
        rescue_stop();
        if (play.ui.signal) raise(play.ui.signal); /* tells our parent */
    } else {
        code = cli_fail(&fault);
    }
    return code;
}
