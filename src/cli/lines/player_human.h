/* player_human.h - a human in line mode as a player.
 *
 * Has only a player's knowledge: a view, events, faults and the list of legal moves. Every command
 * prints from these. */
#ifndef ENSIGN_CLI_LINES_PLAYER_HUMAN_H
#define ENSIGN_CLI_LINES_PLAYER_HUMAN_H

#include "host/player.h"
#include "table.h"

/* Makes a human of `side` at `table`, which must outlive the player; has no set-up callback. False
 * without memory. */
bool player_human(struct player *player, struct table *table, enum side side, struct fault *fault);

#endif
