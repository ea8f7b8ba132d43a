/* shoot.c - the processes between the host and the locked ones that run scripts.
 *
 * They run no script themselves, and nothing that they hold is secret. While it loads, a shoot dies
 * with the stem; as a nursery it lives as long as its socket. */
#define _GNU_SOURCE
#include "shoot.h"

#include "base/buffer.h"
#include "cage.h"
#include "child.h"
#include "host/check/inspect_json.h"
#include "host/seed.h"
#include "host/stock.h"
#include "oracle.h"
#include "post.h"
#include "wire_fault.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SHOOTS_MAX = 1 << 12,
    END_WAIT = 1000 /* ms for the processes of killed shoots to end as well */
};

struct shoot {
    const struct stem_work *work;
    int socket, out;
    struct shoot_order order;
    char *text;
    struct frame answer;
};

static void put_fault(struct shoot *shoot, struct fault *fault) {
    /* Its own memory is the host's affair (frame_take_fault()). */
    if (fault->status == STATUS_NO_MEMORY) fault->status = STATUS_SYSTEM;
    frame_clear(&shoot->answer);
    frame_put_number(&shoot->answer, 0);
    frame_put_fault(&shoot->answer, fault);
}

/* Sends the answer, and exits if nobody wants it. */
static void shoot_answer(struct shoot *shoot) {
    if (shoot->answer.broken) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_RULES, "it is too large: its answer has more than %zu bytes",
                  shoot->answer.room);
        put_fault(shoot, &fault);
    }
    if (wire_send(shoot->out, &shoot->answer, SHOOT_SEQUENCE, WIRE_FOREVER) != WIRE_OK)
        _exit(EXIT_FAILURE);
    frame_close(&shoot->answer);
}

/* Forks the nursery of the variant's calls and gives it to the host. */
static bool give_oracle(struct shoot *shoot, const struct rules *rules, struct fault *fault) {
    int socket;
    pid_t pid;
    int error = oracle_fork(rules, &socket, &pid);
    if (error)
        return fault_set(fault, STATUS_SYSTEM, "cannot start the process for a variant's calls: %s",
                         strerror(error));
    if (socket < 0) return true;
    bool given = packet_send(shoot->socket, &pid, sizeof pid, &socket, 1);
    close(socket);
    return given || fault_set(fault, STATUS_SYSTEM, "cannot hand over the process for calls");
}

static void shoot_variant(struct shoot *shoot) {
    struct fault fault = {0};
    bool bots = shoot->order.bots;
    struct rules *rules = loader_variant(&shoot->work->folders, shoot->order.name, &fault);
    bool ready = rules && (!bots || cage_fits(child_memory(shoot->work->bots), &fault)) &&
                 give_oracle(shoot, rules, &fault);
    if (ready) {
        frame_put_number(&shoot->answer, 1);
        variant_put(&shoot->answer, rules);
        ready = !shoot->answer.broken;
    } else {
        put_fault(shoot, &fault);
    }
    shoot_answer(shoot);
    if (!ready || !bots) return;
    const struct child_work work = {rules, shoot->work->folders, shoot->work->bots};
    close(shoot->out);
    post_settle();
    nursery_serve((struct nursery_work){child_run, &work}, shoot->socket);
}

/* Answers with a document; NULL: with the fault. */
static void answer_json(struct shoot *shoot, json_t *document, struct fault *fault) {
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    if (text) {
        frame_put_number(&shoot->answer, 1);
        frame_put_text(&shoot->answer, text);
    } else {
        if (fault->status == STATUS_OK) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        put_fault(shoot, fault);
    }
    free(text);
    json_decref(document);
    shoot_answer(shoot);
}

static void shoot_check(struct shoot *shoot) {
    const struct shoot_order *order = &shoot->order;
    struct fault fault = {0};
    struct inspection inspection = {0};
    struct inspector inspector = {.folders = &shoot->work->folders,
                                  .terms = {order->has_variant ? order->variant : NULL,
                                            order->games, order->balance, order->seed,
                                            order->seconds}};
    json_t *document = NULL;
    if (inspect_text(&inspector, order->name, shoot->text, order->length, &inspection))
        document =
            json_pack("{s:[o]}", "files", inspect_json_file(order->name, &inspection, false));
    answer_json(shoot, document, &fault);
    inspection_clear(&inspection);
    inspector_clear(&inspector);
}

static void shoot_list(struct shoot *shoot) {
    struct fault fault = {0};
    answer_json(shoot, stock_json(&shoot->work->shown, shoot->order.parts, &fault), &fault);
}

