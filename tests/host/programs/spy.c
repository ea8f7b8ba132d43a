/* spy.c - an external program that looks at everything it can reach, reports its finds, and
 * surrenders.
 *
 * spy REPORT FOLDER…: when it is asked for its first move it tries to look into the parent of
 * its parent, all descendants of that, and appends to the file REPORT a line "got WHAT PID" for
 * each thing that was not refused, all files under the folders, and at last "done". It looks at
 * processes by their places in /proc, as any program can. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PROCESSES_MAX = 256, PIECE = 1 << 16 };

static FILE *report;
static pid_t looked_at[PROCESSES_MAX];
static int count;

static void got(bool happened, const char *what, pid_t pid) {
    if (happened) fprintf(report, "got %s %d\n", what, (int)pid);
}

static pid_t parent_of(pid_t pid) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file) fclose(file);
    line[length] = 0;
    const char *after = strrchr(line, ')');
    return after ? (pid_t)strtol(after + 4, NULL, 10) : 0;
}

/* The host, whose child this process's parent is, and all its descendants but this process. */
static void find_processes(void) {
    looked_at[count++] = parent_of(getppid());
    for (int i = 0; i < count; i++) {
        DIR *folder = opendir("/proc");
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
            if (!pid || pid == getpid() || parent_of(pid) != looked_at[i]) continue;
            if (count < PROCESSES_MAX) looked_at[count++] = pid;
        }
        if (folder) closedir(folder);
    }
}

/* Whether a file of the process can be opened and read. */
static bool reads(pid_t pid, const char *name) {
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) return false;
    /* Memory is closed as soon as the process has ended, and nothing lies at 0. */
    bool read_something = !strcmp(name, "mem") || read(file, &byte, 1) == 1;
    close(file);
    return read_something;
}

static bool opens_a_descriptor(pid_t pid) {
    char path[64];
    bool opened = false;
    for (int d = 0; d < 64 && !opened; d++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, d);
        int file = open(path, O_RDONLY | O_NONBLOCK);
        opened = file >= 0 || readlink(path, (char[64]){0}, 63) > 0;
        if (file >= 0) close(file);
    }
    return opened;
}

/* A dead process and a protected one are refused in the same way. */
static bool copies_memory(pid_t pid) {
    static char here;
    struct iovec own = {&here, 1}, other = {&here, 1};
    return process_vm_readv(pid, &own, 1, &other, 1, 0) >= 0 || errno == EFAULT;
}

static bool takes_a_descriptor(pid_t pid) {
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    int taken = handle >= 0 ? (int)syscall(438 /* pidfd_getfd */, handle, 0, 0) : -1;
    if (handle >= 0) close(handle);
    if (taken >= 0) close(taken);
    return taken >= 0;
}

static void look_into(pid_t pid) {
    static const char *const files[] = {"mem", "maps", "environ", "auxv", "io"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        got(reads(pid, files[i]), files[i], pid);
    got(opens_a_descriptor(pid), "descriptor", pid);
    got(copies_memory(pid), "memory", pid);
    got(takes_a_descriptor(pid), "taken descriptor", pid);
    bool traced = ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0;
    got(traced, "trace", pid);
    if (traced) ptrace(PTRACE_DETACH, pid, NULL, NULL);
    static const struct rlimit none = {0, 0};
    got(!prlimit(pid, RLIMIT_CORE, &none, NULL), "limits", pid);
    if (!kill(pid, 0)) fprintf(report, "may signal %d\n", (int)pid);
}

static int copy_file(const char *path, const struct stat *about, int type, struct FTW *walk) {
    static char piece[PIECE];
    (void)about, (void)walk;
    FILE *file = type == FTW_F ? fopen(path, "rb") : NULL;
    if (!file) return 0;
    fprintf(report, "file %s\n", path);
    for (size_t length; (length = fread(piece, 1, sizeof piece, file));)
        fwrite(piece, 1, length, report);
    fputc('\n', report);
    fclose(file);
    return 0;
}

static void look_around(char **folders) {
    extern char **environ;
    find_processes();
    fprintf(report, "processes %d\n", count);
    for (int i = 0; i < count; i++) look_into(looked_at[i]);
    for (char **variable = environ; *variable; variable++) fprintf(report, "has %s\n", *variable);
    for (int d = 3; d < 1024; d++)
        if (fcntl(d, F_GETFD) >= 0 && d != fileno(report)) got(true, "open descriptor", d);
    int terminal = open("/dev/tty", O_RDWR | O_NONBLOCK);
    got(terminal >= 0, "terminal", 0);
    for (; *folders; folders++) nftw(*folders, copy_file, 8, FTW_PHYS);
}

int main(int argc, char **argv) {
    char line[256];
    if (argc < 2 || !fgets(line, sizeof line, stdin)) return 2;
    bool red = !strncmp(line, "RED", 3);
    fputs(red ? "FB8sB479B8\nBB31555583\n6724898974\n967B669999\n"
              : "967B669999\n6724898974\nBB31555583\nFB8sB479B8\n",
          stdout);
    fflush(stdout);
    for (int i = 0; i < 11; i++)
        if (!fgets(line, sizeof line, stdin)) return 0;
    if (!(report = fopen(argv[1], "a"))) return 2;
    look_around(argv + 2);
    fputs("done\n", report);
    fclose(report);
    puts("SURRENDER");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) continue;
    return 0;
}
