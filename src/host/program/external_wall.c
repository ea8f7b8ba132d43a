/* external_wall.c - Landlock for files, a filter of system calls, and resource limits.
 *
 * DENIED names what a program has no use for or could harm others with; a second filter refuses the
 * calls that Linux has got since the list was made. Everything else is allowed, so that
 * interpreters run.
 *
 * RLIMIT_DATA counts all private memory that may be written. What it does not count is closed:
 * shared anonymous memory, memory files, System V's, stacks that grow (MAP_GROWSDOWN), and
 * /dev/zero. Address space is not limited, since some interpreters reserve much of it. */
#define _GNU_SOURCE
#include "external_wall.h"

#include "external_sight.h"
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FILE_BYTES = 64 << 20,
    DESCRIPTORS = 256,
    STACK_BYTES = 64 << 20,
    SIGNALS = 256,        /* that wait, and timers: of all processes of the user */
    TASKS = 4096,         /* processes and threads, of the same; root has no limit */
    LAST_KNOWN_CALL = 462 /* mseal, Linux 6.10; all architectures count alike from 424 on */
};

static const int DENIED[] = {
    /* Sockets, and what would make them behind the filter's back; socketpair() is dealt with
     * below. */
    SCMP_SYS(socket),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    /* Processes; clone() is dealt with below. */
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    /* Other processes; kill() and tgkill() are dealt with below. */
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(process_madvise),
    SCMP_SYS(process_mrelease),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(sched_setaffinity),
    /* Memory and queues that RLIMIT_DATA does not count or that outlive the program. */
    SCMP_SYS(memfd_create),
    SCMP_SYS(memfd_secret),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
    SCMP_SYS(semget),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(semctl),
    SCMP_SYS(msgget),
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(msgctl),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    SCMP_SYS(io_setup),
    SCMP_SYS(io_submit),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(remap_file_pages),
    SCMP_SYS(mlock),
    SCMP_SYS(mlock2),
    SCMP_SYS(mlockall),
    /* The kernel, the machine and its files. */
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(fanotify_mark),
    SCMP_SYS(inotify_init),
    SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_add_watch),
    SCMP_SYS(sync),
    SCMP_SYS(syncfs),
    SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd),
    SCMP_SYS(acct),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(reboot),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(syslog),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(personality),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(vhangup),
    SCMP_SYS(nfsservctl),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(uselib),
    /* Attributes of files, which Landlock does not cover. */
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    452 /* fchmodat2 */,
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(utimensat),
    SCMP_SYS(futimesat),
};

/* Landlock's interface, which older headers lack. */
enum {
    LANDLOCK_CREATE = 444,
    LANDLOCK_RESTRICT = 446,
    LANDLOCK_VERSION = 1,
    WITH_TRUNCATE = 3, /* versions */
    WITH_NET = 4,
    WITH_DEVICES = 5,
    WITH_SCOPES = 6,
    FILE_MAKE_DEVICES = 1 << 6 | 1 << 11, /* accesses */
    FILE_MAKE_SOCKET = 1 << 9,
    FILE_DEVICE = 1 << 15,
    /* All accesses of version 3 but executing files and listing folders. */
    FILE_ALL = ((1 << 15) - 1) & ~(1 << 0 | 1 << 3),
    NET_ALL = 1 << 0 | 1 << 1,
    SCOPE_ALL = 1 << 0 | 1 << 1,
};

struct landlock_attributes {
    uint64_t files, net, scoped;
};

static struct sock_fprog denying; /* compiled from DENIED */
static int landlock_version;

static bool deny(scmp_filter_ctx filter, int call) {
    /* A negative number: this architecture does not have the call. */
    return call < 0 || !seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
}

/* A pair of stream sockets is a pipe, which Java needs; datagrams could be sent elsewhere. */
static bool deny_pairs(scmp_filter_ctx filter) {
    for (unsigned type = 0; type < 16; type++) {
        const struct scmp_arg_cmp is_type = SCMP_A1(SCMP_CMP_MASKED_EQ, 15, type);
        if (type != SOCK_STREAM &&
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socketpair), 1, is_type))
            return false;
    }
    return true;
}

