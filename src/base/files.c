/* files.c - reads and writes whole files.
 *
 * Every read has a ceiling. Existing files are never overwritten by accident: results go to new
 * files or replace an old one in a single step. */
#define _GNU_SOURCE
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/paths.h"
#include "base/reader.h"
#include "base/utf8.h"

/* Files written under a temporary name.
 *
 * A draft's random name is created with O_EXCL and O_NOFOLLOW, so a link planted there cannot be
 * followed. The writer holds a flock() on it; an unlocked draft was left by a dead process.
 * Sweeping takes the lock first. A writer whose new draft is swept before it is locked tries
 * another name. */

#define _GNU_SOURCE /* renameat2 */

static const char PREFIX[] = ".ensign-", SUFFIX[] = ".part";

enum { ATTEMPTS = 100 };

static bool atomic_file_fail(struct atomic_file *draft, int error, struct fault *fault) {
    if (error == EEXIST)
        fault_set(fault, STATUS_USAGE, "already exists; remove it or give another path");
    else
        fault_set(fault, STATUS_SYSTEM, "cannot be written: %s", strerror(error));
    fault_place(fault, draft->name, 0, 0);
    return false;
}

static bool atomic_file_refuse(struct atomic_file *draft, const char *why, struct fault *fault) {
    fault_set(fault, STATUS_USAGE, "%s", why);
    fault_place(fault, draft->name, 0, 0);
    return false;
}

/* Opens a stream on a descriptor, which is closed on failure. */
static bool atomic_file_open_stream(struct atomic_file *draft, int file) {
    int error = errno;
    draft->out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (draft->out) return true;
    if (file >= 0) error = errno, close(file);
    errno = error;
    return false;
}

/* Opens a device or pipe, without waiting: a pipe may never get a reader, and the path may have
 * changed since it was examined. */
static bool write_through(struct atomic_file *draft, struct fault *fault) {
    int file = open(draft->name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && errno == ENXIO)
        return atomic_file_refuse(draft, "is a pipe without a reader", fault);
    struct stat about;
    if (file >= 0 && (fstat(file, &about) || S_ISREG(about.st_mode))) {
        close(file);
        return atomic_file_fail(draft, EAGAIN, fault);
    }
    int flags = file >= 0 ? fcntl(file, F_GETFL) : -1;
    if (flags >= 0) fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return atomic_file_open_stream(draft, file) || atomic_file_fail(draft, errno, fault);
}

/* Locks a new draft. False if another process is sweeping it or has swept it. */
static bool atomic_file_lock(int file) {
    struct stat about;
    if (flock(file, LOCK_EX | LOCK_NB)) return errno != EWOULDBLOCK; /* else: no locks here */
    return !fstat(file, &about) && about.st_nlink > 0;
}

static int open_beside(struct atomic_file *draft, mode_t mode) {
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
        if (file >= 0 && atomic_file_lock(file)) return file;
        if (file >= 0) close(file);
        if (file < 0 && errno != EEXIST) return -1;
    }
    return -1;
}

/* Gives the draft the owner and permissions of the file it replaces; without the group's
 * permissions if its group cannot be kept. */
static bool atomic_file_take_over(int file, const struct stat *about) {
    mode_t mode = about->st_mode & 0777;
    if (fchown(file, about->st_uid, about->st_gid)) mode &= 0707;
    return !fchmod(file, mode);
}

