/* zygote.c - the process of a zygote or template, and the host's side of it.
 *
 * Requests and replies are packets (control.h); the host's lock is never held during a move. The
 * process alone waits for its children, so an id cannot be reused before it is killed. It ends when
 * the socket is closed. A twin is forked from it and answers at a socket of its own: the spare
 * zygote, a template of the zygote, and a template's twin are made in this one way. A child copies
 * every page that it touches, so a template trims its heap before the first fork.
 *
 * A process that is gone stays in the chain of its heirs until the template is closed, since
 * threads may be asking it; children are given back to the one that forked them. */
#define _GNU_SOURCE
#include "zygote.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/processors.h"
#include "base/standby.h"
#include "jail/control.h"
#include "jail/jail.h"

enum {
    BUSY_MAX = 1 << 16, /* processes handed out */
    WAITING_MAX = 2,    /* the players of a game */
    PIECE = 1 << 16,    /* bytes of a packet of what a template is told */
    END_WAIT = 1000     /* ms between the end of a pipe and that of its process */
};

/* What a template and its twins know, for making them anew. */
struct lesson {
    atomic_int holders;
    struct template_work work;
    bool told; /* something */
    struct frame frame;
};

struct template {
    struct control post;
    jail_job *run;
    struct template *before; /* of a zygote: the one that it has replaced */
    bool killed;             /* of a zygote, by us: it may take a moment to end; under their lock */
    struct lesson *lesson;   /* held; NULL: it is a zygote */
    int renewals;            /* that led to it */
    _Atomic(struct template *) heir; /* owned: has its place, since it is gone; NULL: none */
};

enum wish { WISH_CHILD, WISH_TWIN, WISH_END };

struct request {
    jail_job *run;             /* of the child */
    struct template_work work; /* of the twin, which is told `told` bytes behind it; without `run`:
                                  its parent's */
    size_t told;
    enum wish wish;
    pid_t child; /* the one to end */
};

_Static_assert(sizeof(struct request) == sizeof(jail_job *) + sizeof(struct template_work) +
                                             sizeof(size_t) + sizeof(enum wish) + sizeof(pid_t),
               "without padding, which would be bytes of the host's stack");

struct reply {
    pid_t pid;
    int status; /* of a child that has ended */
    int error;  /* an errno, or 0 */
};

/* A list of process ids. */
struct herd {
    pid_t *list;
    size_t count;
};

/* The process's own state. Children are `waiting`, or handed out and known by their id only. */
struct ward {
    struct template_work work; /* no `run`: no child waits */
    const void *known;
    int socket, count;
    struct locked_process waiting[WAITING_MAX];
    struct herd busy, twins;
};

/* Turns the functions of a request into their places or back. */
static void request_turn(struct request *request, uintptr_t (*turn)(uintptr_t)) {
    request->run = (jail_job *)turn((uintptr_t)request->run);
    request->work.run = (jail_job *)turn((uintptr_t)request->work.run);
    request->work.learn = (const void *(*)(struct frame *))turn((uintptr_t)request->work.learn);
}

static void close_child(struct locked_process *child) {
    close(child->to);
    close(child->from);
    close(child->held);
}

static bool herd_reserve(struct herd *herd) {
    pid_t *grown = array_grown(herd->list, herd->count, sizeof *grown, BUSY_MAX);
    if (grown) herd->list = grown;
    return grown;
}

static bool herd_drop(struct herd *herd, pid_t pid) {
    for (size_t i = 0; i < herd->count; i++) {
        if (herd->list[i] != pid) continue;
        herd->list[i] = herd->list[--herd->count];
        return true;
    }
    return false;
}

