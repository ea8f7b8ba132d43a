/* stdio.c - one loop over both ends, woken by an event descriptor when there is something to say.
 *
 * A client is not heard while it is busy (client.h), so one that does not read is not answered
 * without end. Nothing here waits for a client that does not read: a pipe that is ready takes
 * PIPE_BUF bytes at once. A line that is too long is skipped to its end and answered by an error.
 */
#define _GNU_SOURCE /* POLLRDHUP */
#include "stdio.h"

#include "host/seat/reply.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct stdio {
    struct hall *hall;
    struct client *client;
    int in, out, woken;
    bool ended;    /* the client closed its end */
    bool skipping; /* the rest of a line that was too long */
    size_t length; /* of the lines not heard yet */
    struct buffer out_queue;
    size_t written; /* of the queue */
    char line[REPLY_BYTES_MAX + 1];
};

static void stdio_wake(void *context) {
    const struct stdio *stdio = context;
    const uint64_t one = 1;
    ssize_t written = write(stdio->woken, &one, sizeof one);
    (void)written; /* a full counter wakes too */
}

/* Hears a line that has ended. */
static void hear_line(struct stdio *stdio, char *line, size_t length) {
    line[length] = 0;
    if (!stdio->skipping) hall_hear(stdio->hall, stdio->client, line, length);
    stdio->skipping = false;
}

/* Hears complete lines until the client is busy. True if there may be more of them. */
static bool hear_lines(struct stdio *stdio) {
    char *start = stdio->line, *end = NULL;
    size_t left = stdio->length;
    bool busy = false;
    while (!(busy = client_is_busy(stdio->client)) && (end = memchr(start, '\n', left))) {
        hear_line(stdio, start, (size_t)(end - start));
        left -= (size_t)(end - start) + 1;
        start = end + 1;
    }
    memmove(stdio->line, start, left);
    stdio->length = left;
    if (busy || left < REPLY_BYTES_MAX) return busy;
    hear_line(stdio, stdio->line, left); /* an error */
    stdio->skipping = true;
    stdio->length = 0;
    return false;
}

static void read_input(struct stdio *stdio) {
    ssize_t got = read(stdio->in, stdio->line + stdio->length, REPLY_BYTES_MAX - stdio->length);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0)
        stdio->ended = true;
    else
        stdio->length += (size_t)got;
}

static bool has_output(struct stdio *stdio) {
    if (stdio->written < stdio->out_queue.length) return true;
    stdio->out_queue.length = stdio->written = 0;
    return client_take(stdio->client, &stdio->out_queue);
}

static void write_output(struct stdio *stdio) {
    const struct buffer *queue = &stdio->out_queue;
    size_t left = queue->length - stdio->written;
    ssize_t put =
        write(stdio->out, queue->text + stdio->written, left < PIPE_BUF ? left : PIPE_BUF);
    if (put < 0 && errno != EINTR && errno != EAGAIN) stdio->ended = true;
    if (put > 0) stdio->written += (size_t)put;
}

/* A client that closes its end while it is not heard has said all it could. */
static void stdio_turn(struct stdio *stdio) {
    const bool busy = hear_lines(stdio), writes = has_output(stdio);
    struct pollfd ends[3] = {{.fd = stdio->in, .events = busy ? POLLRDHUP : POLLIN},
                             {.fd = stdio->woken, .events = POLLIN},
                             {.fd = writes ? stdio->out : -1, .events = POLLOUT}};
    uint64_t times;
    if (poll(ends, 3, hall_due(stdio->hall)) < 0) return;
    if (ends[1].revents && read(stdio->woken, &times, sizeof times) < 0 && errno != EAGAIN)
        stdio->ended = true;
    if (ends[2].revents) write_output(stdio);
    if (ends[0].revents && busy) stdio->ended = true;
    if (ends[0].revents && !busy) read_input(stdio);
    if (client_is_gone(stdio->client)) stdio->ended = true;
}

/* What was said before the end is still answered, as far as it can be at once. */
static void say_goodbye(struct stdio *stdio) {
    struct pollfd out = {.fd = stdio->out, .events = POLLOUT};
    hear_lines(stdio);
    while (has_output(stdio) && poll(&out, 1, 0) == 1 && out.revents == POLLOUT)
        write_output(stdio);
}

bool stdio_serve(const struct hall_options *options, int in, int out, bool *tidy,
                 struct fault *fault) {
    struct stdio *stdio = calloc(1, sizeof *stdio);
    struct hall_options wakeful = *options;
    *tidy = true;
    if (!stdio) return fault_set(fault, STATUS_NO_MEMORY, "no memory to serve");
    wakeful.wake = stdio_wake;
    wakeful.context = stdio;
    stdio->in = in;
    stdio->out = out;
    stdio->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    stdio->out_queue = buffer_of(CLIENT_QUEUE_MAX);
    signal(SIGPIPE, SIG_IGN);
    if (stdio->woken >= 0) stdio->client = client_open(0, stdio_wake, stdio);
    if (stdio->client)
        stdio->hall = hall_open(&wakeful, fault);
    else
        fault_set(fault, STATUS_SYSTEM, "no descriptor to serve");
    bool opened = stdio->hall;
    while (opened && !stdio->ended) stdio_turn(stdio);
    if (opened) {
        say_goodbye(stdio);
        hall_miss(stdio->hall, stdio->client);
        *tidy = hall_close(stdio->hall);
    }
    if (!*tidy) return true; /* threads still use all this */
    client_release(stdio->client);
    buffer_clear(&stdio->out_queue);
    if (stdio->woken >= 0) close(stdio->woken);
    free(stdio);
    return opened;
}
