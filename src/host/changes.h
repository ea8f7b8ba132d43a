/* changes.h - the files something was loaded from, and whether they have changed since.
 *
 * Load through changes_reader(), which reads from the disk and notes every file that is asked for,
 * missing ones included. changes_descriptor() then becomes readable when anything happens in the
 * folders of these files, and changes_happened() says whether their content has changed: editors
 * also rewrite, rename and touch files without changing them. */
#ifndef ENSIGN_HOST_CHANGES_H
#define ENSIGN_HOST_CHANGES_H

#include "base/fault.h"
#include "base/reader.h"

struct changes;

/* NULL with a STATUS_SYSTEM fault. */
struct changes *changes_open(struct fault *fault);
void changes_close(struct changes *changes);

/* Lives as long as `changes`. */
const struct reader *changes_reader(struct changes *changes);

int changes_descriptor(const struct changes *changes);

/* Reads the pending events. True if the content of a file has changed since it was noted or since
 * the last call. */
bool changes_happened(struct changes *changes);

#endif
