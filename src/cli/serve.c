/* serve.c - `ensign serve`: games for programs that drive them, over standard input and output. */
#include "serve/stdio.h"

#include "cli.h"
#include "host/seat/message.h"
#include "host/seed.h"

#include <stdlib.h>
#include <unistd.h>

struct serve_values {
    bool stdio, schema, trust, fresh, wall;
    uint32_t jobs, deadline;
};

static int run_serve(const void *values);
const struct command command_serve = {
    COMMAND(serve, .deadline = PLAYER_DEADLINE),
    .summary = "play any number of games for a program, by JSON over standard input",
    .synopsis = {"--stdio [OPTIONS]", "--schema"},
    .prose =
        "Reads requests from standard input, one JSON object a line, and writes what they lead "
        "to to standard output: games of any variant between bots, programs and the client "
        "itself. bots/programs/README.md describes the protocol. The end of standard input "
        "ends the program and everything that it has started.",
    .options =
        {
            {"stdio", INTO(serve, stdio), "serve a client over standard input and output"},
            {"schema", INTO(serve, schema), "print the JSON Schema of all messages"},
            {"jobs", 'j', "N", VALUE_NUMBER, INTO(serve, jobs),
             "threads that the games share (default: four more than there are processors)",
             .least = 1, .most = 256},
            {OPTION_DEADLINE, INTO(serve, deadline)},
            {OPTION_SEED_SECRET},
            {OPTION_TRUST, INTO(serve, trust)},
            {OPTION_FRESH, INTO(serve, fresh)},
            {OPTION_WALL, INTO(serve, wall)},
        },
};

/* Threads mostly wait for the processes of bots. */
static int usual_jobs(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 5 : processors > 60 ? 64 : (int)processors + 4;
}

static int serve_stdio(const struct serve_values *values, const struct folders *folders,
                       struct stem *stem) {
    struct fault fault = {0};
    struct hall_options options = {.folders = folders,
                                   .stem = stem,
                                   .limits = SANDBOX_DEFAULTS,
                                   .deadline = (int)values->deadline,
                                   .jobs = values->jobs ? (int)values->jobs : usual_jobs(),
                                   .programs = {.fresh = values->fresh, .wall = values->wall},
                                   .trust = values->trust,
                                   .open = true};
    uint64_t seed;
    bool tidy = true;
    if (!seed_take(UINT64_MAX, &seed, &fault) || !seed_stretch(seed, &options.key, &fault) ||
        !stdio_serve(&options, STDIN_FILENO, STDOUT_FILENO, &tidy, &fault))
        return cli_fail(&fault);
    if (!tidy) _exit(EXIT_DONE);
    return EXIT_DONE;
}

static int run_serve(const void *values) {
    const struct serve_values *given = values;
    struct folders folders;
    struct fault fault = {0};
    if (given->schema) {
        fputs(message_schema(), stdout);
        return EXIT_DONE;
    }
    if (!given->stdio) return cli_misuse("serve", "--stdio or --schema is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    const char *warning = given->trust ? NULL : cli_cage_warning();
    if (warning) cli_line(stderr, "%s", warning);
    struct stem *stem = stem_open(&folders, SANDBOX_DEFAULTS, &fault);
    if (!stem) return cli_fail(&fault);
    int code = serve_stdio(given, &folders, stem);
    stem_close(stem);
    return code;
}
