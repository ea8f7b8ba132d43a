/* inspect_json.h - the parts of `ensign check --json`; documented in README.md. */
#ifndef ENSIGN_HOST_CHECK_INSPECT_JSON_H
#define ENSIGN_HOST_CHECK_INSPECT_JSON_H

#include "host/match/tournament.h"
#include "inspect.h"

#include <jansson.h>

/* All about a file: an item of "files". `strict`: a warning makes it not "ok". */
json_t *inspect_json_file(const char *path, const struct inspection *inspection, bool strict);

/* Title, board, tests, the combat table, and the outline of board and army (message_outline). */
json_t *inspect_json_variant(const struct rules *rules, int held, int tests);

json_t *inspect_json_trial(const struct rules *rules, const struct trial *trial);
json_t *inspect_json_balance(const struct rules *rules, const struct balance *balance);

/* The games of a bot against itself. */
json_t *inspect_json_match(const struct rules *rules, const struct tournament *match);

#endif
