/* player_ucc.h - an external program as a player, through the line protocol of the 2012 UCC
 * programming contest. DESIGN 9.
 *
 * The program lays out its own army and cannot be given a set-up. It starts when asked for one and
 * is stopped, with everything that it started, when the game is over or the player is closed. */
#ifndef ENSIGN_HOST_PROGRAM_PLAYER_UCC_H
#define ENSIGN_HOST_PROGRAM_PLAYER_UCC_H

#include "host/player.h"
#include "program.h"

enum {
    UCC_FAREWELL = 500 /* ms to exit after QUIT */
};

struct ucc_options {
    const struct rules *rules;
    const char *opponent; /* name for the program; NULL: unknown */
    struct program_options program;
};

/* The program of `command` (program_command.h). False with a fault: STATUS_USAGE for a malformed
 * command, a file that is not executable, or a variant that the protocol cannot express;
 * STATUS_NOT_FOUND. */
bool player_ucc(struct player *player, const char *command, const struct ucc_options *options,
                struct fault *fault);

#endif
