/* match_game.h - one game of a match: opens its two players, plays, and closes them. */
#ifndef ENSIGN_HOST_MATCH_MATCH_GAME_H
#define ENSIGN_HOST_MATCH_MATCH_GAME_H

#include "host/player.h"
#include "host/referee.h"

enum { MATCH_GAME_LOGS = 3 };
enum { MATCH_GAME_LOG_MAX = 32 * LOG_GAME_MAX }; /* bytes of a log as text */

struct match_game {
    struct player_options seat; /* of both players; `opponent` is not read */
    const char *player[2];      /* as player_open() takes them */
    const char *name[2];        /* for opponents, and for players that cannot be opened */
    bool renamed;               /* the players are called by `name` in the record too */
    struct chance chance[2];    /* of their seats */
    struct referee_options referee;
    bool external; /* an external program plays, which may remember a game cut short */
    bool logs;     /* keep what the scripts print */

    /* Filled by match_game_play(). */
    struct referee_report report;
    char *record;               /* its text, owned by the caller; NULL if the game was given up */
    char *log[MATCH_GAME_LOGS]; /* by side, then of the variant's calls: lines "PLY FUNCTION: TEXT",
                             owned by the caller; NULL if there are none */
};

/* Plays a game. If a bot's process is killed from outside, the game is played again, with new
 * chance if an external program plays; after TEMPLATE_TRIES games it fails with STATUS_KILLED. A
 * bot that cannot be opened forfeits; a program that cannot be opened or started fails the game. A
 * game given up (`referee.give_up`) succeeds without a record. False with a fault only when the
 * host itself fails. */
bool match_game_play(struct match_game *game, struct fault *fault);

#endif
