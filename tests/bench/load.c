/* load.c - how `ensign serve` bears many games: real sockets, by hand.
 *
 *     bench_load [--games N] [--rate MOVES] [--seconds S] [--bots N] [--heartbeat MS]
 *                [--variant NAME]
 *
 * Starts a server, opens N games with two sockets each, lets N games of two bots run beside them,
 * and plays MOVES moves a second in all, each game at its own even pace; with MS each socket says a
 * heartbeat as often. The latency of a move is
 * the time from its being sent to the opponent's being told. This program takes a processor of its
 * own; what it needs itself is printed too, since a client that is late measures itself. */
#define _GNU_SOURCE
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_BYTES = 1 << 14, TEXT_MAX = 512, LATENCIES_MAX = 1 << 22, OPENED_AT_ONCE = 50 };

/* One end of a game. */
struct end {
    int socket;
    struct table *table;
    struct end *other;
    size_t length; /* of the input */
    bool upgraded;
    int64_t beat_at; /* ns: of the next heartbeat */
    char *input;     /* INPUT_BYTES */
};

struct table {
    struct end red, blue;
    char id[64], invite[64];
    struct end *mover;   /* has been asked for a move */
    char move[64];       /* that it will play */
    int64_t at, sent_at; /* ns: when to play it, when it was sent */
    bool playing;        /* its first question has come */
    struct end *told;    /* hears of it */
};

struct load {
    int games, bots, rate, seconds, heartbeat, port, epoll;
    const char *variant;
    char folder[32]; /* of the server's games */
    pid_t server;
    struct table *tables;
    struct end *watchers; /* each has one game of two bots after the other */
    int opened, playing;
    bool measuring;
    uint64_t moves, messages, bytes, bot_games;
    float *latency; /* ms */
    size_t latencies;
    uint32_t chance;
};

static struct load load = {
    .games = 5000, .rate = 3000, .seconds = 10, .bots = 0, .variant = "duel", .chance = 1};

static void die(const char *what) {
    fprintf(stderr, "bench_load: %s: %s\n", what, strerror(errno));
    if (load.server > 0) kill(load.server, SIGTERM);
    exit(3);
}

/* Starts the server and reads its port from the line with its address. */
static void start_server(void) {
    int ends[2];
    char line[256] = "";
    strcpy(load.folder, "/tmp/ensign_load_XXXXXX");
    if (pipe(ends) || !mkdtemp(load.folder)) die("pipe");
    load.server = fork();
    if (load.server < 0) die("fork");
    if (!load.server) {
        dup2(ends[1], STDERR_FILENO);
        execl(ENSIGN_PROGRAM, ENSIGN_PROGRAM, "serve", "--listen", "127.0.0.1:0", "--sockets",
              "100000", "--sockets-of-address", "100000", "--requests-of-address", "100000",
              "--games-of-address", "100000", "--bots-of-address", "10000", "--bots", "10000",
              "--storage-of-address", "100000", "--data", load.folder, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    const char *port = NULL;
    while (!port && lines && fgets(line, sizeof line, lines)) port = strstr(line, "127.0.0.1:");
    if (!port) {
        fprintf(stderr, "bench_load: the server did not start: %s", line);
        exit(3);
    }
    load.port = atoi(port + strlen("127.0.0.1:"));
}

static void send_bytes(const struct end *end, const void *bytes, size_t length) {
    if (send(end->socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) die("send");
}

/* Sends a text of less than 64 KiB, masked with zeros. */
static void send_text(const struct end *end, const char *text) {
    unsigned char frame[TEXT_MAX + 8] = {0x81};
    const size_t length = strlen(text);
    size_t head = 6;
    if (length < 126) {
        frame[1] = (unsigned char)(0x80 | length);
        memset(frame + 2, 0, 4);
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = (unsigned char)(length >> 8);
        frame[3] = (unsigned char)length;
        memset(frame + 4, 0, 4);
        head = 8;
    }
    memcpy(frame + head, text, length);
    send_bytes(end, frame, head + length);
}

static void open_end(struct end *end, struct table *table, struct end *other) {
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)load.port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char request[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const int on = 1;
    *end = (struct end){.table = table, .other = other, .input = malloc(INPUT_BYTES)};
    end->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!end->input || end->socket < 0) die("socket");
    if (connect(end->socket, (const struct sockaddr *)&at, sizeof at)) die("connect");
    setsockopt(end->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    send_bytes(end, request, sizeof request - 1);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = end};
    if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, end->socket, &event)) die("epoll");
}

