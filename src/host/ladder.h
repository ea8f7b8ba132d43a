/* ladder.h - the bots of the search path as opponents for people, by the levels that their files
 * give. */
#ifndef ENSIGN_HOST_LADDER_H
#define ENSIGN_HOST_LADDER_H

#include "bot/bot_file.h"
#include "lua/folders.h"

enum { LADDER_MAX = 200, LADDER_NAME_MAX = 64 };

struct rung {
    char name[LADDER_NAME_MAX]; /* as player_open() takes it */
    struct bot_card card;
    struct fault fault; /* why it cannot play; STATUS_OK: it can */
};

struct ladder {
    struct rung *list; /* the weakest first, then those without a level; by name in each level */
    int count;
    int levels; /* bots with a level, which are the first */
};

/* Loads every bot, each in its locked process, at most LADDER_MAX. False with a fault of the host.
 * Free with ladder_clear(). */
bool ladder_read(const struct folders *folders, struct ladder *ladder, struct fault *fault);
void ladder_clear(struct ladder *ladder);

/* The first bot of a level; NULL if there is none. */
const struct rung *ladder_find(const struct ladder *ladder, enum bot_level level);

/* The first bot of the highest level; NULL if no bot has a level. */
const struct rung *ladder_top(const struct ladder *ladder);

/* The first bot of the highest level among those that say how their chances stand; one without a
 * level if none of them has any; NULL if there is none. */
const struct rung *ladder_appraiser(const struct ladder *ladder);

#endif
