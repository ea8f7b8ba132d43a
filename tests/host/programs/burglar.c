/* burglar.c - an external program that tries everything that --wall forbids.
 *
 * burglar FILE MEGABYTES: says a line "got WHAT" for each thing that was not refused: sockets,
 * processes, FILE of somebody else changed, locked or watched in any way, more than MEGABYTES of
 * memory, its parent signalled …; then "works" if it could do what it may, and "done". */
#define _GNU_SOURCE
#include <asm/sockios.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20 };

static void got(bool happened, const char *what) {
    if (happened) printf("got %s\n", what);
}

static void try_sockets(void) {
    int pair[2];
    got(socket(AF_INET, SOCK_STREAM, 0) >= 0, "internet socket");
    got(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "unix socket");
    got(socket(AF_NETLINK, SOCK_RAW, 0) >= 0, "netlink socket");
    got(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), "pair of sockets");
    got(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), "pair of packet sockets");
    char parameters[256] = {0};
    got(syscall(SYS_io_uring_setup, 4, parameters) >= 0, "io_uring");
}

static void try_processes(void) {
    pid_t pid = fork();
    if (!pid) _exit(0);
    got(pid > 0, "fork");
    pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (!pid) _exit(0);
    got(pid > 0, "clone");
    struct {
        unsigned long long flags, numbers[10];
    } arguments = {0, {0}};
    pid = (pid_t)syscall(435, &arguments, sizeof arguments);
    if (!pid) _exit(0);
    got(pid > 0, "clone3");
    int code = system("true");
    got(WIFEXITED(code) && !WEXITSTATUS(code), "system()");
    got(!kill(getppid(), 0), "signal to the supervisor");
    got(!kill(-1, 0), "signal to all");
    got(!kill(1, 0), "signal to init");
    got(!ptrace(PTRACE_SEIZE, getppid(), NULL, NULL), "trace");
    got(syscall(SYS_pidfd_open, getppid(), 0) >= 0, "handle of a process");
    got(!setpriority(PRIO_PROCESS, (id_t)getppid(), 5), "priority");
    static const struct rlimit none = {0, 0};
    got(!prlimit(getppid(), RLIMIT_CORE, &none, NULL), "limits of a process");
    got(syscall(SYS_bpf, 0, NULL, 0) >= 0, "bpf");
    got(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0, "perf");
    got(!unshare(CLONE_NEWUSER), "namespace");
}

static void try_file(const char *path) {
    char beside[512];
    struct stat about;
    static const struct timeval then[2] = {{1, 0}, {1, 0}};
    got(open(path, O_WRONLY) >= 0, "file to write");
    got(open(path, O_RDONLY | O_TRUNC) >= 0, "file cut when opened");
    got(!truncate(path, 0), "file cut");
    got(!chmod(path, 0777), "mode");
    got(!utimes(path, then), "times");
    got(!unlink(path), "file removed");
    snprintf(beside, sizeof beside, "%s-new", path);
    got(open(beside, O_WRONLY | O_CREAT, 0600) >= 0, "new file");
    got(!mkdir(beside, 0700), "new folder");
    got(!symlink("/", beside), "new link");
    got(!link(path, "link"), "hard link");
    got(!rename(path, "stolen"), "file moved");
    got(open("/dev/shm/ensign-test", O_RDWR | O_CREAT, 0600) >= 0, "shared memory");
    got(open("/dev/zero", O_RDONLY) >= 0, "/dev/zero");
    got(open("/dev/tty", O_RDONLY) >= 0, "terminal");
    got(stat(path, &about) || !about.st_size, "file lost");
}

/* fcntl() as the kernel takes it, with whatever is in the upper half of the register. */
static bool controls(int file, int command, const void *argument) {
    return syscall(SYS_fcntl, file, command, argument) >= 0 ||
           syscall(SYS_fcntl, file, command | 1L << 32, argument) >= 0;
}

static bool commands(int file, unsigned long command, void *argument) {
    return syscall(SYS_ioctl, file, command, argument) >= 0 ||
           syscall(SYS_ioctl, file, command | 1UL << 32, argument) >= 0;
}

