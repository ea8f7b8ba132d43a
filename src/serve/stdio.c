/* stdio.c - one loop over both ends, woken by an event descriptor when there is something to say.
 *
 * Nothing is read while something waits to be written, so a client that does not read is not
 * answered without end. A line that is too long is skipped to its end and answered by an error. */
#include "stdio.h"

#include "host/seat/reply.h"

#include <errno.h>
#include <fcntl.h>
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
    size_t length; /* of the unfinished line */
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

/* Takes the complete lines out of the buffer. */
static void hear_lines(struct stdio *stdio) {
    char *start = stdio->line, *end;
    size_t left = stdio->length;
    while ((end = memchr(start, '\n', left))) {
        if (!stdio->skipping) {
            *end = 0;
            hall_hear(stdio->hall, stdio->client, start, (size_t)(end - start));
        }
        stdio->skipping = false;
        left -= (size_t)(end - start) + 1;
        start = end + 1;
    }
    memmove(stdio->line, start, left);
    stdio->length = left;
    if (left < REPLY_BYTES_MAX) return;
    if (!stdio->skipping) hall_hear(stdio->hall, stdio->client, stdio->line, left); /* an error */
    stdio->skipping = true;
    stdio->length = 0;
}

static void read_input(struct stdio *stdio) {
    ssize_t got = read(stdio->in, stdio->line + stdio->length, REPLY_BYTES_MAX - stdio->length);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        stdio->ended = true;
        return;
    }
    stdio->length += (size_t)got;
    hear_lines(stdio);
}

static void write_output(struct stdio *stdio) {
    struct buffer *queue = &stdio->out_queue;
    if (stdio->written == queue->length) {
        queue->length = stdio->written = 0;
        if (!client_take(stdio->client, queue)) return;
    }
    ssize_t put = write(stdio->out, queue->text + stdio->written, queue->length - stdio->written);
    if (put < 0 && errno != EINTR && errno != EAGAIN) stdio->ended = true;
    if (put > 0) stdio->written += (size_t)put;
}

static bool has_output(struct stdio *stdio) {
    return stdio->written < stdio->out_queue.length;
}

static void stdio_turn(struct stdio *stdio) {
    bool writes = has_output(stdio);
    struct pollfd ends[3] = {{.fd = writes ? -1 : stdio->in, .events = POLLIN},
                             {.fd = stdio->woken, .events = POLLIN},
                             {.fd = writes ? stdio->out : -1, .events = POLLOUT}};
    uint64_t times;
    if (poll(ends, 3, hall_due(stdio->hall)) < 0) return;
    if (ends[1].revents && read(stdio->woken, &times, sizeof times) < 0 && errno != EAGAIN)
        stdio->ended = true;
    if (ends[0].revents) read_input(stdio);
    if (ends[1].revents || ends[2].revents) write_output(stdio);
    if (client_is_gone(stdio->client)) stdio->ended = true;
}

/* What was said before the end is still answered, as far as it can be at once. */
static void say_goodbye(struct stdio *stdio) {
    fcntl(stdio->out, F_SETFL, fcntl(stdio->out, F_GETFL) | O_NONBLOCK);
    write_output(stdio);
    while (has_output(stdio)) {
        size_t before = stdio->written;
        write_output(stdio);
        if (stdio->written == before) break;
    }
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
    if (stdio->woken >= 0) stdio->client = client_open(stdio_wake, stdio);
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
