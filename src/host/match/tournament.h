/* tournament.h - many games between players, in pairs, on several threads.
 *
 * The two games of a pair have the same two armies, the same first side and the same chance; the
 * players change colours. Armies and chance belong to the players: each plays its own army in both
 * games, the one that it lays out for the first (in the second it is asked too, but what it laid
 * out in the first stands), and its bot draws the same numbers. Nobody plays an army that the other
 * player laid out: it would know its enemy's. Armies that are drawn from a list, or at random, were
 * laid out by neither; each player has each of the two once. Between two families of set-ups there
 * is one bot, which plays both; then it is the families that count as the players, and that change
 * colours.
 * External programs lay out their own armies and may remember the first game of a pair: where one
 * plays, each game has chance and armies of its own, and the results depend on what the programs
 * do, whatever the seed.
 * Each game is played by fresh bots. All chance comes from the key of the match and the number of
 * the pair, by one-way functions (base/chance.h): a player knows its own chance, and from that
 * nothing else. Games are counted, told and hashed in their order: the number of threads, and how
 * often the match was interrupted, change nothing. */
#ifndef ENSIGN_HOST_MATCH_TOURNAMENT_H
#define ENSIGN_HOST_MATCH_TOURNAMENT_H

#include "host/player.h"
#include "host/setups/setup_pool.h"
#include "sources.h"
#include "sprt.h"
#include "statistics.h"

#include <stdatomic.h>

enum {
    TOURNAMENT_PLAYERS_MAX = 64,
    TOURNAMENT_GAMES_MAX = 10000000,
    TOURNAMENT_JOBS_MAX = 256,
    TOURNAMENT_FAULTS_KEPT = 20
};

/* Who meets whom, pair by pair: games 2k and 2k + 1 are pair k. Pairs go round by round: in each
 * every meeting (0-1, 0-2, …, 1-2, …) has one pair, so that the table is even at every moment, and
 * more games begin with the same ones. Players and pairs count from 0. */
struct pairing {
    int players;   /* at least 2 */
    bool gauntlet; /* player 0 meets each other one; else everybody meets everybody */
};

/* How many couples of players meet. */
uint32_t pairing_meetings(const struct pairing *pairing);

/* The two players of a pair; the first of them is red in its first game, blue in the second. */
void pairing_players(const struct pairing *pairing, uint32_t pair, uint8_t players[2]);

enum tournament_first {
    TOURNAMENT_FIRST_RULES, /* as the variant says; where it leaves the choice, a coin for each pair
                             */
    TOURNAMENT_FIRST_RED,
    TOURNAMENT_FIRST_BLUE
};

/* Set-ups to draw from; an empty list stands for random ones. */
struct tournament_family {
    const char *name;
    const struct setup_pool *setups;
};

struct tournament_game {
    uint8_t player[2]; /* indices of red and blue */
    uint8_t result, reason;
    uint32_t plies;
    uint64_t seed; /* tells which games shared chance, and opens nothing: derived one-way; below
                      2^53, so that every JSON reader keeps it */
    uint64_t hash; /* XXH3 of its record */
};

struct tournament;

struct tournament_options {
    const struct folders *folders;
    const struct rules *rules;
    const char *const *players; /* as player_open() takes them */
    int player_count;           /* 2..TOURNAMENT_PLAYERS_MAX; with two families 1 */
    int family_count;           /* 0: the players lay out; 1: drawn for both; 2: one against another
                                 */
    struct tournament_family family[2];
    bool gauntlet;  /* the first player meets each other one, else everybody meets everybody */
    uint32_t games; /* in each meeting; even; in all at most TOURNAMENT_GAMES_MAX */
    int jobs;       /* threads, 1..TOURNAMENT_JOBS_MAX */
    struct chance chance; /* read by tournament_play() alone */
    enum tournament_first first;
    struct sandbox_limits limits;
    int deadline;            /* ms for an answer of a process */
    struct nursery *nursery; /* where Lua bots run, it and its twins; NULL: in this process */
    const struct sprt *sprt; /* ends the match once it is decided; NULL: none. For one meeting */
    struct sources *sources; /* what folders->reader reads through; NULL: no hashes of players */
    atomic_bool *stop;       /* true: play no further; the match may set it. NULL: never */
    struct store *store;     /* where games are kept, and those of it are not played; may be NULL */
    /* Called after each game in their order, never by two threads at once, with a forfeit's fault
     * (STATUS_OK if there was none); may be NULL. */
    void (*finished)(void *context, const struct tournament *match, uint32_t number,
                     const struct fault *forfeit);
    void *context;
};

/* A bot that broke. */
struct tournament_fault {
    uint32_t number; /* of the game, from 0 */
    enum side side;
    struct fault fault;
};

struct tournament {
    struct pairing pairing;
    int player_count;
    char name[TOURNAMENT_PLAYERS_MAX][TITLE_MAX]; /* as in records, or the family's */
    uint64_t source[TOURNAMENT_PLAYERS_MAX];      /* hash over a player's files */
    bool own_setup[TOURNAMENT_PLAYERS_MAX];       /* cannot play with a set-up that it is given */
    uint32_t game_count;                          /* planned */
    uint32_t found;                               /* were in the store already */

    /* The first games, all that were counted. A game is a member of a pair of statistics only when
     * its pair is complete. */
    uint32_t counted;
    struct tournament_game *games; /* those beyond `counted` mean nothing */
    struct statistics statistics[TOURNAMENT_PLAYERS_MAX];
    struct statistics *cross; /* of i against j at [i * player_count + j] */
    uint32_t reasons[REASON_COUNT];
    uint64_t plies;
    uint32_t forfeit_count;
    struct tournament_fault forfeits[TOURNAMENT_FAULTS_KEPT]; /* the first ones */
    uint32_t late_count; /* games whose end broke a bot (referee.h), but those of the store */
    struct tournament_fault late[TOURNAMENT_FAULTS_KEPT]; /* the first ones */
    enum sprt_decision decision;
    uint64_t hash; /* XXH3 over the hashes of the games in their order */
};

/* Meets the players: loads every bot once. NULL with a fault when one cannot be loaded. `options`
 * must live as long as the match. The caller frees with tournament_free(). */
struct tournament *tournament_open(const struct tournament_options *options, struct fault *fault);

/* Plays all games that are not in the store, or until `stop` or a decision. False with a fault when
 * the host fails, or the store does not fit. */
bool tournament_play(struct tournament *match, struct fault *fault);

/* Both in one. NULL with a fault. */
struct tournament *tournament_run(const struct tournament_options *options, struct fault *fault);

/* Does an external program play? It may read what this user may. */
bool tournament_has_guests(const struct tournament *match);

/* Have all games been played, or was it decided? */
bool tournament_complete(const struct tournament *match);

void tournament_free(struct tournament *match);

#endif
