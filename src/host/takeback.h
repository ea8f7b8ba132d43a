/* takeback.h - moves taken back: whether that can be done, and how a record tells it.
 *
 * A game that is taken back is opened again with the same chance and set-ups, new players, and the
 * moves that are left; so nobody but a person keeps what it learned in the others. The record holds
 * the moves that are left, and the tag TakenBack from where to where the game went back, in plies:
 * "12 to 10, 31 to 27". Several steps back, with no move in between, are one. */
#ifndef ENSIGN_HOST_TAKEBACK_H
#define ENSIGN_HOST_TAKEBACK_H

#include "record.h"

#define TAKEBACK_TAG "TakenBack"

/* Can a game of `plies` plies go back to the position after `keep` of them? `own_army`: a program
 * lays out its own army, and could lay out another one. False with a STATUS_ILLEGAL_MOVE fault. */
bool takeback_check(uint32_t plies, uint32_t keep, bool own_army, struct fault *fault);

/* Sets the tag in `tags` for a game that was `before`, and that goes on after `keep` of its moves:
 * fewer of them if some are taken back. False if memory is short. */
bool takeback_go_on(const struct record *before, uint32_t keep, struct record *tags);

#endif
