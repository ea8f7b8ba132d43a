/* round.c - one game that is played or watched at the terminal.
 *
 * Opens the players, runs the game through the referee, saves it after every turn and writes the
 * record at the end. A record holds both set-ups, so it is never shown before the game is over, and
 * never written while an external program could read it. */
#include "round.h"

#include "base/buffer.h"
#include "base/descriptors.h"
#include "base/files.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "core/text/layout.h"
#include "host/authors.h"
#include "host/playback.h"
#include "host/referee.h"
#include "host/seed.h"
#include "host/setups/setup_library.h"
#include "host/takeback.h"
#include "host/wall/loader.h"
#include "host/wall/oracle.h"
#include "lua/logbook.h"
#include "rescue.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct sitting;

/* Where a side's bot prints to. */
struct sitting_log {
    const struct sitting *sitting;
    enum side side;
    struct log_sink sink;
};

/* The state of one game. */
struct sitting {
    struct round *round;
    struct player players[2];
    struct sitting_log log[2];
    struct log_sink calls_sink;
    struct log calls;          /* what the variant's calls print */
    struct buffer calls_lines; /* kept until a person's game is over: they see both armies */
    bool has_guest;            /* an external program plays */
    pthread_mutex_t lock;      /* guards `saved` while the game runs */
    struct saved saved;
    struct record *about;  /* tags of the record: when it was played, and who played which plies */
    struct record *before; /* of a game that goes on, cut to the moves that are left; else NULL */
    struct limits limits;  /* of that game */
    struct pace pace;      /* of the clock; ms 0: none */
    struct stopwatch watch;
    uint64_t seed;
    struct chance chance;       /* of the seed */
    struct suspicions marks[2]; /* of people, by side */
    struct hint hint;           /* for the only person */
    bool hinted;                /* since the file was written */
    enum side first;
    const struct setup *setups[2]; /* NULL: the player is asked */
};

static bool is_human(const struct round *round, int side) {
    return !strcmp(round->terms.player[side], "human");
}

static int people(const struct round *round) {
    return is_human(round, RED) + is_human(round, BLUE);
}

/* The strongest bot gives hints in a game of one person. Without one there are none. */
static void find_adviser(struct round *round) {
    struct ladder ladder;
    const struct rung *top = NULL;
    if (people(round) == 1 && ladder_read(round->folders, &ladder, &(struct fault){0}))
        top = ladder_top(&ladder);
    snprintf(round->adviser, sizeof round->adviser, "%s", top ? top->name : "");
    if (people(round) == 1) ladder_clear(&ladder);
}

int round_open(struct round *round) {
    struct front *front = round->front;
    struct fault fault = {0};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, &fault)) {
        front->complain(front->self, &fault);
        return status_exit_code(fault.status);
    }
    if (!round->rules) round->rules = loader_variant(round->folders, round->terms.variant, &fault);
    if (round->rules && round->trust && oracle_prepare(round->rules, &fault)) return EXIT_DONE;
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

static void close_players(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &sitting->players[side];
        if (player->close) player->close(player->self);
        *player = (struct player){0};
    }
}

/* Shows a line; of a continued game those about plies played before were shown then. */
static void show_log(void *context, const struct log_line *line) {
    const struct sitting_log *log = context;
    const struct sitting *sitting = log->sitting;
    struct front *front = sitting->round->front;
    if (sitting->before && line->ply <= sitting->before->move_count) return;
    front->log(front->self, log->side, line);
}

/* Shows what a call prints, or keeps it. */
static void show_call(void *context, const struct log_line *line) {
    struct sitting *sitting = context;
    struct front *front = sitting->round->front;
    char words[LOGBOOK_ROOM + 64];
    if (sitting->before && line->ply <= sitting->before->move_count) return;
    if (!people(sitting->round)) {
        front->log(front->self, -1, line);
        return;
    }
    snprintf(words, sizeof words, "[variant %" PRIu32 " %s] %s", line->ply, line->callback,
             line->text);
    buffer_add_text(&sitting->calls_lines, words);
    buffer_add(&sitting->calls_lines, "\n", 1);
}

