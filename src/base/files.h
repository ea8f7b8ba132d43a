/* files.h - reads and writes whole files, and makes folders. */
#ifndef ENSIGN_BASE_FILES_H
#define ENSIGN_BASE_FILES_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/fault.h"

/* Writes a file completely or not at all.
 *
 * A draft is written beside its place under a random name and renamed when it is complete. A
 * failure leaves nothing behind.
 *
 * By what is at the place:
 * - nothing: a new file, with the user's usual permissions;
 * - a regular file: it is replaced and keeps its permissions;
 * - a link: the regular file behind it is replaced, the link stays; a dangling link is refused;
 * - a device or named pipe: written through at once, never replaced; a pipe must have a reader;
 * - a folder or socket: refused.
 * "-" is standard output; "/dev/stdout", "/dev/stderr" and "/dev/fd/N" are descriptors of this
 * process, whatever they lead to. */

enum atomic_file_terms {
    ATOMIC_FILE_NEW = 1,     /* refuse an existing file or link */
    ATOMIC_FILE_DURABLE = 2, /* sync to disk before the file gets its name */
    ATOMIC_FILE_PRIVATE = 4, /* only its owner may read it */
    ATOMIC_FILE_NO_LINK = 8, /* refuse a link: nobody gave this path, and a stranger may have made
                                the folder */
};

struct atomic_file {
    FILE *out;            /* NULL without a draft; atomic_file_end() reports write errors */
    unsigned terms;       /* set of enum atomic_file_terms */
    char place[PATH_MAX]; /* final path, links resolved */
    char path[PATH_MAX];  /* path of the draft; empty if it is written through */
    char name[PATH_MAX];  /* the path as given, for faults */
};

/* Begins a draft and locks it with flock(). False with a fault that names `path`: STATUS_USAGE if
 * it exists under ATOMIC_FILE_NEW or is nothing that can be written to, else STATUS_SYSTEM. */
bool atomic_file_begin(struct atomic_file *draft, const char *path, unsigned terms,
                       struct fault *fault);

/* Moves the draft to its place. False with a fault if it could not be written completely; it is
 * then removed. `kept`, unless NULL, receives the open file, still locked; the caller closes it. */
bool atomic_file_end(struct atomic_file *draft, int *kept, struct fault *fault);

/* Removes the draft; written-through output cannot be taken back. Does nothing without a draft. */
void atomic_file_drop(struct atomic_file *draft);

/* Removes the drafts that ended processes left in a folder. */
void atomic_file_sweep(const char *folder);

/* Returns the whole file with a 0 after its `*length` bytes; the caller frees. "-" is standard
 * input; "/dev/fd/N" (a shell's `<(command)`) is read as it is. Any other pipe, device or socket is
 * refused without waiting. NULL with a fault that names the file: STATUS_NOT_FOUND if it is missing
 * or not a file, STATUS_TEXT if it is longer than `ceiling` bytes, else STATUS_SYSTEM. */
char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* The same of a text, which is refused with STATUS_TEXT if it is in UTF-16 or UTF-32. */
char *files_read_text(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* Write a file completely or not at all (files.h): a new one, with STATUS_USAGE if it exists, or
 * one that may replace another. `terms` is a set of enum atomic_file_terms. False with a fault that
 * names the file. */
bool files_write_new(const char *path, const char *text, size_t length, unsigned terms,
                     struct fault *fault);
bool files_replace(const char *path, const char *text, size_t length, struct fault *fault);

/* Writes a file in place of whatever has its name: a link is removed, not followed. Much cheaper
 * than files_replace(), but not at once: for files that count only once something else says so.
 * False with a STATUS_SYSTEM fault that names the file, of which nothing is left then. */
bool files_write_anew(const char *path, const char *text, size_t length, struct fault *fault);

/* Makes the folder unless it exists. False with STATUS_USAGE if the path is something else, else
 * with STATUS_SYSTEM. */
bool files_folder(const char *path, struct fault *fault);

/* Makes the parent folders of `path`, up to its last '/'. Those whose own path is longer than
 * `shared` bytes are private to the owner. False with STATUS_SYSTEM. */
bool files_folders(const char *path, size_t shared, struct fault *fault);

/* Makes the folder or accepts an empty one. False with STATUS_USAGE if it is not empty or is a
 * file, with STATUS_SYSTEM if it cannot be made or read. */
bool files_empty_folder(const char *path, struct fault *fault);

/* Removes the folder and everything in it, at any depth; follows no links. What cannot be removed
 * stays. Does nothing to what is no folder. */
void files_remove_folder(const char *path);

/* An empty folder for temporary use by somebody who may leave anything in it. */

enum { TEMPDIR_PATH_MAX = 256 };

struct tempdir {
    char path[TEMPDIR_PATH_MAX]; /* absolute; empty: there is none */
    dev_t device;                /* with `file`, tells it from another folder of that path */
    ino_t file;
};

/* Makes a folder that only this user may enter, in $TMPDIR or /tmp. False with a STATUS_SYSTEM
 * fault. */
bool tempdir_make(struct tempdir *dir, struct fault *fault);

/* files_remove_folder(). Does nothing if there is none, or if the path leads elsewhere now. */
void tempdir_remove(struct tempdir *dir);

#endif
