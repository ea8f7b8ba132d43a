/* tournament.c - pairings, and the threads that play the pairs.
 *
 * Threads take pairs in order of number and play both games, unless the ledger has them already.
 * They share the number of the next pair, the ledger, and rules, folders and options, which never
 * change; everything else belongs to one thread. */
#include "tournament.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "bout.h"
#include "host/processors.h"
#include "host/wall/nursery.h"
#include "ledger.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

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

enum { SETTLE_MILLISECONDS = 250 };

struct match_runner {
    struct tournament match; /* first: callers hold a pointer to it */
    const struct tournament_options *options;
    struct ledger *ledger;
    atomic_bool *stop, own_stop;
    struct processors processors; /* of the thread that runs the match */
    atomic_uint next_pair;
};

struct worker {
    struct nursery *nursery; /* its own, so that workers do not wait for each other; may be NULL */
    struct processor_claim claim;
    int64_t settle_at; /* when to look for a better processor; a time of clock_ms() */
};

/* The index in options->players of the match's player. */
static int seat_of(const struct tournament_options *options, int player) {
    return options->family_count == 2 ? 0 : player;
}

/* The player of `side` in game `number`, as a number in the pair: 0 is red in the first game. */
static int member_of(uint32_t number, enum side side) {
    return number % 2 ? (int)side_other(side) : (int)side;
}

static bool has_guest(const struct match_runner *run, const uint8_t players[2]) {
    return run->match.guest[players[0]] || run->match.guest[players[1]];
}

static struct finished *finished_new(const struct match_runner *run, uint32_t number,
                                     const uint8_t players[2], const struct bout *bout) {
    struct finished *finished = calloc(1, sizeof *finished);
    if (!finished) return NULL;
    const struct referee_report *report = &bout->report;
    finished->number = number;
    finished->game = (struct tournament_game){
        .player = {players[RED], players[BLUE]},
        .result = (uint8_t)report->result,
        .reason = (uint8_t)report->reason,
        .plies = report->plies,
        .seed = bout->referee.seed,
        .hash = XXH3_64bits(bout->record, strlen(bout->record)),
    };
    for (int side = RED; side <= BLUE; side++) {
        const struct setup *setup = &report->setups[side];
        if (!setup_check(run->options->rules, setup, NULL)) continue;
        setup_write(run->options->rules, setup, finished->setup[side]);
    }
    memcpy(finished->usage, report->usage, sizeof finished->usage);
    finished->record = bout->record;
    bool forfeited = report->forfeit.status != STATUS_OK;
    const struct fault *fault = forfeited ? &report->forfeit : &report->late;
    finished->late_side = report->late_side;
    if (fault->status != STATUS_OK) {
        finished->fault = malloc(sizeof *finished->fault);
        if (finished->fault) *finished->fault = *fault;
    }
    return finished;
}

/* A game of a pair. "In the pair" means as numbered by member_of(). */
struct encounter {
    uint32_t number;
    uint8_t players[2];         /* by side */
    struct chance chance;       /* of the game */
    const struct setup *own[2]; /* by number in the pair; NULL: the player is asked */
    struct referee_options referee;
};

/* Plays a game and posts it, unless the ledger has it; `stood` are its set-ups, by number in the
 * pair. False when the match is over. */
static bool encounter_play(struct match_runner *run, const struct worker *worker,
                           const struct encounter *encounter, struct setup stood[2]) {
    const struct tournament_options *options = run->options;
    static const struct limits none = {0};
    uint32_t number = encounter->number;
    if (ledger_has(run->ledger, number)) {
        struct setup setups[2] = {{{0}}, {{0}}};
        ledger_setups(run->ledger, number, setups);
        for (int side = RED; side <= BLUE; side++)
            stood[member_of(number, (enum side)side)] = setups[side];
        return true;
    }
    struct bout bout = {.seat = {.folders = options->folders,
                                 .rules = options->rules,
                                 .limits = options->limits,
                                 .deadline = options->deadline,
                                 .programs = options->programs,
                                 .nursery = worker->nursery},
                        .referee = encounter->referee,
                        .guest = has_guest(run, encounter->players)};
    for (int side = RED; side <= BLUE; side++) {
        int member = member_of(number, (enum side)side);
        bout.player[side] = options->players[seat_of(options, encounter->players[side])];
        bout.name[side] = run->match.name[encounter->players[side]];
        bout.renamed = options->family_count != 2;
        bout.chance[side] = chance_derive(&encounter->chance, CHANCE_SEAT, (uint64_t)member);
        bout.referee.setups[side] = encounter->own[member];
    }
    bout.referee.seed = chance_number(&encounter->chance, CHANCE_TOLD, 0) >> 11;
    bout.referee.give_up = run->stop;
    if (options->no_limits) bout.referee.limits = &none;
    struct fault fault = {0};
    bool played = bout_play(&bout, &fault);
    if (played && !bout.record) return false;
    struct finished *finished =
        played ? finished_new(run, number, encounter->players, &bout) : NULL;
    if (!finished) {
        if (played) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        free(bout.record);
        ledger_fail(run->ledger, &fault);
        return false;
    }
    for (int side = RED; side <= BLUE; side++)
        stood[member_of(number, (enum side)side)] = bout.report.setups[side];
    ledger_post(run->ledger, finished);
    return true;
}

static enum side first_side(const struct tournament_options *options, const struct chance *pair) {
    if (options->first != TOURNAMENT_FIRST_RULES)
        return options->first == TOURNAMENT_FIRST_RED ? RED : BLUE;
    return rules_draw_first(options->rules, pair);
}

