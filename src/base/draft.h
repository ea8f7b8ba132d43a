/* draft.h - writes a file that is whole or not there.
 *
 * A draft lies beside its place under a random name and gets its own name when it is complete. A
 * failure leaves nothing behind.
 *
 * What stands at the place decides:
 * - nothing: a new file, with the user's usual permissions;
 * - a regular file: it is replaced, its permissions stay;
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
    DRAFT_NEW = 1,     /* a file, or a link, that is there already is refused */
    DRAFT_DURABLE = 2, /* on the disk, not only in the kernel's memory, before it gets its name */
    DRAFT_PRIVATE = 4, /* only its owner may read it */
};

struct draft {
    FILE *out;            /* to write to; NULL: there is no draft. draft_end() reports errors */
    unsigned terms;       /* of enum draft_terms */
    char place[PATH_MAX]; /* where it belongs, behind all links */
    char path[PATH_MAX];  /* where it lies; empty: it is written through */
    char name[PATH_MAX];  /* of the place, as it was asked for */
};

/* Begins a draft. False with a fault that names `path`: STATUS_USAGE if it exists and DRAFT_NEW was
 * asked for, or if it cannot be written to, else STATUS_SYSTEM. The descriptor holds flock()'s
 * lock. */
bool draft_begin(struct draft *draft, const char *path, unsigned terms, struct fault *fault);

/* Puts the draft in its place. False with a fault if not all of it could be written; then nothing
 * is left of it. With `kept` not NULL the open file goes there, still locked; the caller closes it.
 */
bool draft_end(struct draft *draft, int *kept, struct fault *fault);

/* Removes the draft; what was written through is written. Does nothing without a draft. */
void draft_drop(struct draft *draft);

/* Removes the drafts in a folder whose writers have ended. */
void draft_sweep(const char *folder);

#endif
