/* result_writer.c - the finished games of a match.
 *
 * A record is written before its row, so every row has a whole record even if the process dies at
 * any moment; a record without a row, whole or not, does not count, and is written anew when its
 * game is played again. Games are stored as they come, since a long game must not put others at
 * risk, but counted in order of number. After a batch the thread pauses, so that fast games share a
 * commit; a game after a pause is stored at once. The thread owns the counts and all other members
 * of `struct tournament` that change. What other machines have played may have to be counted anew:
 * from the store, or without one from notes that are kept for it. */
#define _GNU_SOURCE
#include "result_writer.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/fault.h"
#include "base/files.h"
#include "core/play/game.h"
#include "host/record.h"
#include "host/usage.h"
#include "statistics.h"
#include "store.h"

/* What a finished game adds to its match besides its row in the table of games, until it is
 * counted for good: the set-ups, what the players used, a fault. One small allocation, since many
 * games may wait for a long one; a struct fault alone is several times as long. */
struct note {
    struct usage usage[2];
    char *record;        /* owned; NULL unless the options ask for it */
    enum status status;  /* of its fault; STATUS_OK: none */
    enum side late_side; /* the side that failed after the end, if not a forfeit */
    int line, column;
    char
        texts[]; /* set-ups of red and blue, the fault's file and text; empty where there is none */
};

enum { RED_SETUP, BLUE_SETUP, FAULT_FILE, FAULT_TEXT, TEXTS };

/* Copies everything. A set-up may be NULL or empty: none. Free with free(). NULL without memory. */
static struct note *note_new(const struct usage usage[2], const char *const setups[2],
                             const struct fault *fault, enum side late_side) {
    const char *const texts[TEXTS] = {setups[RED] ? setups[RED] : "",
                                      setups[BLUE] ? setups[BLUE] : "", fault->file, fault->text};
    size_t length = 0;
    for (int i = 0; i < TEXTS; i++) length += strlen(texts[i]) + 1;
    struct note *note = malloc(sizeof *note + length);
    if (!note) return NULL;
    *note = (struct note){.usage = {usage[RED], usage[BLUE]},
                          .status = fault->status,
                          .late_side = late_side,
                          .line = fault->line,
                          .column = fault->column};
    char *at = note->texts;
    for (int i = 0; i < TEXTS; i++) at = stpcpy(at, texts[i]) + 1;
    return note;
}

static void note_free(struct note *note) {
    if (note) free(note->record);
    free(note);
}

static const char *note_text(const struct note *note, int which) {
    const char *text = note->texts;
    for (int i = 0; i < which; i++) text += strlen(text) + 1;
    return text;
}

/* The set-up of a side, one line, as long as the note; NULL: none. */
static const char *note_setup(const struct note *note, enum side side) {
    const char *setup = note_text(note, side == RED ? RED_SETUP : BLUE_SETUP);
    return *setup ? setup : NULL;
}

/* The fault, without quoted lines; STATUS_OK if there is none. */
static void note_fault(const struct note *note, struct fault *fault) {
    *fault = (struct fault){0};
    if (note->status == STATUS_OK) return;
    fault_set(fault, note->status, "%s", note_text(note, FAULT_TEXT));
    fault_place(fault, note_text(note, FAULT_FILE), note->line, note->column);
}

enum { REST_MILLISECONDS = 10, QUEUE_MAX = 1024 };

/* The first game of a pair whose second game was not in the store. */
struct half {
    uint32_t number;
    struct setup setups[2];
};

struct result_writer {
    struct tournament *match;
    const struct tournament_options *options;
    atomic_bool *stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work, hurry, room, settled;

    /* Guarded by the lock. */
    struct finished *first, *last;
    uint32_t queued;
    bool busy; /* the thread has games that are not in the queue any more */
    bool closing, failed, runs;
    struct fault fault;

    /* The thread's, once it runs. */
    struct note **notes;        /* of games finished but not counted for good; NULL: none */
    struct standings standings; /* into the match */

    /* Never changes once the result writer is open. */
    struct half *halves;
    size_t half_count;

