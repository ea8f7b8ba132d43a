/* tournament.c - pairings, and the course of a match: players are met, a result writer is opened,
 * and an executor has the pairs played. */
#include "tournament.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "host/match/executor.h"
#include "host/match/match_thread.h"
#include "host/players.h"

/* The executor that plays pairs in threads of this process, `jobs` of the options, the calling one
 * among them. They take pairs in order of number and share the number of the next pair, the result
 * writer, and rules, folders and options, which never change; everything else belongs to one
 * thread. */
extern const struct executor THREADS;

struct crew {
    const struct batch *batch;
    struct processors processors; /* of the calling thread */
    atomic_uint next_pair;
};

static void play_pairs(struct crew *crew, bool first) {
    const struct batch *batch = crew->batch;
    struct match_thread hand =
        match_thread_open(&crew->processors, batch->options->template, first);
    while (!atomic_load(batch->stop)) {
        struct fault fault = {0};
        uint32_t number = atomic_fetch_add(&crew->next_pair, 1);
        if (number >= batch->match->game_count / 2) break;
        match_thread_settle(&hand);
        struct pair pair = consignment_pair(batch, hand.template, number);
        if (pair_play(&pair, &fault)) continue;
        if (fault.status != STATUS_OK) result_writer_fail(batch->writer, &fault);
        break;
    }
    match_thread_close(&hand);
}

static void *run(void *argument) {
    play_pairs(argument, false);
    return NULL;
}

static void carry(void *self, const struct batch *batch) {
    struct crew crew = {.batch = batch, .next_pair = batch->options->from};
    pthread_t threads[TOURNAMENT_JOBS_MAX];
    int started = 0, jobs = batch->options->jobs;
    (void)self;
    processors_get(0, &crew.processors);
    while (started < jobs - 1 && !pthread_create(&threads[started], NULL, run, &crew)) started++;
    /* This thread plays too, and alone if no other can be created. */
    play_pairs(&crew, true);
    while (started) pthread_join(threads[--started], NULL);
}

const struct executor THREADS = {carry, NULL};

uint32_t pairing_meetings(const struct pairing *pairing) {
    uint32_t players = (uint32_t)pairing->players;
    return pairing->gauntlet ? players - 1 : players * (players - 1) / 2;
}

void pairing_players(const struct pairing *pairing, uint32_t pair, uint8_t players[2]) {
    uint32_t meeting = pair % pairing_meetings(pairing), first = 0;
    uint32_t others = (uint32_t)pairing->players - 1; /* opponents left for `first` */
    while (meeting >= others) {
        meeting -= others--;
        first++;
    }
    players[0] = (uint8_t)first;
    players[1] = (uint8_t)(first + 1 + meeting);
}

struct match_runner {
    struct tournament match; /* first: callers hold a pointer to it */
    const struct tournament_options *options;
    atomic_bool own_stop;
};

int tournament_seat(const struct tournament_options *options, int player) {
    return options->family_count == 2 ? 0 : player;
}

static bool is_name_taken(const struct tournament *match, int index, const char *name) {
    for (int i = 0; i < index; i++)
        if (!strcmp(match->name[i], name)) return true;
    return false;
}

/* Gives the player a name that no player before it has. */
static void tell_apart(struct tournament *match, int index) {
    char name[TITLE_MAX];
    strcpy(name, match->name[index]);
    size_t length = utf8_cut(name, strnlen(name, TITLE_MAX - 4)); /* room for "#64" */
    for (int number = 2; is_name_taken(match, index, match->name[index]); number++)
        snprintf(match->name[index], TITLE_MAX, "%.*s#%d", (int)length, name, number);
}

