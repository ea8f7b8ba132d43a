/* guide.h - help on the screen: keys, what is shown, and the rule sheet of the variant. */
#ifndef ENSIGN_CLI_SCREEN_GUIDE_H
#define ENSIGN_CLI_SCREEN_GUIDE_H

#include "dialog.h"
#include "lua/language.h"

enum guide_topic { GUIDE_PLAY, GUIDE_WATCH, GUIDE_REVIEW, GUIDE_ARRANGE, GUIDE_START };

/* Shows the help until it is closed, without a rule sheet if `rules` is NULL. */
void guide_show(struct screen *screen, const struct backdrop *behind,
                const struct language *language, const struct rules *rules, enum guide_topic topic);

#endif
