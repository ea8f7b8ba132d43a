/* fabricated.h - the folder of a match whose games are random moves: a store and records, made
 * without bots, so that names, forfeits and set-ups are the test's choice. */
#ifndef ENSIGN_TESTS_GAMES_FABRICATED_H
#define ENSIGN_TESTS_GAMES_FABRICATED_H

#include "core/rules/rules.h"

enum { FABRICATED_PLAYERS_MAX = 4 };

struct fabrication {
    const char *variant; /* as the store has it: a name or a path */
    const char *names[FABRICATED_PLAYERS_MAX];
    int players;
    uint32_t pairs;   /* of every two */
    uint32_t planned; /* games; 0: as many as there are */
    uint32_t plies;   /* at most */
    uint32_t setups;  /* that there are of either colour; 0: new ones for each pair */
    uint32_t forfeit; /* every so-manyth game is forfeited by the side to move; 0: none */
    const char *why;  /* that it was */
    const char *sprt; /* NULL: no test */
};

/* Makes the store and the records in a folder that is new or empty. */
void fabricated_match(const char *folder, const struct rules *rules,
                      const struct fabrication *fabrication);

#endif
