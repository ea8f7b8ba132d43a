/* stdio.c - one loop over both ends, woken by an event descriptor when there is something to say.
 *
 * A client is not heard while it is busy (client.h), so one that does not read is not answered
 * without end. Nothing here waits for a client that does not read: a pipe that is ready takes
 * PIPE_BUF bytes at once. A line that is too long is skipped to its end and answered by an error.
 *
 * A client that closes its end has asked for everything, and reads on: its requests are heard and
 * answered, the games in progress are not waited for. It has PATIENCE to take some of what is said.
 */
#define _GNU_SOURCE /* POLLRDHUP */
#include "stdio.h"

#include "base/clock.h"
#include "base/lines.h"
#include "host/seat/reply.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { PATIENCE = 5000 }; /* ms */

struct stdio {
    struct lobby *lobby;
    struct client *client;
    int in, out, woken;
    bool gone;      /* nobody takes what is said */
    bool closing;   /* the client has closed its end */
    bool closed;    /* and all that it wrote was read */
    bool marked;    /* a byte order mark before the first line would have been seen */
    bool skipping;  /* the rest of a line that was too long */
    int64_t silent; /* time of clock_ms() since when a closing client has taken nothing */
    size_t length;  /* of the lines not heard yet */
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
    if (!stdio->skipping) lobby_hear(stdio->lobby, stdio->client, line, length);
    stdio->skipping = false;
}

/* Hears complete lines until the client is busy; the last may have no end. True if there may be
 * more of them. */
static bool hear_lines(struct stdio *stdio) {
    char *start = stdio->line;
    size_t left = stdio->length, length = 0;
    bool busy = false;
    while (!(busy = client_is_busy(stdio->client)) &&
           ((length = lines_length(start, left)) < left || (stdio->closed && left))) {
        const size_t taken = length < left ? length + 1 : length;
        hear_line(stdio, start, length);
        left -= taken;
        start += taken;
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
        stdio->closing = stdio->closed = true;
    else
        stdio->length += (size_t)got;
    /* The mark has no line end, so nothing of the first line was heard before all of it came. */
    if (stdio->marked) return;
    const size_t mark = lines_mark(stdio->line, stdio->length);
    stdio->length -= mark;
    memmove(stdio->line, stdio->line + mark, stdio->length);
    stdio->marked = stdio->length >= 3 || mark;
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
    if (put < 0 && errno != EINTR && errno != EAGAIN) stdio->gone = true;
    if (put <= 0) return;
    stdio->written += (size_t)put;
    stdio->silent = 0;
}

/* Milliseconds to wait for the client to take something; -1: it may take its time. */
static int patience_left(struct stdio *stdio, bool writes) {
    if (!stdio->closing || !writes) return -1;
    if (!stdio->silent) stdio->silent = clock_ms();
    return clock_left(stdio->silent + PATIENCE);
}

static void take_output_event(struct stdio *stdio, short events) {
    if (events & POLLOUT)
        write_output(stdio);
    else if (events)
        stdio->gone = true;
}

static void stdio_turn(struct stdio *stdio) {
    const bool busy = hear_lines(stdio), writes = has_output(stdio);
    const bool hears = !stdio->closed && !(busy && stdio->closing);
    struct pollfd ends[3] = {{.fd = hears ? stdio->in : -1, .events = busy ? POLLRDHUP : POLLIN},
                             {.fd = stdio->woken, .events = POLLIN},
                             {.fd = stdio->out, .events = writes ? POLLOUT : 0}};
    const int due = lobby_due(stdio->lobby), patience = patience_left(stdio, writes);
    uint64_t times;
    if (poll(ends, 3, patience >= 0 && (due < 0 || patience < due) ? patience : due) < 0) return;
    if (ends[1].revents && read(stdio->woken, &times, sizeof times) < 0 && errno != EAGAIN)
        stdio->gone = true;
    take_output_event(stdio, ends[2].revents);
    if (ends[0].revents && busy) stdio->closing = true;
    if (ends[0].revents && !busy) read_input(stdio);
    if (!patience || client_is_gone(stdio->client)) stdio->gone = true;
}

static bool all_is_answered(const struct stdio *stdio) {
    return stdio->closed && !stdio->length && !client_awaits(stdio->client);
}

/* What has been said goes out, if it is taken; games may go on talking. */
static void say_goodbye(struct stdio *stdio) {
    for (int buffers = 0; buffers < 2 && !stdio->gone && has_output(stdio); buffers++) {
        while (!stdio->gone && stdio->written < stdio->out_queue.length) {
            struct pollfd out = {.fd = stdio->out, .events = POLLOUT};
            const int patience = patience_left(stdio, true);
            if (poll(&out, 1, patience) < 0) continue;
            if (!patience && !out.revents) stdio->gone = true;
            take_output_event(stdio, out.revents);
        }
    }
}

bool stdio_serve(const struct lobby_options *options, int in, int out, bool *tidy,
                 struct fault *fault) {
    struct stdio *stdio = calloc(1, sizeof *stdio);
    struct lobby_options wakeful = *options;
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
        stdio->lobby = lobby_open(&wakeful, fault);
    else
        fault_set(fault, STATUS_SYSTEM, "no descriptor to serve");
    bool opened = stdio->lobby;
    while (opened && !stdio->gone && !all_is_answered(stdio)) stdio_turn(stdio);
    if (opened) {
        say_goodbye(stdio);
        lobby_miss(stdio->lobby, stdio->client);
        *tidy = lobby_close(stdio->lobby);
    }
    if (!*tidy) return true; /* threads still use all this */
    client_release(stdio->client);
    buffer_clear(&stdio->out_queue);
    if (stdio->woken >= 0) close(stdio->woken);
    free(stdio);
    return opened;
}
