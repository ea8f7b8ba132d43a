/* flood.c - how others fare while one address asks `ensign serve` for all it can.
 *
 *     bench_flood [--requests N] [--sockets N] [--players N] [--seconds S] [KIND...]
 *
 * Starts a server with its usual limits. Players, each at an address of its own, ask for the view
 * of their game against a bot, 15 times a second each; then one address sends N requests over many
 * connections, as fast as the server takes them, and opens a connection again when it is closed.
 * Each KIND of request comes from an address of its own and is measured by itself: the time from a
 * player's request to its reply. */
#define _GNU_SOURCE
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    INPUT_BYTES = 1 << 16,
    TEXT_MAX = 256,
    REQUEST_MAX = 60000,
    RECORD_BYTES = REQUEST_MAX - TEXT_MAX,
    LATENCIES_MAX = 1 << 20,
    PACE_MS = 66
};

static struct {
    int requests, sockets, players, seconds, port;
    char folder[32];
    pid_t server;
    char game[64];            /* a long one that is over, to be watched and studied */
    char record[REQUEST_MAX]; /* one of many plies, as a text of JSON */
    atomic_bool over;
    atomic_int sent, refused, opened;
} flood = {.requests = 100000, .sockets = 250, .players = 8, .seconds = 10};

static void die(const char *what) {
    fprintf(stderr, "bench_flood: %s: %s\n", what, strerror(errno));
    if (flood.server > 0) kill(flood.server, SIGTERM);
    exit(3);
}

static void start_server(void) {
    int ends[2];
    char line[256] = "";
    strcpy(flood.folder, "/tmp/ensign_flood_XXXXXX");
    if (pipe(ends) || !mkdtemp(flood.folder)) die("pipe");
    flood.server = fork();
    if (flood.server < 0) die("fork");
    if (!flood.server) {
        dup2(ends[1], STDERR_FILENO);
        execl(ENSIGN_PROGRAM, ENSIGN_PROGRAM, "serve", "--listen", "127.0.0.1:0", "--data",
              flood.folder, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    const char *port = NULL;
    while (!port && lines && fgets(line, sizeof line, lines)) port = strstr(line, "127.0.0.1:");
    if (!port) die("the server did not start");
    flood.port = atoi(port + strlen("127.0.0.1:"));
}

/* Connects from 127.0.`host`.1. */
static int connect_from(int host) {
    const struct sockaddr_in from = {.sin_family = AF_INET,
                                     .sin_addr.s_addr = htonl(0x7f000001u + 256u * (unsigned)host)},
                             to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)flood.port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int on = 1, end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end < 0 || bind(end, (const struct sockaddr *)&from, sizeof from) ||
        connect(end, (const struct sockaddr *)&to, sizeof to))
        die("connect");
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return end;
}

/* A request as a masked frame, or, if it is none of JSON, as it is. */
static size_t frame(const char *text, char *out) {
    const size_t length = strlen(text);
    if (*text != '{') return (size_t)sprintf(out, "%s", text);
    const size_t head = length < 126 ? 6 : 8;
    memset(out, 0, 8);
    out[0] = (char)0x81;
    out[1] = (char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) out[2] = (char)(length >> 8), out[3] = (char)length;
    memcpy(out + head, text, length);
    return head + length;
}

