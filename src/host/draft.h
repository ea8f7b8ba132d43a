/* draft.h - a whole file that is being written.
 *
 * The one way in which the program writes files that are whole or not there. A draft lies beside
 * its place under a name of its own, which nobody else can know or have taken, and gets its name
 * only when it is complete; what fails leaves nothing behind.
 *
 * What stands at the place decides. Nothing: a new file, with the permissions of any other that the
 * user makes. A regular file: it is replaced and its permissions stay. A link: the regular file it
 * leads to is replaced, and the link stays; one that leads nowhere is refused. A device or pipe is
 * never replaced but written through, as it is drafted; a named pipe must have a reader.
 * "-" is standard output, and "/dev/stdout", "/dev/stderr" and "/dev/fd/N" are descriptors of this
 * process, whatever they lead to. Folders and sockets are refused. */
#ifndef ENSIGN_HOST_DRAFT_H
#define ENSIGN_HOST_DRAFT_H

#include "core/fault.h"

#include <limits.h>
#include <stdio.h>

enum draft_terms {
    DRAFT_NEW = 1,     /* a file, or a link, that is there already is refused */
    DRAFT_DURABLE = 2, /* on the disk, not only in the kernel's memory, before it gets its name */
    DRAFT_PRIVATE = 4, /* only its owner may read it */
};

struct draft {
    FILE *out;            /* to write to; NULL: there is no draft. Errors show at the end */
    unsigned terms;       /* of enum draft_terms */
    char place[PATH_MAX]; /* where it belongs, behind all links */
    char path[PATH_MAX];  /* where it lies; empty: it is written through */
    char name[PATH_MAX];  /* of the place, as it was asked for */
};

/* Begins one. False with a fault that names `path`: STATUS_USAGE if it is there and must not be, or
 * is nothing that can be written to, else STATUS_SYSTEM. The descriptor holds flock()'s lock. */
bool draft_begin(struct draft *draft, const char *path, unsigned terms, struct fault *fault);

/* Puts it in its place if all of it could be written; else, with a fault, nothing is left of it.
 * With `kept` not NULL the open file goes there, still locked; the caller closes it. */
bool draft_end(struct draft *draft, int *kept, struct fault *fault);

/* Nothing is left of it, unless it was written through. Does nothing without a draft. */
void draft_drop(struct draft *draft);

/* Removes drafts from a folder whose writers are gone. */
void draft_sweep(const char *folder);

#endif