static int fork_child(struct ward *ward, jail_job *run, struct locked_process *child) {
    child->pid = jail_fork(&child->to, &child->from, &child->held);
    if (child->pid == 0) {
        run(ward->known, 0, 1);
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
static int next_child(struct ward *ward, jail_job *run, struct locked_process *child) {
    while (ward->count && run == ward->work.run) {
        *child = ward->waiting[--ward->count];
        siginfo_t how = {0};
        waitid(P_PID, (id_t)child->pid, &how, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
        if (!how.si_pid) return 0;
        end_child(child->pid);
        close_child(child);
    }
    return fork_child(ward, run, child);
}

static bool ward_hand_out(struct ward *ward, const struct request *request) {
    struct locked_process child;
    struct reply reply = {.error = herd_reserve(&ward->busy) ? 0 : ENOMEM};
    if (!reply.error) reply.error = next_child(ward, request->run, &child);
    if (reply.error) return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
    reply.pid = child.pid;
    ward->busy.list[ward->busy.count++] = child.pid;
    const int descriptors[] = {child.to, child.from, child.held};
    bool sent = packet_send(ward->socket, &reply, sizeof reply, descriptors, 3);
    close_child(&child);
    return sent;
}

static bool ward_take_back(struct ward *ward, pid_t pid) {
    struct reply reply = {.pid = pid, .status = -1, .error = ESRCH};
    if (herd_drop(&ward->busy, pid)) {
        reply.status = end_child(pid);
        reply.error = 0;
    }
    return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
}

/* Hears what it is told, and makes it known. */
static bool ward_learn(struct ward *ward, size_t told) {
    struct frame frame;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    size_t carried;
    if (!frame_open(&frame, TEMPLATE_TOLD_MAX)) return false;
    for (size_t at = 0; at < told;) {
        unsigned char piece[PIECE];
        size_t size = told - at < PIECE ? told - at : PIECE;
        if (!packet_receive(ward->socket, piece, size, descriptors, &carried)) _exit(EXIT_FAILURE);
        frame_put(&frame, piece, size);
        at += size;
    }
    if (ward->work.learn) ward->known = ward->work.learn(&frame);
    bool sound = !frame.broken && (ward->known || !ward->work.learn);
    frame_close(&frame);
    return sound;
}

static void ward_serve(struct ward *ward);

/* What the twin of a process begins with. */
struct birth {
    const struct ward *parent;
    const struct request *request;
};

/* Says when it is ready: from then on it does not depend on its parent. */
static void twin_run(const void *context, int socket) {
    const struct birth *birth = context;
    const struct request *request = birth->request;
    struct ward ward = {.work = birth->parent->work, .known = birth->parent->known};
    struct reply reply = {.pid = getpid()};
    ward.socket = socket;
    if (request->work.run) {
        ward.work = request->work;
        if (!ward_learn(&ward, request->told)) reply.error = ENOMEM;
    }
    if (packet_send(socket, &reply, sizeof reply, NULL, 0) && !reply.error) ward_serve(&ward);
}

static bool hand_out_twin(struct ward *ward, const struct request *request) {
    struct reply reply = {.error = herd_reserve(&ward->twins) ? 0 : ENOMEM};
    const struct birth birth = {ward, request};
    int socket;
    if (!reply.error) reply.error = control_fork(twin_run, &birth, &socket, &reply.pid);
    if (reply.error) return packet_send(ward->socket, &reply, sizeof reply, NULL, 0);
    ward->twins.list[ward->twins.count++] = reply.pid;
    bool sent = packet_send(ward->socket, &reply, sizeof reply, &socket, 1);
    close(socket);
    return sent;
}

static bool ward_fulfil(struct ward *ward, const struct request *request) {
    switch (request->wish) {
    case WISH_CHILD:
        return ward_hand_out(ward, request);
    case WISH_TWIN:
        return hand_out_twin(ward, request);
    default:
        return ward_take_back(ward, request->child);
    }
}

static void ward_fill(struct ward *ward) {
    if (!ward->work.run) return;
    while (ward->count < WAITING_MAX &&
           !fork_child(ward, ward->work.run, &ward->waiting[ward->count]))
        ward->count++;
}

/* Twins end when the host closes them. */
static void ward_reap(struct ward *ward) {
    for (size_t i = ward->twins.count; i--;)
        if (waitpid(ward->twins.list[i], NULL, WNOHANG))
            herd_drop(&ward->twins, ward->twins.list[i]);
}

/* Not before the first request: most commands start no process. */
static void ward_prepare(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    jail_prepare(); /* if it fails, it fails again in the children, which report it */
}

static void ward_serve(struct ward *ward) {
    struct request request;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    size_t carried;
    bool going = true, prepared = false;
    if (ward->work.run) {
        /* Otherwise every child would trim what learning left in the heap, in its own copy of each
         * page. */
        malloc_trim(0);
        free(malloc(1 << 16));
        ward_prepare();
        prepared = true;
        ward_fill(ward);
    }
    while (going && packet_receive(ward->socket, &request, sizeof request, descriptors, &carried)) {
        if (!prepared) ward_prepare();
        prepared = true;
        request_turn(&request, place_find);
        ward_reap(ward);
        going = ward_fulfil(ward, &request);
        ward_fill(ward);
    }
    for (size_t i = 0; i < ward->busy.count; i++) end_child(ward->busy.list[i]);
    for (int i = 0; i < ward->count; i++) end_child(ward->waiting[i].pid);
    _exit(0);
}

static void zygote_run(const void *context, int socket) {
    struct ward ward = {.socket = socket};
    (void)context;
    ward_serve(&ward);
}

static struct template *template_join(int socket, pid_t pid, jail_job *run) {
    struct template *template = malloc(sizeof *template);
    if (template) {
        *template = (struct template){.run = run};
        control_open(&template->post, socket, pid);
    } else {
        close(socket);
    }
    return template;
}

/* The host's zygote, and the one that replaces it. */
static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct template *now, *spare;
    bool used;
    bool restarts; /* if both are killed */
    int64_t paid;  /* clock_ms() up to which the starts so far count, a pause each */
    int nice;
    int error; /* errno, if there is none */
} zygotes = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct invocation {
    int argc;
    char **argv;
};

static void wipe(char *text) {
    for (volatile char *c = text; *c; c++) *c = 0;
}

static void zygote_begin(const void *context, int socket) {
    const struct invocation *invocation = context;
    for (int i = 0; i < invocation->argc; i++) wipe(invocation->argv[i]);
    for (char **variable = environ; *variable; variable++) wipe(*variable);
    *environ = NULL;
    zygote_run(NULL, socket);
}

/* The only argument of one that was started anew. */
static const char ANEW[] = "ensign-zygote";

void zygote_open(int argc, char **argv) {
    const struct invocation invocation = {argc, argv};
    int socket;
    pid_t pid;
    if (argc == 1 && !strcmp(*argv, ANEW)) control_serve(getppid(), 0, zygote_run, NULL);
    zygotes.now = zygotes.spare = NULL;
    zygotes.restarts = argc > 0;
    zygotes.error = control_fork(zygote_begin, &invocation, &socket, &pid);
    if (!zygotes.error && !(zygotes.now = template_join(socket, pid, NULL))) zygotes.error = ENOMEM;
}

pid_t zygote_process(void) {
    pthread_mutex_lock(&zygotes.lock);
    pid_t pid = zygotes.now ? zygotes.now->post.pid : -1;
    pthread_mutex_unlock(&zygotes.lock);
    return pid;
}

void zygote_nice(int nice) {
    pthread_mutex_lock(&zygotes.lock);
    zygotes.nice = nice;
    if (zygotes.now) setpriority(PRIO_PROCESS, (id_t)zygotes.now->post.pid, nice);
    if (zygotes.spare) setpriority(PRIO_PROCESS, (id_t)zygotes.spare->post.pid, nice);
    pthread_mutex_unlock(&zygotes.lock);
}

void template_patience(struct template *template, int milliseconds) {
    control_patience(&template->post, milliseconds);
}

static struct lesson *lesson_open(struct template_work work, const struct frame *told) {
    struct lesson *lesson = calloc(1, sizeof *lesson);
    if (!lesson) return NULL;
    *lesson = (struct lesson){.holders = 1, .work = work, .told = told};
    if (!told) return lesson;
    if (frame_open(&lesson->frame, told->length))
        frame_put(&lesson->frame, told->bytes + CHANNEL_HEADER, told->length);
    if (lesson->frame.bytes && !lesson->frame.broken) return lesson;
    frame_close(&lesson->frame);
    free(lesson);
    return NULL;
}

static struct lesson *lesson_hold(struct lesson *lesson) {
    if (lesson) atomic_fetch_add(&lesson->holders, 1);
    return lesson;
}

static void lesson_release(struct lesson *lesson) {
    if (!lesson || atomic_fetch_sub(&lesson->holders, 1) > 1) return;
    frame_close(&lesson->frame);
    free(lesson);
}

void template_close(struct template *template) {
    while (template) {
        struct template *heir = atomic_load(&template->heir);
        control_close(&template->post);
        lesson_release(template->lesson);
        free(template);
        template = heir;
    }
}

/* The latest of its processes. */
static struct template *template_now(struct template *template) {
    for (struct template *heir; (heir = atomic_load(&template->heir));) template = heir;
    return template;
}

/* False when the process is gone or does not answer. */
static bool template_ask(struct template *template, struct request request, struct reply *reply,
                         int descriptors[CONTROL_DESCRIPTORS_MAX], size_t *carried) {
    request_turn(&request, place_of);
    standby_begin();
    bool answered = control_ask(&template->post, &request, sizeof request, reply, sizeof *reply,
                                descriptors, carried);
    standby_end();
    return answered;
}

/* Has a child ended. Returns its status; -1 if the template is gone. */
static int give_back(struct template *template, pid_t child) {
    struct reply reply;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    size_t carried;
    const struct request request = {.wish = WISH_END, .child = child};
    return template_ask(template, request, &reply, descriptors, &carried) ? reply.status : -1;
}

/* Asks for a process whose reply carries `count` descriptors. One whose descriptors this process
 * may not open is given back. */
static bool ask_for(struct template *template, struct request request, struct reply *reply,
                    int descriptors[CONTROL_DESCRIPTORS_MAX], size_t count, struct fault *fault) {
    size_t carried = 0;
    if (!template_ask(template, request, reply, descriptors, &carried))
        return fault_set(fault, STATUS_SYSTEM,
                         "the process that starts bots was killed or stopped");
    if (!reply->error && carried == count) return true;
    packet_close(descriptors, carried);
    if (!reply->error && request.wish == WISH_CHILD) give_back(template, reply->pid);
    return fault_set(fault, STATUS_SYSTEM, "cannot start a process for a bot: %s",
                     strerror(reply->error ? reply->error : EMFILE));
}

/* Tells the template what it is to know, and waits until it is ready. */
static bool tell(struct template *template, const struct frame *told, struct fault *fault) {
    struct reply reply;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    size_t carried;
    bool sent = true;
    standby_begin();
    for (size_t at = 0; told && sent && at < told->length;) {
        size_t size = told->length - at < PIECE ? told->length - at : PIECE;
        sent = packet_send(template->post.socket, told->bytes + CHANNEL_HEADER + at, size, NULL, 0);
        at += size;
    }
    sent =
        sent && packet_receive(template->post.socket, &reply, sizeof reply, descriptors, &carried);
    standby_end();
    if (!sent)
        return fault_set(fault, STATUS_SYSTEM,
                         "the process that starts bots was killed or stopped");
    return !reply.error || fault_set(fault, STATUS_SYSTEM, "cannot start the process for bots: %s",
                                     strerror(reply.error));
}

static struct template *make_twin(struct template *template, struct request request,
                                  const struct frame *told, struct fault *fault) {
    struct reply reply;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    request.wish = WISH_TWIN;
    if (!ask_for(template, request, &reply, descriptors, 1, fault)) return NULL;
    jail_job *run = request.work.run ? request.work.run : template->run;
    struct template *twin = template_join(descriptors[0], reply.pid, run);
    if (!twin) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (!twin || tell(twin, told, fault)) return twin;
    template_close(twin);
    return NULL;
}

/* Was it stopped by another process? Then it is killed, so that nobody waits for its answers. */
static bool was_stopped(const struct template *zygote) {
    char path[32], text[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)zygote->post.pid);
    FILE *file = fopen(path, "re");
    if (file && fgets(text, sizeof text, file)) sscanf(text, "%*d (%*[^)]) %c", &state);
    if (file) fclose(file);
    if (state != 'T' && state != 't') return false;
    syscall(SYS_pidfd_send_signal, zygote->post.handle, SIGKILL, NULL, 0);
    return true;
}

static bool zygote_is_gone(struct template *zygote) {
    zygote->killed = zygote->killed || was_stopped(zygote);
    return zygote->killed || template_is_gone(zygote);
}

/* The successor of a zygote that is gone: the spare one, or a new program, which knows nothing
 * either. NULL with a fault. */
static struct template *next_zygote(struct fault *fault) {
    const int64_t pause = 1000 * (int64_t)ZYGOTE_PAUSE_SECONDS, now = clock_ms();
    if (zygotes.paid < now) zygotes.paid = now;
    const int64_t early = zygotes.paid - now - (ZYGOTE_STARTS - 1) * pause;
    const int left = early > 0 ? (int)((early + 999) / 1000) : 0;
    int socket;
    pid_t pid;
    if (zygotes.spare) return zygotes.spare;
    if (left) {
        if (fault) fault->wait = left;
        fault_set(fault, STATUS_SYSTEM,
                  "the process that starts others was killed: it is started again in %d s", left);
        return NULL;
    }
    zygotes.paid += pause;
    const int error = zygotes.restarts ? control_start(ANEW, &socket, &pid) : ESRCH;
    struct template *anew = error ? NULL : template_join(socket, pid, NULL);
    if (anew && zygotes.nice) setpriority(PRIO_PROCESS, (id_t)pid, zygotes.nice);
    if (!anew)
        fault_set(fault, STATUS_SYSTEM, "cannot start the process that starts others: %s",
                  strerror(error ? error : ENOMEM));
    return anew;
}

/* The zygote. One that was replaced stays, since threads may be asking it; nobody asks the spare
 * one. NULL with a fault. */
static struct template *zygote_find(struct fault *fault) {
    pthread_mutex_lock(&zygotes.lock);
    if (zygotes.spare && zygote_is_gone(zygotes.spare)) {
        template_close(zygotes.spare);
        zygotes.spare = NULL;
    }
    const bool gone = zygotes.now && zygote_is_gone(zygotes.now);
    struct template *next = gone ? next_zygote(fault) : NULL;
    if (next) {
        next->before = zygotes.now;
        zygotes.now = next;
        zygotes.spare = NULL;
    }
    struct template *now = gone ? next : zygotes.now;
    /* Only of one that is used again: many commands load one file and end. */
    if (now && zygotes.used && !zygotes.spare) zygotes.spare = template_twin(now, NULL);
    zygotes.used = true;
    if (!now && !gone)
        fault_set(fault, STATUS_SYSTEM, "cannot start the process that starts others: %s",
                  strerror(zygotes.error));
    pthread_mutex_unlock(&zygotes.lock);
    return now;
}

bool zygote_is_well(struct fault *fault) {
    return zygote_find(fault) != NULL;
}

/* A template that knows this. It holds the lesson. NULL with a fault. */
static struct template *teach(struct lesson *lesson, struct fault *fault) {
    const struct frame *told = lesson->told ? &lesson->frame : NULL;
    const struct request request = {.work = lesson->work, .told = told ? told->length : 0};
    struct template *template = NULL, *zygote = NULL;
    for (int tries = 0; !template && tries < TEMPLATE_TRIES; tries++) {
        if (!(zygote = zygote_find(fault))) break;
        template = make_twin(zygote, request, told, fault);
        if (!template && !template_is_gone(zygote)) break;
    }
    if (template) template->lesson = lesson_hold(lesson);
    return template;
}

struct template *template_open(struct template_work work, const struct frame *told,
                               struct fault *fault) {
    struct lesson *lesson = lesson_open(work, told);
    jail_hide(); /* before there is a game to hide from other processes of the user */
    struct template *template = lesson ? teach(lesson, fault) : NULL;
    if (!lesson) fault_set(fault, STATUS_NO_MEMORY, "no memory to start processes for bots");
    lesson_release(lesson);
    return template;
}

/* Has a process that is gone replaced by another, once. False with a fault, or if that is not
 * possible. */
static bool renew(struct template *gone, struct fault *fault) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!gone->lesson || gone->renewals + 1 >= TEMPLATE_TRIES || !control_is_gone(&gone->post))
        return false;
    pthread_mutex_lock(&lock);
    struct template *heir = atomic_load(&gone->heir);
    if (!heir && (heir = teach(gone->lesson, fault))) {
        /* One that was only stopped has no children that go on. */
        syscall(SYS_pidfd_send_signal, gone->post.handle, SIGKILL, NULL, 0);
        heir->renewals = gone->renewals + 1;
        atomic_store(&gone->heir, heir);
    }
    pthread_mutex_unlock(&lock);
    return heir;
}