    /* The executor's thread's. */
    uint32_t *struck; /* pairs */
    size_t struck_count;
};

void result_writer_fail(struct result_writer *writer, const struct fault *fault) {
    pthread_mutex_lock(&writer->lock);
    if (!writer->failed) writer->fault = *fault;
    writer->failed = true;
    pthread_cond_broadcast(&writer->room);
    pthread_cond_broadcast(&writer->settled);
    pthread_mutex_unlock(&writer->lock);
    atomic_store(writer->stop, true);
}

static void result_writer_count_game(struct result_writer *writer, uint32_t number) {
    struct tournament *match = writer->match;
    const struct tournament_game *game = &match->games[number];
    for (int side = RED; side <= BLUE; side++)
        usage_add(&match->usage[game->player[side]], &writer->notes[number]->usage[side]);
    standings_add(&writer->standings, game->player, (enum result)game->result,
                  (enum reason)game->reason, number % 2 == 1);
    match->reasons[game->reason]++;
    match->plies += game->plies;
    match->hash = digest_add_number(match->hash, game->hash);
}

/* Lists the fault of the game being counted; `*forfeit` is the reason of a forfeit. */
static void count_fault(struct tournament *match, const struct note *note, struct fault *forfeit) {
    const struct tournament_game *game = &match->games[match->counted];
    struct tournament_fault broken = {.number = match->counted};
    bool broke = note->status != STATUS_OK;
    *forfeit = (struct fault){0};
    broken.side = note->late_side;
    note_fault(note, &broken.fault);
    if (reason_is_forfeit((enum reason)game->reason)) {
        broken.side = game->result == RESULT_RED ? BLUE : RED;
        if (!broke)
            fault_set(&broken.fault, STATUS_SCRIPT, "%s", reason_name((enum reason)game->reason));
        *forfeit = broken.fault;
        if (match->forfeit_count++ < TOURNAMENT_FAULTS_KEPT)
            match->forfeits[match->forfeit_count - 1] = broken;
    } else if (broke && match->late_count++ < TOURNAMENT_FAULTS_KEPT) {
        match->late[match->late_count - 1] = broken;
    }
}

/* Counts all games up to the first that is not finished. */
static void count_ready(struct result_writer *writer) {
    struct tournament *match = writer->match;
    const struct tournament_options *options = writer->options;
    while (match->counted < match->game_count && !match->decision) {
        uint32_t number = match->counted;
        struct note *note = writer->notes[number];
        if (!note) return;
        struct tournament_news news = {.number = number};
        count_fault(match, note, &news.forfeit);
        result_writer_count_game(writer, number);
        match->counted++;
        if (options->sprt && number % 2)
            match->decision = sprt_decide(options->sprt, match->statistics[0].pairs);
        for (int side = RED; side <= BLUE; side++)
            news.setups[side] = note_setup(note, (enum side)side);
        news.record = note->record;
        if (options->finished) options->finished(options->context, match, &news);
        if (!options->store && options->executor) continue;
        note_free(note);
        writer->notes[number] = NULL;
    }
    if (match->decision) atomic_store(writer->stop, true);
}

static bool keep_record(struct result_writer *writer, const struct finished *finished,
                        struct fault *fault) {
    char path[STORE_PATH_MAX];
    store_record_path(store_folder(writer->options->store), writer->match->game_count,
                      finished->number + 1, path);
    return files_write_anew(path, finished->record, strlen(finished->record), fault);
}

static bool keep_row(struct result_writer *writer, const struct finished *finished,
                     struct fault *fault) {
    const struct tournament_game *game = &finished->game;
    char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    bool forfeited = finished->fault && reason_is_forfeit((enum reason)game->reason);
    if (forfeited) fault_format(finished->fault, why, sizeof why);
    const struct store_game row = {
        .number = finished->number + 1,
        .player = {game->player[RED], game->player[BLUE]},
        .result = (enum result)game->result,
        .reason = (enum reason)game->reason,
        .plies = game->plies,
        .seed = game->seed,
        .usage = {finished->usage[RED], finished->usage[BLUE]},
        .setups = {finished->setup[RED][0] ? finished->setup[RED] : NULL,
                   finished->setup[BLUE][0] ? finished->setup[BLUE] : NULL},
        .forfeit = forfeited ? why : NULL,
        .hash = game->hash,
    };
    return store_put_game(writer->options->store, &row, fault);
}

