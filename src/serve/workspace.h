/* workspace.h - the variants and bots of the current folder, for a page on which they are edited.
 *
 * Only for clients of the user's own machine. Files are named "variants/NAME.lua" and
 * "bots/NAME.lua", NAME being a word_is_new_name(); no others are read or written, and no links are
 * followed. A file that has changed on the disk since the client read it is not written over. */
#ifndef ENSIGN_SERVE_WORKSPACE_H
#define ENSIGN_SERVE_WORKSPACE_H

#include "variant_cache.h"

#include <jansson.h>

enum { WORKSPACE_TEXT_MAX = 60000 /* bytes of a file: with its message it must fit into a line */ };

struct workspace;

/* Both must outlive it. NULL without memory. */
struct workspace *workspace_open(struct variant_cache *variants, const struct folders *folders);
void workspace_close(struct workspace *workspace); /* NULL is allowed */

/* Is this "type" of request one of the workshop: files, read, write, copy, create? */
bool workspace_obeys(const char *type);

/* Obeys one and returns the reply, without the id. Any thread; it may wait for a variant. NULL with
 * a fault. */
json_t *workspace_answer(struct workspace *workspace, const json_t *request, struct fault *fault);

#endif
