/* match.c - many games between bots.
 *
 * Pairs are numbered once; threads take them in that order and play both games of a pair. Texts of
 * records wait in their game's slot until all earlier games are finished and are then hashed,
 * written and freed, so that files and hash come out the same for any number of threads. Rules and
 * folders are shared and never change; everything else a thread touches is its own or is guarded by
 * the one lock. */
#include "match.h"

#include "files.h"
#include "processors.h"
#include "referee.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct worker_pool {
    const struct match_options *options;
    struct match *match;
    struct processors processors; /* of the thread that runs the match */
    pthread_mutex_t lock;         /* guards all below */
    uint32_t next_pair, pair_count;
    int next_worker;
    char **texts; /* of finished records that are not written yet, by game */
    uint32_t written;
    bool failed;
    struct fault *fault;
};

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* The two players of a meeting; meetings are numbered 0-1, 0-2, …, 1-2, … */
static void meeting_players(int player_count, uint32_t meeting, uint8_t players[2]) {
    int first = 0;
    while (meeting >= (uint32_t)(player_count - 1 - first)) {
        meeting -= (uint32_t)(player_count - 1 - first);
        first++;
    }
    players[0] = (uint8_t)first;
    players[1] = (uint8_t)(first + 1 + (int)meeting);
}

/* A player whose script could not even be loaded for this game: it forfeits when it is started. */
static bool absent_start(void *self, const struct view *view, struct fault *fault) {
    (void)view;
    *fault = *(const struct fault *)self;
    return false;
}

static bool absent_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    (void)setup;
    return absent_start(self, view, fault);
}

static bool absent_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    (void)moves, (void)count, (void)answer;
    return absent_start(self, view, fault);
}

static void fail(struct worker_pool *pool, const struct fault *fault) {
    pthread_mutex_lock(&pool->lock);
    if (!pool->failed && pool->fault) *pool->fault = *fault;
    pool->failed = true;
    pthread_mutex_unlock(&pool->lock);
}

