/* worker.c - `ensign worker`: plays pairs for the matches of other machines. */
#include "host/machines/worker.h"

#include "cli.h"
#include "host/machines/outpost.h"
#include "host/processors.h"
#include "interrupt.h"

#include <string.h>

struct worker_values {
    const char *url, *creds, *name;
    int jobs;
    bool programs, trust;
};

static int run_worker(const void *values);
const struct command command_worker = {
    COMMAND(worker, .jobs = 0),
    .summary = "play pairs for matches of other machines",
    .synopsis = {"URL [OPTIONS]"},
    .prose =
        "Waits at a NATS server for matches that were started with --over, and plays their pairs "
        "until Ctrl-C. Variants, bots and set-ups come from the match and run behind the wall, so "
        "this machine needs nothing but the program. Up to 4 matches are played for at once.",
    .arguments = {{NULL, 0, "URL", VALUE_TEXT, INTO(worker, url),
                   "the NATS server: nats://HOST[:PORT] or tls://HOST[:PORT]", .needed = true}},
    .options =
        {
            {"jobs", 'j', "JOBS", VALUE_NUMBER, INTO(worker, jobs),
             "threads for a match; one for each processor unless given", .least = 1,
             .most = OUTPOST_THREADS_MAX},
            {"name", 0, "NAME", VALUE_TEXT, INTO(worker, name),
             "what matches call it, in letters, digits and '-' (default: the machine's name and the "
             "process's number)",
             .most = SLIP_WORKER_MAX - 1},
            {OPTION_CREDS, INTO(worker, creds)},
            {"allow-programs", INTO(worker, programs),
             "also play matches of external programs, which are started as they are and can do "
             "whatever you can"},
            {"allow-trust", INTO(worker, trust),
             "also play matches whose bots run without the wall"},
        },
    .notes = {"Whoever may use the NATS server can have this machine play: give it credentials. "
              "Ctrl-C gives back what is not played."},
};

static void say(void *context, const char *line) {
    (void)context;
    cli_line(stderr, "ensign: %s", line);
}

static bool is_name(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return name[0] && !name[strspn(name, letters)];
}

static int run_worker(const void *values) {
    const struct worker_values *asked = values;
    struct fault fault = {0};
    struct worker_options options = {
        .server = {.url = asked->url, .creds = asked->creds, .name = "ensign worker"},
        .greeting = {.version = ENSIGN_VERSION, .programs = asked->programs, .trust = asked->trust},
        .threads = asked->jobs,
        .say = say};
    if (!options.threads) options.threads = processors_count(OUTPOST_THREADS_MAX);
    worker_name(options.greeting.worker);
    if (asked->name && !is_name(asked->name))
        return cli_misuse("worker", "--name \"%s\": letters, digits, '-' and '_' are expected",
                          asked->name);
    if (asked->name) strcpy(options.greeting.worker, asked->name);
    options.nursery = nursery_open((struct nursery_work){outpost_run, NULL}, NULL, &fault);
    if (!options.nursery) return cli_fail(&fault);
    options.stop = interrupt_catch();
    bool worked = worker_run(&options, &fault);
    interrupt_release();
    nursery_close(options.nursery);
    return worked ? EXIT_DONE : cli_fail(&fault);
}
