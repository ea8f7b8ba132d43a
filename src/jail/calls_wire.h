/* calls_wire.h - the source of a variant's calls as bytes, from the process that loaded it. */
#ifndef ENSIGN_JAIL_CALLS_WIRE_H
#define ENSIGN_JAIL_CALLS_WIRE_H

#include "variant/variant_calls.h"
#include "wire.h"

/* Appends the set of the calls and, if it is not empty, a text and a number (file and line) for
 * each call, then the number and paths of the variant's files, its own first. */
void calls_wire_put(struct frame *frame, const struct rules *rules);

/* Takes it for these rules, which calls_wire_put() need not have sent; nothing is declared if the
 * rules have no calls. `may_read` is asked about every path: is it a file that the variant has
 * read? False if it is invalid. */
bool calls_wire_take(struct frame *frame, const struct rules *rules,
                     bool (*may_read)(const void *context, const char *path), const void *context,
                     struct variant_calls_source *source);

#endif
