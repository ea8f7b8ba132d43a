/* player_human.h - a person at the terminal as a player.
 *
 * Knows what every player knows: a view, events and faults. Whatever a command prints comes from
 * these; whether a move is legal is asked of the list of legal moves and of the referee. */
#ifndef ENSIGN_CLI_LINES_PLAYER_HUMAN_H
#define ENSIGN_CLI_LINES_PLAYER_HUMAN_H

#include "host/player.h"
#include "table.h"

/* A person of `side` at `table`, which must outlive the player; is never asked for a set-up. False
 * without memory. */
bool player_human(struct player *player, struct table *table, enum side side, struct fault *fault);

#endif
