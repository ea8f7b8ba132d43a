/* met.h - two games of a bot against the rookie. */
#ifndef ENSIGN_TESTS_GAMES_MET_H
#define ENSIGN_TESTS_GAMES_MET_H

#include "host/match/tournament.h"

/* `template` NULL: the bot runs in this process. Fails the test if the games cannot be played. The
 * caller frees with tournament_free(). */
struct tournament *met_rookie(const struct folders *folders, const struct rules *rules,
                              const char *bot, struct template *template);

#endif