static void show_calls(struct sitting *sitting) {
    struct front *front = sitting->round->front;
    for (char *line = sitting->calls_lines.text, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        front->say(front->self, line);
    }
}

static bool open_players(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    const struct terms *terms = &round->terms;
    for (int side = RED; side <= BLUE; side++) {
        const struct chance chance = chance_derive(&sitting->chance, CHANCE_SEAT, (uint64_t)side);
        const struct player_options seat = {.folders = round->folders,
                                            .rules = round->rules,
                                            .limits = SANDBOX_DEFAULTS,
                                            .deadline = round->deadline,
                                            .programs = round->programs,
                                            .opponent = terms->player[side_other((enum side)side)],
                                            .nursery = round->nursery,
                                            .log = round->verbose ? &sitting->log[side].sink : NULL,
                                            .catches_up = true};
        struct player *player = &sitting->players[side];
        struct sitting_log *log = &sitting->log[side];
        *log = (struct sitting_log){sitting, (enum side)side, {show_log, log}};
        if (is_human(round, side)) continue;
        if (!player_open(player, &seat, terms->player[side], &chance, fault)) return false;
        sitting->has_guest = sitting->has_guest || player->program;
        if (sitting->before && player->own_setup) {
            return fault_set(fault, STATUS_USAGE,
                             "%s lays out its own army and cannot take over a game", player->name);
        }
    }
    return true;
}

/* Settles the set-ups of --setup and those that humans arrange. False without words in `fault` when
 * a human left. */
