/* draft.c - files written under a temporary name.
 *
 * A draft's random name is created with O_EXCL and O_NOFOLLOW, so a link planted there cannot be
 * followed. The writer holds a flock() on it; an unlocked draft was left by a dead process.
 * Sweeping takes the lock first. A writer whose new draft is swept before it is locked tries
 * another name. */
#define _GNU_SOURCE /* renameat2 */
#include "draft.h"

#include "paths.h"
#include "reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PREFIX[] = ".ensign-", SUFFIX[] = ".part";

enum { ATTEMPTS = 100 };

static bool draft_fail(struct draft *draft, int error, struct fault *fault) {
    if (error == EEXIST)
        fault_set(fault, STATUS_USAGE, "already exists; remove it or give another path");
    else
        fault_set(fault, STATUS_SYSTEM, "cannot be written: %s", strerror(error));
    fault_place(fault, draft->name, 0, 0);
    return false;
}

static bool draft_refuse(struct draft *draft, const char *why, struct fault *fault) {
    fault_set(fault, STATUS_USAGE, "%s", why);
    fault_place(fault, draft->name, 0, 0);
    return false;
}

/* Opens a stream on a descriptor, which is closed on failure. */
static bool draft_open_stream(struct draft *draft, int file) {
    int error = errno;
    draft->out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (draft->out) return true;
    if (file >= 0) error = errno, close(file);
    errno = error;
    return false;
}

/* Opens a device or pipe, without waiting: a pipe may never get a reader, and the path may have
 * changed since it was examined. */
static bool write_through(struct draft *draft, struct fault *fault) {
    int file = open(draft->name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && errno == ENXIO) return draft_refuse(draft, "is a pipe without a reader", fault);
    struct stat about;
    if (file >= 0 && (fstat(file, &about) || S_ISREG(about.st_mode))) {
        close(file);
        return draft_fail(draft, EAGAIN, fault);
    }
    int flags = file >= 0 ? fcntl(file, F_GETFL) : -1;
    if (flags >= 0) fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return draft_open_stream(draft, file) || draft_fail(draft, errno, fault);
}

/* Locks a new draft. False if another process is sweeping it or has swept it. */
static bool draft_lock(int file) {
    struct stat about;
    if (flock(file, LOCK_EX | LOCK_NB)) return errno != EWOULDBLOCK; /* else: no locks here */
    return !fstat(file, &about) && about.st_nlink > 0;
}

static int open_beside(struct draft *draft, mode_t mode) {
    for (int i = 0; i < ATTEMPTS; i++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != sizeof number) return -1;
        int length = snprintf(draft->path, sizeof draft->path, "%.*s%s%016" PRIx64 "%s",
                              (int)(path_file(draft->place) - draft->place), draft->place, PREFIX,
                              number, SUFFIX);
        if (length < 0 || (size_t)length >= sizeof draft->path) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(draft->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file >= 0 && draft_lock(file)) return file;
        if (file >= 0) close(file);
        if (file < 0 && errno != EEXIST) return -1;
    }
    return -1;
}

/* Gives the draft the owner and permissions of the file it replaces; without the group's
 * permissions if its group cannot be kept. */
static bool draft_take_over(int file, const struct stat *about) {
    mode_t mode = about->st_mode & 0777;
    if (fchown(file, about->st_uid, about->st_gid)) mode &= 0707;
    return !fchmod(file, mode);
}

