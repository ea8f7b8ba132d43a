/* bot_levels.h - the bots of the search path as opponents for people, by the levels that their
 * files give. */
#ifndef ENSIGN_HOST_BOT_LEVELS_H
#define ENSIGN_HOST_BOT_LEVELS_H

#include "bot/bot_file.h"
#include "lua/folders.h"

enum { BOT_LEVELS_MAX = 200, BOT_LEVELS_NAME_MAX = 64 };

struct rung {
    char name[BOT_LEVELS_NAME_MAX]; /* as player_open() takes it */
    struct bot_card card;
    struct fault fault; /* why it cannot play; STATUS_OK: it can */
};

struct bot_levels {
    struct rung *list; /* the weakest first, then those without a level; by name in each level */
    int count;
    int levels; /* bots with a level, which are the first */
};

/* Loads every bot, each in its locked process, at most BOT_LEVELS_MAX. False with a fault of the
 * host. Free with bot_levels_clear(). */
bool bot_levels_read(const struct folders *folders, struct bot_levels *ladder, struct fault *fault);
void bot_levels_clear(struct bot_levels *ladder);

/* The first bot of a level; NULL if there is none. */
const struct rung *bot_levels_find(const struct bot_levels *ladder, enum bot_level level);

/* The first bot of the highest level; NULL if no bot has a level. */
const struct rung *bot_levels_top(const struct bot_levels *ladder);

/* The first bot of the highest level among those that say how their chances stand; one without a
 * level if none of them has any; NULL if there is none. */
const struct rung *bot_levels_appraiser(const struct bot_levels *ladder);

#endif
