/* round.c - one game that is played or watched at the terminal.
 *
 * Opens the players, runs the game through the referee, saves it after every turn and writes the
 * record at the end. A record holds both set-ups, so it is never shown before the game is over, and
 * never written while an external program could read it. */
#include "sitting.h"

#include "base/descriptors.h"
#include "cli/cli.h"
#include "cli/screen/screen_curses.h"
#include "host/seed.h"
#include "host/setups/setup_library.h"
#include "host/table/history.h"
#include "jail/call_process.h"
#include "jail/loader.h"
#include "rescue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ui_open(struct ui *ui, bool plain, const struct folders *folders,
             const struct language *language, struct fault *fault) {
    const bool screen = !plain && screen_curses_usable(language);
#if ENSIGN_SCREEN
    if (screen) return ui_screen(ui, folders, language, fault);
#else
    (void)screen;
#endif
    return ui_lines(ui, folders, language, fault);
}

/* The strongest bot gives hints in a game of one person. Without one there are none. */
static void find_hint_thread(struct round *round) {
    struct bot_levels ladder;
    const struct rung *top = NULL;
    if (round_people(round) == 1 && bot_levels_read(round->folders, &ladder, &(struct fault){0}))
        top = bot_levels_top(&ladder);
    snprintf(round->hint_bot, sizeof round->hint_bot, "%s", top ? top->name : "");
    if (round_people(round) == 1) bot_levels_clear(&ladder);
}

int round_open(struct round *round) {
    struct ui *ui = round->ui;
    struct fault fault = {0};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, &fault)) {
        ui->complain(ui->self, &fault);
        return status_exit_code(fault.status);
    }
    if (!round->rules) round->rules = loader_variant(round->folders, round->terms.variant, &fault);
    if (round->rules && round->trust) return EXIT_DONE;
    find_hint_thread(round);
    const struct player_options bots = {
        .folders = round->folders, .rules = round->rules, .limits = SANDBOX_DEFAULTS};
    if (round->rules && cli_cage_warning())
        ui->say(ui->self, language_text(round->language, cli_cage_warning()));
    const char *hint = NULL;
    for (int side = RED; side <= BLUE && round->rules && !hint; side++)
        hint = cli_repetition_hint(round->terms.player[side], round->rules);
    if (hint) ui->say(ui->self, hint);
    if (round->rules && !round->trust) round->template = player_template(&bots, &fault);
    if (round->template) return EXIT_DONE;
    ui->complain(ui->self, &fault);
    return status_exit_code(fault.status);
}

void round_close(struct round *round) {
    template_close(round->template);
    rules_free(round->rules);
    round->template = NULL;
    round->rules = NULL;
}

void round_exchange(struct round *round) {
    struct terms *terms = &round->terms;
    char player[FOLDER_PATH_MAX];
    memcpy(player, terms->player[RED], sizeof player);
    memcpy(terms->player[RED], terms->player[BLUE], sizeof player);
    memcpy(terms->player[BLUE], player, sizeof player);
    struct setup setup = round->setups[RED];
    round->setups[RED] = round->setups[BLUE];
    round->setups[BLUE] = setup;
}

/* Of a continued game, what was printed about plies played before was shown then. */
static bool was_shown(const struct sitting *sitting, const struct log_line *line) {
    const struct referee_options *game = &sitting->table.options.game;
    return game->ask_anyway && line->ply <= game->played_count;
}

static void show_log(void *context, const struct log_line *line) {
    const struct sitting_log *log = context;
    const struct sitting *sitting = log->sitting;
    struct ui *ui = sitting->round->ui;
    if (was_shown(sitting, line)) return;
    ui->log(ui->self, (int)log->side, line);
}

/* Shows what a call prints, or keeps it. */
static void show_call(void *context, const struct log_line *line) {
    struct sitting *sitting = context;
    struct ui *ui = sitting->round->ui;
    char words[LOGBOOK_ROOM + 64];
    if (was_shown(sitting, line)) return;
    if (!round_people(sitting->round)) {
        ui->log(ui->self, -1, line);
        return;
    }
    snprintf(words, sizeof words, "[variant %" PRIu32 " %s] %s", line->ply, line->callback,
             line->text);
    buffer_add_text(&sitting->calls_lines, words);
    buffer_add(&sitting->calls_lines, "\n", 1);
}

/* Shows or keeps what calls print from now on, if the round is verbose, until
 * call_process_listen(). */
