/* control.c - packets on a socket pair, and both ends of it.
 *
 * The lock is held for one request and its answer. */
#define _GNU_SOURCE
#include "control.h"

#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 10000 /* ms */ };

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(CONTROL_DESCRIPTORS_MAX * sizeof(int))];
};

bool packet_send(int socket, const void *data, size_t size, const int *descriptors, size_t count) {
    union ancillary control = {.bytes = {0}};
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

bool packet_receive(int socket, void *data, size_t size, int descriptors[CONTROL_DESCRIPTORS_MAX],
                    size_t *carried) {
    union ancillary control;
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

void packet_close(const int *descriptors, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (descriptors[i] >= 0) close(descriptors[i]);
}

void packet_patience(int socket, int milliseconds) {
    const struct timeval patience = {milliseconds / 1000, milliseconds % 1000 * 1000};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

void control_serve(pid_t parent, int socket, void (*serve)(const void *context, int socket),
                   const void *context) {
    jail_part(parent, socket, -1);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "ensign"); /* one that was started anew would be called "exe" */
    /* With 1 and 2 taken, no child's pipe can get a library's output. */
    for (int d = 0; d >= 0 && d < 3;) d = open("/dev/null", O_RDWR | O_CLOEXEC);
    serve(context, 0);
    _exit(0);
}

int control_fork(void (*serve)(const void *context, int socket), const void *context, int *socket,
                 pid_t *pid) {
    int sockets[2];
    pid_t self = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return errno;
    *pid = fork();
    int error = *pid < 0 ? errno : 0;
    if (*pid == 0) control_serve(self, sockets[1], serve, context);
    close(sockets[1]);
    *socket = sockets[0];
    if (error) close(sockets[0]);
    return error;
}

int control_start(const char *name, int *socket, pid_t *pid) {
    int sockets[2];
    char *const arguments[] = {(char *)(uintptr_t)name, NULL}, *const environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return errno;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, sockets[1], 0);
        if (!error)
            error = posix_spawn(pid, "/proc/self/exe", &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(sockets[1]);
    *socket = sockets[0];
    if (error) close(sockets[0]);
    return error;
}

void control_patience(struct control *post, int milliseconds) {
    packet_patience(post->socket, milliseconds);
}

void control_open(struct control *post, int socket, pid_t pid) {
    const int handle = (int)syscall(SYS_pidfd_open, pid, 0); /* closed on exec */
    *post = (struct control){.socket = socket, .pid = pid, .handle = handle};
    pthread_mutex_init(&post->lock, NULL);
    control_patience(post, PATIENCE);
}

/* Reaps the process. For one that another process has forked this fails at once. */
static void control_reap(struct control *post) {
    idtype_t type = post->handle < 0 ? P_PID : P_PIDFD;
    id_t id = (id_t)(post->handle < 0 ? post->pid : post->handle);
    while (waitid(type, id, &(siginfo_t){0}, WEXITED) < 0 && errno == EINTR) {}
}

void control_close(struct control *post) {
    char byte;
    shutdown(post->socket, SHUT_WR);
    ssize_t got = -1;
    while (!post->silent && (got = recv(post->socket, &byte, 1, 0)) != 0)
        if (got < 0 && errno != EINTR) break;
    /* It was stopped. Its children die with it. */
    if (got != 0) syscall(SYS_pidfd_send_signal, post->handle, SIGKILL, NULL, 0);
    close(post->socket);
    control_reap(post);
    if (post->handle >= 0) close(post->handle);
    pthread_mutex_destroy(&post->lock);
}

bool control_is_gone(struct control *post) {
    struct pollfd end = {.fd = post->handle, .events = POLLIN};
    if (poll(&end, 1, 0) == 1) return true;
    if (pthread_mutex_trylock(&post->lock)) return false;
    bool silent = post->silent;
    pthread_mutex_unlock(&post->lock);
    return silent;
}

bool control_ask(struct control *post, const void *request, size_t request_size, void *answer,
                 size_t answer_size, int descriptors[CONTROL_DESCRIPTORS_MAX], size_t *carried) {
    pthread_mutex_lock(&post->lock);
    bool answered = !post->silent && packet_send(post->socket, request, request_size, NULL, 0) &&
                    packet_receive(post->socket, answer, answer_size, descriptors, carried);
    if (!answered) post->silent = true;
    pthread_mutex_unlock(&post->lock);
    return answered;
}
