/* pairing.c - who meets whom: the meetings of a round are 0-1, 0-2, …, 1-2, … */
#include "pairing.h"

uint32_t pairing_meetings(const struct pairing *pairing) {
    uint32_t players = (uint32_t)pairing->players;
    return pairing->gauntlet ? players - 1 : players * (players - 1) / 2;
}

void pairing_players(const struct pairing *pairing, uint32_t pair, uint8_t players[2]) {
    uint32_t meeting = pair % pairing_meetings(pairing), first = 0;
    uint32_t others = (uint32_t)pairing->players - 1; /* whom the first one meets */
    while (meeting >= others) {
        meeting -= others--;
        first++;
    }
    players[0] = (uint8_t)first;
    players[1] = (uint8_t)(first + 1 + meeting);
}
