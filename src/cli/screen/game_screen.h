/* game_screen.h - one game on the screen: against a bot, between two people at one keyboard, or
 * watched.
 *
 * Between two people the screen is covered after every turn, until the next one presses Enter. */
#ifndef ENSIGN_CLI_SCREEN_GAME_SCREEN_H
#define ENSIGN_CLI_SCREEN_GAME_SCREEN_H

#include "cli/suspicions.h"
#include "cli/ui.h"
#include "game_log.h"
#include "live.h"
#include "lua/language.h"
#include "printed.h"
#include "screen.h"

enum { GAME_PAUSE_MAX = 60000, GAME_PAUSE = 600 };

/* How a person looks at watched games, kept from one to the next. */
struct game_screen_looks {
    bool chosen; /* `eyes` count, instead of those of the options */
    bool paused;
    enum eyes_of eyes;
};

struct game_screen_options {
    const struct language *language;
    struct table *table;             /* open, with the armies of people */
    const char *names[2];            /* as shown */
    struct suspicions *marks;        /* of both sides; NULL: there are none */
    struct hint *hint;               /* for the only person; NULL: there are no hints */
    bool arranged;                   /* a person has just ended its set-up with d */
    enum eyes_of eyes;               /* of a watched game, to begin with */
    struct ui_lesson *lesson;        /* NULL: none */
    struct game_screen_looks *looks; /* of a watched game; NULL: forgotten */
    struct printed *printed;         /* by the bots; NULL: nothing is shown */
    const char *note;                /* shown at first, translated; may be NULL */
    int *pause_ms; /* before each bot's move, 0 … GAME_PAUSE_MAX; the person changes it */
};

/* Plays to the end. If a person leaves or the screen closes, the reason is "unfinished". False with
 * a fault if the host failed. */
bool game_screen_play(struct screen *screen, const struct game_screen_options *options,
                      struct fault *fault);

#endif
