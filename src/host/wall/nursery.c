/* nursery.c - the nursery's process, and the host's side of it.
 *
 * Requests and replies are single packets on a socket pair; descriptors come with the reply. The
 * host's lock is held for one request, never during a move. The nursery alone waits for children,
 * so a process id cannot be reused before it is killed. It ends when the socket is closed. A child
 * copies every page that it touches, so the nursery trims its heap before the first fork. */
#define _GNU_SOURCE
#include "nursery.h"

#include "base/buffer.h"
#include "base/descriptors.h"
#include "cage.h"
#include "host/processors.h"
#include "host/seed.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BUSY_MAX = 1 << 16, /* processes handed out */
    WAITING_MAX = 2,    /* the players of a game */
    DESCRIPTORS_MAX = 3,
    PATIENCE = 10000 /* ms */
};

struct nursery {
    pthread_mutex_t lock; /* guards socket and silence */
    int socket;
    bool silent; /* it missed an answer and is not asked again */
    pid_t pid;
    int handle; /* a pidfd: the process id may be reused before it is killed */
};

enum wish { WISH_CHILD, WISH_TWIN, WISH_END };

struct request {
    enum wish wish;
    pid_t child; /* the one to end */
};

struct reply {
    pid_t pid;
    int status; /* of a child that has ended */
    int error;  /* an errno, or 0 */
};

/* The nursery's own state. Children are `waiting`, or handed out and known by their id only. */
struct ward {
    struct nursery_work work;
    int socket, count;
    struct nursery_child waiting[WAITING_MAX];
    pid_t *busy;
    size_t busy_count;
};

/* Sends a packet with up to DESCRIPTORS_MAX descriptors. */
static bool send_packet(int socket, const void *data, size_t size, const int *descriptors,
                        size_t count) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control = {.bytes = {0}};
    struct iovec body = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};
    struct msghdr message = {.msg_iov = &body, .msg_iovlen = 1};
    if (count) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

/* Receives a packet and `*carried` descriptors. */
static bool receive_packet(int socket, void *data, size_t size, int descriptors[DESCRIPTORS_MAX],
                           size_t *carried) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control;
    struct iovec body = {.iov_base = data, .iov_len = size};
    struct msghdr message = {.msg_iov = &body,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)size) return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    bool rights = header && header->cmsg_type == SCM_RIGHTS;
    *carried = rights ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    if (*carried) memcpy(descriptors, CMSG_DATA(header), *carried * sizeof(int));
    return true;
}

static void close_child(struct nursery_child *child) {
    close(child->to);
    close(child->from);
    close(child->held);
}

static int fork_child(struct ward *ward, struct nursery_child *child) {
    child->pid = cage_fork(&child->to, &child->from, &child->held);
    if (child->pid == 0) {
        ward->work.run(ward->work.context, 0, 1);
        _exit(0);
    }
    return child->pid < 0 ? errno : 0;
}

/* The signal by which another process stopped or continued the child; 0 if none. */
static int stop_signal(pid_t pid) {
    siginfo_t how = {0};
    bool told = waitid(P_PID, (id_t)pid, &how, WSTOPPED | WCONTINUED | WNOHANG) == 0 && how.si_pid;
    return !told ? 0 : how.si_code == CLD_STOPPED ? how.si_status : SIGSTOP;
}

/* Kills a child and its process group, and waits for it. */
static int end_child(pid_t pid) {
    int status = -1, stopped = stop_signal(pid);
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    bool by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return stopped && by_us ? W_STOPCODE(stopped) : status;
}

