#define _GNU_SOURCE
#include "processes.h"

#include "jail/zygote.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* State and parent of a process, as /proc has them. */
static bool look_up(pid_t pid, char *state, pid_t *parent) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = 0;
    const char *after = strrchr(line, ')');
    int number = 0;
    if (!after || sscanf(after + 1, " %c %d", state, &number) != 2) return false;
    *parent = number;
    return true;
}

int processes_of(pid_t parent, pid_t *children, int room) {
    int count = 0;
    DIR *folder = opendir("/proc");
    if (!folder) abort();
    for (struct dirent *entry; (entry = readdir(folder));) {
        char state;
        pid_t of;
        pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (!pid || !look_up(pid, &state, &of) || of != parent || state == 'Z') continue;
        if (count < room) children[count] = pid;
        count++;
    }
    closedir(folder);
    return count;
}

bool process_ends(pid_t pid) {
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (handle < 0) return errno == ESRCH;
    struct pollfd watched = {.fd = handle, .events = POLLIN};
    bool ended = poll(&watched, 1, 10000) == 1;
    close(handle);
    return ended;
}

bool processes_end(void) {
    enum { ROOM = 64 };
    pid_t children[ROOM];
    for (bool left = true; left;) {
        int count = processes_of(getpid(), children, ROOM);
        left = false;
        for (int i = 0; i < count && i < ROOM; i++) {
            if (children[i] == zygote_process()) continue;
            if (!process_ends(children[i])) return false;
            left = true;
        }
    }
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    return true;
}

/* The letter of its state in /proc/PID/stat, behind its name in brackets; 0 if it is gone. */
static char state_of(pid_t pid) {
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 0;
    fclose(file);
    return state;
}

bool process_stops(pid_t pid) {
    const struct timespec pause = {0, 1000000};
    for (int tries = 0; tries < 10000; tries++) {
        if (state_of(pid) == 'T') return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

long process_status_line(pid_t pid, const char *name) {
    char path[64], line[256];
    long value = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name))) value = strtol(line + strlen(name), NULL, 10);
    fclose(file);
    return value;
}
