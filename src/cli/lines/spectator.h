/* spectator.h - watching a game between two bots in line mode.
 *
 * The spectator sits between the referee and both bots and forwards all calls. It has both views,
 * so it can show all ranks; it passes nothing from one bot to the other. */
#ifndef ENSIGN_CLI_LINES_SPECTATOR_H
#define ENSIGN_CLI_LINES_SPECTATOR_H

#include "cli/story.h"
#include "host/player.h"
#include "table.h"

struct spectator {
    struct table *table;
    struct player inner[2]; /* the bots, owned by the caller */
    const struct view *view[2];
    int eyes; /* enum side whose view is shown, -1: both */
    struct story story;
    unsigned long unasked; /* moves to play before asking again */
    bool quit;
    struct spectator_seat {
        struct spectator *spectator;
        enum side side;
        bool refused; /* the last answer was refused; the player is asked again */
    } seat[2];
};

/* Replaces `players` by players that forward to them and need not be closed. `eyes`: as above. */
void spectator_start(struct spectator *spectator, struct table *table, int eyes,
                     struct player players[2]);

#endif
