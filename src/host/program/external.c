/* external.c - environment, session, privileges and descriptors of an external program.
 *
 * Hiding does not protect external programs from each other, since exec makes a program visible
 * again. Where the kernel has Landlock, each gets its own domain, which does not restrict files:
 * from inside a domain, processes outside it cannot be traced or read nor, since Linux 6.12,
 * signalled.
 *
 * Any process of the same user may set another's limits (prlimit), whatever the domain. An external
 * program could cut a bot's memory so that the bot forfeits, or have the kernel kill it so that the
 * host replays the game. So an external program may set only its own limits.
 *
 * Capabilities matter when the host runs as root. They are dropped from every set, and "no new
 * privileges" keeps exec and set-user-id programs from restoring them. The program remains root for
 * files. If they cannot be dropped from the bounding set, the rest is enough. */
#define _GNU_SOURCE
#include "external.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

/* A name that ends with '_' is a prefix. */
static const char *const PASSED[] = {
    "PATH", "HOME", "USER",   "LOGNAME", "SHELL",           "LANG",       "LANGUAGE",
    "LC_",  "TZ",   "TMPDIR", "TERM",    "LD_LIBRARY_PATH", "PYTHONPATH", "JAVA_HOME",
};

/* Capabilities that read the memory of other processes, the kernel or the machine, or that grant
 * others. CAP_PERFMON and CAP_BPF are missing in older headers. */
static const int TAKEN[] = {
    CAP_SYS_PTRACE,
    CAP_SYS_ADMIN,
    CAP_SYS_RAWIO,
    CAP_SYS_MODULE,
    CAP_SYS_BOOT,
    CAP_SYSLOG,
    CAP_SETPCAP,
    CAP_DAC_READ_SEARCH,
    CAP_SETFCAP,
    CAP_MAC_ADMIN,
    38, /* CAP_PERFMON */
    39, /* CAP_BPF */
};
enum { TAKEN_COUNT = sizeof TAKEN / sizeof *TAKEN };

static bool is_passed(const char *variable) {
    for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++) {
        size_t length = strlen(PASSED[i]);
        bool begins = !strncmp(variable, PASSED[i], length);
        if (begins && (variable[length] == '=' || PASSED[i][length - 1] == '_')) return true;
    }
    return false;
}

char **external_environment(void) {
    size_t count = 0, passed = 0;
    while (environ[count]) count++;
    char **list = malloc((count + 1) * sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_passed(environ[i])) list[passed++] = environ[i];
    list[passed] = NULL;
    return list;
}

static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int i = 0; i < TAKEN_COUNT; i++) prctl(PR_CAPBSET_DROP, TAKEN[i], 0, 0, 0);
    if (syscall(SYS_capget, &header, sets) != 0) return false;
    for (int i = 0; i < TAKEN_COUNT; i++) {
        struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(TAKEN[i])];
        const __u32 kept = ~(__u32)CAP_TO_MASK(TAKEN[i]);
        set->effective &= kept;
        set->permitted &= kept;
        set->inheritable &= kept;
    }
    return syscall(SYS_capset, &header, sets) == 0;
}

/* The calls and structures of Landlock's interface, which older headers lack. */
enum {
    LANDLOCK_CREATE = 444,
    LANDLOCK_ADD_RULE = 445,
    LANDLOCK_RESTRICT = 446,
    LANDLOCK_VERSION = 1,
    LANDLOCK_PATH_BENEATH = 1,
    LANDLOCK_MAKE_BLOCK = 1 << 11,
    LANDLOCK_REFER = 1 << 13,
    LANDLOCK_SIGNAL = 1 << 1,
    WITH_REFER = 2, /* versions */
    WITH_SIGNAL = 6
};

/* Enters a domain that does not restrict files: it covers only signals or, on older kernels, two
 * kinds of file access that are then allowed everywhere. */
static void enter_domain(void) {
    struct {
        uint64_t files, net, scoped;
    } attributes = {0};
    struct {
        uint64_t allowed;
        int32_t folder;
    } __attribute__((packed)) rule = {0};
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    if (version < 1) return;
    bool signals = version >= WITH_SIGNAL;
    if (signals) attributes.scoped = LANDLOCK_SIGNAL;
    if (!signals) attributes.files = LANDLOCK_MAKE_BLOCK;
    if (!signals && version >= WITH_REFER) attributes.files |= LANDLOCK_REFER;
    size_t size = signals ? sizeof attributes : sizeof attributes.files;
    int ruleset = (int)syscall(LANDLOCK_CREATE, &attributes, size, 0);
    rule.allowed = attributes.files;
    rule.folder = signals ? -1 : open("/", O_PATH | O_CLOEXEC);
    if (!signals) syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_PATH_BENEATH, &rule, 0);
    syscall(LANDLOCK_RESTRICT, ruleset, 0);
    if (ruleset >= 0) close(ruleset);
    if (rule.folder >= 0) close(rule.folder);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define GIVE(result) BPF_STMT(BPF_RET | BPF_K, result)

/* Refuses prlimit() except for process 0, the caller itself. No effect where the kernel has no
 * filters. */
static void keep_to_own_limits(void) {
    enum { X32 = 0x40000000, I386_PRLIMIT = 340 }; /* x86-64's other system call tables */
    static struct sock_filter code[] = {
#ifdef __x86_64__
        LOAD(arch),
        EQUAL(AUDIT_ARCH_I386, 0, 2),
        LOAD(nr),
        EQUAL(I386_PRLIMIT, 3, 5),
#endif
        LOAD(nr),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(__u32)X32),
        EQUAL(SYS_prlimit64, 0, 2),
        LOAD(args[0]),
        EQUAL(0, 0, 1),
        GIVE(SECCOMP_RET_ALLOW),
        GIVE(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog filter = {sizeof code / sizeof *code, code};
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

static void close_on_exec_from(unsigned first) {
    enum { CLOEXEC = 4, MANY = 1 << 16 }; /* CLOSE_RANGE_CLOEXEC */
    if (syscall(SYS_close_range, first, ~0u, CLOEXEC) == 0) return;
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t d = first; d < limit.rlim_cur && d < MANY; d++) fcntl((int)d, F_SETFD, FD_CLOEXEC);
}

bool external_part(void) {
    if (setsid() < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !drop_capabilities())
        return false;
    enter_domain();
    keep_to_own_limits();
    close_on_exec_from(STDERR_FILENO + 1);
    return true;
}
