/* over.h - a match that other machines play (`match --over`). */
#ifndef ENSIGN_CLI_MATCH_OVER_H
#define ENSIGN_CLI_MATCH_OVER_H

#include "host/machines/coordinator.h"
#include "plan.h"
#include "progress.h"

struct over {
    const struct plan *plan;
    struct progress *progress;
    struct coordinator_options options;
    struct coordinator *coordinator; /* NULL: the match is played here */
};

/* Connects, if the plan says so, before there is a store. `over` must not be moved. */
bool over_open(struct over *over, const struct plan *plan, struct progress *progress,
               struct fault *fault);

/* Gives the match its carrier. Its id stays in the store, if there is one. */
bool over_begin(struct over *over, struct store *store, struct tournament_options *match,
                struct fault *fault);

void over_close(struct over *over);

#endif