static void compile_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool made = filter && !seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t i = 0; i < sizeof DENIED / sizeof *DENIED && made; i++)
        made = deny(filter, DENIED[i]);
    const uint32_t refused = SCMP_ACT_ERRNO(EPERM);
    const struct scmp_arg_cmp no_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
    const struct scmp_arg_cmp shared =
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS);
    const struct scmp_arg_cmp grows = SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN, MAP_GROWSDOWN);
    made = made && deny_pairs(filter) &&
           !seccomp_rule_add(filter, refused, SCMP_SYS(clone), 1, no_thread) &&
           !seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) &&
           !seccomp_rule_add(filter, refused, SCMP_SYS(mmap), 1, shared) &&
           !seccomp_rule_add(filter, refused, SCMP_SYS(mmap), 1, grows);
    if (made && jail_filters()) jail_export(filter, &denying);
    if (filter) seccomp_release(filter);
    landlock_version = (int)syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
}

bool external_wall_check(struct fault *fault) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compile_filter);
    if (landlock_version < WITH_TRUNCATE)
        return fault_set(fault, STATUS_SYSTEM,
                         "--wall needs Landlock of Linux 6.2 or later, which is missing here");
    return denying.filter || fault_set(fault, STATUS_SYSTEM,
                                       "--wall needs filters of system calls, which are missing "
                                       "here");
}

bool external_wall_open(struct external_wall *wall, const char *folder, size_t memory,
                        struct fault *fault) {
    struct landlock_attributes attributes = {.files = FILE_ALL};
    size_t size = sizeof attributes.files;
    if (landlock_version >= WITH_NET) {
        attributes.net = NET_ALL;
        size = offsetof(struct landlock_attributes, scoped);
    }
    if (landlock_version >= WITH_DEVICES) attributes.files |= FILE_DEVICE;
    if (landlock_version >= WITH_SCOPES) {
        attributes.scoped = SCOPE_ALL;
        size = sizeof attributes;
    }
    const uint64_t own = FILE_ALL & ~(uint64_t)(FILE_MAKE_DEVICES | FILE_MAKE_SOCKET);
    *wall = (struct external_wall){(int)syscall(LANDLOCK_CREATE, &attributes, size, 0), memory};
    if (wall->ruleset >= 0 && external_sight_add(wall->ruleset, AT_FDCWD, folder, own)) {
        external_sight_allow(wall->ruleset);
        return true;
    }
    fault_set(fault, STATUS_SYSTEM, "the wall cannot be built: %s", strerror(errno));
    external_wall_close(wall);
    return false;
}

void external_wall_close(const struct external_wall *wall) {
    if (wall->ruleset >= 0) close(wall->ruleset);
}

static bool set_limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return false;
    if (limit.rlim_max > value) limit.rlim_max = value;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return !setrlimit(resource, &limit);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define JUMP(test, value, yes, no) BPF_JUMP(BPF_JMP | test | BPF_K, value, yes, no)
#define GIVE(result) BPF_STMT(BPF_RET | BPF_K, result)

/* An argument of a call: what the filter answers to one value. */
struct choice {
    uint32_t value, answer;
};

enum {
    YES = SECCOMP_RET_ALLOW,
    NO = SECCOMP_RET_ERRNO | EPERM,
    NO_LOCKS = SECCOMP_RET_ERRNO | ENOLCK, /* as on file systems that have none */
    NO_TERMINAL = SECCOMP_RET_ERRNO | ENOTTY
};

/* No locks, leases or watches on files that others use too, no signals to whoever owns a file, no
 * other size of a pipe. What is not here is refused. */
static const struct choice FILE_COMMANDS[] = {
    {F_DUPFD, YES},
    {F_DUPFD_CLOEXEC, YES},
    {F_GETFD, YES},
    {F_SETFD, YES},
    {F_GETFL, YES},
    {F_GETLK, YES},
    {F_GETPIPE_SZ, YES},
    {F_GET_SEALS, YES},
    {F_SETLK, NO_LOCKS},
    {F_SETLKW, NO_LOCKS},
    {36 /* F_OFD_GETLK */, YES},
    {37 /* F_OFD_SETLK */, NO_LOCKS},
    {38 /* F_OFD_SETLKW */, NO_LOCKS},
    {1027 /* F_DUPFD_QUERY */, YES},
    {1028 /* F_CREATED_QUERY */, YES},
};

/* Terminals (there are none, as the kernel says), and descriptors. What is not here is refused, as
 * to a file that does not know it: signals to the owner of a descriptor, attributes of files. */
static const struct choice DEVICE_COMMANDS[] = {
    {TCGETS, YES},     {0x802c542a /* TCGETS2 */, YES},
    {TIOCGWINSZ, YES}, {TIOCGPGRP, YES},
    {FIONREAD, YES},   {FIONBIO, YES},
    {FIOCLEX, YES},    {FIONCLEX, YES},
};