static bool take_order(struct shoot *shoot) {
    struct shoot_order *order = &shoot->order;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    if (!packet_receive(shoot->socket, order, sizeof *order, descriptors, &carried)) return false;
    shoot->text = malloc(order->length + 1);
    if (!shoot->text) return false;
    for (size_t at = 0; at < order->length;) {
        size_t left = order->length - at, size = left < SHOOT_PIECE ? left : SHOOT_PIECE;
        if (!packet_receive(shoot->socket, shoot->text + at, size, descriptors, &carried))
            return false;
        at += size;
    }
    shoot->text[order->length] = 0;
    return true;
}

_Noreturn void shoot_run(const struct stem_work *work, int socket, int out) {
    static void (*const jobs[])(struct shoot *) = {
        [SHOOT_VARIANT] = shoot_variant, [SHOOT_CHECK] = shoot_check, [SHOOT_LIST] = shoot_list};
    struct shoot shoot = {.work = work, .socket = socket, .out = out};
    if (!frame_open(&shoot.answer, SHOOT_ANSWER_MAX) || !take_order(&shoot)) _exit(EXIT_FAILURE);
    jobs[shoot.order.job](&shoot);
    free(shoot.text);
    _exit(EXIT_SUCCESS);
}

/* The stem's own state. */
struct stem_process {
    const struct stem_work *work;
    int socket;
    int signals; /* readable when a child has ended */
    pid_t *shoots;
    size_t count;
};

/* Forks a shoot with a socket and a pipe. Returns an errno, or 0. */
static int fork_shoot(const struct stem_process *stem, pid_t *pid,
                      int descriptors[SHOOT_DESCRIPTORS]) {
    int sockets[2] = {-1, -1}, ends[2] = {-1, -1}, handle = -1, error = 0;
    const pid_t self = getpid();
    *pid = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0 &&
        pipe2(ends, O_CLOEXEC) == 0)
        *pid = fork();
    if (*pid == 0) {
        cage_part(self, sockets[1], ends[1]);
        shoot_run(stem->work, 0, 1);
    }
    /* It cannot be reaped, nor its id be used again, before there is a handle. */
    if (*pid > 0) handle = (int)syscall(SYS_pidfd_open, *pid, 0);
    if (handle < 0) error = errno;
    if (*pid > 0 && error) kill(*pid, SIGKILL);
    packet_close((const int[]){sockets[1], ends[1]}, 2);
    if (error) packet_close((const int[]){sockets[0], ends[0]}, 2);
    descriptors[SHOOT_SOCKET] = sockets[0];
    descriptors[SHOOT_PIPE] = ends[0];
    descriptors[SHOOT_HANDLE] = handle;
    return error;
}

/* False if the host is gone. */
static bool start_shoot(struct stem_process *stem) {
    struct shoot_start start = {.error = ENOMEM};
    int descriptors[SHOOT_DESCRIPTORS];
    pid_t *grown = array_grown(stem->shoots, stem->count, sizeof *grown, SHOOTS_MAX);
    if (grown) {
        stem->shoots = grown;
        start.error = fork_shoot(stem, &start.pid, descriptors);
    }
    if (start.error) return packet_send(stem->socket, &start, sizeof start, NULL, 0);
    stem->shoots[stem->count++] = start.pid;
    bool sent = packet_send(stem->socket, &start, sizeof start, descriptors, SHOOT_DESCRIPTORS);
    packet_close(descriptors, SHOOT_DESCRIPTORS);
    return sent;
}

/* Reaps what has ended: shoots, and processes that they have left behind. False if there is nothing
 * left to wait for. */
static bool reap_ended(struct stem_process *stem) {
    struct signalfd_siginfo told;
    pid_t pid;
    while (read(stem->signals, &told, sizeof told) > 0) {}
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        for (size_t i = 0; i < stem->count; i++)
            if (stem->shoots[i] == pid) stem->shoots[i] = stem->shoots[--stem->count];
    return pid == 0;
}

/* Kills all shoots. Their bots die with them; only a nursery whose socket somebody still holds may
 * outlast them. */
static void end_shoots(struct stem_process *stem) {
    struct pollfd watched = {.fd = stem->signals, .events = POLLIN};
    for (size_t i = 0; i < stem->count; i++) kill(stem->shoots[i], SIGKILL);
    while (reap_ended(stem) && poll(&watched, 1, END_WAIT) > 0) {}
}

void stem_serve(const void *context, int socket) {
    struct stem_process stem = {.work = context, .socket = socket};
    char request;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    stem.signals = signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
    struct pollfd watched[] = {{.fd = socket, .events = POLLIN},
                               {.fd = stem.signals, .events = POLLIN}};
    for (bool going = stem.signals >= 0; going;) {
        if (poll(watched, 2, -1) < 0 && errno != EINTR) break;
        reap_ended(&stem);
        if (watched[0].revents)
            going =
                packet_receive(socket, &request, 1, descriptors, &carried) && start_shoot(&stem);
    }
    end_shoots(&stem);
    free(stem.shoots);
}
