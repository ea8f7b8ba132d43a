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
    if (asked->key && !seal_read_secret(asked->key, &over->options.secret, fault)) return false;
    over->coordinator = coordinator_open(&over->options, fault);
    return over->coordinator;
}

bool over_begin(struct over *over, struct store *store, struct tournament_options *match,
                struct fault *fault) {
    const char *former = store ? store_meta(store, "over") : NULL;
    if (!over->coordinator) return true;
    if (former && strlen(former) != SEAL_ID_MAX - 1) former = NULL;
    match->carrier = coordinator_carrier(over->coordinator, former);
    return !store || store_put_meta(store, "over", coordinator_match(over->coordinator), fault);
}

void over_close(struct over *over) {
    coordinator_close(over->coordinator);
    over->coordinator = NULL;
}
