/* history.h - what a record says of how its game came about: who played which plies, and which
 * moves were taken back.
 *
 * The tags RedPlayed and BluePlayed, "human from 1, hunter from 23", are those of a side that
 * changed hands: of one that a single player played throughout "Red" or "Blue" names its player.
 * The tag TakenBack says from where to where the game went back, in plies: "12 to 10, 31 to 27";
 * the record holds the moves that are left. Several steps back, with no move in between, are one.
 */
#ifndef ENSIGN_HOST_TABLE_HISTORY_H
#define ENSIGN_HOST_TABLE_HISTORY_H

#include "host/record.h"

/* Sets these tags and the date in those of a game that was `before`, and that goes on after `keep`
 * of its moves, with players of these names. False if memory is short. */
bool history_go_on(const struct record *before, size_t keep, const char *const names[2],
                   struct record *tags);

/* Did that player play the side throughout, or a part of it? */
bool authors_whole(const struct record *record, enum side side, const char *name);
bool authors_part(const struct record *record, enum side side, const char *name);

#define TAKEBACK_TAG "TakenBack"

/* Can a game of `plies` plies go back to the position after `keep` of them? `own_army`: a program
 * lays out its own army, and could lay out another one. False with a STATUS_ILLEGAL_MOVE fault. */
bool takeback_check(uint32_t plies, uint32_t keep, bool own_army, struct fault *fault);

/* Sets the tag in `tags` for a game that was `before`, and that goes on after `keep` of its moves:
 * fewer of them if some are taken back. False if memory is short. */
bool takeback_go_on(const struct record *before, uint32_t keep, struct record *tags);

#endif