bool atomic_file_begin(struct atomic_file *draft, const char *path, unsigned terms,
                       struct fault *fault) {
    struct stat about, link;
    *draft = (struct atomic_file){.terms = terms};
    int length = snprintf(draft->name, sizeof draft->name, "%s",
                          strcmp(path, "-") != 0 ? path : "standard output");
    if (length < 0 || (size_t)length >= sizeof draft->name)
        return atomic_file_refuse(draft, "the path is too long", fault);
    int own = strcmp(path, "-") != 0 ? reader_descriptor(path) : STDOUT_FILENO;
    if (own >= 0) {
        if (own == STDOUT_FILENO) fflush(stdout); /* earlier output comes first */
        return atomic_file_open_stream(draft, fcntl(own, F_DUPFD_CLOEXEC, 3)) ||
               atomic_file_fail(draft, errno, fault);
    }
    bool there = !lstat(path, &link), leads = there && !stat(path, &about);
    if (there && (terms & ATOMIC_FILE_NO_LINK) && S_ISLNK(link.st_mode))
        return atomic_file_refuse(draft, "is a link; give the path with -o", fault);
    if (leads && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode) || S_ISFIFO(about.st_mode)))
        return write_through(draft, fault);
    if (there && (terms & ATOMIC_FILE_NEW)) return atomic_file_fail(draft, EEXIST, fault);
    if (there && !leads) return atomic_file_refuse(draft, "is a dangling link", fault);
    if (leads && S_ISDIR(about.st_mode))
        return atomic_file_refuse(draft, "is a folder; a file is expected", fault);
    if (leads && !S_ISREG(about.st_mode)) return atomic_file_refuse(draft, "is not a file", fault);
    char *behind = leads && S_ISLNK(link.st_mode) ? realpath(path, NULL) : NULL;
    if (leads && S_ISLNK(link.st_mode) && !behind) return atomic_file_fail(draft, errno, fault);
    snprintf(draft->place, sizeof draft->place, "%s", behind ? behind : path);
    free(behind);
    int file = open_beside(draft, terms & ATOMIC_FILE_PRIVATE ? 0600 : 0666);
    if (file < 0) {
        int error = errno;
        draft->path[0] = 0;
        return atomic_file_fail(draft, error, fault);
    }
    bool ready = !leads || atomic_file_take_over(file, &about);
    if (atomic_file_open_stream(draft, file) && ready) return true;
    int error = errno;
    unlink(draft->path);
    atomic_file_drop(draft);
    return atomic_file_fail(draft, error, fault);
}

/* Renames the draft unless the name exists. */
static bool atomic_file_place_new(const struct atomic_file *draft) {
    if (!renameat2(AT_FDCWD, draft->path, AT_FDCWD, draft->place, RENAME_NOREPLACE)) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    /* The file system lacks RENAME_NOREPLACE. */
    return !link(draft->path, draft->place) && (unlink(draft->path), true);
}

/* Renames the draft over a regular file or to a new name, never over anything else. */
static bool atomic_file_place_over(const struct atomic_file *draft) {
    struct stat about;
    if (!lstat(draft->place, &about) && !S_ISREG(about.st_mode)) {
        errno = EEXIST; /* it appeared after the draft was begun */
        return false;
    }
    return !rename(draft->path, draft->place);
}

/* Syncs the name. Errors are ignored: not all file systems can, and the file itself is safe. */
static void sync_folder(const struct atomic_file *draft) {
    char folder[PATH_MAX];
    path_folder(draft->place, folder, sizeof folder);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

bool atomic_file_end(struct atomic_file *draft, int *kept, struct fault *fault) {
    bool beside = draft->path[0] != 0,
         durable = beside && (draft->terms & ATOMIC_FILE_DURABLE) != 0;
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
        done = draft->terms & ATOMIC_FILE_NEW ? atomic_file_place_new(draft)
                                              : atomic_file_place_over(draft);
        error = errno;
    }
    if (done && durable) sync_folder(draft);
    if (!done && beside) unlink(draft->path);
    if (done && kept)
        *kept = keep;
    else if (keep >= 0)
        close(keep);
    return done || atomic_file_fail(draft, error ? error : EIO, fault);
}