/* Copies the text value of a key of a message. */
static bool text_of(const char *message, const char *key, char *out, size_t size) {
    char pattern[32];
    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *start = strstr(message, pattern);
    if (!start) return false;
    start += strlen(pattern);
    snprintf(out, size, "%.*s", (int)strcspn(start, "\""), start);
    return true;
}

static void make_game(struct table *table) {
    char text[TEXT_MAX];
    snprintf(
        text, sizeof text,
        "{\"type\":\"new\",\"variant\":\"%s\",\"red\":\"me\",\"blue\":\"open\",\"public\":false}",
        load.variant);
    send_text(&table->red, text);
}

static void make_bot_game(struct end *watcher) {
    char text[TEXT_MAX];
    snprintf(text, sizeof text,
             "{\"type\":\"new\",\"variant\":\"%s\",\"red\":\"hunter\",\"blue\":\"hunter\"}",
             load.variant);
    send_text(watcher, text);
}

/* One of the moves of a question, at random. */
static void choose_move(const char *message, char *out, size_t size) {
    const char *start = strstr(message, "\"moves\":[\""), *at = start ? start + 9 : NULL;
    int count = 0;
    if (!start) die(message);
    for (const char *move = at; *move && *move != ']'; move++) count += *move == ',';
    load.chance = load.chance * 1664525 + 1013904223;
    for (int skip = (int)((load.chance >> 8) % (uint32_t)(count + 1)); skip; skip--)
        at = strchr(at, ',') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
}

static void hear_question(struct end *end, const char *message) {
    struct table *table = end->table;
    choose_move(message, table->move, sizeof table->move);
    table->mover = end;
    table->at += (int64_t)load.games * 1000000000 / load.rate;
    load.playing += !table->playing;
    table->playing = true;
}

static void hear_message(struct end *end, const char *message) {
    struct table *table = end->table;
    char text[TEXT_MAX];
    load.messages++;
    if (!table) {
        if (strncmp(message, "{\"type\":\"end\"", 13)) return;
        load.bot_games++;
        make_bot_game(end);
    } else if (!strncmp(message, "{\"type\":\"created\"", 17)) {
        const char *invites = strstr(message, "\"invites\":");
        text_of(message, "game", table->id, sizeof table->id);
        if (!invites || !text_of(invites, "blue", table->invite, sizeof table->invite))
            die(message);
        snprintf(text, sizeof text, "{\"type\":\"join\",\"invite\":\"%s\"}", table->invite);
        send_text(&table->blue, text);
    } else if (!strncmp(message, "{\"type\":\"setup\"", 15)) {
        snprintf(text, sizeof text, "{\"type\":\"setup\",\"game\":\"%s\",\"setup\":null}",
                 table->id);
        send_text(end, text);
    } else if (!strncmp(message, "{\"type\":\"events\"", 16)) {
        if (!table->sent_at || end != table->told) return;
        const float ms = (float)((double)(clock_ns() - table->sent_at) / 1e6);
        if (load.measuring && load.latencies < LATENCIES_MAX) load.latency[load.latencies++] = ms;
        table->sent_at = 0;
        load.moves++;
    } else if (!strncmp(message, "{\"type\":\"move\"", 14)) {
        hear_question(end, message);
    } else if (!strncmp(message, "{\"type\":\"end\"", 13) && end == &table->red) {
        snprintf(text, sizeof text, "{\"type\":\"leave\",\"game\":\"%s\"}", table->id);
        send_text(&table->red, text);
        send_text(&table->blue, text);
        table->mover = NULL;
        make_game(table);
    } else if (!strncmp(message, "{\"type\":\"error\"", 15)) {
        fprintf(stderr, "bench_load: %s\n", message);
    }
}

