/* variant_wire.h - a loaded variant as bytes: rules, name, and all that its calls are made from.
 *
 * From the host to its nurseries. It is checked like rules_wire.h all the same. */
#ifndef ENSIGN_JAIL_VARIANT_WIRE_H
#define ENSIGN_JAIL_VARIANT_WIRE_H

#include "rules_wire.h"

/* Room for the largest variant in a frame, in bytes. */
enum { VARIANT_WIRE_MAX = RULES_WIRE_MAX + (48 << 20) };

/* Appends rules that loader.h has loaded. */
void variant_put(struct frame *frame, const struct rules *rules);

/* New rules, finished, with a name, and with calls that the taking process answers, if they have
 * any; `scripts` is the folder of the shared scripts. NULL with a STATUS_CRASH fault if
 * variant_put() cannot have sent them, or STATUS_NO_MEMORY. The caller frees with rules_free(). */
struct rules *variant_take(struct frame *frame, const char *scripts, struct fault *fault);

#endif
