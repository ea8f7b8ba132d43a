/* authors.h - who played which plies of a game that changed hands: the tags RedPlayed and
 * BluePlayed, "human from 1, hunter from 23".
 *
 * A side that one player played throughout has no such tag: "Red" or "Blue" names its player. */
#ifndef ENSIGN_HOST_AUTHORS_H
#define ENSIGN_HOST_AUTHORS_H

#include "record.h"

/* Sets the tag of a side in `tags` for a game that goes on behind the moves of `before` with the
 * player of that name. False if memory is short. */
bool authors_go_on(const struct record *before, enum side side, const char *name,
                   struct record *tags);

/* Did that player play the side throughout, or a part of it? */
bool authors_whole(const struct record *record, enum side side, const char *name);
bool authors_part(const struct record *record, enum side side, const char *name);

#endif