/* Takes the complete frames out of the input. */
static void hear_input(struct end *end) {
    char *at = end->input;
    size_t left = end->length;
    if (!end->upgraded) {
        const char *stop = memmem(at, left, "\r\n\r\n", 4);
        if (!stop) return;
        if (strncmp(at, "HTTP/1.1 101", 12)) die("refused");
        left -= (size_t)(stop + 4 - at);
        at += stop + 4 - at;
        end->upgraded = true;
        load.opened++;
    }
    for (;;) {
        const unsigned char *head = (const unsigned char *)at;
        size_t size = left < 2 ? 2 : head[1], skip = 2;
        if (left >= 4 && size == 126) size = (size_t)(head[2] << 8 | head[3]), skip = 4;
        if (left < skip + size || left < 2 || (head[1] == 126 && left < 4)) break;
        const char opcode = (char)(head[0] & 15), after = at[skip + size];
        at[skip + size] = 0;
        if (opcode == 1) hear_message(end, at + skip);
        at[skip + size] = after;
        if (opcode == 8) die(at + skip + 2);
        at += skip + size;
        left -= skip + size;
    }
    memmove(end->input, at, left);
    end->length = left;
}

static void read_end(struct end *end) {
    ssize_t got =
        recv(end->socket, end->input + end->length, INPUT_BYTES - 1 - end->length, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) die("the server hung up");
    load.bytes += (uint64_t)got;
    end->length += (size_t)got;
    hear_input(end);
}

static void hear_all(int ms) {
    struct epoll_event events[256];
    int count = epoll_wait(load.epoll, events, 256, ms);
    for (int i = 0; i < count; i++) read_end(events[i].data.ptr);
}

static void play_due_moves(void) {
    char text[TEXT_MAX];
    const int64_t now = clock_ns();
    for (int i = 0; i < load.games; i++) {
        struct table *table = &load.tables[i];
        if (!table->mover || table->at > now) continue;
        snprintf(text, sizeof text, "{\"type\":\"move\",\"game\":\"%s\",\"move\":\"%s\"}",
                 table->id, table->move);
        const struct end *mover = table->mover;
        table->told = mover->other;
        table->sent_at = clock_ns();
        send_text(mover, text);
        table->at = table->at < now - 1000000000 ? now : table->at; /* too late to catch up */
        table->mover = NULL;
    }
}

/* `share`: of the first one's time, so that they do not all come at once. */
static void say_heartbeat(struct end *end, int64_t now, double share) {
    char text[TEXT_MAX];
    if (!end->beat_at) end->beat_at = now + (int64_t)(share * load.heartbeat * 1e6);
    if (now < end->beat_at) return;
    snprintf(text, sizeof text, "{\"type\":\"heartbeat\",\"ms\":%d}", load.heartbeat);
    send_text(end, text);
    end->beat_at = now + (int64_t)load.heartbeat * 1000000;
}

static void say_heartbeats(void) {
    const int64_t now = clock_ns();
    for (int i = 0; i < load.games && load.heartbeat; i++) {
        say_heartbeat(&load.tables[i].red, now, i / (double)load.games);
        say_heartbeat(&load.tables[i].blue, now, i / (double)load.games);
    }
}

/* Kilobytes that the server's own process has in memory. */
static long server_memory(void) {
    char path[64], line[256];
    long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)load.server);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kilobytes);
    if (file) fclose(file);
    return kilobytes;
}