/* Loads a player once, for its name and to report at once if it cannot be loaded. */
static bool meet_player(const struct tournament_options *options, struct tournament *match,
                        int index, struct fault *fault) {
    struct player player = {0};
    const struct chance chance = {{0}}; /* it plays no game */
    const struct player_options seat = {.folders = options->folders,
                                        .rules = options->rules,
                                        .limits = options->limits,
                                        .deadline = options->deadline,
                                        .programs = options->programs,
                                        .template = options->template};
    const char *text = options->players[tournament_seat(options, index)];
    if (options->sources) sources_begin(options->sources);
    bool opened = player_open(&player, &seat, text, &chance, fault);
    bool noted = !opened || !player.program || !options->sources ||
                 sources_note_file(options->sources, player.program, fault);
    if (options->sources) match->source[index] = sources_end(options->sources);
    if (!opened) return false;
    const char *name = options->family_count == 2 ? options->family[index].name : player.name;
    snprintf(match->name[index], sizeof match->name[index], "%s", name);
    utf8_make_safe(match->name[index]); /* a family's comes from a file */
    tell_apart(match, index);
    match->own_setup[index] = player.own_setup;
    match->external[index] = player.program;
    bool fits =
        !player.own_setup || !tournament_families(options) ||
        fault_set(fault, STATUS_USAGE,
                  "%s lays out its own army and cannot play with given set-ups", player.name);
    if (player.close) player.close(player.self);
    return noted && fits;
}

int tournament_families(const struct tournament_options *options) {
    return options->family_count ? options->family_count
                                 : options->rules->armies == ARMIES_BY_CHANCE;
}

struct tournament *tournament_open(const struct tournament_options *options, struct fault *fault) {
    struct match_runner *run = calloc(1, sizeof *run);
    struct tournament *match = &run->match;
    if (!run) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    run->options = options;
    match->player_count = options->family_count == 2 ? 2 : options->player_count;
    match->pairing = (struct pairing){match->player_count, options->gauntlet};
    match->game_count = pairing_meetings(&match->pairing) * options->games;
    size_t players = (size_t)match->player_count;
    for (int i = 0; i < match->player_count; i++)
        if (!meet_player(options, match, i, fault)) goto failed;
    match->games = calloc(match->game_count, sizeof *match->games);
    match->cross = calloc(players * players, sizeof *match->cross);
    if (match->games && match->cross) return match;
    fault_set(fault, STATUS_NO_MEMORY, "no memory for %" PRIu32 " games", match->game_count);
failed:
    tournament_free(match);
    return NULL;
}

bool tournament_enter(const struct tournament *match, struct fault *fault) {
    const struct tournament_options *options = ((const struct match_runner *)match)->options;
    struct store *store = options->store;
    if (!store) return true;
    if (!store_begin(store, fault)) return false;
    for (int i = 0; i < match->player_count; i++) {
        char hash[STORE_HASH_MAX];
        store_write_hash(match->source[i], hash);
        bool family = options->family_count == 2;
        const struct store_player player = {
            match->name[i], family ? options->family[i].name : options->players[i], hash};
        if (!store_put_player(store, (uint32_t)i, &player, fault)) return false;
    }
    return (!options->sources || sources_keep(options->sources, store, fault)) &&
           store_commit(store, fault);
}

bool tournament_play(struct tournament *match, struct fault *fault) {
    struct match_runner *run = (struct match_runner *)match;
    const struct tournament_options *options = run->options;
    const struct executor *executor = options->executor ? options->executor : &THREADS;
    atomic_bool *stop = options->stop ? options->stop : &run->own_stop;
    struct result_writer *writer = result_writer_open(match, options, stop, fault);
    if (!writer) return false;
    executor->carry(executor->self, &(struct batch){match, options, writer, stop});
    return result_writer_close(writer, fault);
}

struct tournament *tournament_run(const struct tournament_options *options, struct fault *fault) {
    struct tournament *match = tournament_open(options, fault);
    if (match && tournament_enter(match, fault) && tournament_play(match, fault)) return match;
    tournament_free(match);
    return NULL;
}

bool tournament_has_externals(const struct tournament *match) {
    for (int i = 0; i < match->player_count; i++)
        if (match->external[i]) return true;
    return false;
}

bool tournament_complete(const struct tournament *match) {
    return match->counted == match->game_count || match->decision != SPRT_UNDECIDED;
}

void tournament_free(struct tournament *match) {
    if (!match) return;
    free(match->games);
    free(match->cross);
    free(match); /* the first member of the match_runner */
}
