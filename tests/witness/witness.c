/* witness.c - records which processes of the program run Lua texts. Preloaded by test_locked.c.
 *
 * Every file's text that Lua compiles passes through lua_load(), and a process locks itself up
 * through syscall(). Both are resolved dynamically, so this library can intercept them. Counts
 * live in memory shared by all processes of the program, the only output that a locked one has. */
#define _GNU_SOURCE
#include "witness.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct witness *seen;
static bool locked; /* this process, or one that it was forked from */

static int (*true_load)(lua_State *, lua_Reader, void *, const char *, const char *);
static long (*true_call)(long, ...);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("ENSIGN_WITNESS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    /* Asked for now: a locked process could not. */
    *(void **)&true_load = dlsym(RTLD_NEXT, "lua_load");
    *(void **)&true_call = dlsym(RTLD_NEXT, "syscall");
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) seen = shared;
    close(file);
}

int lua_load(lua_State *lua, lua_Reader reader, void *data, const char *name, const char *mode) {
    /* What the program itself brings along has no file's name. */
    if (seen && name && name[0] == '@') {
        if (locked)
            atomic_fetch_add(&seen->locked, 1);
        else if (atomic_fetch_add(&seen->open, 1) == 0)
            snprintf(seen->first, sizeof seen->first, "%s", name + 1);
    }
    return true_load(lua, reader, data, name, mode);
}

long syscall(long number, ...) {
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
    va_end(arguments);
    long result = true_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == SYS_seccomp && a[0] == SECCOMP_SET_MODE_FILTER && result == 0) locked = true;
    return result;
}
