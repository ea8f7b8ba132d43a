/* round.c - one game that is played or watched at the terminal.
 *
 * Opens the players, runs the game through the referee, saves it after every turn and writes the
 * record at the end. A record holds both set-ups, so it is never shown before the game is over, and
 * never written while an external program could read it. */
#include "sitting.h"

#include "base/descriptors.h"
#include "cli/cli.h"
#include "host/authors.h"
#include "host/seed.h"
#include "host/setups/setup_library.h"
#include "host/takeback.h"
#include "jail/loader.h"
#include "jail/oracle.h"
#include "rescue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The strongest bot gives hints in a game of one person. Without one there are none. */
static void find_adviser(struct round *round) {
    struct ladder ladder;
    const struct rung *top = NULL;
    if (round_people(round) == 1 && ladder_read(round->folders, &ladder, &(struct fault){0}))
        top = ladder_top(&ladder);
    snprintf(round->adviser, sizeof round->adviser, "%s", top ? top->name : "");
    if (round_people(round) == 1) ladder_clear(&ladder);
}

int round_open(struct round *round) {
    struct front *front = round->front;
    struct fault fault = {0};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, &fault)) {
        front->complain(front->self, &fault);
        return status_exit_code(fault.status);
    }
    if (!round->rules) round->rules = loader_variant(round->folders, round->terms.variant, &fault);
    if (round->rules && round->trust) return EXIT_DONE;
    find_adviser(round);
    const struct player_options bots = {
        .folders = round->folders, .rules = round->rules, .limits = SANDBOX_DEFAULTS};
    if (round->rules && cli_cage_warning())
        front->say(front->self, language_text(round->language, cli_cage_warning()));
    const char *hint = NULL;
    for (int side = RED; side <= BLUE && round->rules && !hint; side++)
        hint = cli_repetition_hint(round->terms.player[side], round->rules);
    if (hint) front->say(front->self, hint);
    if (round->rules && !round->trust) round->nursery = player_nursery(&bots, &fault);
    if (round->nursery) return EXIT_DONE;
    front->complain(front->self, &fault);
    return status_exit_code(fault.status);
}

