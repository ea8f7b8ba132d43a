/* spectator.h - a game between two bots, watched at the terminal.
 *
 * The spectator stands between the referee and both bots and passes everything on. It sees both
 * views, so it may show all ranks; neither bot learns anything from it. */
#ifndef ENSIGN_CLI_LINES_SPECTATOR_H
#define ENSIGN_CLI_LINES_SPECTATOR_H

#include "cli/story.h"
#include "host/player.h"
#include "table.h"

struct spectator {
    struct table *table;
    struct player inner[2]; /* the bots, the caller's */
    const struct view *view[2];
    struct story story;
    unsigned long unasked; /* moves to play before asking again */
    bool quit;
    struct spectator_seat {
        struct spectator *spectator;
        enum side side;
        bool refused; /* the last answer was; the player is asked again */
    } seat[2];
};

/* Puts itself between: `players` are replaced by players that pass on to the bots, and need not be
 * closed. */
void spectator_start(struct spectator *spectator, struct table *table, struct player players[2]);

#endif
