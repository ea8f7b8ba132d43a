/* lists.h - what there is to play, as `ensign list --json` says it.
 *
 * A list takes a process for every script. So that nobody can keep the processors busy by
 * asking, it is made again only after a while; who asks meanwhile gets the same one. */
#ifndef ENSIGN_SERVE_LISTS_H
#define ENSIGN_SERVE_LISTS_H

#include "host/stock.h"
#include "lua/folders.h"

#include <jansson.h>

struct lists;

/* `lifetime`: ms for which a list serves; 0: it is made anew each time. The folders must outlive
 * the lists. NULL without memory. */
struct lists *lists_open(const struct folders *folders, int lifetime);
void lists_close(struct lists *lists); /* NULL is allowed */

/* The array of this part, which the caller decrefs. Any thread may call it, and waits for the
 * scripts. NULL with a fault of stock_json(). */
json_t *lists_get(struct lists *lists, enum stock_part part, struct fault *fault);

#endif
