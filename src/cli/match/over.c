#include "over.h"

#include "cli/cli.h"

#include <string.h>

static void report(void *context, const struct tournament *match, const char *line) {
    struct over *over = context;
    progress_tell(over->progress, line);
    progress_show(over->progress, match, over->plan->match.sprt);
}

static void warn(void *context, const char *line) {
    struct over *over = context;
    progress_close(over->progress);
    cli_line(stderr, "ensign: %s", line);
}

bool over_open(struct over *over, const struct plan *plan, struct progress *progress,
               struct fault *fault) {
    const struct match_values *asked = &plan->asked;
    over->plan = plan;
    over->progress = progress;
    if (!asked->over) return true;
    over->options = (struct coordinator_options){
        .server = {.url = asked->over, .creds = asked->creds, .name = "ensign match"},
        .variant = asked->variant,
        .version = ENSIGN_VERSION,
        .trust = asked->trust,
        .report = report,
        .warn = warn,
        .context = over};
    over->coordinator = coordinator_open(&over->options, fault);
    return over->coordinator;
}

bool over_begin(struct over *over, struct store *store, struct tournament_options *match,
                struct fault *fault) {
    char id[SLIP_MATCH_MAX];
    const char *kept = store ? store_meta(store, "over") : NULL;
    if (!over->coordinator) return true;
    const bool known = kept && strlen(kept) == sizeof id - 1;
    if (known) strcpy(id, kept);
    if (!known && !slip_draw_id(id, fault)) return false;
    if (store && !known && !store_put_meta(store, "over", id, fault)) return false;
    match->carrier = coordinator_carrier(over->coordinator, id);
    return true;
}

void over_close(struct over *over) {
    coordinator_close(over->coordinator);
    over->coordinator = NULL;
}