/* What would hold others up or have the kernel signal them. */
static void try_locks(const char *path) {
    enum { OFD_LOCK = 37, OFD_LOCK_WAIT = 38, SET_FLAGS = 0x40086602, SYNCFS = SYS_syncfs };
    const int locks[] = {F_SETLK, F_SETLKW, OFD_LOCK, OFD_LOCK_WAIT};
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    int file = open(path, O_RDONLY), own = open("own", O_RDWR | O_CREAT, 0600), pair[2], on = 1;
    int parent = getppid();
    unsigned long aio = 0;
    got(file < 0 || own < 0, "no file to lock");
    for (int i = 0; i < 4; i++) got(controls(file, locks[i], &lock), "lock of a file");
    lock.l_type = F_WRLCK;
    for (int i = 0; i < 4; i++) got(controls(own, locks[i], &lock), "lock of an own file");
    got(!flock(file, LOCK_SH | LOCK_NB) || !flock(file, LOCK_EX | LOCK_NB), "flock");
    got(controls(file, F_SETLEASE, (void *)(long)F_RDLCK), "lease");
    got(controls(open("/", O_RDONLY), F_NOTIFY, (void *)(long)DN_CREATE), "watch of a folder");
    got(syscall(SYS_inotify_init1, 0) >= 0, "inotify");
    got(controls(0, F_SETPIPE_SZ, (void *)4096L), "size of a pipe");
    got(commands(file, SET_FLAGS, &on), "flags of a file");
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
    for (int i = 0; i < 2; i++) {
        int end = i ? pair[0] : STDIN_FILENO;
        got(controls(end, F_SETOWN, (void *)(long)parent), "owner of a descriptor");
        got(controls(end, F_SETOWN_EX, &owner), "owner of a descriptor, by type");
        got(controls(end, F_SETSIG, (void *)(long)SIGKILL), "signal of a descriptor");
        got(controls(end, F_SETFL, (void *)(long)(O_ASYNC | O_NONBLOCK)), "signals");
        got(commands(end, FIOASYNC, &on), "signals by ioctl()");
        got(commands(end, FIOSETOWN, &parent), "owner by ioctl()");
        got(commands(end, SIOCSPGRP, &parent), "group by ioctl()");
    }
    got(!syscall(SYNCFS, file), "all written");
    got(!syscall(SYS_io_setup, 1, &aio), "asynchronous reading");
    got(!syscall(SYS_mq_unlink, "ensign-test"), "queue removed");
    got(syscall(SYS_semctl, 0, 0, 0) >= 0 || syscall(SYS_shmctl, 0, 0, 0) >= 0 ||
            syscall(SYS_msgctl, 0, 0, 0) >= 0,
        "queues of others");
}

/* Whether that much memory can be had in pieces. */
static bool has_memory(int flags, int megabytes) {
    int count = 0;
    const size_t piece = 16 * MEGABYTE;
    while (16 * count <= megabytes &&
           mmap(NULL, piece, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED)
        count++;
    return 16 * count > megabytes;
}

/* The same where the pieces become writable only later. */
static bool has_later_memory(int megabytes) {
    size_t size = (size_t)(megabytes + 16) * MEGABYTE;
    char *all = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all != MAP_FAILED && !mprotect(all, size, PROT_READ | PROT_WRITE);
}

static void try_memory(int megabytes) {
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    got(!setrlimit(RLIMIT_DATA, &more), "a higher limit");
    struct rlimit tasks;
    got(getrlimit(RLIMIT_NPROC, &tasks) || tasks.rlim_max > 4096, "threads without end");
    got(has_memory(MAP_SHARED | MAP_ANONYMOUS, 32), "uncounted shared memory");
    got(has_memory(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, 32), "uncounted stack");
    got(syscall(SYS_memfd_create, "x", 0) >= 0, "uncounted file in memory");
    got(has_later_memory(megabytes), "memory made writable");
    got(has_memory(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, megabytes), "memory");
}

static void *thread_run(void *argument) {
    *(int *)argument = 1;
    return NULL;
}

/* What a program may do. */
static bool works(const char *path) {
    pthread_t thread;
    int ran = 0;
    char byte;
    FILE *file = fopen("mine", "w");
    bool wrote = file && fputs("own file", file) >= 0 && !fclose(file) && !rename("mine", "yours");
    int other = open(path, O_RDONLY);
    bool reads = other >= 0 && read(other, &byte, 1) == 1 && !fcntl(other, F_SETFL, O_NONBLOCK) &&
                 fcntl(other, F_DUPFD_CLOEXEC, 3) > 0;
    bool threads = !pthread_create(&thread, NULL, thread_run, &ran) && !pthread_join(thread, NULL);
    return wrote && reads && threads && ran && open("/dev/null", O_WRONLY) >= 0;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (works(argv[1])) puts("works");
    try_sockets();
    try_processes();
    try_locks(argv[1]);
    try_file(argv[1]);
    try_memory(atoi(argv[2]));
    puts("done");
    signal(SIGXFSZ, SIG_IGN);
    int large = open("large", O_WRONLY | O_CREAT, 0600);
    got(large < 0 || !ftruncate(large, 1L << 40), "a large file");
    puts("end");
    fflush(stdout);
    return 0;
}
