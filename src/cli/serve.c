/* serve.c - `ensign serve`: games for browsers, and for programs that drive them over standard
 * input and output. */
#include "serve/server.h"
#include "serve/stdio.h"

#include "base/descriptors.h"
#include "base/paths.h"
#include "base/processors.h"
#include "command.h"
#include "host/program/external_sight.h"
#include "host/seat/message.h"
#include "host/seed.h"
#include "host/table/saved.h"
#include "jail/jail.h"
#include "rulesheet.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct serve_values {
    bool stdio, schema, proxied, workshop, trust, fresh, wall;
    const char *listen, *origin, *page, *data, *setups;
    uint32_t jobs, deadline, sockets, bots, heartbeat;
    uint32_t sockets_of, requests_of, games_of, bots_of, storage_of; /* of an address */
};

enum { ORIGINS_MAX = 16, SOCKETS_MAX = 1000000, BOTS_MAX = 10000, STORAGE_MAX = 1 << 20 };

static int run_serve(const void *values);
const struct command command_serve = {
    COMMAND(serve, .deadline = PLAYER_DEADLINE, .listen = "127.0.0.1:8080", .sockets = NET_SOCKETS,
            .sockets_of = VISITOR_SOCKETS, .requests_of = VISITOR_REQUESTS,
            .games_of = VISITOR_GAMES, .storage_of = VISITOR_STORAGE, .bots = BOT_SLOTS,
            .bots_of = BOT_SLOTS_OF_VISITOR, .heartbeat = NET_HEARTBEAT),
    .summary = "play in the browser, alone or with others; or serve a program, by JSON",
    .synopsis = {"[OPTIONS]", "--stdio [OPTIONS]", "--schema"},
    .prose =
        "Serves a page on which people play any variant against bots and against each other. "
        "With --stdio, reads requests from standard input, one JSON object a line, and writes "
        "what they lead to to standard output: games of any variant between bots, programs and "
        "the client itself; the end of standard input ends the program and everything that it "
        "has started. bots/programs/README.md describes the protocol, which the page speaks too, "
        "over the WebSocket /ws. Ctrl-C ends it.",
    .options =
        {
            {"listen", 0, "ADDRESS:PORT", VALUE_TEXT, INTO(serve, listen),
             "where the page is served; port 0 is any free one"},
            {"data", 0, "FOLDER", VALUE_FOLDER, INTO(serve, data),
             "where the games are kept (default: ~/.local/state/ensign/server)"},
            {"setups", 0, "FOLDER", VALUE_FOLDER, INTO(serve, setups),
             "offer everybody the set-ups in this folder too (default: only the program's own)",
             .excludes = "workshop"},
            {"origin", 0, "URL,…", VALUE_TEXT, INTO(serve, origin),
             "names under which browsers reach the page, such as https://example.org"},
            {"proxy", INTO(serve, proxied),
             "a proxy on this machine says in X-Forwarded-For who is connected"},
            {"workshop", INTO(serve, workshop),
             "the page also edits the variants and bots of the current folder; only for this "
             "machine"},
            {"page", 0, "FOLDER", VALUE_FOLDER, INTO(serve, page),
             "take the page's files from here, for working on them"},
            {"sockets", 0, "N", VALUE_NUMBER, INTO(serve, sockets), "connections at a time",
             .least = 1, .most = SOCKETS_MAX},
            {"bots", 0, "N", VALUE_NUMBER, INTO(serve, bots), "processes of bots at a time",
             .least = 1, .most = BOTS_MAX},
            {"sockets-of-address", 0, "N", VALUE_NUMBER, INTO(serve, sockets_of),
             "connections of one address at a time", .least = 1, .most = SOCKETS_MAX},
            {"requests-of-address", 0, "N", VALUE_NUMBER, INTO(serve, requests_of),
             "requests of one address a second", .least = 1, .most = SOCKETS_MAX},
            {"games-of-address", 0, "N", VALUE_NUMBER, INTO(serve, games_of),
             "games of one address at a time", .least = 1, .most = SOCKETS_MAX},
            {"bots-of-address", 0, "N", VALUE_NUMBER, INTO(serve, bots_of),
             "processes of bots in the games of one address", .least = 1, .most = BOTS_MAX},
            {"storage-of-address", 0, "MIB", VALUE_NUMBER, INTO(serve, storage_of),
             "disk that the games of one address may take in a day", .least = 1,
             .most = STORAGE_MAX},
            {"heartbeat", 0, "MS", VALUE_NUMBER, INTO(serve, heartbeat),
             "milliseconds after which a page and the server say again that they live",
             .least = NET_HEARTBEAT_LEAST, .most = NET_HEARTBEAT_MOST},
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
    enum { MORE = 4, MOST = 64 };
    return processors_count(MOST - MORE) + MORE;
}

/* Splits "127.0.0.1:8080" or "[::1]:8080". */
static bool read_listen(const char *text, char *address, size_t size, int *port) {
    const bool six = *text == '[';
    const char *end = six ? strchr(text, ']') : strchr(text, ':');
    const char *digits = end ? end + six + 1 : NULL;
    if (!end || (six && end[1] != ':')) return false;
    const size_t length = (size_t)(end - text) - six;
    if (length >= size || !*digits || strlen(digits) > 5 || digits[strspn(digits, "0123456789")])
        return false;
    memcpy(address, text + six, length);
    address[length] = 0;
    *port = atoi(digits);
    return *port < 65536;
}

/* Splits the list at its commas, in place. Returns the number of origins; -1 if one is wrong. */
static int read_origins(char *list, const char *origins[ORIGINS_MAX]) {
    int count = 0;
    for (char *rest = list, *origin; (origin = strsep(&rest, ","));) {
        if (count == ORIGINS_MAX || !origin_check_is_origin(origin)) return -1;
        origins[count++] = origin;
    }
    return count;
}

static bool read_options(const struct serve_values *values, const struct folders *folders,
                         const struct folders *shown, struct lobby_options *options,
                         struct fault *fault) {
    uint64_t seed;
    *options = (struct lobby_options){.folders = folders,
                                      .shown = shown,
                                      .limits = SANDBOX_DEFAULTS,
                                      .deadline = (int)values->deadline,
                                      .jobs = values->jobs ? (int)values->jobs : usual_jobs(),
                                      .programs = {.fresh = values->fresh, .wall = values->wall},
                                      .bots = {(int)values->bots, (int)values->bots_of},
                                      .trust = values->trust,
                                      .open = values->stdio,
                                      .workshop = values->workshop};
    return seed_take(UINT64_MAX, &seed, fault) && seed_stretch(seed, &options->key, fault);
}

static int serve_stdio(const struct lobby_options *options) {
    struct fault fault = {0};
    bool tidy = true;
    if (!stdio_serve(options, STDIN_FILENO, STDOUT_FILENO, &tidy, &fault)) return cli_fail(&fault);
    if (!tidy) _exit(EXIT_DONE);
    return EXIT_DONE;
}

#if ENSIGN_SERVE
static struct archive *open_archive(const char *folder, struct fault *fault) {
    char usual[SAVED_PATH_MAX];
    if (!folder && !saved_folder("server", usual, fault)) return NULL;
    struct archive *archive = archive_open(folder ? folder : usual, fault);
    if (archive) external_sight_hide(folder ? folder : usual);
    return archive;
}

static int serve_games(const struct server_options *options) {
    struct fault fault = {0};
    bool tidy = true;
    struct server *server = server_open(options, &fault);
    if (!server) return cli_fail(&fault);
    cli_line(stderr, "%s (Ctrl-C ends it)", server_address(server));
    bool served = server_run(server, &tidy, &fault);
    if (!tidy) _exit(EXIT_DONE);
    server_close(server);
    return served ? EXIT_DONE : cli_fail(&fault);
}

static void report_disk(void *context, const struct fault *why) {
    (void)context;
    if (why) cli_fail(why);
    language_line(stderr, cli_tongue(),
                  why ? TEXT("ensign: the games wait") : TEXT("ensign: the games go on"));
}

static int serve_web(struct server_options *options, const char *data) {
    struct fault fault = {0};
    options->lobby.archive = open_archive(data, &fault);
    if (!options->lobby.archive) return cli_fail(&fault);
    cli_tongue(); /* before there are threads */
    archive_watch(options->lobby.archive, report_disk, NULL);
    int code = serve_games(options);
    archive_close(options->lobby.archive);
    return code;
}
#else /* standard input is served by every program */
static int serve_web(struct server_options *options, const char *data) {
    (void)options, (void)data;
    return cli_lacks("serve", "ENSIGN_SERVE");
}
#endif

/* A browser wraps the sentences itself. */
static void print_sheet(FILE *out, const struct language *language, const struct rules *rules) {
    rulesheet_print(out, INT_MAX, language, rules);
}

static int run_serve(const void *values) {
    const struct serve_values *given = values;
    struct folders folders, shown;
    struct fault fault = {0};
    char address[64], list[1024] = "";
    const char *origins[ORIGINS_MAX];
    struct server_options options = {.address = address,
                                     .origins = origins,
                                     .proxied = given->proxied,
                                     .page = given->page,
                                     .sheet = print_sheet,
                                     .version = ENSIGN_VERSION,
                                     .sockets = (int)given->sockets,
                                     .visitors = {.sockets = (int)given->sockets_of,
                                                  .requests = (int)given->requests_of,
                                                  .games = (int)given->games_of,
                                                  .storage = (int)given->storage_of},
                                     .heartbeat = (int)given->heartbeat};
    if (given->schema) {
        fputs(message_schema(), stdout);
        return EXIT_DONE;
    }
    if (!read_listen(given->listen, address, sizeof address, &options.port))
        return cli_misuse("serve", "--listen: expected ADDRESS:PORT, such as 127.0.0.1:8080 or "
                                   "[::1]:8080");
    if ((given->page && !path_is_folder(given->page)) ||
        (given->setups && !path_is_folder(given->setups)))
        return cli_misuse("serve", "--page, --setups: a folder is expected");
    if (given->origin) snprintf(list, sizeof list, "%s", given->origin);
    options.origin_count = given->origin ? read_origins(list, origins) : 0;
    if (options.origin_count < 0)
        return cli_misuse("serve", "--origin: expected URLs such as https://example.org, without "
                                   "a path");
    if (given->workshop && (given->stdio || given->proxied || given->origin))
        return cli_misuse("serve",
                          "--workshop is for browsers on this machine: it does not go with "
                          "--stdio, --proxy or --origin");
    if (given->workshop && !origin_check_is_loopback(address))
        return cli_misuse("serve", "--workshop is for browsers on this machine: --listen needs a "
                                   "loopback address, such as 127.0.0.1:8080");
    if (given->setups && given->stdio)
        return cli_misuse("serve", "--%s and --%s do not go together", "stdio", "setups");
    if (given->setups && !path_is_folder(given->setups))
        return cli_misuse("serve", "--setups: no such folder: %s", given->setups);
    if (!cli_folders(&folders)) return EXIT_HOST;
    /* A program on standard input and the workshop's browser are the user's own. */
    const bool trusted = given->stdio || given->workshop;
    shown = trusted ? folders : folders_for_strangers(&folders, given->setups);
    const char *warning = given->trust ? NULL : cli_cage_warning();
    if (warning) cli_line(stderr, "%s", warning);
    jail_hide(); /* before there is a game to hide from other processes of the user */
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, &fault) ||
        !read_options(given, &folders, &shown, &options.lobby, &fault))
        return cli_fail(&fault);
    return given->stdio ? serve_stdio(&options.lobby) : serve_web(&options, given->data);
}
