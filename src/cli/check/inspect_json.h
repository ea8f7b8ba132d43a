/* inspect_json.h - the parts of `ensign check --json`; documented in README.md. */
#ifndef ENSIGN_CLI_CHECK_INSPECT_JSON_H
#define ENSIGN_CLI_CHECK_INSPECT_JSON_H

#include "base/faults.h"
#include "host/check/balance.h"
#include "host/check/trial.h"
#include "host/match/tournament.h"

#include <jansson.h>

/* Title, board, tests and the combat table. */
json_t *inspect_json_variant(const struct rules *rules, int held, int tests);

json_t *inspect_json_trial(const struct rules *rules, const struct trial *trial);
json_t *inspect_json_balance(const struct rules *rules, const struct balance *balance);

/* The games of a bot against itself. */
json_t *inspect_json_match(const struct rules *rules, const struct tournament *match);

/* An array of all remarks. */
json_t *inspect_json_faults(const struct faults *faults);

#endif
