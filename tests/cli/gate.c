/* gate.c - one thread that carries bytes between pairs of sockets. */
#define _GNU_SOURCE
#include "gate.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAIRS_MAX = 32, BYTES_MAX = 4 << 20, TICK_MS = 20, CHUNKS_MAX = 1024 };

/* Bytes that are on their way. */
struct chunk {
    int64_t due; /* clock_ms() */
    size_t length;
};

/* One direction of a connection. */
struct way {
    int from, to;
    size_t length;
    char *bytes; /* read and not yet sent on */
    struct chunk chunks[CHUNKS_MAX];
    int chunk_count;
};

struct gate {
    pthread_t thread;
    int listening, port, own_port;
    char url[64];
    atomic_bool cut, over;
    atomic_int delay;
    struct way ways[2 * PAIRS_MAX];
    int count;
};

static struct sockaddr_in place(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void add_way(struct gate *gate, int from, int to) {
    struct way *way = &gate->ways[gate->count++];
    *way = (struct way){.from = from, .to = to, .bytes = malloc(BYTES_MAX)};
    assert_non_null(way->bytes);
}

static void admit(struct gate *gate) {
    struct sockaddr_in at = place(gate->port);
    int near = accept4(gate->listening, NULL, NULL, SOCK_CLOEXEC);
    int far = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (gate->count + 2 > 2 * PAIRS_MAX || near < 0 || far < 0 ||
        connect(far, (struct sockaddr *)&at, sizeof at)) {
        close(near);
        close(far);
        return;
    }
    add_way(gate, near, far);
    add_way(gate, far, near);
}

static void close_way(struct gate *gate, int index) {
    struct way *one = &gate->ways[index & ~1], *other = one + 1;
    close(one->from);
    close(other->from);
    free(one->bytes);
    free(other->bytes);
    gate->count -= 2;
    one[0] = gate->ways[gate->count];
    one[1] = gate->ways[gate->count + 1];
}

/* False if the connection has ended. */
static bool take(struct gate *gate, struct way *way) {
    ssize_t got = recv(way->from, way->bytes + way->length, BYTES_MAX - way->length, 0);
    if (got <= 0) return false;
    way->length += (size_t)got;
    assert_true(way->chunk_count < CHUNKS_MAX);
    way->chunks[way->chunk_count++] =
        (struct chunk){clock_ms() + atomic_load(&gate->delay), (size_t)got};
    return true;
}

/* Bytes whose time has come. */
static size_t take_due(struct way *way) {
    size_t due = 0;
    int count = 0;
    while (count < way->chunk_count && way->chunks[count].due <= clock_ms())
        due += way->chunks[count++].length;
    way->chunk_count -= count;
    memmove(way->chunks, way->chunks + count, (size_t)way->chunk_count * sizeof *way->chunks);
    return due;
}

/* Sends on what it can. False if the connection has ended. */
static bool carry(struct way *way) {
    const size_t ready = take_due(way);
    for (size_t sent = 0; sent < ready;) {
        ssize_t went = send(way->to, way->bytes + sent, ready - sent, MSG_NOSIGNAL);
        if (went <= 0) return false;
        sent += (size_t)went;
    }
    way->length -= ready;
    memmove(way->bytes, way->bytes + ready, way->length);
    return true;
}

static void *run(void *context) {
    struct gate *gate = context;
    while (!atomic_load(&gate->over)) {
        struct pollfd watched[2 * PAIRS_MAX + 1] = {{.fd = gate->listening, .events = POLLIN}};
        const int count = gate->count;
        for (int i = 0; i < count; i++)
            watched[i + 1] = (struct pollfd){.fd = gate->ways[i].from, .events = POLLIN};
        if (atomic_load(&gate->cut)) {
            poll(NULL, 0, TICK_MS);
            continue;
        }
        poll(watched, (nfds_t)count + 1, TICK_MS);
        for (int i = 0; i < count; i++)
            if ((watched[i + 1].revents && !take(gate, &gate->ways[i])) || !carry(&gate->ways[i])) {
                close_way(gate, i);
                break; /* their places have changed */
            }
        if (watched[0].revents) admit(gate);
    }
    return NULL;
}

struct gate *gate_open(int port) {
    struct gate *gate = calloc(1, sizeof *gate);
    struct sockaddr_in at = place(0);
    socklen_t size = sizeof at;
    assert_non_null(gate);
    gate->port = port;
    gate->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(gate->listening, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(gate->listening, PAIRS_MAX), 0);
    assert_int_equal(getsockname(gate->listening, (struct sockaddr *)&at, &size), 0);
    gate->own_port = ntohs(at.sin_port);
    snprintf(gate->url, sizeof gate->url, "nats://127.0.0.1:%d", gate->own_port);
    assert_int_equal(pthread_create(&gate->thread, NULL, run, gate), 0);
    return gate;
}

const char *gate_url(const struct gate *gate) {
    return gate->url;
}

int gate_port(const struct gate *gate) {
    return gate->own_port;
}

void gate_delay(struct gate *gate, int ms) {
    atomic_store(&gate->delay, ms);
}

void gate_cut(struct gate *gate, bool cut) {
    atomic_store(&gate->cut, cut);
}

void gate_close(struct gate *gate) {
    atomic_store(&gate->over, true);
    pthread_join(gate->thread, NULL);
    while (gate->count) close_way(gate, 0);
    close(gate->listening);
    free(gate);
}