struct template *template_twin(struct template *template, struct fault *fault) {
    struct template *twin = NULL, *now;
    struct fault why;
    do {
        why = (struct fault){0};
        now = template_now(template);
        twin = make_twin(now, (struct request){0}, NULL, &why);
    } while (!twin && renew(now, &why));
    if (twin)
        twin->lesson = lesson_hold(now->lesson);
    else
        fault_repeat(fault, &why);
    return twin;
}

static bool take_child(struct template *template, jail_job *run, struct locked_process *child,
                       struct fault *fault) {
    struct reply reply;
    int descriptors[CONTROL_DESCRIPTORS_MAX];
    const struct request request = {.wish = WISH_CHILD, .run = run};
    if (!ask_for(template, request, &reply, descriptors, 3, fault)) return false;
    *child = (struct locked_process){reply.pid, descriptors[0], descriptors[1], descriptors[2],
                                     template};
    struct processors processors;
    processors_get(0, &processors);
    processors_set(child->pid, &processors);
    return true;
}

bool template_take(struct template *template, struct locked_process *child, struct fault *fault) {
    struct template *now;
    struct fault why;
    do {
        why = (struct fault){0};
        now = template_now(template);
        if (take_child(now, now->run, child, &why)) return true;
    } while (renew(now, &why));
    return fault_repeat(fault, &why);
}

