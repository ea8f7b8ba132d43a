/* armies.h - the armies that people lay out, kept from one process of `watch` to the next.
 *
 * They pass through a file without a name: memory shared with the process that forks the bots would
 * be the bots' memory too. Pieces are kept by their letters, since a changed variant may number its
 * kinds anew. */
#ifndef ENSIGN_CLI_PLAY_ARMIES_H
#define ENSIGN_CLI_PLAY_ARMIES_H

#include "core/play/position.h"

/* A file without armies; -1 if there is none to be had, which the others allow. */
int armies_open(void);

void armies_keep(int file, const struct rules *rules, const struct setup setups[2]);

/* Leaves out pieces that the rules do not have; no pieces if the board has another shape. */
void armies_take(int file, const struct rules *rules, struct setup setups[2]);

#endif
