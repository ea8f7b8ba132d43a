/* process.c - starts, feeds, reads and ends a foreign program.
 *
 * All descriptors on the host's side are non-blocking. Only process_serve() waits, and it moves
 * bytes through all three pipes, so a program that floods one pipe cannot block another. The
 * program is a child of its supervisor (supervisor.h), which says when it has ended with all that
 * it started; the host knows no other process id than the supervisor's. */
#define _GNU_SOURCE
#include "process.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/lines.h"
#include "external.h"
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    AHEAD_MAX = PROCESS_LINE_MAX + 1, /* bytes of standard output read ahead */
    ERRORS_MAX = 2048,                /* bytes of standard error kept */
    BLANKS_MAX = 4096,                /* bytes of blank lines before an answer */
    ERROR_PIECES = 64,                /* reads of standard error still in the pipe */
    END_WAIT = 500,   /* ms between the end of standard output and that of the program */
    KILL_WAIT = 10000 /* ms for the supervisor to end everything */
};

struct process {
    pid_t supervisor;
    int link; /* to the supervisor; readable once the program has ended */
    bool ended;
    struct supervisor_message end; /* how it ended */
    int in, out, err;
    struct buffer queue; /* standard input; the first `sent` bytes have been written */
    size_t sent;
    size_t ahead_start, ahead_end; /* what was read ahead and not taken yet */
    size_t searched;               /* bytes from ahead_start without a line end */
    bool begins; /* no line was taken: a byte order mark may come, as .NET writes one */
    size_t errors_length;
    bool errors_cut; /* the start was dropped */
    char ahead[AHEAD_MAX], errors[ERRORS_MAX];
    void (*heard)(void *context, const char *bytes, size_t length); /* NULL: nobody listens */
    void *context;
};

static void close_end(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

/* Whether the system ran short of something, whatever the program. */
static bool is_shortage(int problem) {
    return problem == EAGAIN || problem == ENOMEM || problem == EMFILE || problem == ENFILE;
}

/* Takes the supervisor's message, if there is one, about the end of the program. A supervisor
 * without a message was killed. */
static void take_message(struct process *process) {
    struct supervisor_message message;
    ssize_t got = recv(process->link, &message, sizeof message, MSG_DONTWAIT);
    if (process->ended || (got < 0 && (errno == EAGAIN || errno == EINTR))) return;
    process->ended = true;
    process->end =
        got == (ssize_t)sizeof message ? message : (struct supervisor_message){CLD_KILLED, SIGKILL};
}

static bool process_launch(struct process *process, struct supervisor_task *task, int pipes[3][2],
                           struct fault *fault) {
    for (int i = 0; i < 3; i++)
        if (!supervisor_pipe(pipes[i]))
            return fault_set(fault, STATUS_SYSTEM, "no pipe: %s", strerror(errno));
    char **environment = external_environment();
    if (!environment) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a process");
    task->environment = environment;
    memcpy(task->ends, (const int[3]){pipes[0][0], pipes[1][1], pipes[2][1]}, sizeof task->ends);
    process->supervisor = supervisor_fork(task, &process->link);
    free(environment);
    if (process->supervisor < 0)
        return fault_set(fault, STATUS_SYSTEM, "no new process: %s", strerror(errno));
    struct supervisor_message message = {0, 0};
    ssize_t got;
    do {
        got = recv(process->link, &message, sizeof message, 0);
    } while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof message && !message.code) return true;
    close_end(&process->link);
    while (waitpid(process->supervisor, NULL, 0) < 0 && errno == EINTR) continue;
    if (got != (ssize_t)sizeof message)
        return fault_set(fault, STATUS_SYSTEM, "the process that starts it was killed");
    return fault_set(fault, is_shortage(message.status) ? STATUS_SYSTEM : STATUS_START,
                     "cannot be started: %s", strerror(message.status));
}

static void take_end(int *own, int *end) {
    *own = *end;
    *end = -1;
    fcntl(*own, F_SETFL, O_NONBLOCK);
}

struct process *process_start(const char *path, const char *folder, char *const *words,
                              const struct external_wall *wall, struct fault *fault) {
    struct process *process = calloc(1, sizeof *process);
    if (!process) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a process");
        return NULL;
    }
    process->begins = true;
    process->queue = buffer_of(PROCESS_QUEUE_MAX);
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; /* in, out, err */
    struct supervisor_task task = {.path = path, .folder = folder, .words = words, .wall = wall};
    bool launched = process_launch(process, &task, pipes, fault);
    if (launched) {
        take_end(&process->in, &pipes[0][1]);
        take_end(&process->out, &pipes[1][0]);
        take_end(&process->err, &pipes[2][0]);
    }
    for (int i = 0; i < 3; i++) {
        close_end(&pipes[i][0]);
        close_end(&pipes[i][1]);
    }
    if (launched) return process;
    free(process);
    return NULL;
}

