/* tournament.h - many games between players, in pairs, on several threads.
 *
 * The two games of a pair have the same two armies, first side and chance; the players exchange
 * sides. A player keeps its army and its chance: the army that it lays out for the first game
 * stands in the second too (where it is asked, but its answer is ignored), and its bot draws the
 * same numbers. No player plays the army that its opponent laid out, or it would know the enemy's.
 * Armies drawn from a list or at random are exchanged: each player has each of the two once. Of two
 * families of set-ups one bot plays both; the families count as the players and exchange sides.
 *
 * External programs may remember the first game of a pair. Where one plays, each game has its own
 * chance and armies, also those drawn from a list, and no seed fixes the results.
 *
 * Bots are fresh in each game. All chance is derived from the key of the match and the number of
 * the pair by one-way functions (base/chance.h), so a player's chance reveals no other. Games are
 * counted, reported and hashed in order: the number of threads and interruptions of the match make
 * no difference. */
#ifndef ENSIGN_HOST_MATCH_TOURNAMENT_H
#define ENSIGN_HOST_MATCH_TOURNAMENT_H

#include "host/player.h"
#include "host/setups/setup_pool.h"
#include "host/usage.h"
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

/* The players of each pair; games 2k and 2k + 1 are pair k. Pairs go by rounds, each with one pair
 * of every meeting (0-1, 0-2, …, 1-2, …), so that the table is always even, and a longer match
 * begins with the same games. Players and pairs count from 0. */
struct pairing {
    int players;   /* at least 2 */
    bool gauntlet; /* player 0 meets every other; else all meet each other */
};

/* The number of couples of players that meet. */
uint32_t pairing_meetings(const struct pairing *pairing);

/* The two players of a pair; the first of them is red in its first game, blue in the second. */
void pairing_players(const struct pairing *pairing, uint32_t pair, uint8_t players[2]);

enum tournament_first {
    TOURNAMENT_FIRST_RULES, /* as the variant says; if it says "chosen", a coin for each pair */
    TOURNAMENT_FIRST_RED,
    TOURNAMENT_FIRST_BLUE
};

/* Set-ups to draw from; without `setups` random ones. */
struct tournament_family {
    const char *name;
    const struct setup_pool *setups;
};

struct tournament_game {
    uint8_t player[2]; /* indices of red and blue */
    uint8_t result, reason;
    uint32_t plies;
    uint64_t seed; /* the same for games that share chance; derived one-way, so it reveals no
                      chance; below 2^53, so that every JSON reader keeps it */
    uint64_t hash; /* digest of its record (base/digest.h) */
};

/* What is told of a game when it has been counted. Its texts live for the call. */
struct tournament_news {
    uint32_t number;       /* from 0 */
    const char *setups[2]; /* that stood on the board, one line each; NULL: none was accepted */
    struct fault forfeit;  /* why the loser forfeits; STATUS_OK: no forfeit */
    const char *record;    /* the text, with `records` of the options; else NULL */
};

struct tournament;
struct executor;

