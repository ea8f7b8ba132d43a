/* external_sight.c - Landlock's rules for reading.
 *
 * A rule allows all that lies beneath a folder, and nothing can be taken out of it again. So where
 * something beneath is hidden, the entries are allowed one by one, as they are now, and the folders
 * on the way to what is hidden are treated alike. Links are left out: what they lead to is allowed
 * or hidden under its own path. */
#define _GNU_SOURCE
#include "external_sight.h"

#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock's interface, which older headers lack. */
enum {
    LANDLOCK_ADD_RULE = 445,
    LANDLOCK_PATH_BENEATH = 1,
    FILE_WRITE = 1 << 1, /* accesses */
    FILE_READ = 1 << 2
};

enum { ENTRIES_MAX = 1 << 15 }; /* of a folder on the way; the rest cannot be read */

static char hidden[SIGHT_HIDDEN_MAX][PATH_MAX];
static int hidden_count;

/* Folders without links, for one ruleset. */
struct sight {
    int ruleset, count;
    char hidden[SIGHT_HIDDEN_MAX + 1][PATH_MAX];
};

bool external_sight_hide(const char *folder) {
    if (hidden_count == SIGHT_HIDDEN_MAX || strlen(folder) >= PATH_MAX) return false;
    strcpy(hidden[hidden_count++], folder);
    return true;
}

bool external_sight_add(int ruleset, int folder, const char *path, uint64_t accesses) {
    struct {
        uint64_t allowed;
        int32_t parent;
    } __attribute__((packed))
    rule = {accesses, openat(folder, path, O_PATH | O_CLOEXEC | O_NOFOLLOW)};
    if (rule.parent < 0) return false;
    bool added = !syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_PATH_BENEATH, &rule, 0);
    close(rule.parent);
    return added;
}

/* Resolves the links of an absolute path, of which the last folders may not be there yet. */
static bool resolve(const char *path, char real[PATH_MAX]) {
    char there[PATH_MAX];
    size_t length = strlen(path), used = 0;
    while (length) {
        snprintf(there, sizeof there, "%.*s", (int)length, path);
        if (realpath(there, real)) break;
        if (errno != ENOENT) return false;
        while (length && path[--length] != '/') {}
    }
    if (length) used = strlen(real);
    return snprintf(real + used, PATH_MAX - used, "%s", path + length) < (int)(PATH_MAX - used);
}

/* The user's folder of games, which another process may make while the program plays. */
static bool find_state(char real[PATH_MAX]) {
    char path[PATH_MAX];
    const size_t length =
        path_of_user("XDG_STATE_HOME", "/.local/state", path, sizeof path - sizeof "/ensign");
    if (!length || length >= sizeof path - sizeof "/ensign") return false;
    strcat(path, "/ensign");
    return resolve(path, real);
}

static void find_hidden(struct sight *sight) {
    for (int i = 0; i < hidden_count; i++)
        if (realpath(hidden[i], sight->hidden[sight->count])) sight->count++;
    if (find_state(sight->hidden[sight->count])) sight->count++;
}

/* Is the path hidden, or (`beneath`) is something beneath it? */
static bool hides(const struct sight *sight, const char *path, bool beneath) {
    const size_t length = strlen(path);
    for (int i = 0; i < sight->count; i++) {
        const char *one = sight->hidden[i];
        if (beneath ? !strncmp(one, path, length) && one[length] == '/' : !strcmp(one, path))
            return true;
    }
    return false;
}

/* Allows the entries of a folder, whose path is `path` and ends in '/'. */
static void allow_entries(const struct sight *sight, const char *path) {
    DIR *folder = opendir(path);
    int entries = 0;
    for (struct dirent *entry; folder && entries < ENTRIES_MAX && (entry = readdir(folder));
         entries++) {
        char inside[PATH_MAX + 1];
        const char *name = entry->d_name;
        int length = snprintf(inside, sizeof inside, "%s%s", path, name);
        if (!strcmp(name, ".") || !strcmp(name, "..") || length >= PATH_MAX ||
            !strcmp(inside, "/dev") || hides(sight, inside, false))
            continue;
        if (hides(sight, inside, true)) {
            strcpy(inside + length, "/");
            allow_entries(sight, inside);
        } else {
            /* One that cannot be opened cannot be read either. */
            external_sight_add(sight->ruleset, dirfd(folder), name, FILE_READ);
        }
    }
    if (folder) closedir(folder);
}

void external_sight_allow(int ruleset) {
    static const char *const devices[] = {"/dev/urandom", "/dev/random", "/dev/full"};
    struct sight *sight = calloc(1, sizeof *sight);
    if (!sight) return; /* it reads nothing */
    sight->ruleset = ruleset;
    find_hidden(sight);
    allow_entries(sight, "/");
    free(sight);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        external_sight_add(ruleset, AT_FDCWD, devices[i], FILE_READ);
    external_sight_add(ruleset, AT_FDCWD, "/dev/null", FILE_READ | FILE_WRITE);
}
