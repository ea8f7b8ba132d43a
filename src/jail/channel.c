/* channel.c - frames over pipes, with a deadline.
 *
 * A frame usually takes one write() and one read(); long frames go in pieces. Reading takes all
 * available bytes that there is memory for, and then looks for more, so that unrequested ones are
 * detected instead of being read as the next answer. */
#include "channel.h"

#include "base/clock.h"
#include "base/standby.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Looks at the process after a moment without an answer. False: gives up. */
static bool watch_look(struct channel_watch *watch) {
    if (watch->give_up && atomic_load(watch->give_up)) return false;
    const int64_t used = clock_other_ns(watch->pid);
    if (!watch->stands_by && used == watch->used) {
        watch->stands_by = true;
        standby_begin();
    }
    watch->used = used;
    return true;
}

/* The wait is over. Returns its result, and leaves errno as it is. */
static enum channel_result watch_end(struct channel_watch *watch, enum channel_result result) {
    const int error = errno;
    if (watch && watch->stands_by) standby_end();
    if (watch) watch->stands_by = false, watch->used = 0;
    errno = error;
    return result;
}

/* Waits until the descriptor is ready or its other end is closed. */
static enum channel_result channel_await(int descriptor, short what, int64_t deadline,
                                         struct channel_watch *watch) {
    for (;;) {
        struct pollfd watched = {.fd = descriptor, .events = what};
        const int left = clock_left(deadline + (watch ? watch->held_up : 0));
        const bool looks = watch && left > CHANNEL_MOMENT;
        const int wait = looks ? CHANNEL_MOMENT : left;
        const int64_t began = clock_ms();
        const int ready = poll(&watched, 1, wait), error = errno;
        const int64_t over = clock_ms() - began - wait;
        const bool stopped = watch && over > CHANNEL_STOPPED;
        if (stopped) watch->held_up += over;
        errno = error;
        if (ready > 0) return CHANNEL_OK;
        if (ready == 0 && !looks && !stopped) return CHANNEL_LATE;
        if (ready == 0 && !watch_look(watch)) return CHANNEL_GIVEN_UP;
        if (ready < 0 && errno != EINTR) return CHANNEL_FAILED;
    }
}

static enum channel_result send_frame(int to, struct frame *frame, uint32_t sequence,
                                      int64_t deadline) {
    const uint32_t header[2] = {(uint32_t)frame->length, sequence};
    const unsigned char *rest = frame->bytes;
    size_t left = CHANNEL_HEADER + frame->length;
    memcpy(frame->bytes, header, sizeof header);
    while (left) {
        ssize_t written = write(to, rest, left);
        if (written > 0) {
            rest += written;
            left -= (size_t)written;
        } else if (errno == EAGAIN && deadline != CHANNEL_FOREVER) {
            enum channel_result result = channel_await(to, POLLOUT, deadline, frame->watch);
            if (result != CHANNEL_OK) return result;
        } else if (errno == EPIPE) {
            return CHANNEL_CLOSED;
        } else if (errno != EINTR) {
            return CHANNEL_FAILED;
        }
    }
    return CHANNEL_OK;
}

enum channel_result channel_send(int to, struct frame *frame, uint32_t sequence, int64_t deadline) {
    return watch_end(frame->watch, send_frame(to, frame, sequence, deadline));
}

/* For who has a deadline: a locked process, which waits forever, may not poll. */
static bool has_more(int from) {
    struct pollfd watched = {.fd = from, .events = POLLIN};
    return poll(&watched, 1, 0) > 0 && (watched.revents & POLLIN);
}

static enum channel_result receive_frame(int from, struct frame *frame, uint32_t *sequence,
                                         int64_t deadline) {
    size_t got = 0, due = CHANNEL_HEADER;
    uint32_t header[2] = {0, 0};
    frame_clear(frame);
    while (got < due) {
        if (deadline != CHANNEL_FOREVER) {
            enum channel_result result = channel_await(from, POLLIN, deadline, frame->watch);
            if (result != CHANNEL_OK) return result;
        }
        ssize_t taken = read(from, frame->bytes + got, frame->size - got);
        if (taken == 0) return got ? CHANNEL_CUT : CHANNEL_CLOSED;
        if (taken < 0 && errno != EINTR && errno != EAGAIN) return CHANNEL_FAILED;
        if (taken > 0) got += (size_t)taken;
        if (got < CHANNEL_HEADER) continue;
        memcpy(header, frame->bytes, sizeof header);
        if (header[0] > frame->room) return CHANNEL_LONG;
        if (!frame_reserve(frame, header[0])) return CHANNEL_FAILED;
        due = CHANNEL_HEADER + header[0];
    }
    if (got > due || (got == frame->size && deadline != CHANNEL_FOREVER && has_more(from)))
        return CHANNEL_SURPLUS;
    if (*sequence && header[1] != *sequence) return CHANNEL_ORDER;
    *sequence = header[1];
    frame->length = header[0];
    return CHANNEL_OK;
}

enum channel_result channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                    int64_t deadline) {
    return watch_end(frame->watch, receive_frame(from, frame, sequence, deadline));
}

static enum channel_result read_exactly(int from, unsigned char *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t taken = read(from, to + got, size - got);
        if (taken == 0) return got ? CHANNEL_CUT : CHANNEL_CLOSED;
        if (taken > 0) {
            got += (size_t)taken;
        } else if (errno == EAGAIN) {
            struct pollfd watched = {.fd = from, .events = POLLIN};
            if (poll(&watched, 1, -1) < 0 && errno != EINTR) return CHANNEL_FAILED;
        } else if (errno != EINTR) {
            return CHANNEL_FAILED;
        }
    }
    return CHANNEL_OK;
}

enum channel_result channel_next(int from, struct frame *frame) {
    uint32_t header[2];
    frame_clear(frame);
    enum channel_result result = read_exactly(from, frame->bytes, CHANNEL_HEADER);
    if (result != CHANNEL_OK) return result;
    memcpy(header, frame->bytes, sizeof header);
    if (header[0] > frame->room) return CHANNEL_LONG;
    if (!frame_reserve(frame, header[0])) return CHANNEL_FAILED;
    result = read_exactly(from, frame->bytes + CHANNEL_HEADER, header[0]);
    if (result == CHANNEL_OK) frame->length = header[0];
    return result == CHANNEL_CLOSED ? CHANNEL_CUT : result;
}