static bool sitting_arrange(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    const struct terms *terms = &round->terms;
    for (int side = RED; side <= BLUE; side++) {
        bool named = terms->setup[0] && (is_human(round, side) || (!people(round) && side == RED));
        if (!named && !is_human(round, side)) continue;
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

/* Takes the set-ups of a continued game and cuts its record to the playable moves, with the reason
 * in `damage`. False with a fault if the game cannot be continued. */
static bool sitting_understand(struct sitting *sitting, struct fault *damage, struct fault *fault) {
    struct round *round = sitting->round;
    struct record *record = sitting->before;
    struct playback replay;
    struct fault wrong = {0};
    if (record_tag(record, "Position")) {
        return fault_set(fault, STATUS_USAGE,
                         "begins with a position; a game from two set-ups is expected");
    }
    const char *pace = record_tag(record, "Clock");
    if (pace && !pace_read(pace, &sitting->pace, fault)) return false;
    if (!playback_open(&replay, record, round->rules, fault)) return false;
    sitting->limits = replay.session->limits;
    sitting->first = replay.session->start.to_move;
    for (int side = RED; side <= BLUE; side++)
        suspicions_read(&sitting->marks[side], round->rules, (enum side)side, record);
    bool played = playback_run(&replay, UINT32_MAX, &wrong);
    playback_close(&replay);
    for (int side = RED; side <= BLUE; side++) {
        const char *text = record_tag(record, side == RED ? "RedSetup" : "BlueSetup");
        if (!text || !setup_read(round->rules, text, strlen(text), &round->setups[side], fault)) {
            return side == RED ? fault_set(fault, STATUS_TEXT, "the set-up of red is missing")
                               : fault_set(fault, STATUS_TEXT, "the set-up of blue is missing");
        }
        sitting->setups[side] = &round->setups[side];
    }
    if (!played && replay.illegal_ply) {
        if (damage->status == STATUS_OK) *damage = wrong;
        record->move_count = replay.illegal_ply - 1;
        if (!record->damaged) saved_distrust(&sitting->saved);
    }
    return true;
}

/* Continues the game in the file at `path`. False without words in `fault` if the user declines to
 * continue a damaged game. */
static bool sitting_take_up(struct sitting *sitting, const char *path, struct fault *fault) {
    struct round *round = sitting->round;
    struct front *front = round->front;
    struct fault damage = {0};
    char line[512];
    if (!saved_take(&sitting->saved, path, &sitting->before, &damage, fault)) return false;
    if (!sitting_understand(sitting, &damage, fault)) {
        fault_place(fault, path, 0, 0);
        return false;
    }
    if (damage.status == STATUS_OK) return true;
    fault_place(&damage, path, 0, 0);
    front->complain(front->self, &damage);
    if (!front->asks) return true;
    language_write(line, sizeof line, round->language,
                   "Only the first {1} plies of the game can be played. Continue from there?",
                   NUMBER_TEXT(sitting->before->move_count));
    return front->agrees(front->self, line);
}

/* Sets a tag to an absolute path, which holds in any folder. */
static void set_path_tag(struct record *tags, const char *name, const char *path) {
    char *whole = realpath(path, NULL);
    record_set_tag(tags, name, whole ? whole : path);
    free(whole);
}

/* The marks of people, for their own saved game alone. */
static void keep_marks(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++)
        suspicions_write(&sitting->marks[side], sitting->round->rules, (enum side)side,
                         sitting->saved.tags);
}

/* Adds the tags that only continuing a game needs. */
static void set_tags(struct sitting *sitting) {
    const struct terms *terms = &sitting->round->terms;
    struct record *tags = sitting->saved.tags;
    for (int side = RED; side <= BLUE && sitting->before; side++)
        hint_copy(sitting->before, (enum side)side, tags);
    keep_marks(sitting);
    if (path_is_meant(terms->variant, ".lua")) set_path_tag(tags, "VariantPath", terms->variant);
    for (int side = RED; side <= BLUE; side++) {
        const char *player = terms->player[side], *tag = side == RED ? "RedPlayer" : "BluePlayer";
        if (player_is_program(player))
            record_set_tag(tags, tag, player);
        else if (path_is_meant(player, ".lua"))
            set_path_tag(tags, tag, player);
    }
}

/* Says when a person began to play, and which plies a side's earlier players played. Games of bots
 * have no date: the same seed gives the same record. */
static bool set_about(struct sitting *sitting) {
    const struct record *before = sitting->before;
    const char *date = before ? record_tag(before, "Date") : NULL;
    char now[32] = "";
    time_t second = time(NULL);
    struct tm day;
    if (!before && people(sitting->round) && localtime_r(&second, &day) &&
        strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S", &day))
        date = now;
    bool made = !date || record_set_tag(sitting->about, "Date", date);
    for (int side = RED; side <= BLUE && before && made; side++) {
        const char *name = is_human(sitting->round, side) ? "human" : sitting->players[side].name;
        made = authors_go_on(before, (enum side)side, name, sitting->about);
    }
    return made;
}

/* Writes how to continue the game, as a whole line. */
static void write_where(const struct sitting *sitting, char *words, size_t size) {
    size_t length =
        language_write(words, size, sitting->round->language,
                       "The game is saved; \"{1} play --continue\" goes on with it. It is in {2}",
                       cli_program, sitting->saved.path);
    snprintf(words + length, size - length, "\n");
}

/* Also called by another thread. A guest can read the user's files, so a game with a guest is
 * written only after the guest has ended. */
static void sitting_keep(void *context, const struct session *session) {
    struct sitting *sitting = context;
    char words[512];
    if (!session->started) return;
    pthread_mutex_lock(&sitting->lock);
    const struct game_clock clock = stopwatch_look(&sitting->watch);
    sitting->saved.has_clock = sitting->pace.ms > 0;
    memcpy(sitting->saved.left, clock.left, sizeof clock.left);
    bool begins = !sitting->saved.length && !sitting->has_guest && !sitting->round->passing;
    if (sitting->hinted) saved_renew(&sitting->saved, session->record);
    sitting->hinted = false;
    (sitting->has_guest ? saved_hold : saved_keep)(&sitting->saved, session->record);
    pthread_mutex_unlock(&sitting->lock);
    if (!begins || !sitting->saved.length) return;
    write_where(sitting, words, sizeof words);
    rescue_say(words);
}

/* A hint was given, perhaps in another thread: the file notes it with the next turn. */
static void sitting_hinted(void *context, uint32_t ply) {
    struct sitting *sitting = context;
    enum side side = is_human(sitting->round, RED) ? RED : BLUE;
    pthread_mutex_lock(&sitting->lock);
    hint_note(sitting->saved.tags, side, sitting->round->adviser, ply);
    sitting->hinted = true;
    pthread_mutex_unlock(&sitting->lock);
}

static void open_hint(struct sitting *sitting) {
    const struct round *round = sitting->round;
    const enum side side = is_human(round, RED) ? RED : BLUE;
    sitting->hint.options = (struct hint_options){
        .bot = round->adviser,
        .player = {.folders = round->folders,
                   .rules = round->rules,
                   .limits = SANDBOX_DEFAULTS,
                   .deadline = round->deadline,
                   .nursery = round->nursery},
        .chance = chance_derive(&sitting->chance, CHANCE_HINT, (uint64_t)side),
        .given = sitting_hinted,
        .context = sitting};
}

static void kill_players(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &sitting->players[side];
        if (player->kill) player->kill(player->self);
    }
}

/* A signal is about to end the program: kills the guests, then writes the game. */
static void sitting_save(void *context) {
    struct sitting *sitting = context;
    char words[512];
    pthread_mutex_lock(&sitting->lock);
    kill_players(sitting);
    if (sitting->round->passing) {
        words[0] = 0;
    } else if (saved_release(&sitting->saved) && sitting->saved.length) {
        write_where(sitting, words, sizeof words);
    } else {
        snprintf(words, sizeof words, "%s\n",
                 language_text(sitting->round->language, TEXT("The game could not be saved.")));
    }
    pthread_mutex_unlock(&sitting->lock);
    rescue_say(words);
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
    close_players(sitting);
    bool noted = takeback_go_on(sitting->before, report->keep, about);
    sitting->before->move_count = report->keep;
    if (!open_players(sitting, fault)) return false;
    sitting_go_on(sitting, game);
    return (noted && set_about(sitting)) ||
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
    sitting->calls_sink = (struct log_sink){show_call, sitting};
    sitting->calls = (struct log){.sink = &sitting->calls_sink};
    sitting->calls_lines = buffer_of(32 * LOG_GAME_MAX);
    oracle_listen(sitting->round->verbose ? &sitting->calls : NULL);
    bool played = front->play(front->self, game, report, fault);
    while (played && report->taken_back) {
        pthread_mutex_lock(&sitting->lock);
        played = sitting_go_back(sitting, game, report, fault);
        pthread_mutex_unlock(&sitting->lock);
        played = played && front->play(front->self, game, report, fault);
    }
    oracle_listen(NULL);
    if (holds) rescue_let_go();
    kill_players(sitting);
    saved_release(&sitting->saved);
    /* A flag that falls is an end like any other. */
    if (played && report->reason == REASON_FORFEIT_TIME && has_fallen(sitting))
        report->forfeit = (struct fault){0};
    return played;
}

static bool is_folder(const char *path) {
    return path_is_folder(path) || path_ends(path, "/");
}

/* A free name in a folder: "duel-20260314-201500.rec". */
static bool place_in(const char *folder, const struct rules *rules, char path[FRONT_PATH_MAX]) {
    char stamp[32] = "";
    size_t length = strlen(folder);
    time_t now = time(NULL);
    struct tm day;
    if (localtime_r(&now, &day)) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &day);
    for (int i = 1; i < 1000; i++) { /* two games may end in one second */
        char number[8] = "";
        if (i > 1) snprintf(number, sizeof number, "-%d", i);
        int used =
            snprintf(path, FRONT_PATH_MAX, "%s%s%s-%s%s.rec", folder,
                     length && folder[length - 1] == '/' ? "" : "/", rules->name, stamp, number);
        if (used < 0 || used >= FRONT_PATH_MAX) return false;
        if (access(path, F_OK)) return true;
    }
    return false;
}