void atomic_file_drop(struct atomic_file *draft) {
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

void atomic_file_sweep(const char *folder) {
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

enum { PIECE_BYTES = 16384 };

static char *read_all(FILE *in, const char *shown, size_t ceiling, size_t *length,
                      struct fault *fault) {
    char piece[PIECE_BYTES];
    struct buffer buffer = buffer_of(ceiling);
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, in)) && buffer_add(&buffer, piece, got)) {}
    *length = buffer.length;
    char *text = NULL;
    if (got && got > ceiling - buffer.length)
        fault_set(fault, STATUS_TEXT, "is too long: at most %zu bytes are expected", ceiling);
    else if (!got && ferror(in))
        fault_set(fault, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
    else if (!(text = buffer_take(&buffer)))
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    buffer_clear(&buffer);
    if (!text) fault_place(fault, shown, 0, 0);
    return text;
}

/* A descriptor of this process is read as it is, so that "/dev/stdin" means "-". */
static FILE *open_input(const char *path) {
    int own = reader_descriptor(path);
    int file = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 3) : reader_open(path);
    FILE *in = file >= 0 ? fdopen(file, "rb") : NULL;
    if (!in && file >= 0) close(file);
    return in;
}

char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault) {
    if (!strcmp(path, "-")) return read_all(stdin, "standard input", ceiling, length, fault);
    FILE *in = open_input(path);
    if (in) {
        char *text = read_all(in, path, ceiling, length, fault);
        fclose(in);
        return text;
    }
    if (errno == EISDIR) {
        fault_set(fault, STATUS_NOT_FOUND, "is a folder; a file is expected");
    } else if (errno == ENOTSUP) {
        fault_set(fault, STATUS_NOT_FOUND, "is a pipe or a device; a file is expected");
    } else {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        fault_set(fault, absent ? STATUS_NOT_FOUND : STATUS_SYSTEM, "%s",
                  absent ? "no such file" : strerror(errno));
    }
    fault_place(fault, path, 0, 0);
    return NULL;
}

char *files_read_text(const char *path, size_t ceiling, size_t *length, struct fault *fault) {
    char *text = files_read(path, ceiling, length, fault);
    const char *wide = text ? utf8_wide(text, *length) : NULL;
    if (!wide) return text;
    free(text);
    fault_set(fault, STATUS_TEXT, "is in %s; UTF-8 is expected", wide);
    fault_place(fault, strcmp(path, "-") != 0 ? path : "standard input", 1, 1);
    return NULL;
}

static bool write_whole(const char *path, const char *text, size_t length, unsigned terms,
                        struct fault *fault) {
    struct atomic_file draft;
    if (!atomic_file_begin(&draft, path, terms, fault)) return false;
    fwrite(text, 1, length, draft.out);
    return atomic_file_end(&draft, NULL, fault);
}

bool files_write_new(const char *path, const char *text, size_t length, unsigned terms,
                     struct fault *fault) {
    return write_whole(path, text, length, terms | ATOMIC_FILE_NEW, fault);
}

bool files_replace(const char *path, const char *text, size_t length, struct fault *fault) {
    return write_whole(path, text, length, 0, fault);
}

static int open_anew(const char *path) {
    enum { TERMS = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC }; /* O_EXCL follows no link */
    int file = open(path, TERMS, 0666);
    return file < 0 && errno == EEXIST && !unlink(path) ? open(path, TERMS, 0666) : file;
}

bool files_write_anew(const char *path, const char *text, size_t length, struct fault *fault) {
    int file = open_anew(path);
    size_t written = 0;
    while (file >= 0 && written < length) {
        ssize_t went = write(file, text + written, length - written);
        if (went > 0)
            written += (size_t)went;
        else if (errno != EINTR)
            break;
    }
    const int error = errno;
    if (file >= 0 && !close(file) && written == length) return true;
    if (file >= 0) unlink(path);
    fault_set(fault, STATUS_SYSTEM, "cannot be written: %s", strerror(error));
    fault_place(fault, path, 0, 0);
    return false;
}

