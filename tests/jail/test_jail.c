/* Each test lets a caged process try one thing and checks how it ended. */
#define _GNU_SOURCE
#include "host/processes.h"
#include "jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

enum { HAPPENED = 42, SPARE = 32 << 20 };

/* How a caged process ends that does `what`, which says whether it could be done. */
static int status_of(bool (*what)(void)) {
    int status, pipes[2];
    pid_t self = getpid();
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) {
        jail_part(self, pipes[0], pipes[1]);
        if (!jail_lock(SPARE)) _exit(1);
        _exit(what() ? HAPPENED : 0);
    }
    close(pipes[0]);
    close(pipes[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void assert_happens(bool (*what)(void)) {
    int status = status_of(what);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), HAPPENED);
}

static void assert_deadly(bool (*what)(void)) {
    if (!jail_filters()) skip();
    int status = status_of(what);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
}

#define DEADLY(name, expression)                                                                   \
    static bool try_to_##name(void) {                                                              \
        return (expression), true;                                                                 \
    }                                                                                              \
    static void a_caged_process_dies_if_it_tries_to_##name(void **state) {                         \
        (void)state;                                                                               \
        assert_deadly(try_to_##name);                                                              \
    }

DEADLY(open_a_file, open("/dev/null", O_RDONLY))
DEADLY(make_a_socket, socket(AF_UNIX, SOCK_STREAM, 0))
DEADLY(fork, fork())
DEADLY(run_a_program, execl("/bin/true", "true", (char *)NULL))
DEADLY(signal_others, kill(getppid(), 0))
DEADLY(trace_others, ptrace(PTRACE_ATTACH, getppid(), NULL, NULL))
DEADLY(map_executable_memory,
       mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
DEADLY(map_a_descriptor, mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0))
DEADLY(change_its_limits, setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1}))
DEADLY(leave_its_group, setpgid(0, getppid()))
DEADLY(see_other_processes, syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0))

/* Sanitizers use these calls in many ways. */
#define DEADLY_IN_A_RELEASE(name, expression)                                                      \
    static bool try_to_##name(void) {                                                              \
        return (expression), true;                                                                 \
    }                                                                                              \
    static void a_caged_process_dies_if_it_tries_to_##name(void **state) {                         \
        (void)state;                                                                               \
        if (SANITIZED) skip();                                                                     \
        assert_deadly(try_to_##name);                                                              \
    }

static char page[4096] __attribute__((aligned(4096)));
static int word;

DEADLY_IN_A_RELEASE(declare_memory_broken, madvise(page, sizeof page, 100 /* MADV_HWPOISON */))
DEADLY_IN_A_RELEASE(share_memory_that_looks_alike, madvise(page, sizeof page, MADV_MERGEABLE))
DEADLY_IN_A_RELEASE(wait_for_a_process,
                    (word = 1, syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0)))

#ifdef __x86_64__
/* Their numbers name other calls. */
static bool try_to_use_the_32_bit_calls(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
    return true;
}

static bool try_to_use_the_x32_calls(void) {
    return syscall(0x40000000 + SYS_getpid), true;
}

static void a_caged_process_dies_if_it_uses_another_interface(void **state) {
    (void)state;
    assert_deadly(try_to_use_the_32_bit_calls);
    assert_deadly(try_to_use_the_x32_calls);
}
#else
static void a_caged_process_dies_if_it_uses_another_interface(void **state) {
    (void)state;
    skip();
}
#endif

/* Root could, by a capability, whatever the limit. */
static bool cannot_lock_memory(void) {
    return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1,
                0) == MAP_FAILED;
}

static void a_caged_process_has_no_capabilities(void **state) {
    (void)state;
    assert_happens(cannot_lock_memory);
}

static bool read_and_write(void) {
    char byte = 0;
    return write(1, "x", 1) == 1 && read(0, &byte, 1) == 1 && byte == 'x';
}

static void a_caged_process_reads_and_writes_its_pipe(void **state) {
    (void)state;
    assert_happens(read_and_write);
}

static bool use_memory_and_clock(void) {
    struct timespec now;
    for (size_t size = 16; size <= SPARE / 4; size *= 2) {
        char *block = malloc(size);
        char *grown = block ? realloc(block, size + size / 2) : NULL;
        if (!grown) return false;
        memset(grown, 1, size);
        free(grown);
    }
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0;
}

