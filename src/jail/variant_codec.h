/* variant_codec.h - a loaded variant as bytes: rules, name, and all that its calls are made from.
 *
 * From the host to its templates. It is checked like rules_codec.h all the same. */
#ifndef ENSIGN_JAIL_VARIANT_CODEC_H
#define ENSIGN_JAIL_VARIANT_CODEC_H

#include "jail/channel.h"
#include "jail/rules_codec.h"
#include "variant/variant_calls.h"

/* The source of a variant's calls as bytes, from the process that loaded it. */

/* Appends the set of the calls and, if it is not empty, a text and a number (file and line) for
 * each call, then the number and paths of the variant's files, its own first. */
void calls_codec_put(struct frame *frame, const struct rules *rules);

/* Takes it for these rules, which calls_codec_put() need not have sent; nothing is declared if the
 * rules have no calls. `may_read` is asked about every path: is it a file that the variant has
 * read? False if it is invalid. */
bool calls_codec_take(struct frame *frame, const struct rules *rules,
                      bool (*may_read)(const void *context, const char *path), const void *context,
                      struct variant_calls_source *source);

/* Room for the largest variant in a frame, in bytes. */
enum { VARIANT_WIRE_MAX = RULES_WIRE_MAX + (48 << 20) };

/* Appends rules that loader.h has loaded. */
void variant_put(struct frame *frame, const struct rules *rules);

/* New rules, finished, with a name, and with calls that the taking process answers, if they have
 * any; `scripts` is the folder of the shared scripts. NULL with a STATUS_CRASH fault if
 * variant_put() cannot have sent them, or STATUS_NO_MEMORY. The caller frees with rules_free(). */
struct rules *variant_take(struct frame *frame, const char *scripts, struct fault *fault);

#endif
