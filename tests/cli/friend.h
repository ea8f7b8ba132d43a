/* friend.h - a player on the other side of a game of `ensign serve`, who has no browser. */
#ifndef ENSIGN_TESTS_CLI_FRIEND_H
#define ENSIGN_TESTS_CLI_FRIEND_H

#include "host/served.h"
#include "serve/talker.h"

struct friend {
    struct talker talker;
    char game[64];
};

/* Comes to the server, and takes a seat by the link of an invitation, or by the seat's secret, by
 * the name Boris. */
void friend_comes(struct friend *friend, const struct served *served);
void friend_sits(struct friend *friend, const char *link_or_secret);
void friend_goes(struct friend *friend);

/* Skips messages up to the next one of this type; fails the test if an error comes before. */
const json_t *friend_hears(struct friend *friend, const char *type);

/* Says a type of message about the game. */
void friend_says(struct friend *friend, const char *type);

/* Lays out an army by chance, or makes the first legal move, once asked. */
void friend_lays_out(struct friend *friend);
void friend_moves(struct friend *friend);

#endif
