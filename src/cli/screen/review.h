/* review.h - steps through a recorded game on the screen, in either side's view or uncovered. */
#ifndef ENSIGN_CLI_SCREEN_REVIEW_H
#define ENSIGN_CLI_SCREEN_REVIEW_H

#include "game_log.h"
#include "host/record.h"
#include "lua/language.h"
#include "printed.h"
#include "screen.h"

struct review_options {
    const struct language *language;
    const struct rules *rules; /* of the record's variant */
    const struct record *record;
    uint32_t ply;            /* to start at; past the end: the end */
    const char *note;        /* shown at the end of the game, translated; may be NULL */
    struct printed *printed; /* by the bots; NULL: nothing is shown */
    enum eyes_of eyes;       /* to begin with */
    bool locked;             /* no others are offered */
    bool so_far;             /* the game goes on: a step past its last ply leaves too */
};

/* Shows the record until the person leaves. A record with an illegal move is shown up to it, with
 * the fault at the end. False with a fault if nothing can be shown. */
bool review_show(struct screen *screen, const struct review_options *options, struct fault *fault);

#endif
