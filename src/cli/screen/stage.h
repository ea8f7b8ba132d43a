/* stage.h - one game on the screen: against a bot, between two people at one keyboard, or watched.
 *
 * Between two people the screen is covered after every turn, until the next one presses Enter. */
#ifndef ENSIGN_CLI_SCREEN_STAGE_H
#define ENSIGN_CLI_SCREEN_STAGE_H

#include "chronicle.h"
#include "cli/front.h"
#include "cli/suspicions.h"
#include "live.h"
#include "lua/language.h"
#include "printed.h"
#include "screen.h"

enum { STAGE_PAUSE_MAX = 60000, STAGE_PAUSE = 600 };

/* How a person looks at watched games, kept from one to the next. */
struct stage_looks {
    bool chosen; /* `eyes` count, instead of those of the options */
    bool paused;
    enum eyes_of eyes;
};

struct stage_options {
    const struct language *language;
    struct table *table;         /* open, with the armies of people */
    const char *names[2];        /* as shown */
    struct suspicions *marks;    /* of both sides; NULL: there are none */
    struct hint *hint;           /* for the only person; NULL: there are no hints */
    bool arranged;               /* a person has just ended its set-up with d */
    enum eyes_of eyes;           /* of a watched game, to begin with */
    struct front_lesson *lesson; /* NULL: none */
    struct stage_looks *looks;   /* of a watched game; NULL: forgotten */
    struct printed *printed;     /* by the bots; NULL: nothing is shown */
    const char *note;            /* shown at first, translated; may be NULL */
    int *pause_ms; /* before each bot's move, 0 … STAGE_PAUSE_MAX; the person changes it */
};

/* Plays to the end. If a person leaves or the screen closes, the reason is "unfinished". False with
 * a fault if the host failed. */
bool stage_play(struct screen *screen, const struct stage_options *options, struct fault *fault);

#endif