bool draft_begin(struct draft *draft, const char *path, unsigned terms, struct fault *fault) {
    struct stat about, link;
    *draft = (struct draft){.terms = terms};
    int length = snprintf(draft->name, sizeof draft->name, "%s",
                          strcmp(path, "-") != 0 ? path : "standard output");
    if (length < 0 || (size_t)length >= sizeof draft->name)
        return draft_refuse(draft, "the path is too long", fault);
    int own = strcmp(path, "-") != 0 ? reader_descriptor(path) : STDOUT_FILENO;
    if (own >= 0) {
        if (own == STDOUT_FILENO) fflush(stdout); /* earlier output comes first */
        return draft_open_stream(draft, fcntl(own, F_DUPFD_CLOEXEC, 3)) ||
               draft_fail(draft, errno, fault);
    }
    bool there = !lstat(path, &link), leads = there && !stat(path, &about);
    if (leads && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode) || S_ISFIFO(about.st_mode)))
        return write_through(draft, fault);
    if (there && (terms & DRAFT_NEW)) return draft_fail(draft, EEXIST, fault);
    if (there && !leads) return draft_refuse(draft, "is a dangling link", fault);
    if (leads && S_ISDIR(about.st_mode))
        return draft_refuse(draft, "is a folder; a file is expected", fault);
    if (leads && !S_ISREG(about.st_mode)) return draft_refuse(draft, "is not a file", fault);
    char *behind = leads && S_ISLNK(link.st_mode) ? realpath(path, NULL) : NULL;
    if (leads && S_ISLNK(link.st_mode) && !behind) return draft_fail(draft, errno, fault);
    snprintf(draft->place, sizeof draft->place, "%s", behind ? behind : path);
    free(behind);
    int file = open_beside(draft, terms & DRAFT_PRIVATE ? 0600 : 0666);
    if (file < 0) {
        int error = errno;
        draft->path[0] = 0;
        return draft_fail(draft, error, fault);
    }
    bool ready = !leads || draft_take_over(file, &about);
    if (draft_open_stream(draft, file) && ready) return true;
    int error = errno;
    unlink(draft->path);
    draft_drop(draft);
    return draft_fail(draft, error, fault);
}

/* Renames the draft unless the name exists. */
static bool draft_place_new(const struct draft *draft) {
    if (!renameat2(AT_FDCWD, draft->path, AT_FDCWD, draft->place, RENAME_NOREPLACE)) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    /* The file system lacks RENAME_NOREPLACE. */
    return !link(draft->path, draft->place) && (unlink(draft->path), true);
}

/* Renames the draft over a regular file or to a new name, never over anything else. */
static bool draft_place_over(const struct draft *draft) {
    struct stat about;
    if (!lstat(draft->place, &about) && !S_ISREG(about.st_mode)) {
        errno = EEXIST; /* it appeared after the draft was begun */
        return false;
    }
    return !rename(draft->path, draft->place);
}

/* Syncs the name. Errors are ignored: not all file systems can, and the file itself is safe. */
static void sync_folder(const struct draft *draft) {
    char folder[PATH_MAX];
    path_folder(draft->place, folder, sizeof folder);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

bool draft_end(struct draft *draft, int *kept, struct fault *fault) {
    bool beside = draft->path[0] != 0, durable = beside && (draft->terms & DRAFT_DURABLE) != 0;
    int keep = -1;
    bool done = !fflush(draft->out) && !ferror(draft->out);
    if (done && durable) done = !fsync(fileno(draft->out));
    if (done && (beside || kept)) /* keeps the lock until it has its name */
        done = (keep = fcntl(fileno(draft->out), F_DUPFD_CLOEXEC, 3)) >= 0;
    int error = errno;
    FILE *out = draft->out;
    draft->out = NULL;
    if (fclose(out) && done) { /* some file systems report errors only on close */
        done = false;
        error = errno;
    }
    if (done && beside) {
        done = draft->terms & DRAFT_NEW ? draft_place_new(draft) : draft_place_over(draft);
        error = errno;
    }
    if (done && durable) sync_folder(draft);
    if (!done && beside) unlink(draft->path);
    if (done && kept)
        *kept = keep;
    else if (keep >= 0)
        close(keep);
    return done || draft_fail(draft, error ? error : EIO, fault);
}

void draft_drop(struct draft *draft) {
    if (!draft->out) return;
    if (draft->path[0]) unlink(draft->path);
    fclose(draft->out);
    draft->out = NULL;
}

static bool is_draft(const char *name) {
    size_t length = strlen(name), prefix = sizeof PREFIX - 1, suffix = sizeof SUFFIX - 1;
    return length == prefix + 16 + suffix && !strncmp(name, PREFIX, prefix) &&
           !strcmp(name + length - suffix, SUFFIX);
}

void draft_sweep(const char *folder) {
    DIR *stream = opendir(folder);
    if (!stream) return;
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (!is_draft(entry->d_name)) continue;
        int file = openat(dirfd(stream), entry->d_name,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0) continue;
        if (!flock(file, LOCK_EX | LOCK_NB)) unlinkat(dirfd(stream), entry->d_name, 0);
        close(file);
    }
    closedir(stream);
}
