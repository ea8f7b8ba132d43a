/* inspect_json.h - the parts of `ensign check --json`; documented in variants/README.md. */
#ifndef ENSIGN_HOST_CHECK_INSPECT_JSON_H
#define ENSIGN_HOST_CHECK_INSPECT_JSON_H

#include "host/match/tournament.h"
#include "inspect.h"

#include <jansson.h>

enum { INSPECT_TEXT_MAX = 1 << 20 }; /* bytes */

/* Checks a text that somebody has sent with inspect_text(): the document that `ensign check --json`
 * prints for such a file. `name` must be as unsaved_may_be_named() says. NULL with a fault:
 * STATUS_USAGE if name, terms or length are out of range, or STATUS_NO_MEMORY. Errors of the text
 * are in the document. */
json_t *inspect_json_text(const struct folders *folders, const struct inspect_terms *terms,
                          const char *name, const char *text, size_t length, struct fault *fault);

/* All about a file: an item of "files". `strict`: a warning makes it not "ok". */
json_t *inspect_json_file(const char *path, const struct inspection *inspection, bool strict);

/* Title, board, tests, the combat table, and the outline of board and army (message_outline). */
json_t *inspect_json_variant(const struct rules *rules, int held, int tests);

json_t *inspect_json_trial(const struct rules *rules, const struct trial *trial);
json_t *inspect_json_balance(const struct rules *rules, const struct balance *balance);

/* The games of a bot against itself. */
json_t *inspect_json_match(const struct rules *rules, const struct tournament *match);

#endif
