/* stage.h - one game on the screen: played against a bot, by two people at one keyboard, or
 * watched.
 *
 * Two people must not see each other's ranks: when the keyboard changes hands the screen is covered
 * until the other one says that nobody else looks. */
#ifndef ENSIGN_CLI_SCREEN_STAGE_H
#define ENSIGN_CLI_SCREEN_STAGE_H

#include "live.h"
#include "lua/language.h"
#include "screen.h"

enum { STAGE_PAUSE_MAX = 60000, STAGE_PAUSE = 600 };

struct stage_options {
    const struct language *language;
    const struct rules *rules;
    struct player *players[2]; /* NULL: a person, whose set-up is given */
    const char *names[2];      /* as people read them */
    struct referee_options referee;
    struct record *record; /* may be NULL */
    int pause_ms;          /* at first, between a turn and a bot's; 0 … STAGE_PAUSE_MAX */
};

/* Plays to the end, which may be that somebody leaves or that the screen is closed (then the reason
 * is "unfinished"). False with a fault if the host failed. */
bool stage_play(struct screen *screen, const struct stage_options *options,
                struct referee_report *report, struct fault *fault);

#endif
