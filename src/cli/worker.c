/* worker.c - `ensign worker`: plays pairs for the matches of other machines. */
#include "host/machines/worker.h"

#include "base/processors.h"
#include "command.h"
#include "interrupt.h"
#include "jail/jail.h"

#include <string.h>
#include <unistd.h>

struct worker_values {
    const char *url, *creds, *key, *name;
    int jobs, memory, deadline;
    uint64_t fuel;
    bool programs, trust;
};

static int run_worker(const void *values);
const struct command command_worker = {
    COMMAND(worker, .deadline = 600000, .fuel = 10000000000),
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
             .most = TOURNAMENT_JOBS_MAX},
            {"name", 0, "NAME", VALUE_TEXT, INTO(worker, name),
             "what matches call it, in letters, digits and '-' (default: the machine's name and the "
             "process's number)",
             .most = MESSAGES_WORKER_MAX - 1},
            {OPTION_CREDS, INTO(worker, creds)},
            {OPTION_KEY, INTO(worker, key)},
            {"memory", 0, "MIB", VALUE_NUMBER, INTO(worker, memory),
             "most memory for all matches together: their bots, calls, set-ups and files (default: "
             "half of the machine's)",
             .least = 1, .most = 1 << 24},
            {"fuel", 0, "N", VALUE_NUMBER, INTO(worker, fuel),
             "most Lua instructions of a bot's callback that a match may ask for", .least = 1000,
             .most = UINT64_MAX / 2},
            {"deadline", 0, "MS", VALUE_NUMBER, INTO(worker, deadline),
             "most milliseconds for an answer that a match may ask for", .least = 1,
             .most = INT_MAX},
            {"allow-programs", INTO(worker, programs),
             "also play matches of external programs, which are started as they are and can do "
             "whatever you can"},
            {"allow-trust", INTO(worker, trust),
             "also play matches whose bots run without the wall"},
        },
    .notes = {"Every user of the NATS server can have this machine play, within these limits: give "
              "the server credentials, or match and workers a --key. "
              "Ctrl-C gives back what is not played."},
};

#if ENSIGN_CLUSTER
static void say(void *context, const char *line) {
    (void)context;
    cli_line(stderr, "ensign: %s", line);
}

static size_t half_of_memory(void) {
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;
}

static int run_worker(const void *values) {
    const struct worker_values *asked = values;
    struct fault fault = {0};
    struct worker_options options = {
        .server = {.url = asked->url, .creds = asked->creds, .part = "worker"},
        .greeting = {.version = ENSIGN_VERSION},
        .threads = asked->jobs,
        .permits = {.programs = asked->programs,
                    .trust = asked->trust,
                    .fuel = asked->fuel,
                    .memory = asked->memory ? (size_t)asked->memory << 20 : half_of_memory(),
                    .deadline = asked->deadline},
        .say = say};
    if (!options.threads) options.threads = processors_count(TOURNAMENT_JOBS_MAX);
    options.greeting.threads = options.threads;
    worker_name(options.greeting.worker);
    if (asked->name && !messages_is_name(asked->name))
        return cli_misuse("worker", "--name \"%s\": letters, digits, '-' and '_' are expected",
                          asked->name);
    if (asked->name) strcpy(options.greeting.worker, asked->name);
    if (asked->key && !seal_read_secret(asked->key, &options.secret, &fault))
        return cli_fail(&fault);
    /* Whatever a match makes of this process, it starts no program. */
    if (!asked->programs && !jail_refuse_programs())
        fault_set(&fault, STATUS_SYSTEM, "programs cannot be refused: try --allow-programs");
    if (fault.status != STATUS_OK) return cli_fail(&fault);
    options.stop = interrupt_catch();
    bool worked = worker_run(&options, &fault);
    interrupt_release();
    return worked ? EXIT_DONE : cli_fail(&fault);
}
#else
static int run_worker(const void *values) {
    (void)values;
    return cli_lacks("worker", "ENSIGN_CLUSTER");
}
#endif
