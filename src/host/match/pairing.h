/* pairing.h - who meets whom, pair by pair.
 *
 * Games 2k and 2k + 1 are pair k. Pairs go round by round: in each every meeting has one pair, so
 * that the table is even at every moment, and more games begin with the same ones. Players and
 * pairs count from 0. */
#ifndef ENSIGN_HOST_MATCH_PAIRING_H
#define ENSIGN_HOST_MATCH_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

struct pairing {
    int players;   /* at least 2 */
    bool gauntlet; /* player 0 meets each other one; else everybody meets everybody */
};

/* How many couples of players meet. */
uint32_t pairing_meetings(const struct pairing *pairing);

/* The two players of a pair; the first of them is red in its first game, blue in the second. */
void pairing_players(const struct pairing *pairing, uint32_t pair, uint8_t players[2]);

#endif