/* write() that fails with EPIPE instead of killing the host. */
static ssize_t write_quietly(int to, const char *bytes, size_t count) {
    static const struct timespec at_once = {0, 0};
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(to, bytes, count);
    int problem = errno;
    if (written < 0 && problem == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return written;
}

static bool has_queue(const struct process *process) {
    return process->in >= 0 && process->sent < process->queue.length;
}

static void drop_queue(struct process *process) {
    process->queue.length = process->sent = 0;
}

void process_flush(struct process *process) {
    const struct buffer *queue = &process->queue;
    while (has_queue(process)) {
        ssize_t sent =
            write_quietly(process->in, queue->text + process->sent, queue->length - process->sent);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) return;
        if (sent < 0) close_end(&process->in);
        if (sent > 0) process->sent += (size_t)sent;
    }
    drop_queue(process);
}

void process_send(struct process *process, const void *bytes, size_t length) {
    struct buffer *queue = &process->queue;
    if (process->in < 0) return;
    if (process->sent && process->sent >= queue->length / 2) {
        queue->length -= process->sent;
        memmove(queue->text, queue->text + process->sent, queue->length);
        process->sent = 0;
    }
    if (buffer_add(queue, bytes, length)) return;
    drop_queue(process);
    close_end(&process->in);
}

/* Reads up to `room` bytes; closes the end at end of file or on an error. */
static size_t pipe_read(int *end, char *out, size_t room) {
    ssize_t got = read(*end, out, room);
    if (got > 0) return (size_t)got;
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) close_end(end);
    return 0;
}

static bool read_errors(struct process *process) {
    char piece[ERRORS_MAX];
    size_t got = pipe_read(&process->err, piece, sizeof piece);
    size_t keep = process->errors_length;
    if (got && process->heard) process->heard(process->context, piece, got);
    if (keep + got > ERRORS_MAX) {
        keep = ERRORS_MAX - got;
        memmove(process->errors, process->errors + process->errors_length - keep, keep);
        process->errors_cut = true;
    }
    memcpy(process->errors + keep, piece, got);
    process->errors_length = keep + got;
    return got > 0;
}

static void drop_ahead(struct process *process) {
    process->ahead_start = process->ahead_end = process->searched = 0;
}

/* Moves what was read ahead to the start, and returns the room behind it. */
static size_t make_room(struct process *process) {
    size_t length = process->ahead_end - process->ahead_start;
    if (process->ahead_start)
        memmove(process->ahead, process->ahead + process->ahead_start, length);
    process->ahead_start = 0;
    process->ahead_end = length;
    return AHEAD_MAX - length;
}

/* Waits for one event or the time limit, and moves bytes. The end of the program is the end of its
 * output, even if something else still holds the pipe. */
static void process_serve(struct process *process, int milliseconds) {
    size_t room = make_room(process);
    bool ended = process->ended;
    /* poll() looks at the link first, so output written before the end is not missed. */
    struct pollfd ends[4] = {{.fd = ended ? -1 : process->link, .events = POLLIN},
                             {.fd = room ? process->out : -1, .events = POLLIN},
                             {.fd = process->err, .events = POLLIN},
                             {.fd = has_queue(process) ? process->in : -1, .events = POLLOUT}};
    if (poll(ends, 4, ended ? 0 : milliseconds) < 0) return;
    if (ends[1].revents)
        process->ahead_end += pipe_read(&process->out, process->ahead + process->ahead_end, room);
    else if ((ended || ends[0].revents) && room)
        close_end(&process->out);
    if (ends[0].revents) take_message(process);
    if (ends[2].revents) read_errors(process);
    if (ends[3].revents) process_flush(process);
}

static bool line_is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\v\f", text[i]) || !text[i]) return false;
    return true;
}

/* Copies a line; 0 bytes become '?'. */
static void copy_line(char *line, const char *text, size_t length) {
    memcpy(line, text, length);
    line[length] = 0;
    for (char *zero = line; (zero = memchr(zero, 0, length - (size_t)(zero - line)));) *zero = '?';
}

