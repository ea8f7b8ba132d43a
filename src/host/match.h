/* match.h - many games between bots, in pairs, on several threads.
 *
 * Every two players meet in `games` games. Games 2k and 2k+1 of a meeting are a pair: the same two
 * set-ups on the same colours, the same first side, the same chance for each colour; only the
 * players change sides, so that what luck gives in one game it takes in the other. The set-ups are
 * those that the two bots lay out for the first game of the pair (in the second they are asked too,
 * but stand where the other bot stood), or are drawn from a given list.
 * External programs cannot take over an army: where one plays, both players lay out their own in
 * both games, and the results depend on what the programs do, whatever the seed.
 * Each game is played by fresh bots. All chance comes from the seed and the number of the pair, and
 * results are handed out in the order of the games: the number of threads changes nothing. */
#ifndef ENSIGN_HOST_MATCH_H
#define ENSIGN_HOST_MATCH_H

#include "player.h"
#include "setups.h"
#include "statistics.h"

enum { MATCH_PLAYERS_MAX = 64, MATCH_GAMES_MAX = 10000000, MATCH_JOBS_MAX = 256 };

enum match_first {
    MATCH_FIRST_RULES, /* as the variant says; where it leaves the choice, a coin for each pair */
    MATCH_FIRST_RED,
    MATCH_FIRST_BLUE
};

struct match_game {
    uint8_t player[2]; /* indices of red and blue */
    uint8_t result, reason;
    uint32_t plies;
    uint64_t seed;         /* of the pair; below 2^53, so that every JSON reader keeps it */
    struct fault *forfeit; /* what the loser of a forfeit did; NULL if it was not forfeited */
};

struct match_options {
    const struct folders *folders;
    const struct rules *rules;
    const char *const *players; /* as player_open() takes them */
    int player_count;           /* 2..MATCH_PLAYERS_MAX */
    uint32_t games;             /* between any two players; even; in all at most MATCH_GAMES_MAX */
    int jobs;                   /* threads, 1..MATCH_JOBS_MAX */
    uint64_t seed;
    enum match_first first;
    struct sandbox_limits limits;
    int deadline;                /* ms for an answer of a process */
    struct nursery *nursery;     /* where Lua bots run; NULL: in this process */
    const struct setups *setups; /* NULL: the players lay out their own */
    const char *folder;          /* for records "0001.rec" …, must be empty; NULL: no files */
    /* Called after each game in their order, never by two threads at once; may be NULL. */
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *context;
};

struct match {
    int player_count;
    char name[MATCH_PLAYERS_MAX][TITLE_MAX]; /* as in records */
    bool own_setup[MATCH_PLAYERS_MAX];       /* cannot play with a set-up that it is given */
    struct statistics statistics[MATCH_PLAYERS_MAX];
    uint32_t game_count;
    struct match_game *games; /* in the order of the meetings (0-1, 0-2, … 1-2, …) */
    uint64_t hash;            /* FNV-1a over the texts of all records in that order */
};

/* Plays all games. NULL with a fault when a bot cannot be loaded at all (before the first game) or
 * the host fails. The caller frees with match_free(). */
struct match *match_run(const struct match_options *options, struct fault *fault);
void match_free(struct match *match);

#endif
