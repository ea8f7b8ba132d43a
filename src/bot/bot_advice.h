/* bot_advice.h - what a bot says of its moves: those that it thinks best, with its numbers, and how
 * its chances stand. */
#ifndef ENSIGN_BOT_BOT_ADVICE_H
#define ENSIGN_BOT_BOT_ADVICE_H

#include "view_lua.h"

enum { ADVICE_MAX = 3, ADVICE_VALUE_MAX = 1000000 };

struct candidate {
    uint32_t chosen; /* index of the legal move */
    double score;    /* the higher, the better; from -ADVICE_VALUE_MAX to ADVICE_VALUE_MAX */
    double chance; /* that its battle is won or its guess is right, 0 … 1; negative: none given */
    double stake;  /* what it risks, up to ADVICE_VALUE_MAX; negative: none given */
};

struct advice {
    int count;
    bool percent; /* for people: the scores are chances to win, those of a bot that appraises */
    struct candidate list[ADVICE_MAX]; /* as the bot orders them, the best first */
};

/* Is it within these ranges, for so many legal moves? */
bool candidate_is_sound(const struct candidate *candidate, size_t moves);

/* Reads the list that bot.explain returned, on top of the stack, during that callback; entries
 * after the first ADVICE_MAX are ignored. Raises for anything else. */
void bot_advice_read(lua_State *lua, const struct view_lua *view, struct advice *advice);

enum { APPRAISAL_CERTAIN = 10000 }; /* the chance of a game that is won */

/* Reads what bot.appraise returned, on top of the stack, during that callback: a chance for each
 * legal move of the view, or one if there is none. Raises for anything else. */
void bot_appraisal_read(lua_State *lua, const struct view_lua *view, uint16_t *chances);

#endif
