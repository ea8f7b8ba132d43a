/* jail.c - resource limits, prctl() and a seccomp filter.
 *
 * The filter is an allow list. Memory may be mapped, but never executable and never from a file.
 * Descriptors are not checked: a caged process has its two pipes and cannot open more. Of futexes
 * and advice about memory only what the C library does in one thread is left, since both reach far
 * into the kernel: a futex may name another process, and root may declare memory broken. Sanitizers
 * need more calls and address space than a release, and get only those. */
#define _GNU_SOURCE
#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define WITH_THREAD_SANITIZER 1
#else
#define WITH_THREAD_SANITIZER 0
#endif
#if WITH_THREAD_SANITIZER || defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#else
#define WITH_SANITIZER 0
#endif

enum {
    CPU_SECONDS = 24 * 60 * 60, /* backstop behind all deadlines */
    STACK_BYTES = 8 << 20,
    FUTEX_CMD_BITS = 127
};

/* Prepared once and inherited by children. */
static struct sock_fprog compiled;
static size_t space_prepared;
static bool is_prepared;

static const int ALLOWED[] = {
    SCMP_SYS(read), SCMP_SYS(write),  SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(brk),  SCMP_SYS(munmap), SCMP_SYS(mremap),     SCMP_SYS(clock_gettime),
};

static const int ALLOWED_TO_SANITIZERS[] = {
    SCMP_SYS(mprotect),     SCMP_SYS(sched_yield), SCMP_SYS(gettid),
    SCMP_SYS(getpid),       SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction), SCMP_SYS(madvise),     SCMP_SYS(futex),
};

bool jail_filters(void) {
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return !WITH_THREAD_SANITIZER &&
           syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void jail_close_from(unsigned first) {
    if (close_range(first, ~0u, 0) == 0) return;
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t d = first; d < limit.rlim_cur && d < 1 << 20; d++) close((int)d);
}

void jail_hide(void) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void jail_part(pid_t parent, int in, int out) {
    sigset_t none;
    jail_hide();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Move both out of the way before 0 and 1 are closed. */
    if (in >= 0) in = fcntl(in, F_DUPFD, 3);
    if (out >= 0) out = fcntl(out, F_DUPFD, 3);
    close(0);
    close(1);
    if (in >= 0) dup2(in, 0);
    if (out >= 0) dup2(out, 1);
    jail_close_from(WITH_SANITIZER ? 3 : 2);
}

static void close_pipe(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

pid_t jail_fork(int *to, int *from, int *held) {
    int down[2], up[2];
    pid_t parent = getpid(), pid = -1;
    if (pipe2(down, O_CLOEXEC) != 0) return -1;
    bool piped = pipe2(up, O_CLOEXEC) == 0;
    if (piped) pid = fork();
    int error = errno;
    if (pid == 0) {
        close(down[1]); /* jail_part() needs free descriptors, even at the limit */
        close(up[0]);
        jail_part(parent, down[0], up[1]);
        return 0;
    }
    if (pid < 0) {
        close_pipe(down);
        if (piped) close_pipe(up);
        errno = error;
        return -1;
    }
    close(up[1]);
    setpgid(pid, pid); /* the child does it too; either may run first */
    fcntl(down[1], F_SETFL, O_NONBLOCK);
    fcntl(up[0], F_SETFL, O_NONBLOCK);
    *to = down[1];
    *from = up[0];
    *held = down[0];
    return pid;
}

static void set_limit(__rlimit_resource_t resource, rlim_t value) {
    const struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

bool jail_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, none) == 0;
}

/* The process's address space in bytes; 0 if unknown. */
static size_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool add_rules(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp not_executable = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct scmp_arg_cmp anonymous = SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS);
    for (size_t i = 0; i < sizeof ALLOWED / sizeof *ALLOWED; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALLOWED[i], 0) != 0) return false;
    for (size_t i = 0; i < sizeof ALLOWED_TO_SANITIZERS / sizeof(int) && WITH_SANITIZER; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALLOWED_TO_SANITIZERS[i], 0) != 0)
            return false;
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, not_executable, anonymous))
        return false;
    /* A child forked by a thread inherits that thread's heap, which grows by mprotect(). What the C
     * library does once (pthread_once()) ends with a wake. */
    const struct scmp_arg_cmp wakes = SCMP_A1(SCMP_CMP_MASKED_EQ, FUTEX_CMD_BITS, FUTEX_WAKE);
    const struct scmp_arg_cmp frees = SCMP_A2(SCMP_CMP_EQ, MADV_DONTNEED, 0);
    const struct scmp_arg_cmp joins = SCMP_A2(SCMP_CMP_EQ, MADV_HUGEPAGE, 0);
    return WITH_SANITIZER ||
           (!seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_executable) &&
            !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(futex), 1, wakes) &&
            !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, frees) &&
            !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, joins));
}