/* A waiting child that is still running, or a new one. */
static int next_child(struct ward *ward, struct nursery_child *child) {
    while (ward->count) {
        *child = ward->waiting[--ward->count];
        siginfo_t how = {0};
        waitid(P_PID, (id_t)child->pid, &how, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
        if (!how.si_pid) return 0;
        end_child(child->pid);
        close_child(child);
    }
    return fork_child(ward, child);
}

static bool ward_reserve(struct ward *ward) {
    pid_t *grown = array_grown(ward->busy, ward->busy_count, sizeof *grown, BUSY_MAX);
    if (grown) ward->busy = grown;
    return grown;
}

static bool ward_hand_out(struct ward *ward) {
    struct nursery_child child;
    struct reply reply = {.error = ward_reserve(ward) ? 0 : ENOMEM};
    if (!reply.error) reply.error = next_child(ward, &child);
    if (reply.error) return send_packet(ward->socket, &reply, sizeof reply, NULL, 0);
    reply.pid = child.pid;
    ward->busy[ward->busy_count++] = child.pid;
    const int descriptors[] = {child.to, child.from, child.held};
    bool sent = send_packet(ward->socket, &reply, sizeof reply, descriptors, 3);
    close_child(&child);
    return sent;
}

static bool ward_take_back(struct ward *ward, pid_t pid) {
    struct reply reply = {.pid = pid, .status = -1, .error = ESRCH};
    for (size_t i = 0; i < ward->busy_count; i++) {
        if (ward->busy[i] != pid) continue;
        ward->busy[i] = ward->busy[--ward->busy_count];
        reply.status = end_child(pid);
        reply.error = 0;
        break;
    }
    return send_packet(ward->socket, &reply, sizeof reply, NULL, 0);
}

static _Noreturn void run_nursery(struct nursery_work work, int socket);

/* Forks a nursery behind a socket. Returns an errno, or 0. */
static int fork_nursery(struct nursery_work work, int *socket, pid_t *pid) {
    int sockets[2];
    pid_t self = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return errno;
    *pid = fork();
    int error = *pid < 0 ? errno : 0;
    if (*pid == 0) {
        cage_part(self, sockets[1], -1);
        run_nursery(work, 0);
    }
    close(sockets[1]);
    *socket = sockets[0];
    if (error) close(sockets[0]);
    return error;
}

static bool hand_out_twin(struct ward *ward) {
    struct reply reply = {.pid = 0};
    int socket;
    reply.error = fork_nursery(ward->work, &socket, &reply.pid);
    if (reply.error) return send_packet(ward->socket, &reply, sizeof reply, NULL, 0);
    bool sent = send_packet(ward->socket, &reply, sizeof reply, &socket, 1);
    close(socket);
    return sent;
}

static bool ward_fulfil(struct ward *ward, struct request request) {
    switch (request.wish) {
    case WISH_CHILD:
        return ward_hand_out(ward);
    case WISH_TWIN:
        return hand_out_twin(ward);
    default:
        return ward_take_back(ward, request.child);
    }
}

static void ward_fill(struct ward *ward) {
    while (ward->count < WAITING_MAX && !fork_child(ward, &ward->waiting[ward->count]))
        ward->count++;
}

static _Noreturn void run_nursery(struct nursery_work work, int socket) {
    struct ward ward = {.work = work, .socket = socket};
    struct request request;
    int descriptors[DESCRIPTORS_MAX];
    size_t carried;
    bool going = true;
    seed_forget();
    /* The closed socket shows that the host is gone; there must be time left to end and reap all
     * children, and theirs. */
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* 0 is the socket. With 1 and 2 taken, no child's pipe can get a library's output. */
    for (int d = 0; d >= 0 && d < 3;) d = open("/dev/null", O_RDWR | O_CLOEXEC);
    cage_prepare(); /* if it fails, it fails again in the children, which report it */
    /* Otherwise every child would trim what loading the variant left in the heap, in its own copy
     * of each page. */
    malloc_trim(0);
    free(malloc(1 << 16));
    ward_fill(&ward);
    while (going && receive_packet(socket, &request, sizeof request, descriptors, &carried)) {
        going = ward_fulfil(&ward, request);
        ward_fill(&ward);
    }
    for (size_t i = 0; i < ward.busy_count; i++) end_child(ward.busy[i]);
    for (int i = 0; i < ward.count; i++) end_child(ward.waiting[i].pid);
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    _exit(0);
}

static struct nursery *new_nursery(int socket, pid_t pid) {
    struct nursery *nursery = malloc(sizeof *nursery);
    if (!nursery) {
        close(socket);
        return NULL;
    }
    nursery->socket = socket;
    nursery->silent = false;
    nursery->pid = pid;
    nursery->handle = (int)syscall(SYS_pidfd_open, pid, 0); /* closed on exec */
    pthread_mutex_init(&nursery->lock, NULL);
    nursery_patience(nursery, PATIENCE);
    return nursery;
}

void nursery_patience(struct nursery *nursery, int milliseconds) {
    const struct timeval patience = {milliseconds / 1000, milliseconds % 1000 * 1000};
    setsockopt(nursery->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(nursery->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

struct nursery *nursery_open(struct nursery_work work, struct fault *fault) {
    int socket = -1;
    pid_t pid = -1;
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, fault)) return NULL;
    cage_hide(); /* before there is a game to hide from other processes of the user */
    int error = fork_nursery(work, &socket, &pid);
    struct nursery *nursery = error ? NULL : new_nursery(socket, pid);
    if (!nursery) {
        fault_set(fault, STATUS_SYSTEM, "cannot start the process for bots: %s",
                  strerror(error ? error : ENOMEM));
    }
    return nursery;
}

void nursery_close(struct nursery *nursery) {
    char byte;
    if (!nursery) return;
    shutdown(nursery->socket, SHUT_WR);
    ssize_t got = -1;
    while (!nursery->silent && (got = recv(nursery->socket, &byte, 1, 0)) != 0)
        if (got < 0 && errno != EINTR) break;
    /* It was stopped. Its children die with it. */
    if (got != 0) syscall(SYS_pidfd_send_signal, nursery->handle, SIGKILL, NULL, 0);
    close(nursery->socket);
    if (nursery->handle >= 0) close(nursery->handle);
    /* For a twin, the child of another nursery, this fails at once. */
    while (waitpid(nursery->pid, NULL, 0) < 0 && errno == EINTR) {}
    pthread_mutex_destroy(&nursery->lock);
    free(nursery);
}

/* False when the nursery is gone or does not answer. */
static bool nursery_ask(struct nursery *nursery, struct request request, struct reply *reply,
                        int descriptors[DESCRIPTORS_MAX], size_t *carried) {
    pthread_mutex_lock(&nursery->lock);
    bool answered = !nursery->silent &&
                    send_packet(nursery->socket, &request, sizeof request, NULL, 0) &&
                    receive_packet(nursery->socket, reply, sizeof *reply, descriptors, carried);
    if (!answered) nursery->silent = true;
    pthread_mutex_unlock(&nursery->lock);
    return answered;
}

/* Asks for a process whose reply carries `count` descriptors. */
static bool ask_for(struct nursery *nursery, enum wish wish, struct reply *reply,
                    int descriptors[DESCRIPTORS_MAX], size_t count, struct fault *fault) {
    size_t carried = 0;
    if (!nursery_ask(nursery, (struct request){.wish = wish}, reply, descriptors, &carried)) {
        return fault_set(fault, STATUS_SYSTEM,
                         "the process that starts bots was killed or stopped");
    }
    if (!reply->error && carried == count) return true;
    return fault_set(fault, STATUS_SYSTEM, "cannot start a process for a bot: %s",
                     strerror(reply->error ? reply->error : EMFILE));
}

struct nursery *nursery_twin(struct nursery *nursery, struct fault *fault) {
    struct reply reply;
    int descriptors[DESCRIPTORS_MAX];
    if (!ask_for(nursery, WISH_TWIN, &reply, descriptors, 1, fault)) return NULL;
    struct nursery *twin = new_nursery(descriptors[0], reply.pid);
    if (!twin) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return twin;
}

bool nursery_take(struct nursery *nursery, struct nursery_child *child, struct fault *fault) {
    struct reply reply;
    int descriptors[DESCRIPTORS_MAX];
    if (!ask_for(nursery, WISH_CHILD, &reply, descriptors, 3, fault)) return false;
    *child = (struct nursery_child){reply.pid, descriptors[0], descriptors[1], descriptors[2]};
    struct processors processors;
    processors_get(0, &processors);
    processors_set(child->pid, &processors);
    return true;
}

int nursery_end(struct nursery *nursery, struct nursery_child *child) {
    struct reply reply;
    int descriptors[DESCRIPTORS_MAX];
    size_t carried;
    const struct request request = {WISH_END, child->pid};
    bool answered = nursery_ask(nursery, request, &reply, descriptors, &carried);
    close_child(child);
    *child = (struct nursery_child){0, -1, -1, -1};
    return answered ? reply.status : -1;
}

pid_t nursery_process(const struct nursery *nursery) {
    return nursery->pid;
}
