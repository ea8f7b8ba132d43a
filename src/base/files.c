/* files.c - reads and writes whole files.
 *
 * Every read has a ceiling. Existing files are never overwritten by accident: results go to new
 * files or replace an old one in a single step. */
#include "files.h"

#include "buffer.h"
#include "paths.h"
#include "reader.h"
#include "utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    struct draft draft;
    if (!draft_begin(&draft, path, terms, fault)) return false;
    fwrite(text, 1, length, draft.out);
    return draft_end(&draft, NULL, fault);
}

bool files_write_new(const char *path, const char *text, size_t length, unsigned terms,
                     struct fault *fault) {
    return write_whole(path, text, length, terms | DRAFT_NEW, fault);
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