static bool keep_logs(const struct result_writer *writer, const struct finished *finished,
                      struct fault *fault) {
    const struct tournament_options *options = writer->options;
    static const char *const whose[MATCH_GAME_LOGS] = {"red", "blue", "variant"};
    for (int i = 0; i < MATCH_GAME_LOGS; i++) {
        const char *lines = finished->log[i];
        if (lines && !options->log(options->context, finished->number, whose[i], lines, fault))
            return false;
    }
    return true;
}

static bool result_writer_keep(struct result_writer *writer, const struct finished *batch,
                               struct fault *fault) {
    const struct tournament_options *options = writer->options;
    for (const struct finished *f = batch; f && options->log; f = f->next)
        if (!keep_logs(writer, f, fault)) return false;
    if (!options->store) return true;
    if (!store_in_place(options->store, fault)) return false;
    for (const struct finished *f = batch; f; f = f->next)
        if (!keep_record(writer, f, fault)) return false;
    /* Else the records may be elsewhere; games without a row are played again. */
    if (!store_in_place(options->store, fault) || !store_begin(options->store, fault)) return false;
    for (const struct finished *f = batch; f; f = f->next)
        if (!keep_row(writer, f, fault)) return false;
    /* A bot may have required a module for the first time. */
    return (!options->sources || sources_keep(options->sources, options->store, fault)) &&
           store_commit(options->store, fault);
}

/* Notes a finished game for count_ready(). */
static bool note_finished(struct result_writer *writer, struct finished *finished,
                          struct fault *fault) {
    const struct fault none = {0};
    const char *const setups[2] = {finished->setup[RED], finished->setup[BLUE]};
    struct note *note = note_new(finished->usage, setups, finished->fault ? finished->fault : &none,
                                 finished->late_side);
    if (!note) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (writer->options->records) {
        note->record = finished->record;
        finished->record = NULL;
    }
    writer->notes[finished->number] = note;
    writer->match->games[finished->number] = finished->game;
    return true;
}

static void result_writer_take(struct result_writer *writer, struct finished *batch) {
    struct fault fault = {0};
    bool taken = result_writer_keep(writer, batch, &fault);
    for (struct finished *f = batch; f && taken; f = f->next)
        taken = note_finished(writer, f, &fault);
    if (taken)
        count_ready(writer);
    else
        result_writer_fail(writer, &fault);
}

static void free_batch(struct finished *batch) {
    while (batch) {
        struct finished *next = batch->next;
        finished_free(batch);
        batch = next;
    }
}

static void result_writer_rest(struct result_writer *writer) {
    int64_t until = clock_ms() + REST_MILLISECONDS;
    while (!writer->closing && writer->queued < QUEUE_MAX / 2 &&
           clock_wait(&writer->hurry, &writer->lock, until)) {}
}

