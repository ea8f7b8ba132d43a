/* supervisor.c - starts a program, waits for its end or the host's, and then kills its own children
 * until it has none.
 *
 * It is forked by a program of many threads, so it makes only async-signal-safe calls. All signals
 * are blocked; SIGCHLD is read from a descriptor. Children are killed by their ids only before they
 * are waited for, so that no id can have been reused. Killed children leave theirs to the
 * supervisor: a few rounds end a whole tree. */
#define _GNU_SOURCE
#include "supervisor.h"

#include "external.h"
#include "external_wall.h"
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUND = 5 }; /* ms before children are looked for again */

/* Moves a descriptor above the standard ones. */
static bool raise_descriptor(int *descriptor) {
    if (*descriptor > STDERR_FILENO) return true;
    int higher = fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher < 0) return false;
    close(*descriptor);
    *descriptor = higher;
    return true;
}

static bool raise_both(int ends[2]) {
    if (raise_descriptor(&ends[0]) && raise_descriptor(&ends[1])) return true;
    int problem = errno;
    close(ends[0]);
    close(ends[1]);
    errno = problem;
    return false;
}

bool supervisor_pipe(int ends[2]) {
    return !pipe2(ends, O_CLOEXEC) && raise_both(ends);
}

/* Between vfork and exec: the memory is the supervisor's. */
static _Noreturn void become_program(const struct supervisor_task *task, int report,
                                     pid_t supervisor) {
    sigset_t none;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool ready = !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == supervisor;
    for (int i = 0; i < 3; i++) ready = ready && dup2(task->ends[i], i) == i;
    if (ready && !chdir(task->folder) && external_part() &&
        (!task->wall || external_wall_enter(task->wall)))
        execve(task->path, task->words, task->environment);
    int problem = errno;
    ssize_t written = write(report, &problem, sizeof problem);
    (void)written;
    _exit(127);
}

/* Returns the program's process id, -1 with errno if it cannot be started. */
static pid_t start_program(const struct supervisor_task *task) {
    int report[2], problem = 0;
    if (!supervisor_pipe(report)) return -1;
    pid_t supervisor = getpid(), pid = vfork();
    if (!pid) become_program(task, report[1], supervisor);
    if (pid < 0) problem = errno;
    close(report[1]);
    while (pid > 0 && read(report[0], &problem, sizeof problem) < 0 && errno == EINTR) continue;
    close(report[0]);
    errno = problem;
    return problem ? -1 : pid;
}

static void say(int link, int code, int status) {
    const struct supervisor_message message = {code, status};
    send(link, &message, sizeof message, MSG_NOSIGNAL);
}

/* Waits for children that have ended, up to the program itself, whose end fills `message`. False if
 * there are no more children. */
static bool reap(pid_t program, struct supervisor_message *message) {
    siginfo_t one;
    for (;;) {
        one.si_pid = 0;
        if (waitid(P_ALL, 0, &one, WEXITED | WNOHANG | WNOWAIT)) return false;
        if (!one.si_pid) return true;
        if (one.si_pid == program && !message->code) {
            *message = (struct supervisor_message){one.si_code, one.si_status};
            return true;
        }
        waitid(P_PID, (id_t)one.si_pid, &one, WEXITED);
    }
}

/* Kills the processes of a list of numbers in a file of /proc. False if there is no such list. */
static bool kill_listed(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    pid_t pid = 0;
    for (ssize_t got; file >= 0 && (got = read(file, text, sizeof text)) > 0;) {
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                pid = 10 * pid + text[i] - '0';
            } else if (pid > 0) {
                kill(pid, SIGKILL);
                pid = 0;
            }
        }
    }
    if (file < 0) return errno != ENOENT;
    close(file);
    return true;
}

/* Forgets the SIGCHLD that has arrived, or waits up to `milliseconds` for one. */
static void await_child(int signals, int milliseconds) {
    struct signalfd_siginfo arrived[4];
    struct pollfd watched = {.fd = signals, .events = POLLIN};
    if (poll(&watched, 1, milliseconds) == 1 && read(signals, arrived, sizeof arrived) < 0) return;
}

/* Kills until there is nothing left to kill. The program's group goes first, while its process id
 * cannot have been reused; for a kernel that does not list children that is all. */
static void end_all(pid_t program, int signals, struct supervisor_message *message) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    kill(-program, SIGKILL);
    while (reap(program, message)) {
        bool listed = kill_listed(path);
        if (!listed && message->code) return;
        await_child(signals, ROUND);
    }
}

/* Waits until the program ends or the host lets go, and ends everything. */
static void watch_program(pid_t program, int link, int signals) {
    struct supervisor_message message = {0, 0};
    struct pollfd watched[2] = {{.fd = link, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    while (!watched[0].revents && !message.code) {
        if (poll(watched, 2, -1) < 0) continue;
        if (watched[1].revents) await_child(signals, 0);
        reap(program, &message);
    }
    end_all(program, signals, &message);
    say(link, message.code, message.status);
}

/* Keeps only the two descriptors, which stay open under other numbers. */
static void keep_only(int *link, int *signals) {
    int first = *link, second = *signals;
    dup2(first, STDIN_FILENO);
    dup2(second, STDOUT_FILENO);
    *link = STDIN_FILENO;
    *signals = STDOUT_FILENO;
    jail_close_from(STDERR_FILENO);
}

static _Noreturn void supervisor_run(const struct supervisor_task *task, int link) {
    sigset_t children;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &usual, NULL);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    setsid();
    prctl(PR_SET_NAME, "ensign-supervisor");
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    bool ready = signals >= 0 && raise_descriptor(&signals) && !prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t program = ready ? start_program(task) : -1;
    if (program < 0) {
        say(link, SUPERVISOR_FAILED, errno);
        _exit(1);
    }
    keep_only(&link, &signals);
    say(link, 0, 0);
    watch_program(program, link, signals);
    _exit(0);
}

pid_t supervisor_fork(const struct supervisor_task *task, int *link) {
    int ends[2];
    sigset_t all, before;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) || !raise_both(ends)) return -1;
    jail_hide();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    int problem = errno;
    if (!pid) {
        close(ends[0]);
        supervisor_run(task, ends[1]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    *link = ends[0];
    errno = problem;
    return pid;
}