static void sitting_hear_calls(struct sitting *sitting) {
    sitting->calls_sink = (struct log_sink){show_call, sitting};
    sitting->calls = (struct log){.sink = &sitting->calls_sink};
    sitting->calls_lines = buffer_of(32 * LOG_GAME_MAX);
    call_process_listen(sitting->round->verbose ? &sitting->calls : NULL);
}

/* What calls have printed in a person's game, when it is over. */
static void sitting_show_calls(struct sitting *sitting) {
    struct ui *ui = sitting->round->ui;
    for (char *line = sitting->calls_lines.text, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        ui->say(ui->self, line);
    }
}

/* What a continued game begins with: its armies and moves. */
static void go_on(const struct sitting *sitting, struct referee_options *game) {
    game->played = sitting->before->moves;
    game->played_count = sitting->before->move_count;
    game->limits = &sitting->limits;
    game->ask_anyway = true;
    for (int side = RED; side <= BLUE; side++) game->setups[side] = &sitting->round->setups[side];
}

/* Opens the table, with the players that are no people. False with a fault, also of a program that
 * lays out its own army but is to take over a game. */
static bool sitting_open_table(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    struct table_options options = {
        .rules = round->rules,
        .bots = {.folders = round->folders,
                 .rules = round->rules,
                 .limits = SANDBOX_DEFAULTS,
                 .deadline = round->deadline,
                 .programs = round->programs,
                 .template = round->template,
                 .catches_up = true},
        .chance = &sitting->chance,
        .has_clock = sitting->pace.ms > 0,
        .clock = {{sitting->pace.ms, sitting->pace.ms}, sitting->pace.increment},
        .game = {.first = sitting->first,
                 .seed = sitting->seed,
                 .pace = sitting->pace,
                 .about = sitting->about}};
    for (int side = RED; side <= BLUE; side++) {
        struct sitting_log *log = &sitting->log[side];
        *log = (struct sitting_log){sitting, (enum side)side, {show_log, log}};
        options.told_name[side] = round->terms.player[side];
        if (round->verbose) options.log[side] = &log->sink;
        if (round_is_human(round, side))
            options.game.names[side] = "human";
        else
            options.player[side] = round->terms.player[side];
    }
    if (sitting->before) go_on(sitting, &options.game);
    int64_t left[2];
    if (sitting->before && saved_clock(sitting->before, left))
        memcpy(options.clock.left, left, sizeof left);
    sitting->table.owner = (struct table_listener){sitting_keep, sitting};
    if (!table_open(&sitting->table, &options, fault)) return false;
    for (int side = RED; side <= BLUE; side++)
        sitting->has_external = sitting->has_external || sitting->table.players[side].program;
    return true;
}

/* A hint was given, perhaps in another thread: the file notes it with the next turn. */
static void sitting_hinted(void *context, uint32_t ply) {
    struct sitting *sitting = context;
    enum side side = round_is_human(sitting->round, RED) ? RED : BLUE;
    pthread_mutex_lock(&sitting->lock);
    hint_note(sitting->saved.tags, side, sitting->round->hint_bot, ply);
    sitting->hinted = true;
    pthread_mutex_unlock(&sitting->lock);
}

/* Gets hints for the only person ready. */
static void sitting_open_hint(struct sitting *sitting) {
    const struct round *round = sitting->round;
    const enum side side = round_is_human(round, RED) ? RED : BLUE;
    sitting->hint.options = (struct hint_options){
        .bot = round->hint_bot,
        .player = {.folders = round->folders,
                   .rules = round->rules,
                   .limits = SANDBOX_DEFAULTS,
                   .deadline = round->deadline,
                   .template = round->template},
        .chance = chance_derive(&sitting->chance, CHANCE_HINT, (uint64_t)side),
        .given = sitting_hinted,
        .context = sitting};
}

/* Settles the set-ups of --setup and those that humans arrange. False without words in `fault` when
 * a human left. */
static bool sitting_arrange(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    const struct terms *terms = &round->terms;
    for (int side = RED; side <= BLUE; side++) {
        bool named = terms->setup[0] &&
                     (round_is_human(round, side) || (!round_people(round) && side == RED));
        if (!named && (round->rules->armies != ARMIES_PLACED || !round_is_human(round, side)))
            continue;
        if (named && round->rules->armies == ARMIES_BY_CHANCE)
            return fault_set(fault, STATUS_USAGE, "--setup: each game of \"%s\" draws the armies",
                             round->rules->name);
        if (sitting->table.players[side].own_setup) {
            return fault_set(fault, STATUS_USAGE, "--setup: %s lays out its own army",
                             sitting->table.players[side].name);
        }
        struct setup *setup = &round->setups[side];
        struct random random = chance_random(&sitting->chance, CHANCE_SETUP, (uint64_t)side);
        bool done = named ? setup_library_load(round->folders, round->rules, (enum side)side,
                                               terms->setup, &random, setup, fault)
                          : round->ui->arrange(round->ui->self, round->rules, (enum side)side,
                                               &random, setup, fault);
        if (!done) return false;
        table_give_setup(&sitting->table, (enum side)side, setup);
    }
    return true;
}

