/* why.h - says of a typed move whether it is legal and, if not, why. */
#ifndef ENSIGN_CLI_SCREEN_WHY_H
#define ENSIGN_CLI_SCREEN_WHY_H

#include "dialog.h"
#include "game_log.h"
#include "host/session.h"
#include "lua/language.h"

/* Shows it in a window. Where only one side's view is shown, moves of the other are not judged: the
 * answer would tell its pieces. */
void why_tell(struct screen *screen, const struct backdrop *behind, const struct language *language,
              const struct session *session, enum eyes_of eyes, const char *line);

#endif
