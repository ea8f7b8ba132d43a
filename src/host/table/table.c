/* table.c - opens a game that people play, and opens it again. */
#include "table.h"

#include "base/descriptors.h"
#include "host/players.h"
#include "host/table/history.h"

#include <stdlib.h>
#include <string.h>

void table_init(struct table *table) {
    *table = (struct table){0};
    pthread_mutex_init(&table->lock, NULL);
}

bool table_is_person(const struct table *table, enum side side) {
    return !table->options.player[side] && !table->options.ready[side];
}

int table_people(const struct table *table) {
    return table_is_person(table, RED) + table_is_person(table, BLUE);
}

struct stopwatch *table_watch(struct table *table) {
    return table->options.has_clock ? &table->watch : NULL;
}

void table_give_setup(struct table *table, enum side side, const struct setup *setup) {
    table->options.game.setups[side] = table->referee.options.setups[side] = setup;
}

void table_rename(struct table *table, enum side side, const char *name) {
    table->options.game.names[side] = table->options.told_name[side] = name;
    session_rename(table->referee.session, side, name);
}

static void tell(struct table *table, const struct session *session, bool again) {
    const struct table_listener *const listeners[] = {&table->owner, &table->client};
    for (int i = 0; i < 2; i++)
        if (listeners[i]->hear) listeners[i]->hear(listeners[i]->context, session, again);
}

static void table_follow(void *context, const struct session *session) {
    tell(context, session, false);
}

static void table_repeat(void *context, const struct session *session) {
    tell(context, session, true);
}

static bool table_admits(void *context, const struct session *session, const struct answer *answer,
                         struct fault *fault) {
    const struct referee_options *game = &((struct table *)context)->options.game;
    return !game->admits || game->admits(game->context, session, answer, fault);
}

/* A program is opened inside the lock, so that none is left after table_kill(). A bot is not: it
 * may wait for threads that wait for whoever kills, and it ends with this process. */
static bool open_player(struct table *table, enum side side, struct fault *fault) {
    const struct table_options *options = &table->options;
    const struct referee_options *game = &options->game;
    const struct chance chance = chance_derive(options->chance, CHANCE_SEAT, side);
    struct player_options seat = options->bots;
    seat.opponent = options->told_name[side_other(side)];
    seat.log = options->log[side];
    if (!descriptors_left(options->kept_descriptors, fault)) return false;
    struct player opening;
    const bool external = player_is_program(options->player[side]);
    pthread_mutex_lock(&table->lock);
    const bool killed = table->killed;
    if (!external) pthread_mutex_unlock(&table->lock);
    const bool opened = killed
                            ? fault_set(fault, STATUS_KILLED, "the game is being left")
                            : player_open(&opening, &seat, options->player[side], &chance, fault);
    if (!external) pthread_mutex_lock(&table->lock);
    if (opened) table->players[side] = opening;
    table->opened[side] = opened;
    pthread_mutex_unlock(&table->lock);
    const struct player *player = &table->players[side];
    if (!opened) return false;
    table->own_army = table->own_army || player->own_setup;
    if (!player->own_setup || (!game->setups[side] && !game->position)) return true;
    return fault_set(fault, STATUS_USAGE,
                     game->ask_anyway ? "%s lays out its own army and cannot take over a game"
                                      : "%s lays out its own army",
                     player->name);
}

/* Opens players and referee. */
static bool open_game(struct table *table, struct fault *fault) {
    const struct table_options *options = &table->options;
    struct referee_options game = options->game;
    struct player *players[2] = {options->ready[RED], options->ready[BLUE]};
    game.chance = options->chance;
    game.watch = table_watch(table);
    game.interrupt = &table->interrupted;
    game.follow = table_follow;
    game.repeat = table_repeat;
    game.admits = table_admits;
    game.context = table;
    for (int side = RED; side <= BLUE; side++) {
        const bool opens = options->player[side] && !options->alone;
        if (opens && !open_player(table, (enum side)side, fault)) return false;
        if (opens) players[side] = &table->players[side];
        if (!players[side] && !game.names[side])
            game.names[side] = options->player[side] ? options->player[side] : "human";
    }
    return referee_open(&table->referee, options->rules, players, &game, true, fault);
}

bool table_open(struct table *table, const struct table_options *options, struct fault *fault) {
    table->options = *options;
    if (options->has_clock) stopwatch_open(&table->watch, &options->clock);
    return open_game(table, fault);
}