/* Hands out what is ready: all games up to the first that is still being played. */
static void deliver(struct worker_pool *pool, uint32_t game, char *text) {
    const struct match_options *options = pool->options;
    struct match *match = pool->match;
    pthread_mutex_lock(&pool->lock);
    pool->texts[game] = text;
    while (pool->written < match->game_count && pool->texts[pool->written] && !pool->failed) {
        char *ready = pool->texts[pool->written];
        match->hash = hash_text(match->hash, ready);
        if (options->folder) {
            char path[FOLDER_PATH_MAX + 32];
            int digits = snprintf(NULL, 0, "%" PRIu32, match->game_count);
            snprintf(path, sizeof path, "%s/%0*" PRIu32 ".rec", options->folder,
                     digits < 4 ? 4 : digits, pool->written + 1);
            pool->failed = !files_write_new(path, ready, strlen(ready), pool->fault);
        }
        free(ready);
        pool->texts[pool->written++] = NULL;
        if (options->progress) {
            options->progress(options->context, pool->written, match->game_count);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

/* NULL also without memory: it is only a help for people. */
static struct fault *forfeit_copy(const struct fault *forfeit) {
    if (forfeit->status == STATUS_OK) return NULL;
    struct fault *copy = malloc(sizeof *copy);
    if (copy) *copy = *forfeit;
    return copy;
}

/* Plays one game. `report` is filled; the record's text goes to deliver(). */
static bool play_game(struct worker_pool *pool, uint32_t number, const uint8_t indices[2],
                      const struct referee_options *referee, struct referee_report *report) {
    const struct match_options *options = pool->options;
    struct fault fault = {0}, absence[2] = {{0}, {0}};
    struct player players[2] = {{0}, {0}};
    struct record *record = record_new();
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &players[side];
        struct random chance =
            random_stream(referee->seed, side == RED ? STREAM_RED_BOT : STREAM_BLUE_BOT, 0);
        const struct player_options seat = {options->folders,
                                            options->rules,
                                            options->limits,
                                            options->deadline,
                                            pool->match->name[indices[side_other((enum side)side)]],
                                            options->nursery};
        if (player_open(player, &seat, options->players[indices[side]], chance, &absence[side])) {
            continue;
        }
        *player = (struct player){.name = pool->match->name[indices[side]],
                                  .self = &absence[side],
                                  .setup = absent_setup,
                                  .start = absent_start,
                                  .move = absent_move};
    }
    struct player *const seats[2] = {&players[RED], &players[BLUE]};
    bool played = record ? referee_play(options->rules, seats, referee, record, report, &fault)
                         : fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    for (int side = RED; side <= BLUE; side++) {
        if (players[side].close) players[side].close(players[side].self);
    }
    char *text = played ? record_write(record) : NULL;
    if (played && !text) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    record_free(record);
    if (!text) {
        fail(pool, &fault);
        return false;
    }
    pool->match->games[number] = (struct match_game){.player = {indices[RED], indices[BLUE]},
                                                     .result = (uint8_t)report->result,
                                                     .reason = (uint8_t)report->reason,
                                                     .plies = report->plies,
                                                     .seed = referee->seed,
                                                     .forfeit = forfeit_copy(&report->forfeit)};
    deliver(pool, number, text);
    return true;
}

static enum side first_side(const struct match_options *options, uint64_t seed) {
    if (options->first != MATCH_FIRST_RULES) return options->first == MATCH_FIRST_RED ? RED : BLUE;
    if (options->rules->first != FIRST_CHOSEN) {
        return options->rules->first == FIRST_BLUE ? BLUE : RED;
    }
    struct random coin = random_stream(seed, STREAM_FIRST, 0);
    return random_below(&coin, 2) ? BLUE : RED;
}

static bool play_pair(struct worker_pool *pool, uint32_t pair) {
    const struct match_options *options = pool->options;
    uint32_t pairs_each = options->games / 2, meeting = pair / pairs_each;
    uint32_t meetings = pool->pair_count / pairs_each;
    /* Numbered so that more games between the same players begin with the same ones. */
    uint64_t index = (uint64_t)(pair % pairs_each) * meetings + meeting;
    struct random seeds = random_stream(options->seed, STREAM_PLAYOUT, index);
    struct referee_options referee = {.seed = random_next(&seeds) >> 11};
    referee.first = first_side(options, referee.seed);
    uint8_t players[2];
    meeting_players(options->player_count, meeting, players);
    for (int side = RED; options->setups && side <= BLUE; side++) {
        struct random draw =
            random_stream(referee.seed, side == RED ? STREAM_RED_SETUP : STREAM_BLUE_SETUP, 0);
        uint32_t chosen = random_below(&draw, (uint32_t)options->setups->count);
        referee.setups[side] = &options->setups->list[chosen];
    }
    struct referee_report first, second;
    if (!play_game(pool, 2 * pair, players, &referee, &first)) return false;
    bool own_setups = pool->match->own_setup[players[0]] || pool->match->own_setup[players[1]];
    for (int side = RED; !own_setups && side <= BLUE; side++) {
        /* A set-up that its bot failed to lay out is asked of the other bot. */
        if (!referee.setups[side] && setup_check(options->rules, &first.setups[side], NULL)) {
            referee.setups[side] = &first.setups[side];
            referee.ask_anyway = true;
        }
    }
    const uint8_t exchanged[2] = {players[1], players[0]};
    return play_game(pool, 2 * pair + 1, exchanged, &referee, &second);
}

static void *worker(void *argument) {
    struct worker_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    int index = pool->next_worker++;
    pthread_mutex_unlock(&pool->lock);
    if (pool->options->nursery) processors_bind(&pool->processors, index, pool->options->jobs);
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        bool more = !pool->failed && pool->next_pair < pool->pair_count;
        uint32_t pair = more ? pool->next_pair++ : 0;
        pthread_mutex_unlock(&pool->lock);
        if (!more || !play_pair(pool, pair)) return NULL;
    }
}

/* Loads every bot once, for its name and so that one that cannot be loaded is reported at once. */
static bool meet_players(const struct match_options *options, struct match *match,
                         struct fault *fault) {
    for (int i = 0; i < options->player_count; i++) {
        struct player player = {0};
        struct random chance = random_stream(options->seed, STREAM_RED_BOT, 0);
        const struct player_options seat = {options->folders,  options->rules, options->limits,
                                            options->deadline, NULL,           options->nursery};
        if (!player_open(&player, &seat, options->players[i], chance, fault)) return false;
        snprintf(match->name[i], sizeof match->name[i], "%s", player.name);
        match->own_setup[i] = player.own_setup;
        if (player.own_setup && options->setups) {
            fault_set(fault, STATUS_USAGE,
                      "%s lays out its own army and cannot play with given set-ups", player.name);
            if (player.close) player.close(player.self);
            return false;
        }
        if (player.close) player.close(player.self);
    }
    return true;
}

static void count_results(struct match *match) {
    for (uint32_t g = 0; g < match->game_count; g += 2) {
        int half_points[2] = {0, 0}; /* of the players who were red and blue in the first game */
        const uint8_t *players = match->games[g].player;
        for (uint32_t i = 0; i < 2; i++) {
            const struct match_game *game = &match->games[g + i];
            for (int side = RED; side <= BLUE; side++) {
                half_points[i == 0 ? side : 1 - side] +=
                    statistics_add(&match->statistics[game->player[side]], (enum side)side,
                                   (enum result)game->result, (enum reason)game->reason);
            }
        }
        for (int i = 0; i < 2; i++) {
            statistics_add_pair(&match->statistics[players[i]], half_points[i]);
        }
    }
}

static void run_workers(struct worker_pool *pool, int jobs) {
    pthread_t threads[MATCH_JOBS_MAX];
    int started = 0;
    processors_get(0, &pool->processors);
    while (started < jobs - 1 && !pthread_create(&threads[started], NULL, worker, pool)) started++;
    worker(pool); /* this thread is one of them, and enough where no other can be had */
    processors_set(0, &pool->processors);
    while (started) pthread_join(threads[--started], NULL);
}

struct match *match_run(const struct match_options *options, struct fault *fault) {
    struct worker_pool pool = {.options = options, .fault = fault};
    uint32_t meetings = (uint32_t)(options->player_count * (options->player_count - 1) / 2);
    struct match *match = calloc(1, sizeof *match);
    pool.match = match;
    if (!match) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    match->player_count = options->player_count;
    match->hash = UINT64_C(0xcbf29ce484222325);
    pool.pair_count = meetings * (options->games / 2);
    match->game_count = 2 * pool.pair_count;
    if (!meet_players(options, match, fault) ||
        (options->folder && !files_empty_folder(options->folder, fault))) {
        match_free(match);
        return NULL;
    }
    match->games = calloc(match->game_count, sizeof *match->games);
    pool.texts = calloc(match->game_count, sizeof *pool.texts);
    if (match->games && pool.texts) {
        pthread_mutex_init(&pool.lock, NULL);
        run_workers(&pool, options->jobs);
        pthread_mutex_destroy(&pool.lock);
    } else {
        pool.failed = true;
        fault_set(fault, STATUS_NO_MEMORY, "no memory for %" PRIu32 " games", match->game_count);
    }
    for (uint32_t i = 0; pool.texts && i < match->game_count; i++) free(pool.texts[i]);
    free(pool.texts);
    if (pool.failed) {
        match_free(match);
        return NULL;
    }
    count_results(match);
    return match;
}

void match_free(struct match *match) {
    if (!match) return;
    for (uint32_t i = 0; match->games && i < match->game_count; i++) free(match->games[i].forfeit);
    free(match->games);
    free(match);
}
