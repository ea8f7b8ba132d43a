/* table.h - a game that people play, wherever they sit: at a screen, at a prompt, in a browser, or
 * behind a program that drives the host.
 *
 * A table has the running game (referee.h) and what belongs to it while people play: the players of
 * the other seats, the clock, and what it takes to open the game again, when moves are taken back,
 * when players that were closed are wanted again, and when it goes on that was left. Its owner lets
 * it go on with referee_step(), gives it people's answers (referee_take()), and writes down what it
 * has to. A table has no thread and never waits for a person. */
#ifndef ENSIGN_HOST_TABLE_TABLE_H
#define ENSIGN_HOST_TABLE_TABLE_H

#include "host/referee.h"

#include <pthread.h>

struct table_options {
    const struct rules *rules;
    const char *player[2];    /* as player_open() takes it; NULL: a person */
    struct player *ready[2];  /* else one of the caller's, which cannot be opened again; or NULL */
    const char *told_name[2]; /* of a side, for the program that plays the other one */
    struct player_options bots;    /* its opponent and log are set here */
    const struct log_sink *log[2]; /* of what a side's bot prints */
    int kept_descriptors;          /* that no player may have (base/descriptors.h) */
    const struct chance *chance;   /* of the game: those of the seats derive from it */
    bool alone;                    /* until table_open_again() */
    bool has_clock;                /* then: */
    struct game_clock clock;       /* what both sides have, to begin with */
    struct referee_options game;   /* all but its watch, and its functions but `admits` */
};

/* Who hears of the game's beginning and of every turn, once both sides may know of it, and before
 * the players do. `again`: the moves of a continued game are repeated up to there, from its
 * beginning on. */
struct table_listener {
    void (*hear)(void *context, const struct session *session, bool again);
    void *context;
};

struct table {
    struct referee referee; /* its session is NULL while no game is open */
    struct stopwatch watch; /* open if there is a clock */
    struct table_options options;
    struct table_listener owner, client; /* heard in this order; or NULL */
    bool own_army;           /* a player lays out its army itself: no move can be taken back */
    atomic_bool interrupted; /* while it is true no answer of a player counts */

    struct player players[2]; /* to be read only, */
    bool opened[2];           /* where this is true */

    /* For table.c alone. */
    pthread_mutex_t lock; /* guards opening, closing and killing players */
    bool killed;
    struct setup setups[2];     /* of a game that was opened again */
    struct record_move *played; /* the same; owned */
    struct record *about;       /* the same: further tags of its record; owned */
};

/* Before anything else. */
void table_init(struct table *table);

/* Opens the game and, unless it is `alone`, its players; what the options point to must outlive the
 * table. False with a fault. */
bool table_open(struct table *table, const struct table_options *options, struct fault *fault);

/* After table_init(), whether a game was opened or not. */
void table_close(struct table *table);

bool table_is_person(const struct table *table, enum side side);
int table_people(const struct table *table);

/* The army of a side that would be asked for it. Kept by reference. */
void table_give_setup(struct table *table, enum side side, const struct setup *setup);

/* The clock; NULL: there is none. */
struct stopwatch *table_watch(struct table *table);

/* Another person or player has the side's name from now on. Kept by reference. */
void table_rename(struct table *table, enum side side, const char *name);

/* Opens the game again after so many of its plies, with the same chance and armies and with new
 * players; if the armies do not stand yet, with those that people have laid out. False with a
 * fault, and the game as it was. The listeners hear of it all again. */
bool table_open_again(struct table *table, uint32_t plies, struct fault *fault);

/* The same for moves that are taken back, where that can be; nobody but a person keeps what it
 * learned in them. It cannot without such moves, if a program lays out its own army
 * (STATUS_ILLEGAL_MOVE), and if no time is left to play on. */
bool table_may_take_back(struct table *table, uint32_t keep, struct fault *fault);
bool table_take_back(struct table *table, uint32_t keep, struct fault *fault);

/* The players go; the game stays as it is. */
void table_close_players(struct table *table);

/* Kills the external programs, and no player is opened any more. Any thread may call it. */
void table_kill(struct table *table);

#endif
