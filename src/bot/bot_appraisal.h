/* bot_appraisal.h - how a bot thinks its chances stand. */
#ifndef ENSIGN_BOT_BOT_APPRAISAL_H
#define ENSIGN_BOT_BOT_APPRAISAL_H

#include "view_lua.h"

enum { APPRAISAL_CERTAIN = 10000 }; /* the chance of a game that is won */

/* Reads what bot.appraise returned, on top of the stack, during that callback: a chance for each
 * legal move of the view, or one if there is none. Raises for anything else. */
void bot_appraisal_read(lua_State *lua, const struct view_lua *view, uint16_t *chances);

#endif
