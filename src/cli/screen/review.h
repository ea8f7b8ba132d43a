/* review.h - a recorded game on the screen, to step through both ways and from any side's eyes. */
#ifndef ENSIGN_CLI_SCREEN_REVIEW_H
#define ENSIGN_CLI_SCREEN_REVIEW_H

#include "host/record.h"
#include "lua/language.h"
#include "screen.h"

struct review_options {
    const struct language *language;
    const struct rules *rules; /* of the record's variant */
    const struct record *record;
    uint32_t ply;     /* where it begins; beyond the end: at the end */
    const char *note; /* shown at the end of the game, in people's language; may be NULL */
};

/* Shows the record until it is left. Of one with a move that is not legal those before it are
 * shown, and at the end what is wrong. False with a fault where nothing can be shown. */
bool review_show(struct screen *screen, const struct review_options *options, struct fault *fault);

#endif
