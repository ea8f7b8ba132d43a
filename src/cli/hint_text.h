/* hint_text.h - a hint (host/hint.h) in words. */
#ifndef ENSIGN_CLI_HINT_TEXT_H
#define ENSIGN_CLI_HINT_TEXT_H

#include "bot/bot_advice.h"
#include "lua/language.h"

enum { HINT_TEXT_MAX = 1024 };

/* "seer would play e4xe5: score 2.41, 67 % to win the battle, 3.0 at stake. Next best: a4-a5
 * (1.98)." The moves of the advice are indices into `moves`. */
void hint_tell(const struct language *language, const struct view *view, const char *bot,
               struct move move, const struct advice *advice, const struct move *moves,
               char out[HINT_TEXT_MAX]);

/* "seer would play e4xe5." */
void hint_tell_move(const struct language *language, const struct view *view, const char *bot,
                    struct move move, char out[HINT_TEXT_MAX]);

/* Why there is none. */
void hint_tell_fault(const struct language *language, const char *bot, const struct fault *fault,
                     char out[HINT_TEXT_MAX]);

#endif
