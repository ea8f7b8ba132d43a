/* player_ucc.h - an external program as a player, through the line protocol of the 2012 UCC
 * programming contest. DESIGN 9.
 *
 * The program lays out its own army; it cannot play with a set-up that somebody else chose. It is
 * started when it is asked for one, stopped when the game is over or the player is closed, and no
 * process of its group outlives that. */
#ifndef ENSIGN_HOST_PROGRAM_PLAYER_UCC_H
#define ENSIGN_HOST_PROGRAM_PLAYER_UCC_H

#include "host/player.h"

enum {
    UCC_FAREWELL = 500 /* ms to leave after QUIT */
};

struct ucc_options {
    const struct rules *rules;
    const char *opponent; /* what the program is told; NULL: nobody knows */
    int deadline;         /* ms for a line of an answer, at least 1 */
};

/* The program of `command`: words parted by blanks, with '…', "…" and \ as in a shell; no shell is
 * run. A program named with a '/' works in its own folder, another is looked for on PATH and works
 * in the current folder. False with a fault: STATUS_USAGE for a malformed command, a file that is
 * not executable, or a variant that the protocol cannot tell; STATUS_NOT_FOUND. */
bool player_ucc(struct player *player, const char *command, const struct ucc_options *options,
                struct fault *fault);

#endif
