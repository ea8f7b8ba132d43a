/* changes.h - which files something was made from, and whether they are other now.
 *
 * Whoever loads something hands out changes_reader(), which reads from the disk and notes every
 * file that is asked for, also one that is not there. From then on changes_descriptor() becomes
 * readable when something happens in the folders of these files, and changes_happened() says if it
 * concerns their content: editors write anew, rename and touch in ways of their own. */
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

/* Takes what has been reported. True if the content of a file is not what it was when it was noted
 * or last looked at here. */
bool changes_happened(struct changes *changes);

#endif
