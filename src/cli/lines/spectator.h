/* spectator.h - watching a game between two bots in line mode.
 *
 * The spectator knows what both sides know together, so it can show all ranks. */
#ifndef ENSIGN_CLI_LINES_SPECTATOR_H
#define ENSIGN_CLI_LINES_SPECTATOR_H

#include "cli/story.h"
#include "host/table/table.h"
#include "line_input.h"

struct spectator {
    struct line_input *input;
    struct table *table;
    int eyes; /* enum side whose view is shown, -1: both */
    struct story story;
    uint32_t heard;        /* tellings of the session */
    bool asked;            /* about this turn */
    unsigned long unasked; /* moves to play before asking again */
};

void spectator_sit(struct spectator *spectator, struct line_input *input, struct table *table,
                   int eyes);

/* Hears of the game, as a table_listener does. */
void spectator_hear(struct spectator *spectator, const struct session *session);

/* Called before the game goes on: waits, once a turn, until it may. False if the user leaves. */
bool spectator_lets_go_on(struct spectator *spectator);

void spectator_finish(const struct spectator *spectator);

#endif
