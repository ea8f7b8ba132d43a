/* rules_wire.h - compiled rules on their way out of the process that loaded their scripts.
 *
 * What is sent is what a loader fills of `struct rules`; what rules_finish() derives is derived
 * again by the receiver. Movements travel as their ways and are built again. The receiver checks
 * every field as if an enemy had sent it, since an enemy may have: whatever rules_take() accepts,
 * together with rules_finish(), is safe to play. */
#ifndef ENSIGN_HOST_WALL_RULES_WIRE_H
#define ENSIGN_HOST_WALL_RULES_WIRE_H

#include "core/rules.h"
#include "wire.h"

/* Room for the largest rules in a frame, in bytes. */
enum { RULES_WIRE_MAX = 48 << 20 };

/* Appends everything but the name and the calls. */
void rules_put(struct frame *frame, const struct rules *rules);

/* New rules, not finished and without a name or calls; NULL with a STATUS_CRASH fault if a field is
 * not what rules_put() sends, or STATUS_NO_MEMORY. The caller frees with rules_free(). */
struct rules *rules_take(struct frame *frame, struct fault *fault);

#endif