static void a_caged_process_has_memory_and_a_clock(void **state) {
    (void)state;
    assert_happens(use_memory_and_clock);
}

static bool memory_ends(void) {
    char *volatile much = malloc((size_t)2 * SPARE);
    return !much && malloc(SPARE / 8);
}

static void memory_beyond_the_cap_is_refused(void **state) {
    (void)state;
    if (SANITIZED) skip();
    assert_happens(memory_ends);
}

static bool has_two_descriptors(void) {
    for (int d = SANITIZED ? 3 : 2; d < 1024; d++) {
        char byte;
        if (read(d, &byte, 0) == 0 || errno != EBADF) return false;
    }
    return true;
}

static void a_caged_process_has_no_descriptor_but_its_pipe(void **state) {
    (void)state;
    int extra = open("/dev/null", O_RDONLY);
    assert_true(extra > 2);
    assert_happens(has_two_descriptors);
    close(extra);
}

static void a_caged_process_is_marked_for_the_kernel(void **state) {
    (void)state;
    int to[2], from[2];
    pid_t self = getpid();
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        jail_part(self, to[0], from[1]);
        if (jail_lock(SPARE) && write(1, "x", 1) == 1 && read(0, &byte, 1) == 1) _exit(0);
        _exit(1);
    }
    char byte;
    assert_int_equal(read(from[0], &byte, 1), 1);
    assert_int_equal(process_status_line(pid, "NoNewPrivs:"), 1);
    assert_int_equal(process_status_line(pid, "Seccomp:"), jail_filters() ? 2 : 0);
    assert_int_equal(getpgid(pid), pid);
    assert_int_equal(write(to[1], "x", 1), 1);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    for (int i = 0; i < 2; i++) close(to[i]), close(from[i]);
}

static void a_caged_process_dies_with_its_parent(void **state) {
    (void)state;
    int life[2];
    assert_int_equal(pipe(life), 0);
    pid_t parent = fork();
    if (parent == 0) {
        pid_t self = getpid();
        int ready[2];
        if (pipe(ready)) _exit(1);
        if (fork() == 0) {
            /* 1 keeps the pipe of the test open for as long as this process lives. */
            jail_part(self, ready[0], life[1]);
            if (!jail_lock(SPARE) || write(1, "x", 1) != 1) _exit(1);
            for (;;) {}
        }
        for (;;) pause();
    }
    char byte;
    close(life[1]);
    /* The parent has a copy too, and is killed once the caged process runs. */
    assert_int_equal(read(life[0], &byte, 1), 1);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(life[0], &byte, 1), 0);
    close(life[0]);
}

static void ends_of_processes_are_told_in_words(void **state) {
    (void)state;
    char text[128];
    jail_end_text(SIGSEGV, text, sizeof text);
    assert_string_equal(text, "was killed by SIGSEGV");
    jail_end_text(SIGSYS, text, sizeof text);
    assert_string_equal(text, "was killed by SIGSYS for a forbidden system call");
    jail_end_text(3 << 8, text, sizeof text);
    assert_string_equal(text, "exited with status 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_open_a_file),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_make_a_socket),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_fork),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_run_a_program),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_signal_others),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_trace_others),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_map_executable_memory),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_map_a_descriptor),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_change_its_limits),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_leave_its_group),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_see_other_processes),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_declare_memory_broken),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_share_memory_that_looks_alike),
        cmocka_unit_test(a_caged_process_dies_if_it_tries_to_wait_for_a_process),
        cmocka_unit_test(a_caged_process_dies_if_it_uses_another_interface),
        cmocka_unit_test(a_caged_process_has_no_capabilities),
        cmocka_unit_test(a_caged_process_reads_and_writes_its_pipe),
        cmocka_unit_test(a_caged_process_has_memory_and_a_clock),
        cmocka_unit_test(memory_beyond_the_cap_is_refused),
        cmocka_unit_test(a_caged_process_has_no_descriptor_but_its_pipe),
        cmocka_unit_test(a_caged_process_is_marked_for_the_kernel),
        cmocka_unit_test(a_caged_process_dies_with_its_parent),
        cmocka_unit_test(ends_of_processes_are_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
