/* draft.h - writes a file completely or not at all.
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
#ifndef ENSIGN_BASE_DRAFT_H
#define ENSIGN_BASE_DRAFT_H

#include "fault.h"

#include <limits.h>
#include <stdio.h>

enum draft_terms {
    DRAFT_NEW = 1,     /* refuse an existing file or link */
    DRAFT_DURABLE = 2, /* sync to disk before the file gets its name */
    DRAFT_PRIVATE = 4, /* only its owner may read it */
};

struct draft {
    FILE *out;            /* NULL without a draft; draft_end() reports write errors */
    unsigned terms;       /* set of enum draft_terms */
    char place[PATH_MAX]; /* final path, links resolved */
    char path[PATH_MAX];  /* path of the draft; empty if it is written through */
    char name[PATH_MAX];  /* the path as given, for faults */
};

/* Begins a draft and locks it with flock(). False with a fault that names `path`: STATUS_USAGE if
 * it exists under DRAFT_NEW or is nothing that can be written to, else STATUS_SYSTEM. */
bool draft_begin(struct draft *draft, const char *path, unsigned terms, struct fault *fault);

/* Moves the draft to its place. False with a fault if it could not be written completely; it is
 * then removed. `kept`, unless NULL, receives the open file, still locked; the caller closes it. */
bool draft_end(struct draft *draft, int *kept, struct fault *fault);

/* Removes the draft; written-through output cannot be taken back. Does nothing without a draft. */
void draft_drop(struct draft *draft);

/* Removes the drafts that ended processes left in a folder. */
void draft_sweep(const char *folder);

#endif