/* libseccomp writes it to a descriptor only: a pipe, since RLIMIT_FSIZE applies even to files in
 * memory. */
bool jail_export(void *filter, struct sock_fprog *out) {
    enum { CODE_MAX = BPF_MAXINSNS * sizeof(struct sock_filter) }; /* fits into a pipe */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool exported = seccomp_export_bpf(filter, ends[1]) == 0;
    close(ends[1]);
    struct sock_filter *code = exported ? malloc(CODE_MAX) : NULL;
    size_t length = 0;
    for (ssize_t got = 1; code && got > 0 && length < CODE_MAX; length += (size_t)got) {
        got = read(ends[0], (char *)code + length, CODE_MAX - length);
        if (got < 0) break;
    }
    close(ends[0]);
    bool whole = length && length % sizeof *code == 0;
    if (whole) *out = (struct sock_fprog){(unsigned short)(length / sizeof *code), code};
    if (!whole) free(code);
    return whole;
}

static int compare_nothing(const void *left, const void *right) {
    (void)left, (void)right;
    return 0;
}

/* Has the C library make and cache queries that a locked process may not make: qsort() asks for the
 * memory size when it first sorts more than a kilobyte. */
static void ask_beforehand(void) {
    char things[4096] = {0};
    qsort(things, sizeof things / 16, 16, compare_nothing);
}

bool jail_prepare(void) {
    space_prepared = address_space();
    ask_beforehand();
    is_prepared = !jail_filters() || compiled.filter; /* one filter serves all processes */
    if (is_prepared) return true;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return false;
    is_prepared = add_rules(filter) && jail_export(filter, &compiled);
    seccomp_release(filter);
    return is_prepared;
}

bool jail_fits(size_t memory, struct fault *fault) {
    struct rlimit limit;
    size_t needed = address_space() + memory;
    if (WITH_SANITIZER || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    return fault_set(
        fault, STATUS_SYSTEM,
        "the address space limit is %zu MiB (ulimit -v), and a bot's process needs %zu MiB",
        (size_t)(limit.rlim_cur >> 20), (needed >> 20) + 1);
}

bool jail_lock(size_t memory) {
    if (!is_prepared && !jail_prepare()) return false;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    jail_hide();
    if (!jail_drop_capabilities()) return false;
    if (!WITH_SANITIZER && space_prepared) set_limit(RLIMIT_AS, space_prepared + memory);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_NPROC, 0);
    set_limit(RLIMIT_NOFILE, WITH_SANITIZER ? 3 : 2);
    set_limit(RLIMIT_MEMLOCK, 0);
    set_limit(RLIMIT_MSGQUEUE, 0);
    set_limit(RLIMIT_STACK, STACK_BYTES);
    /* The soft limit must strike first: SIGXCPU counts as the process's own fault, SIGKILL as an
     * outsider's. */
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS + 1});
    return !compiled.filter || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &compiled) == 0;
}

bool jail_crashed(int status) {
    static const int own[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE, SIGTRAP,
                              SIGSYS,  SIGXCPU, SIGXFSZ, SIGPIPE};
    for (size_t i = 0; WIFSIGNALED(status) && i < sizeof own / sizeof *own; i++)
        if (WTERMSIG(status) == own[i]) return true;
    return false;
}

bool jail_refuse_programs(void) {
    if (!jail_filters()) return true;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const uint32_t denied = SCMP_ACT_ERRNO(EPERM);
    const bool refused = filter && !seccomp_rule_add(filter, denied, SCMP_SYS(execve), 0) &&
                         !seccomp_rule_add(filter, denied, SCMP_SYS(execveat), 0) &&
                         !seccomp_load(filter); /* with "no new privileges" */
    seccomp_release(filter);
    return refused;
}

bool jail_ended_from_outside(int status) {
    return WIFSTOPPED(status) || (WIFSIGNALED(status) && !jail_crashed(status));
}

void jail_end_text(int status, char *out, size_t size) {
    if (WIFSTOPPED(status)) {
        const char *name = sigabbrev_np(WSTOPSIG(status));
        snprintf(out, size, "was stopped by SIG%s", name ? name : "?");
    } else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(out, size, "was killed by SIG%s%s", name ? name : "?",
                 WTERMSIG(status) == SIGSYS ? " for a forbidden system call" : "");
    } else {
        snprintf(out, size, "exited with status %d", WEXITSTATUS(status));
    }
}