void round_close(struct round *round) {
    nursery_close(round->nursery);
    rules_free(round->rules);
    round->nursery = NULL;
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

/* Settles the set-ups of --setup and those that humans arrange. False without words in `fault` when
 * a human left. */
static bool sitting_arrange(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    const struct terms *terms = &round->terms;
    for (int side = RED; side <= BLUE; side++) {
        bool named = terms->setup[0] &&
                     (round_is_human(round, side) || (!round_people(round) && side == RED));
        if (!named && !round_is_human(round, side)) continue;
        if (sitting->players[side].own_setup) {
            return fault_set(fault, STATUS_USAGE, "--setup: %s lays out its own army",
                             sitting->players[side].name);
        }
        struct setup *setup = &round->setups[side];
        struct random random = chance_random(&sitting->chance, CHANCE_SETUP, (uint64_t)side);
        bool done = named ? setup_library_load(round->folders, round->rules, terms->setup, &random,
                                               setup, fault)
                          : round->front->arrange(round->front->self, round->rules, (enum side)side,
                                                  &random, setup, fault);
        if (!done) return false;
        sitting->setups[side] = setup;
    }
    return true;
}

static enum side first_side(const struct sitting *sitting) {
    const struct round *round = sitting->round;
    if (round->terms.first >= 0) return (enum side)round->terms.first;
    return rules_draw_first(round->rules, &sitting->chance);
}

/* Begins with `before`: its moves, and its armies, of which `setups` has both. */
static void sitting_go_on(struct sitting *sitting, struct front_game *game) {
    game->referee.played = sitting->before->moves;
    game->referee.played_count = sitting->before->move_count;
    game->referee.about = sitting->about;
    game->referee.ask_anyway = true;
    for (int side = RED; side <= BLUE; side++) game->referee.setups[side] = sitting->setups[side];
}

/* Opens the game that `game->record` holds again, after the plies that are kept. */
static bool sitting_go_back(struct sitting *sitting, struct front_game *game,
                            const struct referee_report *report, struct fault *fault) {
    struct record *about = record_new(), *record = record_new();
    if (!about || !record) {
        record_free(about);
        record_free(record);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory to take moves back");
    }
    record_free(sitting->about);
    record_free(sitting->before);
    sitting->about = about;
    sitting->before = game->record;
    game->record = record;
    game->taken_back = true;
    for (int side = RED; side <= BLUE; side++) {
        sitting->round->setups[side] = report->setups[side];
        sitting->setups[side] = &sitting->round->setups[side];
    }
    sitting_close_players(sitting);
    bool noted = takeback_go_on(sitting->before, report->keep, about);
    sitting->before->move_count = report->keep;
    if (!sitting_open_players(sitting, fault)) return false;
    sitting_go_on(sitting, game);
    return (noted && sitting_set_about(sitting)) ||
           fault_set(fault, STATUS_NO_MEMORY, "no memory to take moves back");
}

/* Opens the clock, with what a continued game has left. */
static void wind_up(struct sitting *sitting) {
    struct game_clock clock = {{sitting->pace.ms, sitting->pace.ms}, sitting->pace.increment};
    int64_t left[2];
    if (sitting->before && saved_clock(sitting->before, left))
        memcpy(clock.left, left, sizeof left);
    stopwatch_open(&sitting->watch, &clock);
}

/* Has a side no time left? */
static bool has_fallen(struct sitting *sitting) {
    const struct game_clock clock = stopwatch_look(&sitting->watch);
    return sitting->pace.ms && !(clock.left[RED] && clock.left[BLUE]);
}

/* Plays the game. When it returns, no guest is left and the game is in its file. */
static bool sitting_play(struct sitting *sitting, struct front_game *game,
                         struct referee_report *report, struct fault *fault) {
    struct front *front = sitting->round->front;
    bool holds = sitting->has_guest && !front->takes_signals;
    if (holds && !rescue_hold(sitting_save, sitting))
        return fault_set(fault, STATUS_SYSTEM, "no thread can be started for the game");
    sitting_hear_calls(sitting);
    bool played = front->play(front->self, game, report, fault);
    while (played && report->taken_back) {
        pthread_mutex_lock(&sitting->lock);
        played = sitting_go_back(sitting, game, report, fault);
        pthread_mutex_unlock(&sitting->lock);
        played = played && front->play(front->self, game, report, fault);
    }
    oracle_listen(NULL);
    if (holds) rescue_let_go();
    sitting_kill_players(sitting);
    saved_release(&sitting->saved);
    /* A flag that falls is an end like any other. */
    if (played && report->reason == REASON_FORFEIT_TIME && has_fallen(sitting))
        report->forfeit = (struct fault){0};
    return played;
}

/* Writes the record, shows the ending, and deletes the saved file unless it is still needed. */
static int sitting_finish(struct sitting *sitting, const struct record *record,
                          const struct referee_report *report, bool *over) {
    struct round *round = sitting->round;
    char path[FRONT_PATH_MAX] = "";
    *over = report->result != RESULT_NONE;
    int code = EXIT_DONE;
    /* A game that is decided before its first ply is no game; one that is left then goes on. */
    bool counts = (report->plies || !*over) && !round->front->interrupted;
    bool kept = sitting->saved.length && sitting->saved.fault.status == STATUS_OK;
    bool needed_elsewhere = !round->passing && (*over || !kept);
    if (counts || (*over && round->output))
        code = sitting_write_record(sitting, record, needed_elsewhere, path);
    bool failed = report->forfeit.status != STATUS_OK;
    /* unfinished, or no record was written */
    bool needed = kept && (!*over || (round->passing ? failed : counts && !path[0]));
    const struct front_end end = {.rules = round->rules,
                                  .record = record,
                                  .report = report,
                                  .path = path[0] ? path : NULL,
                                  .saved = needed && !round->passing ? sitting->saved.path : NULL,
                                  .passing = round->passing};
    snprintf(round->kept, sizeof round->kept, "%s", needed ? sitting->saved.path : "");
    round->front->end(round->front->self, &end);
    if (report->late.status != STATUS_OK) round->front->complain(round->front->self, &report->late);
    saved_end(&sitting->saved, !needed);
    if (report->forfeit.status != STATUS_OK) code = status_exit_code(report->forfeit.status);
    return code;
}

/* The host failed: says where the game was last saved. */
static void sitting_fail(const struct sitting *sitting, const struct fault *fault) {
    struct front *front = sitting->round->front;
    char words[512];
    front->complain(front->self, fault);
    if (!sitting->saved.length || sitting->saved.fault.status != STATUS_OK) return;
    if (sitting->round->passing) return;
    sitting_write_where(sitting, words, sizeof words);
    words[strcspn(words, "\n")] = 0;
    front->say(front->self, words);
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
    struct fault fault = {0};
    struct record *record = record_new();
    struct referee_report *report = calloc(1, sizeof *report);
    int code = EXIT_HOST;
    sitting_set_tags(sitting);
    struct front_game game = {.rules = round->rules,
                              .names = {round->terms.player[RED], round->terms.player[BLUE]},
                              .referee = {.setups = {sitting->setups[RED], sitting->setups[BLUE]},
                                          .first = sitting->first,
                                          .seed = sitting->seed,
                                          .pace = sitting->pace,
                                          .watch = sitting->pace.ms ? &sitting->watch : NULL,
                                          .about = sitting->about,
                                          .follow = sitting_keep,
                                          .context = sitting},
                              .record = record,
                              .marks = sitting->marks,
                              .eyes = sitting_eyes(sitting)};
    for (int side = RED; side <= BLUE; side++)
        if (!round_is_human(round, side)) game.players[side] = &sitting->players[side];
    if (round->adviser[0] && round_people(round) == 1) {
        sitting_open_hint(sitting);
        game.hint = &sitting->hint;
    }
    if (sitting->before) {
        sitting_go_on(sitting, &game);
        game.referee.limits = &sitting->limits;
    }
    bool noted = !sitting->before || takeback_go_on(sitting->before, UINT32_MAX, sitting->about);
    if (!record || !report || !noted || !sitting_set_about(sitting)) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a game");
        code = cli_fail(&fault);
    } else if (sitting_play(sitting, &game, report, &fault)) {
        if (report->result == RESULT_NONE) {
            sitting_keep_marks(sitting);
            saved_renew(&sitting->saved, game.record);
        }
        for (int side = RED; side <= BLUE; side++)
            hint_copy(sitting->saved.tags, (enum side)side, game.record);
        code = sitting_finish(sitting, game.record, report, over);
        if (*over) sitting_show_calls(sitting);
    } else {
        sitting_fail(sitting, &fault);
        code = status_exit_code(fault.status);
    }
    rescue_say(NULL);
    free(report);
    record_free(game.record);
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
    struct front *front = round->front;
    char summary[512];
    language_write(summary, sizeof summary, round->language, "{1}, red: {2}, blue: {3}, seed {4}",
                   language_title(round->language, round->rules), round->terms.player[RED],
                   round->terms.player[BLUE], NUMBER_TEXT(sitting->seed));
    front->save_as[0] = 0;
    front->begin(front->self, round_people(round), summary);
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
    sitting->pace = round->terms.pace;
    if (saved_start(&sitting->saved, round->passing ? SAVED_WATCHED : SAVED_GAMES, &fault) &&
        (!path || sitting_take_up(sitting, path, &fault)) && take_chance(sitting, &fault) &&
        sitting_open_players(sitting, &fault)) {
        sitting_begin(sitting);
        char folder[SAVED_PATH_MAX];
        struct fault unsaved = {0};
        if (!round->warned && !saved_folder(SAVED_GAMES, folder, &unsaved)) {
            struct fault warning = {0};
            fault_repeat(&warning, &unsaved);
            fault_within(&warning, "games cannot be saved");
            round->front->complain(round->front->self, &warning); /* the game is played anyway */
            round->warned = true;
        }
        ready = path || sitting_arrange(sitting, &fault);
    }
    wind_up(sitting);
    if (ready) {
        code = sitting_run(sitting, over);
    } else if (fault.text[0]) {
        round->front->complain(round->front->self, &fault);
        code = status_exit_code(fault.status);
    } else if (!round->front->interrupted) {
        round->front->say(round->front->self,
                          language_text(round->language, TEXT("No game was played.")));
    }
    sitting_close_players(sitting);
    if (sitting->saved.tags) saved_end(&sitting->saved, false);
    record_free(sitting->before);
    record_free(sitting->about);
    stopwatch_close(&sitting->watch);
    hint_clear(&sitting->hint);
    buffer_clear(&sitting->calls_lines);
    pthread_mutex_destroy(&sitting->lock);
    free(sitting);
    return code;
}