/* Draws an army from a family, by the chance of a pair or of one game of it. */
static bool draw_setup(const struct tournament_options *options, const struct chance *chance,
                       int member, struct setup *setup, struct fault *fault) {
    struct random draw = chance_random(chance, CHANCE_SETUP, (uint64_t)member);
    const struct tournament_family *family =
        &options->family[options->family_count == 2 ? member : 0];
    if (!family->setups) return setup_random(options->rules, &draw, setup, fault);
    *setup = family->setups->list[random_below(&draw, (uint32_t)family->setups->count)];
    return true;
}

static bool draw_setups(const struct match_runner *run, const struct chance *chance,
                        struct setup drawn[2]) {
    struct fault fault = {0};
    for (int member = 0; member < 2; member++) {
        if (draw_setup(run->options, chance, member, &drawn[member], &fault)) continue;
        ledger_fail(run->ledger, &fault);
        return false;
    }
    return true;
}

/* Gives the players drawn armies: of two families each plays its own in both games; of one family
 * the players exchange them for the second game. */
static void give_drawn(const struct tournament_options *options, const struct setup drawn[2],
                       struct encounter *encounter) {
    bool exchanged = options->family_count == 1 && encounter->number % 2;
    for (int member = 0; member < 2; member++)
        encounter->own[member] = &drawn[exchanged ? 1 - member : member];
}

static bool play_pair(struct match_runner *run, const struct worker *worker, uint32_t pair) {
    const struct tournament_options *options = run->options;
    const struct chance chance = chance_derive(&options->chance, CHANCE_PAIR, pair);
    struct setup drawn[2], stood[2] = {{{0}}, {{0}}};
    uint8_t players[2];
    pairing_players(&run->match.pairing, pair, players);
    bool guests = has_guest(run, players);
    for (uint32_t game = 0; game < 2; game++) {
        struct encounter encounter = {.number = 2 * pair + game,
                                      .players = {players[game], players[1 - game]},
                                      /* A program may remember the first game. */
                                      .chance =
                                          chance_derive(&chance, CHANCE_GAME, guests ? game : 0),
                                      .referee.first = first_side(options, &chance)};
        const struct chance *drawing = guests ? &encounter.chance : &chance;
        if (options->family_count && (guests || !game) && !draw_setups(run, drawing, drawn))
            return false;
        if (options->family_count) give_drawn(options, drawn, &encounter);
        for (int member = 0; game && !guests && !options->family_count && member < 2; member++) {
            /* If none was accepted, the player is asked again. */
            if (!setup_check(options->rules, &stood[member], NULL)) continue;
            encounter.own[member] = &stood[member];
            encounter.referee.ask_anyway = true;
        }
        if (!encounter_play(run, worker, &encounter, stood)) return false;
    }
    return true;
}

/* A thread, its nursery and its bots stay on one processor; from time to time the thread looks for
 * one that is not shared. */
static void worker_settle(const struct match_runner *run, struct worker *worker) {
    int64_t now = clock_ms();
    if (!worker->nursery || now < worker->settle_at) return;
    worker->settle_at = now + SETTLE_MILLISECONDS;
    if (!processors_claim(&run->processors, &worker->claim)) return;
    struct processors processors;
    processors_get(0, &processors);
    processors_set(nursery_process(worker->nursery), &processors);
}

static void play_pairs(struct match_runner *run, struct nursery *nursery) {
    struct worker worker = {.nursery = nursery, .claim = PROCESSOR_UNCLAIMED};
    while (!atomic_load(run->stop)) {
        uint32_t pair = atomic_fetch_add(&run->next_pair, 1);
        if (pair >= run->match.game_count / 2) break;
        worker_settle(run, &worker);
        if (!play_pair(run, &worker, pair)) break;
    }
    processors_release(&run->processors, &worker.claim);
}

/* A thread other than the first. */
static void *worker_run(void *argument) {
    struct match_runner *run = argument;
    struct nursery *first = run->options->nursery;
    struct nursery *twin = first ? nursery_twin(first, NULL) : NULL;
    play_pairs(run, twin ? twin : first);
    nursery_close(twin);
    return NULL;
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
                                        .nursery = options->nursery};
    const char *text = options->players[seat_of(options, index)];
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
    match->guest[index] = player.program;
    bool fits =
        !player.own_setup || !options->family_count ||
        fault_set(fault, STATUS_USAGE,
                  "%s lays out its own army and cannot play with given set-ups", player.name);
    if (player.close) player.close(player.self);
    return noted && fits;
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

static bool keep_players(const struct tournament *match, const struct tournament_options *options,
                         struct fault *fault) {
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
    pthread_t threads[TOURNAMENT_JOBS_MAX];
    int started = 0, jobs = run->options->jobs;
    run->stop = run->options->stop ? run->options->stop : &run->own_stop;
    if (!keep_players(match, run->options, fault)) return false;
    run->ledger = ledger_open(match, run->options, run->stop, fault);
    if (!run->ledger) return false;
    processors_get(0, &run->processors);
    while (started < jobs - 1 && !pthread_create(&threads[started], NULL, worker_run, run))
        started++;
    /* This thread plays too, and alone if no other can be created. */
    play_pairs(run, run->options->nursery);
    while (started) pthread_join(threads[--started], NULL);
    return ledger_close(run->ledger, fault);
}

struct tournament *tournament_run(const struct tournament_options *options, struct fault *fault) {
    struct tournament *match = tournament_open(options, fault);
    if (match && tournament_play(match, fault)) return match;
    tournament_free(match);
    return NULL;
}

bool tournament_has_guests(const struct tournament *match) {
    for (int i = 0; i < match->player_count; i++)
        if (match->guest[i]) return true;
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