bool zygote_take(jail_job *run, struct locked_process *child, struct fault *fault) {
    for (int tries = 0; tries < TEMPLATE_TRIES; tries++) {
        struct template *zygote = zygote_find(fault);
        if (!zygote) return false;
        if (take_child(zygote, run, child, fault)) return true;
        if (!template_is_gone(zygote)) return false;
    }
    return false;
}

int locked_process_end(struct locked_process *child) {
    int status = give_back(child->parent, child->pid);
    close_child(child);
    *child = (struct locked_process){0, -1, -1, -1, NULL};
    return status;
}

bool locked_process_ends(const struct locked_process *child) {
    int handle = (int)syscall(SYS_pidfd_open, child->pid, 0);
    if (handle < 0) return true; /* an old kernel; but a locked process cannot close its pipe */
    struct pollfd watched = {.fd = handle, .events = POLLIN};
    bool ended = poll(&watched, 1, END_WAIT) == 1;
    close(handle);
    return ended;
}

bool template_is_gone(struct template *template) {
    struct template *now = template_now(template);
    return control_is_gone(&now->post) && (!now->lesson || now->renewals + 1 >= TEMPLATE_TRIES);
}

pid_t template_process(const struct template *template) {
    return template_now((struct template *)(uintptr_t) template)->post.pid;
}

/* Distances from one function of the program. */

uintptr_t place_of(uintptr_t address) {
    return address ? address - (uintptr_t)place_of : 0;
}

uintptr_t place_find(uintptr_t place) {
    return place ? place + (uintptr_t)place_of : 0;
}