static const char UPGRADE[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/* One player: a blocking socket, and what was heard last. */
struct player {
    pthread_t thread;
    int host, socket;
    size_t length;
    char input[INPUT_BYTES + 1], game[64];
    float *latency; /* ms */
    size_t latencies;
};

static void say(const struct player *player, const char *text) {
    char bytes[TEXT_MAX + 8];
    const size_t length = frame(text, bytes);
    if (send(player->socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) die("send");
}

/* Waits for these words; what was heard up to them is dropped. */
static void await(struct player *player, const char *words) {
    const char *found;
    while (!(found = strstr(player->input, words))) {
        const size_t kept = player->length < 100 ? player->length : 100;
        memmove(player->input, player->input + player->length - kept, kept);
        player->length = kept;
        ssize_t got = recv(player->socket, player->input + kept, INPUT_BYTES - kept, 0);
        if (got <= 0) die("a player was cut off");
        for (ssize_t i = 0; i < got; i++) /* heads of frames hold zeros */
            if (!player->input[kept + (size_t)i]) player->input[kept + (size_t)i] = '?';
        player->length += (size_t)got;
        player->input[player->length] = 0;
    }
    const char *game = strstr(found, "\"game\":\"");
    if (game && !player->game[0]) {
        game += strlen("\"game\":\"");
        snprintf(player->game, sizeof player->game, "%.*s", (int)strcspn(game, "\""), game);
    }
    found += strlen(words);
    player->length -= (size_t)(found - player->input);
    memmove(player->input, found, player->length + 1);
}

static void sit_down(struct player *player) {
    player->socket = connect_from(player->host);
    if (send(player->socket, UPGRADE, sizeof UPGRADE - 1, 0) < 0) die("send");
    await(player, "\"hello\"");
    say(player, "{\"type\":\"new\",\"variant\":\"quick\",\"red\":\"me\",\"blue\":\"rookie\","
                "\"setups\":{\"red\":\"random\"}}");
    await(player, "\"created\"");
    await(player, "\"moves\"");
}

static void *play(void *context) {
    struct player *player = context;
    char text[TEXT_MAX];
    for (int i = 0; !atomic_load(&flood.over); i++) {
        char id[32];
        snprintf(id, sizeof id, "\"id\":\"v%d\"", i);
        snprintf(text, sizeof text, "{\"type\":\"view\",\"game\":\"%s\",%s}", player->game, id);
        const int64_t start = clock_ns();
        say(player, text);
        await(player, id);
        const int64_t took = clock_ns() - start;
        if (player->latencies < LATENCIES_MAX)
            player->latency[player->latencies++] = (float)took / 1e6F;
        if (took < PACE_MS * 1000000LL) poll(NULL, 0, PACE_MS - (int)(took / 1000000));
    }
    return NULL;
}

static const struct {
    const char *name, *request;
} KINDS[] = {
    {"none", ""},
    {"view", "{\"type\":\"view\",\"game\":\"nowhere\"}"},
    {"list", "{\"type\":\"list\",\"what\":\"open\"}"},
    {"bots", "{\"type\":\"list\",\"what\":\"bots\"}"},
    {"watch", "{\"type\":\"watch\",\"game\":\"%s\"}"},
    {"explore", "{\"type\":\"explore\",\"game\":\"%s\"}"},
    {"record", "{\"type\":\"explore\",\"record\":\"%s\"}"},
    {"quiet", "{\"type\":\"explore\",\"from\":99999,\"record\":\"%s\"}"},
    {"study", "{\"type\":\"analyse\",\"bot\":\"seer\",\"record\":\"%s\"}"},
    {"ask", "{\"type\":\"advise\",\"bot\":\"seer\",\"record\":\"%s\"}"},
    {"analyse", "{\"type\":\"analyse\",\"game\":\"%s\"}"},
    {"advise", "{\"type\":\"advise\",\"bot\":\"hunter\",\"ply\":100,\"game\":\"%s\"}"},
    {"picture", "GET /game/%s.png HTTP/1.1\r\nHost: localhost\r\n\r\n"},
    {"new", "{\"type\":\"new\",\"variant\":\"quick\",\"red\":\"open\",\"blue\":\"open\"}"},
    {"bot", "{\"type\":\"new\",\"variant\":\"quick\",\"red\":\"me\",\"blue\":\"hunter\","
            "\"setups\":{\"red\":\"random\"}}"},
    {"match", "{\"type\":\"new\",\"variant\":\"duel\",\"red\":\"hunter\",\"blue\":\"hunter\"}"},
    {"junk", "{\"type\":\"\xc3\xa9\",\"x\":[[[[[1]]]]]}"},
    {"page", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
    {"socket", UPGRADE},
};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

struct attacker {
    int host, socket;
    size_t sent; /* of the request */
};

static void open_attacker(struct attacker *attacker, int host, bool upgrades) {
    *attacker = (struct attacker){.host = host, .socket = connect_from(host)};
    if (upgrades && send(attacker->socket, UPGRADE, sizeof UPGRADE - 1, MSG_NOSIGNAL) < 0) return;
    fcntl(attacker->socket, F_SETFL, O_NONBLOCK);
    atomic_fetch_add(&flood.opened, 1);
}

/* Drops what has come; counts what was refused. False if the server has closed. */
static bool hear(const struct attacker *attacker) {
    static char input[INPUT_BYTES + 1];
    ssize_t got = recv(attacker->socket, input, INPUT_BYTES, 0);
    if (got > 0 && memmem(input, (size_t)got, "try again", 9)) atomic_fetch_add(&flood.refused, 1);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void attack(int kind) {
    struct attacker *attackers = calloc((size_t)flood.sockets, sizeof *attackers);
    static char text[REQUEST_MAX], request[REQUEST_MAX + 8];
    const bool sends_record = strstr(KINDS[kind].request, "record");
    snprintf(text, sizeof text, KINDS[kind].request, sends_record ? flood.record : flood.game);
    const size_t length = frame(text, request);
    const bool upgrades = *text == '{', closes = !strcmp(KINDS[kind].name, "socket");
    const int64_t until = clock_ms() + 1000 * flood.seconds;
    for (int i = 0; i < flood.sockets && length; i++)
        open_attacker(&attackers[i], 100 + kind, upgrades);
    while (clock_ms() < until) {
        for (int i = 0; i < flood.sockets && length; i++) {
            struct attacker *attacker = &attackers[i];
            bool open = hear(attacker);
            while (open && atomic_load(&flood.sent) < flood.requests) {
                ssize_t put = send(attacker->socket, request + attacker->sent,
                                   length - attacker->sent, MSG_NOSIGNAL);
                if (put < 0) break;
                attacker->sent = (attacker->sent + (size_t)put) % length;
                if (attacker->sent) break;
                atomic_fetch_add(&flood.sent, 1);
                open = !closes;
            }
            if (open) continue;
            close(attacker->socket);
            open_attacker(attacker, attacker->host, upgrades);
        }
        poll(NULL, 0, 1);
    }
    for (int i = 0; i < flood.sockets && length; i++) close(attackers[i].socket);
    free(attackers);
}

static int float_compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void measure(int kind, struct player *players) {
    float *all = malloc((size_t)flood.players * LATENCIES_MAX * sizeof *all);
    size_t count = 0;
    if (!all) die("memory");
    atomic_store(&flood.over, false);
    atomic_store(&flood.sent, 0), atomic_store(&flood.refused, 0), atomic_store(&flood.opened, 0);
    for (int i = 0; i < flood.players; i++) {
        players[i].latencies = 0;
        if (pthread_create(&players[i].thread, NULL, play, &players[i])) die("thread");
    }
    attack(kind);
    atomic_store(&flood.over, true);
    for (int i = 0; i < flood.players; i++) {
        pthread_join(players[i].thread, NULL);
        memcpy(all + count, players[i].latency, players[i].latencies * sizeof *all);
        count += players[i].latencies;
    }
    qsort(all, count, sizeof *all, float_compare);
    printf("%-7s %7d requests over %6d connections, %6d answers with a refusal; %zu replies to "
           "players: p50 %.2f ms, p99 %.2f ms, max %.2f ms\n",
           KINDS[kind].name, atomic_load(&flood.sent), atomic_load(&flood.opened),
           atomic_load(&flood.refused), count, (double)all[count / 2],
           (double)all[count * 99 / 100], (double)all[count - 1]);
    free(all);
}

/* A record as long as a request may be: two pieces of each side go to and fro for ever. */
static void write_record(void) {
    static const char head[] = "[Variant \\\"original\\\"]\\n[Limits \\\"none\\\"]\\n"
                               "[RedSetup \\\"4522223224/3M224FB7B8/B58365743S/BB9B666573\\\"]\\n"
                               "[BlueSetup \\\"2B26585236/6F974BS35B/BB52332444/MB36728227\\\"]\\n"
                               "[Result \\\"*\\\"]\\n\\n";
    static const char moves[] = "a4-a5 j7-j6 b4-b5 f7-f6 a5-a4 j6-j7 b5-b4 f6-f7 ";
    strcpy(flood.record, head);
    for (size_t length = sizeof head - 1; length + sizeof moves < RECORD_BYTES;
         length += sizeof moves - 1)
        strcpy(flood.record + length, moves);
}

/* A game of two bots, whole. */
static void play_long_game(void) {
    static struct player maker = {.host = 200};
    maker.socket = connect_from(maker.host);
    if (send(maker.socket, UPGRADE, sizeof UPGRADE - 1, 0) < 0) die("send");
    await(&maker, "\"hello\"");
    say(&maker, "{\"type\":\"new\",\"variant\":\"original\",\"red\":\"rookie\",\"blue\":\"rookie\","
                "\"watch\":\"public\"}");
    await(&maker, "\"created\"");
    await(&maker, "\"type\":\"end\"");
    strcpy(flood.game, maker.game); /* it stays connected: the game stays in memory */
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

static void read_options(int argc, char **argv) {
    static const struct option options[] = {{"requests", required_argument, NULL, 'r'},
                                            {"sockets", required_argument, NULL, 'o'},
                                            {"players", required_argument, NULL, 'p'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int *const number = option == 'r'   ? &flood.requests
                            : option == 'o' ? &flood.sockets
                            : option == 'p' ? &flood.players
                                            : &flood.seconds;
        if (option == '?' || (*number = atoi(optarg)) < 1) {
            fprintf(stderr, "usage: bench_flood [--requests N] [--sockets N] [--players N] "
                            "[--seconds S] [KIND...]\n");
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    struct player *players = calloc((size_t)flood.players, sizeof *players);
    if (!players) die("memory");
    setvbuf(stdout, NULL, _IOLBF, 0);
    start_server();
    play_long_game();
    write_record();
    for (int i = 0; i < flood.players; i++) {
        players[i].host = 1 + i;
        players[i].latency = malloc(LATENCIES_MAX * sizeof *players[i].latency);
        if (!players[i].latency) die("memory");
        sit_down(&players[i]);
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        bool wanted = optind == argc;
        for (int i = optind; i < argc; i++) wanted = wanted || !strcmp(argv[i], KINDS[kind].name);
        if (wanted) measure(kind, players);
    }
    kill(flood.server, SIGTERM);
    waitpid(flood.server, NULL, 0);
    nftw(flood.folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
