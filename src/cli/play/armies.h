/* armies.h - the armies that people lay out, kept while a variant changes.
 *
 * Pieces are kept by their letters, since a changed variant may number its kinds anew. */
#ifndef ENSIGN_CLI_PLAY_ARMIES_H
#define ENSIGN_CLI_PLAY_ARMIES_H

#include "core/play/position.h"

struct armies {
    int files, ranks;                  /* of the board; 0: there are no armies */
    char letter[2][BOARD_SQUARES_MAX]; /* 0: none */
};

void armies_keep(struct armies *armies, const struct rules *rules, const struct setup setups[2]);

/* Leaves out pieces that the rules do not have; no pieces if the board has another shape. */
void armies_take(const struct armies *armies, const struct rules *rules, struct setup setups[2]);

#endif
