/* bout.h - one game of a match: its two players are opened, play, and are closed. */
#ifndef ENSIGN_HOST_MATCH_BOUT_H
#define ENSIGN_HOST_MATCH_BOUT_H

#include "host/player.h"
#include "host/referee.h"

struct bout {
    struct player_options seat; /* of both players; `opponent` is not read */
    const char *player[2];      /* what was asked for, as player_open() takes it */
    const char *name[2];        /* what they are called if they cannot be opened */
    struct chance chance[2];    /* of their seats */
    struct referee_options referee;
    bool guest; /* a program plays, which may remember a game that was cut short */

    /* Filled by bout_play(). */
    struct referee_report report;
    char *record; /* its text, owned by the caller; NULL if the game was given up */
};

/* Plays a game, up to three times if bots' processes are killed from outside (then STATUS_KILLED);
 * against a program each time with other chance, so with other armies if these are drawn.
 * A player that cannot be opened forfeits. A game that was given up
 * (`referee.give_up`) is no failure, but has no record. False with a fault only when the host
 * itself fails. */
bool bout_play(struct bout *bout, struct fault *fault);

#endif
