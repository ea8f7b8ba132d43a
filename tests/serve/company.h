/* company.h - a game at `ensign serve` and four clients: both seats, a spectator, a stranger.
 *
 * What each of them was told is kept, but for what uncovers the armies at the end. They speak one
 * after the other, each after it has heard all that the one before has caused: what they are told
 * is the same whenever they say the same. */
#ifndef ENSIGN_TESTS_SERVE_COMPANY_H
#define ENSIGN_TESTS_SERVE_COMPANY_H

#include "talker.h"

#include "base/buffer.h"
#include "core/rules/rules.h"

enum who { SIDE, ENEMY, SPECTATOR, STRANGER, PEOPLE };

struct company {
    int port;
    enum side side;   /* of SIDE */
    bool enemy_makes; /* the game; else SIDE does */
    bool listed;      /* the other takes the free seat from the list, else by its invitation */
    enum side first;  /* moves first */
    char game[64];    /* its id */
    char seat[2][64]; /* the secrets of the seats */
    char invite[64];  /* to the seat of the guest */
    struct talker people[PEOPLE];
    struct buffer told[PEOPLE];
    unsigned asked[PEOPLE]; /* requests so far: their ids */
};

/* Opens the four sockets; `side`, `enemy_makes` and `listed` are the caller's. */
void company_open(struct company *company, int port);
void company_close(struct company *company);

/* Somebody comes again after its socket was closed. */
void company_come(struct company *company, enum who who);

enum side company_side(const struct company *company, enum who who);

/* Type of the last message that somebody heard. */
const char *company_heard(const struct company *company, enum who who);

/* Hears up to a message of this type, of this ply unless that is negative. */
void company_await(struct company *company, enum who who, const char *type, int ply);

/* Says the rest of a request ("'type':'view'") about the game, or another one, and hears up to the
 * reply. */
const json_t *company_ask(struct company *company, enum who who, const char *rest);
const json_t *company_ask_of(struct company *company, enum who who, const char *game,
                             const char *rest);

/* The game is made, the seats are taken, the spectator watches; nobody has laid out. */
void company_sit_down(struct company *company, const char *variant);

/* Waits until somebody is asked for the move after `ply` plies. Returns who. */
enum who company_await_question(struct company *company, int ply);

/* Somebody moves, and all but the stranger hear of it. */
void company_move(struct company *company, enum who mover, const char *move, int ply);

/* All but the stranger hear the end; if the game still runs, the enemy resigns. */
void company_end(struct company *company, bool runs);

#endif