enum {
    FILE_COMMAND_COUNT = sizeof FILE_COMMANDS / sizeof *FILE_COMMANDS,
    DEVICE_COMMAND_COUNT = sizeof DEVICE_COMMANDS / sizeof *DEVICE_COMMANDS,
    COMMAND_CODE_MAX = 16 + 2 * (FILE_COMMAND_COUNT + DEVICE_COMMAND_COUNT)
};

static void add_code(struct sock_filter *code, unsigned short *length, struct sock_filter one) {
    code[(*length)++] = one;
}

static void add_choices(struct sock_filter *code, unsigned short *length,
                        const struct choice *choices, int count, uint32_t otherwise) {
    for (int i = 0; i < count; i++) {
        add_code(code, length, (struct sock_filter)JUMP(BPF_JEQ, choices[i].value, 0, 1));
        add_code(code, length, (struct sock_filter)GIVE(choices[i].answer));
    }
    add_code(code, length, (struct sock_filter)GIVE(otherwise));
}

/* Allows only some commands of fcntl() and ioctl(). Both take 32 bits of the command, whatever the
 * rest of the register holds, which libseccomp would compare. */
static bool filter_by_command(void) {
    struct sock_filter code[COMMAND_CODE_MAX];
    unsigned short length = 0;
    add_code(code, &length, (struct sock_filter)LOAD(nr));
    add_code(code, &length, (struct sock_filter)JUMP(BPF_JEQ, SYS_flock, 0, 1));
    add_code(code, &length, (struct sock_filter)GIVE(NO_LOCKS));
    add_code(code, &length,
             (struct sock_filter)JUMP(BPF_JEQ, SYS_ioctl, 0, 2 + 2 * DEVICE_COMMAND_COUNT));
    add_code(code, &length, (struct sock_filter)LOAD(args[1]));
    add_choices(code, &length, DEVICE_COMMANDS, DEVICE_COMMAND_COUNT, NO_TERMINAL);
    add_code(code, &length, (struct sock_filter)JUMP(BPF_JEQ, SYS_fcntl, 1, 0));
    add_code(code, &length, (struct sock_filter)GIVE(YES));
    add_code(code, &length, (struct sock_filter)LOAD(args[1]));
    add_code(code, &length, (struct sock_filter)JUMP(BPF_JEQ, F_SETFL, 0, 3));
    add_code(code, &length, (struct sock_filter)LOAD(args[2]));
    add_code(code, &length, (struct sock_filter)JUMP(BPF_JSET, O_ASYNC, 1, 0));
    add_code(code, &length, (struct sock_filter)GIVE(YES));
    add_choices(code, &length, FILE_COMMANDS, FILE_COMMAND_COUNT, NO);
    const struct sock_fprog filter = {length, code};
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

/* Allows kill() and tgkill() for this process alone, whose id only a filter made here knows, and no
 * call newer than LAST_KNOWN_CALL. */
static bool filter_by_number(void) {
    struct sock_filter code[] = {
        LOAD(nr),
        JUMP(BPF_JGT, LAST_KNOWN_CALL, 5, 0),
        JUMP(BPF_JEQ, SYS_kill, 1, 0),
        JUMP(BPF_JEQ, SYS_tgkill, 0, 2),
        LOAD(args[0]),
        JUMP(BPF_JEQ, (uint32_t)getpid(), 0, 2),
        GIVE(SECCOMP_RET_ALLOW),
        GIVE(SECCOMP_RET_ERRNO | ENOSYS),
        GIVE(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog filter = {sizeof code / sizeof *code, code};
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

bool external_wall_enter(const struct external_wall *wall) {
    return !syscall(LANDLOCK_RESTRICT, wall->ruleset, 0) && jail_drop_capabilities() &&
           set_limit(RLIMIT_DATA, wall->memory) && set_limit(RLIMIT_FSIZE, FILE_BYTES) &&
           set_limit(RLIMIT_NOFILE, DESCRIPTORS) && set_limit(RLIMIT_STACK, STACK_BYTES) &&
           set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_MEMLOCK, 0) &&
           set_limit(RLIMIT_MSGQUEUE, 0) && set_limit(RLIMIT_SIGPENDING, SIGNALS) &&
           set_limit(RLIMIT_NPROC, TASKS) && filter_by_number() && filter_by_command() &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &denying);
}