/* Takes the first line read ahead. False if there is none yet. */
static bool process_take_line(struct process *process, char *line, size_t size, size_t *blanks,
                              enum process_answer *answer) {
    while (process->ahead_start < process->ahead_end) {
        const char *text = process->ahead + process->ahead_start;
        size_t known = process->ahead_end - process->ahead_start;
        if (process->begins && lines_mark(text, known)) {
            process->ahead_start += lines_mark(text, known);
            process->begins = false;
            process->searched = 0;
            continue;
        }
        size_t length =
            process->searched + lines_length(text + process->searched, known - process->searched);
        const bool end = length < known;
        bool blank = line_is_blank(text, length);
        *answer = PROCESS_LONG;
        if (blank ? *blanks + length > BLANKS_MAX : length >= size) return true;
        process->searched = length;
        if (!end && process->out >= 0) return false;
        process->ahead_start += length + (end ? 1 : 0);
        process->searched = 0;
        *blanks += length + 1;
        process->begins = process->begins && blank;
        if (blank) continue;
        copy_line(line, text, length);
        *answer = PROCESS_LINE;
        return true;
    }
    return false;
}

enum process_answer process_line(struct process *process, char *line, size_t size,
                                 int milliseconds) {
    int64_t deadline = clock_ms() + milliseconds;
    size_t blanks = 0;
    process_flush(process);
    for (;;) {
        enum process_answer answer;
        if (process_take_line(process, line, size, &blanks, &answer)) return answer;
        if (process->out < 0) return PROCESS_END;
        int left = clock_left(deadline);
        if (!left) return PROCESS_LATE;
        process_serve(process, left);
    }
}

/* Waits for the program to exit and discards its standard output. */
static bool wait_end(struct process *process, int milliseconds) {
    int64_t deadline = clock_ms() + milliseconds;
    for (int left; !process->ended && (left = clock_left(deadline));) {
        drop_ahead(process);
        process_serve(process, left);
    }
    take_message(process);
    return process->ended;
}

static void write_end(const struct supervisor_message *end, char out[PROCESS_STATUS_MAX]) {
    if (end->code == CLD_EXITED) {
        snprintf(out, PROCESS_STATUS_MAX, "exit code %d", end->status);
    } else {
        const char *name = sigdescr_np(end->status);
        snprintf(out, PROCESS_STATUS_MAX, "signal %d%s%s", end->status, name ? ", " : "",
                 name ? name : "");
    }
}

void process_status(struct process *process, char out[PROCESS_STATUS_MAX]) {
    if (wait_end(process, END_WAIT))
        write_end(&process->end, out);
    else
        snprintf(out, PROCESS_STATUS_MAX, "its standard output is closed");
}

void process_hear(struct process *process,
                  void (*heard)(void *context, const char *bytes, size_t length), void *context) {
    process->heard = heard;
    process->context = context;
}

static void read_last_errors(struct process *process) {
    for (int piece = 0; piece < ERROR_PIECES && process->err >= 0; piece++)
        if (!read_errors(process)) break;
}

size_t process_errors(struct process *process, char *out, size_t size) {
    read_last_errors(process);
    const char *errors = process->errors;
    size_t length = process->errors_length, used = 0, needed = 0;
    while (length && strchr(" \t\r\n", errors[length - 1])) length--;
    size_t start = length;
    while (start && needed + 3 < size) needed += errors[--start] == '\n' ? 3 : 1;
    if (start || process->errors_cut) {
        const char *whole = memchr(errors + start, '\n', length - start);
        if (whole) start = (size_t)(whole - errors) + 1;
    }
    for (; start < length; start++) {
        if (errors[start] == '\n') {
            memcpy(out + used, " | ", 3);
            used += 3;
        } else if (errors[start] != '\r' && errors[start]) {
            out[used++] = errors[start];
        }
    }
    out[used] = 0;
    return used;
}

void process_kill(const struct process *process) {
    siginfo_t how;
    shutdown(process->link, SHUT_WR);
    while (waitid(P_PID, (id_t)process->supervisor, &how, WEXITED | WNOWAIT) && errno == EINTR)
        continue;
}

void process_stop(struct process *process, int milliseconds, char out[PROCESS_STATUS_MAX]) {
    *out = 0;
    if (!process) return;
    int64_t deadline = clock_ms() + milliseconds;
    process_flush(process);
    for (int left; (left = clock_left(deadline)) && has_queue(process) && !process->ended;) {
        drop_ahead(process);
        process_serve(process, left);
    }
    close_end(&process->in);
    drop_queue(process);
    if (wait_end(process, clock_left(deadline))) write_end(&process->end, out);
    shutdown(process->link, SHUT_WR);
    if (!wait_end(process, KILL_WAIT)) kill(process->supervisor, SIGKILL);
    while (waitpid(process->supervisor, NULL, 0) < 0 && errno == EINTR) continue;
    read_last_errors(process);
    close_end(&process->out);
    close_end(&process->err);
    close_end(&process->link);
    buffer_clear(&process->queue);
    free(process);
}