static bool make_folder(const char *path, mode_t mode) {
    if (!mkdir(path, mode)) return true;
    int error = errno;
    bool there = error == EEXIST && !access(path, F_OK);
    if (there && path_is_folder(path)) return true;
    errno = there ? ENOTDIR : error;
    return false;
}

static bool no_folder(const char *path, struct fault *fault) {
    fault_set(fault, STATUS_SYSTEM, "the folder cannot be made: %s", strerror(errno));
    fault_place(fault, path, 0, 0);
    return false;
}

bool files_folder(const char *path, struct fault *fault) {
    if (make_folder(path, 0777)) return true;
    if (errno != ENOTDIR || access(path, F_OK)) return no_folder(path, fault);
    fault_set(fault, STATUS_USAGE, "is a file; a folder is expected");
    fault_place(fault, path, 0, 0);
    return false;
}

bool files_folders(const char *path, size_t shared, struct fault *fault) {
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return fault_set(fault, STATUS_SYSTEM, "the name is too long");
    for (char *slash = folder; (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mode_t mode = (size_t)(slash - folder) > shared ? 0700 : 0777;
        if (!make_folder(folder, mode)) return no_folder(folder, fault);
        *slash = '/';
    }
    return true;
}

bool files_empty_folder(const char *path, struct fault *fault) {
    DIR *folder = NULL;
    if (!files_folder(path, fault)) return false;
    if (!(folder = opendir(path))) {
        fault_set(fault, STATUS_SYSTEM, "the folder cannot be read: %s", strerror(errno));
    } else {
        bool empty = true;
        for (struct dirent *entry; (entry = readdir(folder));)
            if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) empty = false;
        closedir(folder);
        if (empty) return true;
        fault_set(fault, STATUS_USAGE, "the folder is not empty; a new or empty one is expected");
    }
    fault_place(fault, path, 0, 0);
    return false;
}

/* Makes and removes a temporary folder.
 *
 * Folders in it may be nested deeper than descriptors or the stack allow. So each is emptied by
 * moving its own folders up to the top, until the top is empty. */

bool tempdir_make(struct tempdir *dir, struct fault *fault) {
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    char *place = realpath(folder, NULL);
    struct stat about;
    *dir = (struct tempdir){0};
    int needed = place ? snprintf(dir->path, sizeof dir->path, "%s/ensign-game-XXXXXX",
                                  strcmp(place, "/") ? place : "")
                       : 0;
    free(place);
    if (needed > 0 && needed < TEMPDIR_PATH_MAX && mkdtemp(dir->path) &&
        !lstat(dir->path, &about)) {
        dir->device = about.st_dev;
        dir->file = about.st_ino;
        return true;
    }
    dir->path[0] = 0;
    return fault_set(fault, STATUS_SYSTEM, "no temporary folder can be made in %s: %s", folder,
                     strerror(errno));
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
        if (fchmodat(folder, name, 0700, 0)) continue; /* no link; moving a folder changes it */
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
        if (fchmodat(top, name, 0700, 0)) continue; /* a link would have been removed */
        int folder = open_folder(top, name);
        if (folder >= 0) empty_folder(folder, top, number);
        progress = !unlinkat(top, name, AT_REMOVEDIR) || progress;
    }
    if (stream) closedir(stream);
    return progress;
}

void files_remove_folder(const char *path) {
    struct stat about;
    unsigned number = 0;
    if (lstat(path, &about) || !S_ISDIR(about.st_mode)) return;
    chmod(path, 0700);
    int top = open_folder(AT_FDCWD, path);
    while (top >= 0 && empty_top(top, &number)) continue;
    if (top >= 0) close(top);
    rmdir(path);
}

void tempdir_remove(struct tempdir *dir) {
    struct stat about;
    bool same = dir->path[0] && !lstat(dir->path, &about) && about.st_dev == dir->device &&
                about.st_ino == dir->file;
    if (same) files_remove_folder(dir->path);
    dir->path[0] = 0;
}
