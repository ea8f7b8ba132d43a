/* match_json.h - the results of a match as JSON: one document, or one line for each game. */
#ifndef ENSIGN_CLI_MATCH_MATCH_JSON_H
#define ENSIGN_CLI_MATCH_MATCH_JSON_H

#include "plan.h"

/* Prints the whole document. False without memory. */
bool match_json_print(const struct tournament *match, const struct plan *plan);

/* Prints the line of game `number` (from 0); the status of `forfeit` is STATUS_OK if there was
 * none. */
void match_json_game(const struct tournament *match, uint32_t number, const struct fault *forfeit);

/* Prints the last line: the document without its games. False without memory. */
bool match_json_end(const struct tournament *match, const struct plan *plan);

#endif