struct tournament_options {
    const struct folders *folders;
    const struct rules *rules;
    const char *const *players; /* as player_open() takes them */
    int player_count;           /* 2..TOURNAMENT_PLAYERS_MAX; with two families 1 */
    int family_count; /* 0: players lay out, or the rules; 1: drawn for both; 2: one against the
                         other. See tournament_families() */
    struct tournament_family family[2];
    bool gauntlet;        /* see struct pairing */
    uint32_t games;       /* in each meeting; even; in all at most TOURNAMENT_GAMES_MAX */
    int jobs;             /* threads, 1..TOURNAMENT_JOBS_MAX */
    struct chance chance; /* read only by tournament_play() */
    enum tournament_first first;
    bool records;   /* `finished` is given the records; only without a store */
    uint32_t from;  /* pairs that are played and counted elsewhere, from the first on; only
                       without a store and an executor */
    bool no_limits; /* without the draw limits of the rules; a session has a ceiling (session.h) */
    struct pace pace; /* the clock of each game; ms 0: none */
    struct sandbox_limits limits;
    int deadline; /* ms for an answer of a process */
    struct program_confines programs;
    struct template *template;       /* of Lua bots' processes; NULL: they run in this one */
    const struct sprt *sprt;         /* ends the match once decided; NULL: none. One meeting only */
    struct sources *sources;         /* behind folders->reader; NULL: no hashes of players */
    atomic_bool *stop;               /* true: stop playing; the match may set it; may be NULL */
    struct store *store;             /* keeps the games; those it has are not played; may be NULL */
    const struct executor *executor; /* who plays the pairs; NULL: threads */
    /* Called for each game, in order and never by two threads at once; may be NULL. */
    void (*finished)(void *context, const struct tournament *match,
                     const struct tournament_news *news);
    /* Takes what "red", "blue" or the "variant" printed in a finished game (match_game.h), never
     * from two threads at once. Games may come in any order, and some that are not counted. NULL:
     * it is not kept. */
    bool (*log)(void *context, uint32_t number, const char *whose, const char *lines,
                struct fault *fault);
    /* Called if games turn out to be wrong after they have been told of: `finished` is then called
     * again for each from the first on; may be NULL. */
    void (*anew)(void *context);
    void *context;
};

/* How many families armies are drawn from: where the rules draw them it is one, of random armies,
 * which the players of a pair exchange. */
int tournament_families(const struct tournament_options *options);

/* A bot that failed. */
struct tournament_fault {
    uint32_t number; /* of the game, from 0 */
    enum side side;
    struct fault fault;
};

struct tournament {
    struct pairing pairing;
    int player_count;
    /* As in records, or the family's. Of players with the same name all but the first have their
     * count added, "rookie#2". */
    char name[TOURNAMENT_PLAYERS_MAX][TITLE_MAX];
    uint64_t source[TOURNAMENT_PLAYERS_MAX]; /* hash over a player's files */
    bool own_setup[TOURNAMENT_PLAYERS_MAX];  /* cannot be given a set-up */
    bool external[TOURNAMENT_PLAYERS_MAX];   /* an external program */
    uint32_t game_count;                     /* planned */
    uint32_t found;                          /* of them in the store already */

    /* Games are counted in order of number. Statistics of pairs count complete pairs only. */
    uint32_t counted;
    struct tournament_game *games; /* valid below `counted` */
    struct statistics statistics[TOURNAMENT_PLAYERS_MAX];
    struct statistics *cross; /* of i against j at [i * player_count + j] */
    struct usage usage[TOURNAMENT_PLAYERS_MAX];
    uint32_t reasons[REASON_COUNT];
    uint64_t plies;
    uint32_t forfeit_count;
    struct tournament_fault forfeits[TOURNAMENT_FAULTS_KEPT]; /* the first ones */
    uint32_t late_count; /* games with a failure after the end (referee.h), except the store's */
    struct tournament_fault late[TOURNAMENT_FAULTS_KEPT]; /* the first ones */
    enum sprt_decision decision;
    uint64_t hash; /* digest of the hashes of the games, in order */
};

/* Prepares a match and loads every player once. NULL with a fault if one cannot be loaded.
 * `options` must outlive the match. The caller frees with tournament_free(). */
struct tournament *tournament_open(const struct tournament_options *options, struct fault *fault);

/* Writes the players and all files that were read into the store, if there is one, and commits.
 * Call it before tournament_play(). False with a fault. */
bool tournament_enter(const struct tournament *match, struct fault *fault);

/* Plays all games that are not in the store, or until `stop` or a decision. False with a fault if
 * the host fails or the store belongs to another match. */
bool tournament_play(struct tournament *match, struct fault *fault);

/* Both in one. NULL with a fault. */
struct tournament *tournament_run(const struct tournament_options *options, struct fault *fault);

/* The index in options->players of a match's player. */
int tournament_seat(const struct tournament_options *options, int player);

/* Whether an external program plays. It can read this user's files. */
bool tournament_has_externals(const struct tournament *match);

/* Whether all games have been played or the match was decided. */
bool tournament_complete(const struct tournament *match);

void tournament_free(struct tournament *match);

#endif