/* Writes the record to the named path. If that fails or none is named, writes it to the state
 * folder if it is needed, so that no game is lost. */
static int write_record(struct sitting *sitting, const struct record *record, bool needed,
                        char path[FRONT_PATH_MAX]) {
    struct round *round = sitting->round;
    struct front *front = round->front;
    const char *named = front->save_as[0] ? front->save_as : round->output;
    char folder[SAVED_PATH_MAX];
    struct fault fault = {0};
    int code = EXIT_DONE;
    *path = 0;
    char *text = record_write(record);
    if (!text) return EXIT_HOST;
    bool written = false;
    if (named && is_folder(named))
        written = place_in(named, round->rules, path);
    else if (named)
        written = snprintf(path, FRONT_PATH_MAX, "%s", named) < FRONT_PATH_MAX;
    written = written && files_write_new(path, text, strlen(text), DRAFT_DURABLE, &fault);
    if (named && !written) {
        front->complain(front->self, &fault);
        code = status_exit_code(fault.status);
    }
    if (!written && needed) {
        written = saved_folder("games", folder, &fault) && place_in(folder, round->rules, path) &&
                  files_write_new(path, text, strlen(text), DRAFT_DURABLE, &fault);
        if (!written) {
            front->complain(front->self, &fault);
            code = status_exit_code(fault.status);
        }
    }
    if (!written) *path = 0;
    free(text);
    return code;
}