void table_close_players(struct table *table) {
    for (int side = RED; side <= BLUE; side++) {
        pthread_mutex_lock(&table->lock);
        const bool opened = table->opened[side];
        table->opened[side] = false;
        pthread_mutex_unlock(&table->lock);
        if (!opened) continue;
        table->players[side].close(table->players[side].self);
        table->players[side] = (struct player){0}; /* the referee may have more to tell */
    }
}

void table_kill(struct table *table) {
    pthread_mutex_lock(&table->lock);
    table->killed = true;
    for (int side = RED; side <= BLUE; side++)
        if (table->opened[side] && table->players[side].kill)
            table->players[side].kill(table->players[side].self);
    pthread_mutex_unlock(&table->lock);
}

void table_close(struct table *table) {
    table_close_players(table);
    referee_close(&table->referee);
    free(table->played);
    record_free(table->about);
    if (table->options.has_clock) stopwatch_close(&table->watch);
    pthread_mutex_destroy(&table->lock);
}

/* What is opened anew: the game as it is played. */
struct playing {
    struct referee referee;
    struct referee_options game;
    struct player players[2];
    bool opened[2];
    struct record_move *played;
    struct record *about;
};

/* Exchanges it with the table's. */
static void exchange(struct table *table, struct playing *playing) {
    const struct playing before = {.referee = table->referee,
                                   .game = table->options.game,
                                   .players = {table->players[RED], table->players[BLUE]},
                                   .opened = {table->opened[RED], table->opened[BLUE]},
                                   .played = table->played,
                                   .about = table->about};
    pthread_mutex_lock(&table->lock);
    memcpy(table->players, playing->players, sizeof table->players);
    memcpy(table->opened, playing->opened, sizeof table->opened);
    pthread_mutex_unlock(&table->lock);
    table->referee = playing->referee;
    table->options.game = playing->game;
    table->played = playing->played;
    table->about = playing->about;
    *playing = before;
}

static void playing_close(struct playing *playing) {
    for (int side = RED; side <= BLUE; side++)
        if (playing->opened[side]) playing->players[side].close(playing->players[side].self);
    referee_close(&playing->referee);
    free(playing->played);
    record_free(playing->about);
}

bool table_open_again(struct table *table, uint32_t plies, struct fault *fault) {
    const struct session *session = table->referee.session;
    struct playing playing = {.game = table->options.game};
    const bool started = session->started, alone = table->options.alone;
    /* As they were when it began: the session's may be those of players that have gone. */
    const char *const names[2] = {record_tag_or(session->record, "Red", ""),
                                  record_tag_or(session->record, "Blue", "")};
    if (started) playing.played = calloc(plies + 1, sizeof *playing.played);
    playing.about = record_new();
    if ((started && !playing.played) || !playing.about ||
        !history_go_on(session->record, plies, names, playing.about)) {
        playing_close(&playing);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory to take moves back");
    }
    if (plies) memcpy(playing.played, session->record->moves, plies * sizeof *playing.played);
    playing.game.played = playing.played;
    playing.game.played_count = plies;
    playing.game.about = playing.about;
    playing.game.ask_anyway = started;
    memcpy(table->setups, session->setups, sizeof table->setups);
    for (int side = RED; side <= BLUE && !playing.game.position; side++)
        if (session->has_setup[side] && (started || table_is_person(table, (enum side)side)))
            playing.game.setups[side] = &table->setups[side];
    const int thinks = table->options.has_clock ? stopwatch_side(&table->watch) : -1;
    if (thinks >= 0) stopwatch_stop(&table->watch, RED);
    table->options.alone = false;
    exchange(table, &playing);
    const bool opened = open_game(table, fault);
    if (!opened) {
        exchange(table, &playing);
        table->options.alone = alone;
        if (thinks >= 0) stopwatch_run(&table->watch, (enum side)thinks);
    }
    playing_close(&playing);
    return opened;
}

bool table_may_take_back(struct table *table, uint32_t keep, struct fault *fault) {
    if (!takeback_check(table->referee.session->game.ply_count, keep, table->own_army, fault))
        return false;
    if (!table->options.has_clock) return true;
    const struct game_clock clock = stopwatch_look(&table->watch);
    return (clock.left[RED] && clock.left[BLUE]) ||
           fault_set(fault, STATUS_USAGE, "no time is left to play on");
}

bool table_take_back(struct table *table, uint32_t keep, struct fault *fault) {
    return table_may_take_back(table, keep, fault) && table_open_again(table, keep, fault);
}