static void *result_writer_run(void *argument) {
    struct result_writer *writer = argument;
    pthread_mutex_lock(&writer->lock);
    for (;;) {
        while (!writer->first && !writer->closing) pthread_cond_wait(&writer->work, &writer->lock);
        struct finished *batch = writer->first;
        if (!batch) break;
        bool failed = writer->failed;
        writer->first = writer->last = NULL;
        writer->queued = 0;
        writer->busy = true;
        pthread_cond_broadcast(&writer->room);
        pthread_mutex_unlock(&writer->lock);
        if (!failed) result_writer_take(writer, batch);
        free_batch(batch);
        pthread_mutex_lock(&writer->lock);
        writer->busy = false;
        pthread_cond_broadcast(&writer->settled);
        result_writer_rest(writer);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

void result_writer_post(struct result_writer *writer, struct finished *finished) {
    finished->next = NULL;
    pthread_mutex_lock(&writer->lock);
    while (writer->queued >= QUEUE_MAX && !writer->failed)
        pthread_cond_wait(&writer->room, &writer->lock);
    if (writer->last) writer->last->next = finished;
    if (!writer->first) writer->first = finished;
    writer->last = finished;
    writer->queued++;
    if (writer->queued == 1) pthread_cond_signal(&writer->work);
    if (writer->queued == QUEUE_MAX / 2) pthread_cond_signal(&writer->hurry);
    pthread_mutex_unlock(&writer->lock);
}

void result_writer_settle(struct result_writer *writer) {
    pthread_mutex_lock(&writer->lock);
    pthread_cond_signal(&writer->hurry);
    while ((writer->first || writer->busy) && !writer->failed)
        pthread_cond_wait(&writer->settled, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
}

bool result_writer_strike(struct result_writer *writer, uint32_t pair) {
    uint32_t *grown =
        array_grown(writer->struck, writer->struck_count, sizeof *grown, TOURNAMENT_GAMES_MAX);
    if (!grown) return false;
    writer->struck = grown;
    writer->struck[writer->struck_count++] = pair;
    return true;
}

bool result_writer_has(const struct result_writer *writer, uint32_t number) {
    return writer->match->games[number].reason != REASON_NONE;
}

void result_writer_setups(const struct result_writer *writer, uint32_t number,
                          struct setup setups[2]) {
    for (size_t i = 0; i < writer->half_count; i++) {
        if (writer->halves[i].number != number) continue;
        memcpy(setups, writer->halves[i].setups, sizeof writer->halves[i].setups);
        return;
    }
}

static bool add_half(struct result_writer *writer, const struct store_game *row,
                     const struct setup setups[2], struct fault *fault) {
    struct half *grown =
        array_grown(writer->halves, writer->half_count, sizeof *grown, TOURNAMENT_GAMES_MAX);
    if (!grown) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    writer->halves = grown;
    struct half *half = &writer->halves[writer->half_count++];
    *half = (struct half){row->number - 1, {setups[RED], setups[BLUE]}};
    return true;
}

/* The set-ups of a row; those that are missing stay empty. */
static bool row_setups(const struct result_writer *writer, const struct store_game *row,
                       struct setup setups[2], struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        const char *text = row->setups[side];
        if (text && !setup_read(writer->options->rules, (enum side)side, text, strlen(text),
                                &setups[side], fault))
            return false;
    }
    return true;
}

/* Whether the row's record is there, unchanged. */
static bool record_is_good(const struct result_writer *writer, const struct store_game *row) {
    char path[STORE_PATH_MAX];
    size_t length;
    store_record_path(store_folder(writer->options->store), writer->match->game_count, row->number,
                      path);
    char *text = files_read(path, RECORD_BYTES_MAX, &length, NULL);
    bool good = text && digest_of(text, length) == row->hash;
    free(text);
    return good;
}

static bool take_row(void *context, const struct store_game *row, struct fault *fault) {
    struct result_writer *writer = context;
    struct tournament *match = writer->match;
    uint8_t players[2];
    uint32_t number = row->number - 1;
    if (number < match->game_count) pairing_players(&match->pairing, number / 2, players);
    if (number >= match->game_count || row->player[RED] != players[number % 2] ||
        row->player[BLUE] != players[1 - number % 2] || !row->reason) {
        fault_set(fault, STATUS_TEXT, "game %" PRIu32 " does not belong to this match",
                  row->number);
        fault_place(fault, store_folder(writer->options->store), 0, 0);
        return false;
    }
    if (!record_is_good(writer, row)) return true; /* it is played again */
    struct setup setups[2] = {{{0}}, {{0}}};
    if (!row_setups(writer, row, setups, fault)) return false;
    match->games[number] =
        (struct tournament_game){.player = {players[number % 2], players[1 - number % 2]},
                                 .result = (uint8_t)row->result,
                                 .reason = (uint8_t)row->reason,
                                 .plies = row->plies,
                                 .seed = row->seed,
                                 .hash = row->hash};
    match->found++;
    /* The first game of a pair is a half until the second follows. */
    if (number % 2 == 0) return add_half(writer, row, setups, fault);
    if (writer->half_count && writer->halves[writer->half_count - 1].number == number - 1)
        writer->half_count--;
    return true;
}

/* Counts a row that take_row() took. */
static bool count_row(void *context, const struct store_game *row, struct fault *fault) {
    struct result_writer *writer = context;
    struct fault forfeit = {0};
    uint32_t number = row->number - 1;
    bool taken = number < writer->match->game_count && result_writer_has(writer, number);
    if (!taken || number < writer->match->counted || writer->notes[number]) return true;
    if (row->forfeit) fault_set(&forfeit, STATUS_SCRIPT, "%s", row->forfeit);
    writer->notes[number] = note_new(row->usage, row->setups, &forfeit, RED);
    if (!writer->notes[number]) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    count_ready(writer);
    return true;
}

/* Removes records, finished or not, of games without a row. */
static void tidy_folder(const struct result_writer *writer) {
    const char *path = store_folder(writer->options->store);
    atomic_file_sweep(path);
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char expected[STORE_PATH_MAX], *end;
        unsigned long number = strtoul(entry->d_name, &end, 10);
        if (number < 1 || number > writer->match->game_count) continue;
        store_record_path(path, writer->match->game_count, (uint32_t)number, expected);
        const char *name = expected + strlen(path) + 1;
        if (strcmp(entry->d_name, name) != 0 || result_writer_has(writer, (uint32_t)number - 1))
            continue;
        unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
}

/* Drops games finished after the one that decided the match. */
static bool drop_rest(struct result_writer *writer, struct fault *fault) {
    struct tournament *match = writer->match;
    const struct tournament_options *options = writer->options;
    if (!options->store) return true;
    for (uint32_t number = match->counted; number < match->game_count; number++)
        match->games[number].reason = REASON_NONE;
    if (!store_drop_games(options->store, match->counted + 1, match->game_count, fault))
        return false;
    tidy_folder(writer);
    return true;
}

static void remove_record(const struct result_writer *writer, uint32_t number) {
    char path[STORE_PATH_MAX];
    store_record_path(store_folder(writer->options->store), writer->match->game_count, number + 1,
                      path);
    unlink(path);
}

static bool drop_struck(struct result_writer *writer, struct fault *fault) {
    struct store *store = writer->options->store;
    if (store && !store_begin(store, fault)) return false;
    for (size_t i = 0; i < writer->struck_count; i++) {
        const uint32_t number = 2 * writer->struck[i];
        for (uint32_t game = number; game < number + 2; game++) {
            writer->match->games[game].reason = REASON_NONE;
            note_free(writer->notes[game]);
            writer->notes[game] = NULL;
        }
        if (store && !store_drop_games(store, number + 1, number + 2, fault)) return false;
    }
    if (store && !store_commit(store, fault)) return false;
    for (size_t i = 0; store && i < 2 * writer->struck_count; i++)
        remove_record(writer, 2 * writer->struck[i / 2] + i % 2);
    writer->struck_count = 0;
    return true;
}

/* Takes all rows before the first is counted, so that nothing is told of a store that makes no
 * sense; only rows behind a gap need notes that stay. */
static bool result_writer_load(struct result_writer *writer, struct fault *fault) {
    struct store *store = writer->options->store;
    if (!store) return true;
    if (!store_games(store, take_row, writer, fault) ||
        !store_games(store, count_row, writer, fault))
        return false;
    tidy_folder(writer);
    return true;
}

static void result_writer_free(struct result_writer *writer) {
    for (uint32_t i = 0; writer->notes && i < writer->match->game_count; i++)
        note_free(writer->notes[i]);
    free(writer->notes);
    free(writer->halves);
    free(writer->struck);
    pthread_cond_destroy(&writer->work);
    pthread_cond_destroy(&writer->hurry);
    pthread_cond_destroy(&writer->room);
    pthread_cond_destroy(&writer->settled);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

static bool start_thread(struct result_writer *writer, struct fault *fault) {
    writer->closing = false;
    writer->runs = !pthread_create(&writer->thread, NULL, result_writer_run, writer);
    return writer->runs ||
           fault_set(fault, STATUS_SYSTEM, "cannot start the thread that stores results");
}

/* Ends the thread once it has stored everything. False with the first fault. */
static bool end_thread(struct result_writer *writer, struct fault *fault) {
    pthread_mutex_lock(&writer->lock);
    writer->closing = true;
    pthread_cond_signal(&writer->work);
    pthread_cond_signal(&writer->hurry);
    pthread_mutex_unlock(&writer->lock);
    if (writer->runs) pthread_join(writer->thread, NULL);
    writer->runs = false;
    if (writer->failed && fault) *fault = writer->fault;
    return !writer->failed;
}

/* As it was before the first game was counted. */
static void count_nothing(struct result_writer *writer) {
    struct tournament *match = writer->match;
    const size_t players = (size_t)match->player_count;
    if (match->decision) atomic_store(writer->stop, false); /* it was the match that stopped */
    match->decision = SPRT_UNDECIDED;
    match->found = match->counted = match->forfeit_count = match->late_count = 0;
    match->plies = match->hash = 0;
    memset(match->statistics, 0, sizeof match->statistics);
    memset(match->cross, 0, players * players * sizeof *match->cross);
    memset(match->usage, 0, sizeof match->usage);
    memset(match->reasons, 0, sizeof match->reasons);
    writer->standings.red_points = 0;
    for (uint32_t number = 0; number < match->game_count; number++)
        match->found += result_writer_has(writer, number);
}

bool result_writer_drop(struct result_writer *writer, struct fault *fault) {
    const bool good =
        end_thread(writer, fault) && drop_struck(writer, fault) && start_thread(writer, fault);
    if (!good) result_writer_fail(writer, fault);
    return good;
}

bool result_writer_anew(struct result_writer *writer, struct fault *fault) {
    const struct tournament_options *options = writer->options;
    bool good = end_thread(writer, fault);
    if (good) count_nothing(writer);
    if (good && options->anew) options->anew(options->context);
    good = good && (!options->store || store_games(options->store, count_row, writer, fault));
    if (good) count_ready(writer);
    good = good && start_thread(writer, fault);
    if (!good) result_writer_fail(writer, fault);
    return good;
}

struct result_writer *result_writer_open(struct tournament *match,
                                         const struct tournament_options *options,
                                         atomic_bool *stop, struct fault *fault) {
    struct result_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->work, NULL);
    clock_condition(&writer->hurry);
    pthread_cond_init(&writer->room, NULL);
    pthread_cond_init(&writer->settled, NULL);
    writer->match = match;
    writer->standings = (struct standings){
        .players = match->player_count, .total = match->statistics, .cross = match->cross};
    writer->options = options;
    writer->stop = stop;
    writer->notes = calloc(match->game_count, sizeof *writer->notes);
    match->counted = 2 * options->from;
    if (writer->notes ? result_writer_load(writer, fault) && start_thread(writer, fault)
                      : fault_set(fault, STATUS_NO_MEMORY, "no memory for %" PRIu32 " games",
                                  match->game_count))
        return writer;
    result_writer_free(writer);
    return NULL;
}

static bool end_store(struct result_writer *writer, struct fault *fault) {
    struct tournament *match = writer->match;
    struct store *store = writer->options->store;
    if (match->decision && !drop_rest(writer, fault)) return false;
    if (!store || !tournament_complete(match)) return true;
    return store_put_meta(store, "ended", match->decision ? "decided" : "complete", fault);
}

bool result_writer_close(struct result_writer *writer, struct fault *fault) {
    if (!writer) return true;
    const bool ended = end_thread(writer, fault);
    const bool good = ended && end_store(writer, fault);
    result_writer_free(writer);
    return good;
}