/* Writes the record, shows the ending, and deletes the saved file unless it is still needed. */
static int sitting_finish(struct sitting *sitting, const struct record *record,
                          const struct referee_report *report, bool *over) {
    struct round *round = sitting->round;
    char path[FRONT_PATH_MAX] = "";
    bool played = report->plies > 0 && !round->front->interrupted;
    *over = report->result != RESULT_NONE;
    int code = EXIT_DONE;
    bool kept = (played || round->front->interrupted) && sitting->saved.length &&
                sitting->saved.fault.status == STATUS_OK;
    bool needed_elsewhere = !round->passing && (*over || !kept);
    if (played || (*over && round->output))
        code = write_record(sitting, record, needed_elsewhere, path);
    bool failed = report->forfeit.status != STATUS_OK;
    /* unfinished, or no record was written */
    bool needed = kept && (!*over || (round->passing ? failed : !path[0]));
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
    write_where(sitting, words, sizeof words);
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
    set_tags(sitting);
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
        if (!is_human(round, side)) game.players[side] = &sitting->players[side];
    if (round->adviser[0] && people(round) == 1) {
        open_hint(sitting);
        game.hint = &sitting->hint;
    }
    if (sitting->before) {
        sitting_go_on(sitting, &game);
        game.referee.limits = &sitting->limits;
    }
    bool noted = !sitting->before || takeback_go_on(sitting->before, UINT32_MAX, sitting->about);
    if (!record || !report || !noted || !set_about(sitting)) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a game");
        code = cli_fail(&fault);
    } else if (sitting_play(sitting, &game, report, &fault)) {
        if (report->result == RESULT_NONE) {
            keep_marks(sitting);
            saved_renew(&sitting->saved, game.record);
        }
        for (int side = RED; side <= BLUE; side++)
            hint_copy(sitting->saved.tags, (enum side)side, game.record);
        code = sitting_finish(sitting, game.record, report, over);
        if (*over) show_calls(sitting);
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
    front->begin(front->self, people(round), summary);
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
        open_players(sitting, &fault)) {
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
    close_players(sitting);
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