/* Seconds of processor time that it has used. */
static double server_time(void) {
    char path[64], text[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)load.server);
    FILE *file = fopen(path, "r");
    if (file && fgets(text, sizeof text, file))
        sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system);
    if (file) fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void open_games(void) {
    const int64_t start = clock_ms();
    long before = server_memory();
    for (int i = 0; i < load.games; i++) {
        struct table *table = &load.tables[i];
        open_end(&table->red, table, &table->blue);
        open_end(&table->blue, table, &table->red);
        const int64_t deadline = clock_ms() + 20000;
        while (load.opened < 2 * (i + 1) - OPENED_AT_ONCE && clock_ms() < deadline) hear_all(10);
        make_game(table);
        hear_all(0);
    }
    while (load.playing < load.games) hear_all(100);
    const int64_t pause = (int64_t)load.games * 1000000000 / load.rate, now = clock_ns();
    for (int i = 0; i < load.games; i++) load.tables[i].at = now + pause / load.games * i;
    long after = server_memory();
    printf("%d games with two sockets each: opened in %.1f s; %.1f KiB each, %ld MiB in all\n",
           load.games, (double)(clock_ms() - start) / 1000, (double)(after - before) / load.games,
           after / 1024);
}

static int float_compare(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void run_for(double seconds) {
    const int64_t until = clock_ns() + (int64_t)(seconds * 1e9);
    while (clock_ns() < until) {
        play_due_moves();
        say_heartbeats();
        hear_all(1);
    }
}

static void measure(void) {
    run_for(2);
    load.moves = load.messages = load.bytes = 0;
    load.measuring = true;
    const double served = server_time(), own = (double)clock_process_ns() / 1e9;
    run_for(load.seconds);
    qsort(load.latency, load.latencies, sizeof *load.latency, float_compare);
    const double seconds = load.seconds;
    if (!load.latencies) die("no move was told");
    printf(
        "%.0f moves/s of %d, %.0f messages/s, %.0f KiB/s; p50 %.2f ms, p99 %.2f ms, max %.2f ms\n",
        (double)load.moves / seconds, load.rate, (double)load.messages / seconds,
        (double)load.bytes / seconds / 1024, (double)load.latency[load.latencies / 2],
        (double)load.latency[load.latencies * 99 / 100], (double)load.latency[load.latencies - 1]);
    printf("the server used %.0f %% of a processor, this program %.0f %%; %ld MiB; %llu games of "
           "bots ended\n",
           100 * (server_time() - served) / seconds,
           100 * ((double)clock_process_ns() / 1e9 - own) / seconds, server_memory() / 1024,
           (unsigned long long)load.bot_games);
}

static void read_options(int argc, char **argv) {
    static const struct option options[] = {{"games", required_argument, NULL, 'g'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"bots", required_argument, NULL, 'b'},
                                            {"heartbeat", required_argument, NULL, 'h'},
                                            {"variant", required_argument, NULL, 'v'},
                                            {0}};
    bool given[128] = {false};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int *const number = option == 'g'   ? &load.games
                            : option == 'r' ? &load.rate
                            : option == 's' ? &load.seconds
                            : option == 'b' ? &load.bots
                            : option == 'h' ? &load.heartbeat
                                            : NULL;
        if (option == 'v') load.variant = optarg;
        if ((!number && option != 'v') || given[option] ||
            (number && (*number = atoi(optarg)) < (option == 'b' ? 0 : 1))) {
            fprintf(stderr, "usage: bench_load [--games N] [--rate MOVES] [--seconds S] [--bots N] "
                            "[--heartbeat MS] [--variant NAME]\n");
            exit(2);
        }
        given[option] = true;
    }
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

int main(int argc, char **argv) {
    struct rlimit limit;
    read_options(argc, argv);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    load.tables = calloc((size_t)load.games, sizeof *load.tables);
    load.latency = malloc(LATENCIES_MAX * sizeof *load.latency);
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!load.tables || !load.latency || load.epoll < 0) die("memory");
    setvbuf(stdout, NULL, _IOLBF, 0);
    start_server();
    open_games();
    if (load.bots) {
        load.watchers = calloc((size_t)load.bots, sizeof *load.watchers);
        if (!load.watchers) die("memory");
        for (int i = 0; i < load.bots; i++) {
            open_end(&load.watchers[i], NULL, NULL);
            while (load.opened < 2 * load.games + i + 1) hear_all(10);
            make_bot_game(&load.watchers[i]);
        }
        run_for(3);
    }
    measure();
    kill(load.server, SIGINT);
    waitpid(load.server, NULL, 0);
    nftw(load.folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
