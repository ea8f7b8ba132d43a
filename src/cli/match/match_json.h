/* match_json.h - a match for programs: one document, or a line a game. */
#ifndef ENSIGN_CLI_MATCH_MATCH_JSON_H
#define ENSIGN_CLI_MATCH_MATCH_JSON_H

#include "plan.h"

/* The whole document, on standard output; false without memory. */
bool match_json_print(const struct tournament *match, const struct plan *plan);

/* A line for game `number` (from 0); `forfeit` is STATUS_OK where there was none. */
void match_json_game(const struct tournament *match, uint32_t number, const struct fault *forfeit);

/* The last line: the document without its games. */
bool match_json_end(const struct tournament *match, const struct plan *plan);

#endif
