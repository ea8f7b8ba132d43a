/* exchange.h - what is expected to change hands on one square if both sides go on attacking there
 * as long as it pays (static exchange, under belief).
 *
 * Taking part: the piece on the square and, on each of the four lines from it, the first piece met,
 * if it is of a kind that gets there in one move as the board stands. They attack one at a time;
 * the side that does not hold the square chooses which, or none, and then the exchange is over. It
 * is over too when both fall or a flag does. The winner of a battle holds the square and is known
 * from then on. An attacker that falls leaves the next attack to its own side.
 *
 * We choose by expectation: for each enemy that has not fought here yet, its kinds as likely as
 * believed, whatever the others are. The enemy chooses by the kinds that its pieces have, and as if
 * it knew ours; what comes after its attack it too weighs by the belief. So a hidden piece of ours
 * counts in full, and its disguise protects nothing.
 *
 * Not considered: pieces behind the first of a line or off the lines, enemies out of sight,
 * abilities, repetition, pieces that are held. A battle that the variant decides is a tie. */
#ifndef ENSIGN_CORE_VALUE_EXCHANGE_H
#define ENSIGN_CORE_VALUE_EXCHANGE_H

#include "mind.h"

enum { EXCHANGE_UNIT = WORTH_UNIT << 10 }; /* a worth of 1 (measure.h) */

/* Worth of the enemies that fall minus that of our pieces, in EXCHANGE_UNIT, if the side that does
 * not hold the square may begin: 0 or more on an enemy's, 0 or less on our own, 0 on an empty one.
 * The mind has read the view. */
int32_t exchange_on(const struct mind *mind, square at);

/* The same of a move of ours, whose piece must be ours, without its ability: the battle if there is
 * one, then what follows on the square where it ends. */
int32_t exchange_move(const struct mind *mind, struct move move);

#endif