static enum side first_side(const struct sitting *sitting) {
    const struct round *round = sitting->round;
    if (round->terms.first >= 0) return (enum side)round->terms.first;
    return rules_draw_first(round->rules, &sitting->chance);
}

/* A flag that falls is an end like any other. */
static void forgive_late(struct sitting *sitting) {
    struct stopwatch *watch = table_watch(&sitting->table);
    struct referee_report *report = &sitting->table.referee.report;
    if (!watch || report->reason != REASON_FORFEIT_TIME) return;
    const struct game_clock clock = stopwatch_look(watch);
    if (!clock.left[RED] || !clock.left[BLUE]) report->forfeit = (struct fault){0};
}

/* Plays the game. When it returns, no external program is left and the game is in its file. */
static bool sitting_play(struct sitting *sitting, const struct ui_game *game, struct fault *fault) {
    struct ui *ui = sitting->round->ui;
    bool holds = sitting->has_external && !ui->takes_signals;
    if (holds && !rescue_hold(sitting_save, sitting))
        return fault_set(fault, STATUS_SYSTEM, "no thread can be started for the game");
    sitting_hear_calls(sitting);
    bool played = ui->play(ui->self, game, fault) && referee_seal(&sitting->table.referee, fault);
    call_process_listen(NULL);
    if (holds) rescue_let_go();
    table_kill(&sitting->table);
    saved_release(&sitting->saved);
    if (played) forgive_late(sitting);
    return played;
}

/* Writes the record, shows the ending, and deletes the saved file unless it is still needed. */
static int sitting_finish(struct sitting *sitting, const struct record *record,
                          const struct referee_report *report, bool *over) {
    struct round *round = sitting->round;
    char path[UI_PATH_MAX] = "";
    *over = report->result != RESULT_NONE;
    int code = EXIT_DONE;
    /* A game that is decided before its first ply is no game; one that is left then goes on. */
    bool counts = (report->plies || !*over) && !round->ui->interrupted;
    bool kept = sitting->saved.length && sitting->saved.fault.status == STATUS_OK;
    bool needed_elsewhere = !round->passing && (*over || !kept);
    if (counts || (*over && round->output))
        code = sitting_write_record(sitting, record, needed_elsewhere, path);
    bool failed = report->forfeit.status != STATUS_OK;
    /* unfinished, or no record was written */
    bool needed = kept && (!*over || (round->passing ? failed : counts && !path[0]));
    const struct ui_end end = {.rules = round->rules,
                               .record = record,
                               .report = report,
                               .path = path[0] ? path : NULL,
                               .saved = needed && !round->passing ? sitting->saved.path : NULL,
                               .passing = round->passing};
    snprintf(round->kept, sizeof round->kept, "%s", needed ? sitting->saved.path : "");
    round->ui->end(round->ui->self, &end);
    if (report->late.status != STATUS_OK) round->ui->complain(round->ui->self, &report->late);
    saved_end(&sitting->saved, !needed);
    if (report->forfeit.status != STATUS_OK) code = status_exit_code(report->forfeit.status);
    return code;
}

/* The host failed: says where the game was last saved. */
static void sitting_fail(const struct sitting *sitting, const struct fault *fault) {
    struct ui *ui = sitting->round->ui;
    char words[512];
    ui->complain(ui->self, fault);
    if (!sitting->saved.length || sitting->saved.fault.status != STATUS_OK) return;
    if (sitting->round->passing) return;
    sitting_write_where(sitting, words, sizeof words);
    words[strcspn(words, "\n")] = 0;
    ui->say(ui->self, words);
}

/* The side of which a person has played a part so far, if the other has none; -1: none, or both. */
static int sitting_eyes(const struct sitting *sitting) {
    if (!sitting->before) return -1;
    bool red = authors_part(sitting->before, RED, "human");
    bool blue = authors_part(sitting->before, BLUE, "human");
    return red == blue ? -1 : red ? RED : BLUE;
}

