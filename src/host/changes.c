/* changes.c - watches files with inotify.
 *
 * Folders are watched, not files: most editors save by renaming a new file over the old one, which
 * a watch on the file would miss. A folder is watched before its file is read, so that no change
 * falls between the two. An event is only the reason to compare hashes of the content. */
#include "changes.h"

#include "base/digest.h"
#include "base/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { FILES_MAX = 256, PATH_BYTES_MAX = 2048, CONTENT_MAX = 1 << 20 };

struct noted {
    char *path;
    uint64_t hash; /* of the content; 0: no such file */
};

struct changes {
    int descriptor;
    struct reader reader;
    size_t count;
    struct noted list[FILES_MAX];
};

static uint64_t hash_of(const char *path) {
    long size = READER_DISK.size(READER_DISK.context, path);
    if (size < 0) return 0;
    if (size > CONTENT_MAX) size = CONTENT_MAX;
    char *text = malloc((size_t)size + 1);
    long got = text ? READER_DISK.read(READER_DISK.context, path, text, (size_t)size) : -1;
    uint64_t hash = got < 0 ? 0 : digest_of(text, (size_t)got) | 1;
    free(text);
    return hash;
}

/* Watches the folder of a path, if it exists. */
static void watch_folder(const struct changes *changes, const char *path) {
    char folder[PATH_BYTES_MAX];
    if (!path_folder(path, folder, sizeof folder)) return;
    inotify_add_watch(changes->descriptor, folder,
                      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
}

static void changes_note(struct changes *changes, const char *path) {
    for (size_t i = 0; i < changes->count; i++) {
        if (strcmp(changes->list[i].path, path) != 0) continue;
        changes->list[i].hash = hash_of(path);
        return;
    }
    char *kept = changes->count < FILES_MAX ? strdup(path) : NULL;
    if (!kept) return;
    watch_folder(changes, path);
    changes->list[changes->count++] = (struct noted){kept, hash_of(path)};
}

static long noting_size(void *context, const char *path) {
    changes_note(context, path);
    return READER_DISK.size(READER_DISK.context, path);
}

static long noting_read(void *context, const char *path, char *out, size_t size) {
    changes_note(context, path);
    return READER_DISK.read(READER_DISK.context, path, out, size);
}

struct changes *changes_open(struct fault *fault) {
    struct changes *changes = calloc(1, sizeof *changes);
    if (!changes) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    changes->reader = (struct reader){noting_size, noting_read, changes};
    changes->descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (changes->descriptor >= 0) return changes;
    fault_set(fault, STATUS_SYSTEM, "files cannot be watched: %s", strerror(errno));
    free(changes);
    return NULL;
}

void changes_close(struct changes *changes) {
    if (!changes) return;
    close(changes->descriptor);
    for (size_t i = 0; i < changes->count; i++) free(changes->list[i].path);
    free(changes);
}

const struct reader *changes_reader(struct changes *changes) {
    return &changes->reader;
}

int changes_descriptor(const struct changes *changes) {
    return changes->descriptor;
}

bool changes_happened(struct changes *changes) {
    char events[4096];
    while (read(changes->descriptor, events, sizeof events) > 0) {}
    bool any = false;
    for (size_t i = 0; i < changes->count; i++) {
        uint64_t hash = hash_of(changes->list[i].path);
        any = any || hash != changes->list[i].hash;
        changes->list[i].hash = hash;
    }
    return any;
}
