/* rules_codec.h - compiled rules as bytes, from the process that loaded them to the host.
 *
 * The fields of `struct rules` that a loader fills are sent; the receiver's rules_finish() derives
 * the others. Movements are sent as their ways and rebuilt. The receiver checks every field, since
 * an enemy may have sent it: rules that rules_take() and rules_finish() accept are safe to play. */
#ifndef ENSIGN_JAIL_RULES_CODEC_H
#define ENSIGN_JAIL_RULES_CODEC_H

#include "core/rules/rules.h"
#include "frame.h"

/* Room for the largest rules in a frame, in bytes. */
enum { RULES_WIRE_MAX = 48 << 20 };

/* Appends everything but the name and the calls. */
void rules_put(struct frame *frame, const struct rules *rules);

/* New rules, not finished and without name or calls. NULL with a STATUS_CRASH fault if rules_put()
 * cannot have sent them, or STATUS_NO_MEMORY. The caller frees with rules_free(). */
struct rules *rules_take(struct frame *frame, struct fault *fault);

#endif
