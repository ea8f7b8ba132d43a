/* nursery.c - the nursery's process, and the host's side of it.
 *
 * Requests and replies are packets (post.h); the host's lock is never held during a move. The
 * nursery alone waits for children, so a process id cannot be reused before it is killed. It ends
 * when the socket is closed. A child copies every page that it touches, so the nursery trims its
 * heap before the first fork. */
#define _GNU_SOURCE
#include "nursery.h"

#include "base/buffer.h"
#include "base/descriptors.h"
#include "base/standby.h"
#include "cage.h"
#include "host/processors.h"
#include "post.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BUSY_MAX = 1 << 16, /* processes handed out */
    WAITING_MAX = 2     /* the players of a game */
};

struct nursery {
    struct post post;
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
    if (reply.error) return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
    reply.pid = child.pid;
    ward->busy[ward->busy_count++] = child.pid;
    const int descriptors[] = {child.to, child.from, child.held};
    bool sent = packet_send(ward->socket, &reply, sizeof reply, descriptors, 3);
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
    return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
}

static void ward_run(const void *context, int socket) {
    nursery_serve(*(const struct nursery_work *)context, socket);
}

int nursery_fork(struct nursery_work work, int *socket, pid_t *pid) {
    return post_fork(ward_run, &work, socket, pid);
}

static bool hand_out_twin(struct ward *ward) {
    struct reply reply = {.pid = 0};
    int socket;
    reply.error = nursery_fork(ward->work, &socket, &reply.pid);
    if (reply.error) return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
    bool sent = packet_send(ward->socket, &reply, sizeof reply, &socket, 1);
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

_Noreturn void nursery_serve(struct nursery_work work, int socket) {
    struct ward ward = {.work = work, .socket = socket};
    struct request request;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    bool going = true;
    /* Otherwise every child would trim what loading the variant left in the heap, in its own copy
     * of each page. */
    malloc_trim(0);
    free(malloc(1 << 16));
    ward_fill(&ward);
    while (going && packet_receive(socket, &request, sizeof request, descriptors, &carried)) {
        going = ward_fulfil(&ward, request);
        ward_fill(&ward);
    }
    for (size_t i = 0; i < ward.busy_count; i++) end_child(ward.busy[i]);
    for (int i = 0; i < ward.count; i++) end_child(ward.waiting[i].pid);
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    _exit(0);
}

struct nursery *nursery_join(int socket, pid_t pid, int handle) {
    struct nursery *nursery = malloc(sizeof *nursery);
    if (nursery) {
        post_open(&nursery->post, socket, pid, handle);
        return nursery;
    }
    close(socket);
    if (handle >= 0) close(handle);
    return NULL;
}

void nursery_patience(struct nursery *nursery, int milliseconds) {
    post_patience(&nursery->post, milliseconds);
}

struct nursery *nursery_open(struct nursery_work work, struct fault *fault) {
    int socket = -1;
    pid_t pid = -1;
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, fault)) return NULL;
    cage_hide(); /* before there is a game to hide from other processes of the user */
    int error = nursery_fork(work, &socket, &pid);
    struct nursery *nursery = error ? NULL : nursery_join(socket, pid, -1);
    if (!nursery) {
        fault_set(fault, STATUS_SYSTEM, "cannot start the process for bots: %s",
                  strerror(error ? error : ENOMEM));
    }
    return nursery;
}

void nursery_close(struct nursery *nursery) {
    if (!nursery) return;
    post_close(&nursery->post);
    free(nursery);
}

/* False when the nursery is gone or does not answer. */
static bool nursery_ask(struct nursery *nursery, struct request request, struct reply *reply,
                        int descriptors[POST_DESCRIPTORS_MAX], size_t *carried) {
    standby_begin();
    bool answered = post_ask(&nursery->post, &request, sizeof request, reply, sizeof *reply,
                             descriptors, carried);
    standby_end();
    return answered;
}

/* Has a child ended. Returns its status; -1 if the nursery is gone. */
static int give_back(struct nursery *nursery, pid_t child) {
    struct reply reply;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    const struct request request = {WISH_END, child};
    return nursery_ask(nursery, request, &reply, descriptors, &carried) ? reply.status : -1;
}

/* Asks for a process whose reply carries `count` descriptors. One whose descriptors this process
 * may not open is given back. */
static bool ask_for(struct nursery *nursery, enum wish wish, struct reply *reply,
                    int descriptors[POST_DESCRIPTORS_MAX], size_t count, struct fault *fault) {
    size_t carried = 0;
    if (!nursery_ask(nursery, (struct request){.wish = wish}, reply, descriptors, &carried)) {
        return fault_set(fault, STATUS_SYSTEM,
                         "the process that starts bots was killed or stopped");
    }
    if (!reply->error && carried == count) return true;
    packet_close(descriptors, carried);
    if (!reply->error && wish == WISH_CHILD) give_back(nursery, reply->pid);
    return fault_set(fault, STATUS_SYSTEM, "cannot start a process for a bot: %s",
                     strerror(reply->error ? reply->error : EMFILE));
}

struct nursery *nursery_twin(struct nursery *nursery, struct fault *fault) {
    struct reply reply;
    int descriptors[POST_DESCRIPTORS_MAX];
    if (!ask_for(nursery, WISH_TWIN, &reply, descriptors, 1, fault)) return NULL;
    struct nursery *twin = nursery_join(descriptors[0], reply.pid, -1);
    if (!twin) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return twin;
}

bool nursery_take(struct nursery *nursery, struct nursery_child *child, struct fault *fault) {
    struct reply reply;
    int descriptors[POST_DESCRIPTORS_MAX];
    if (!ask_for(nursery, WISH_CHILD, &reply, descriptors, 3, fault)) return false;
    *child = (struct nursery_child){reply.pid, descriptors[0], descriptors[1], descriptors[2]};
    struct processors processors;
    processors_get(0, &processors);
    processors_set(child->pid, &processors);
    return true;
}

int nursery_end(struct nursery *nursery, struct nursery_child *child) {
    int status = give_back(nursery, child->pid);
    close_child(child);
    *child = (struct nursery_child){0, -1, -1, -1};
    return status;
}

bool nursery_is_gone(struct nursery *nursery) {
    return post_is_gone(&nursery->post);
}

pid_t nursery_process(const struct nursery *nursery) {
    return nursery->post.pid;
}