static int sitting_run(struct sitting *sitting, bool *over) {
    struct round *round = sitting->round;
    struct referee *referee = &sitting->table.referee;
    struct fault fault = {0};
    int code = EXIT_HOST;
    sitting_set_tags(sitting);
    struct ui_game game = {.table = &sitting->table,
                           .names = {round->terms.player[RED], round->terms.player[BLUE]},
                           .marks = sitting->marks,
                           .eyes = sitting_eyes(sitting)};
    if (round->hint_bot[0] && round_people(round) == 1) {
        sitting_open_hint(sitting);
        game.hint = &sitting->hint;
    }
    if (!sitting_set_about(sitting)) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a game");
        code = cli_fail(&fault);
    } else if (sitting_play(sitting, &game, &fault)) {
        struct record *record = referee->session->record;
        if (referee->report.result == RESULT_NONE) {
            sitting_keep_marks(sitting);
            saved_renew(&sitting->saved, record);
        }
        for (int side = RED; side <= BLUE; side++)
            hint_copy(sitting->saved.tags, (enum side)side, record);
        code = sitting_finish(sitting, record, &referee->report, over);
        if (*over) sitting_show_calls(sitting);
    } else {
        sitting_fail(sitting, &fault);
        code = status_exit_code(fault.status);
    }
    rescue_say(NULL);
    return code;
}

/* Sets the seed; a continued game keeps its own. */
static bool take_chance(struct sitting *sitting, struct fault *fault) {
    const char *seed = sitting->before ? record_tag(sitting->before, "Seed") : NULL;
    if (seed)
        sitting->seed = strtoull(seed, NULL, 10);
    else if (sitting->round->seed)
        sitting->seed = *sitting->round->seed;
    else if (!seed_take(UINT64_MAX, &sitting->seed, fault))
        return false;
    if (!seed_stretch(sitting->seed, &sitting->chance, fault)) return false;
    if (!sitting->before) sitting->first = first_side(sitting);
    return true;
}

static void sitting_begin(struct sitting *sitting) {
    struct round *round = sitting->round;
    struct ui *ui = round->ui;
    char summary[512];
    language_write(summary, sizeof summary, round->language, "{1}, red: {2}, blue: {3}, seed {4}",
                   language_title(round->language, round->rules), round->terms.player[RED],
                   round->terms.player[BLUE], NUMBER_TEXT(sitting->seed));
    ui->save_as[0] = 0;
    ui->begin(ui->self, round_people(round), summary);
}

int round_play(struct round *round, const char *path, bool *over) {
    struct sitting *sitting = calloc(1, sizeof *sitting);
    struct fault fault = {0};
    int code = EXIT_DONE;
    bool ready = false;
    *over = false;
    if (!sitting) return EXIT_HOST;
    sitting->round = round;
    sitting->about = record_new();
    if (!sitting->about) {
        free(sitting);
        return EXIT_HOST;
    }
    pthread_mutex_init(&sitting->lock, NULL);
    table_init(&sitting->table);
    sitting->pace = round->terms.pace;
    if (saved_start(&sitting->saved, round->passing ? SAVED_WATCHED : SAVED_GAMES, &fault) &&
        (!path || sitting_take_up(sitting, path, &fault)) && take_chance(sitting, &fault) &&
        sitting_open_table(sitting, &fault)) {
        sitting_begin(sitting);
        char folder[SAVED_PATH_MAX];
        struct fault unsaved = {0};
        if (!round->warned && !saved_folder(SAVED_GAMES, folder, &unsaved)) {
            struct fault warning = {0};
            fault_repeat(&warning, &unsaved);
            fault_within(&warning, "games cannot be saved");
            round->ui->complain(round->ui->self, &warning); /* the game is played anyway */
            round->warned = true;
        }
        ready = path || sitting_arrange(sitting, &fault);
    }
    if (ready) {
        code = sitting_run(sitting, over);
    } else if (fault.text[0]) {
        round->ui->complain(round->ui->self, &fault);
        code = status_exit_code(fault.status);
    } else if (!round->ui->interrupted) {
        round->ui->say(round->ui->self,
                       language_text(round->language, TEXT("No game was played.")));
    }
    table_close(&sitting->table);
    if (sitting->saved.tags) saved_end(&sitting->saved, false);
    record_free(sitting->before);
    record_free(sitting->about);
    hint_clear(&sitting->hint);
    buffer_clear(&sitting->calls_lines);
    pthread_mutex_destroy(&sitting->lock);
    free(sitting);
    return code;
}
