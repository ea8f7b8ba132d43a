/* scratch.c - makes and removes a temporary folder.
 *
 * Folders in it may be nested deeper than descriptors or the stack allow. So each is emptied by
 * moving its own folders up to the top, until the top is empty. */
#define _GNU_SOURCE
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool scratch_make(struct scratch *scratch, struct fault *fault) {
    const char *folder = getenv("TMPDIR");
    char *place = realpath(folder && *folder ? folder : "/tmp", NULL);
    struct stat about;
    *scratch = (struct scratch){0};
    int needed = place ? snprintf(scratch->path, sizeof scratch->path, "%s/ensign-game-XXXXXX",
                                  strcmp(place, "/") ? place : "")
                       : 0;
    free(place);
    if (needed > 0 && needed < SCRATCH_PATH_MAX && mkdtemp(scratch->path) &&
        !lstat(scratch->path, &about)) {
        scratch->device = about.st_dev;
        scratch->file = about.st_ino;
        return true;
    }
    scratch->path[0] = 0;
    return fault_set(fault, STATUS_SYSTEM, "no temporary folder can be made in %s: %s",
                     folder && *folder ? folder : "/tmp", strerror(errno));
}

static int open_folder(int in, const char *name) {
    return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes what `folder` holds and moves the folders in it to `top` under new names. */
static void empty_folder(int folder, int top, unsigned *number) {
    DIR *stream = fdopendir(folder);
    if (!stream) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (!unlinkat(folder, name, 0) || !unlinkat(folder, name, AT_REMOVEDIR)) continue;
        char above[32];
        fchmodat(folder, name, 0700, 0); /* no link; moving a folder changes it */
        do {
            snprintf(above, sizeof above, ".moved-%u", ++*number);
        } while (renameat2(folder, name, top, above, RENAME_NOREPLACE) && errno == EEXIST);
    }
    closedir(stream);
}

/* One round over the folders at the top. False if nothing could be removed. */
static bool empty_top(int top, unsigned *number) {
    int copy = open_folder(top, ".");
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;
    bool progress = false;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (!unlinkat(top, name, 0)) {
            progress = true;
            continue;
        }
        fchmodat(top, name, 0700, 0); /* a link would have been removed */
        int folder = open_folder(top, name);
        if (folder >= 0) empty_folder(folder, top, number);
        progress = !unlinkat(top, name, AT_REMOVEDIR) || progress;
    }
    if (stream) closedir(stream);
    return progress;
}

void scratch_remove(struct scratch *scratch) {
    struct stat about;
    unsigned number = 0;
    bool same = scratch->path[0] && !lstat(scratch->path, &about) && S_ISDIR(about.st_mode) &&
                about.st_dev == scratch->device && about.st_ino == scratch->file;
    if (same) {
        chmod(scratch->path, 0700);
        int top = open_folder(AT_FDCWD, scratch->path);
        while (top >= 0 && empty_top(top, &number)) continue;
        if (top >= 0) close(top);
        rmdir(scratch->path);
    }
    scratch->path[0] = 0;
}
