/* match_json.h - the results of a match as JSON: one document, or one line for each game. */
#ifndef ENSIGN_CLI_MATCH_MATCH_JSON_H
#define ENSIGN_CLI_MATCH_MATCH_JSON_H

#include "base/buffer.h"
#include "plan.h"

/* The set-ups of all games, for the document. */
struct buffer match_json_setups(void);

/* Keeps those of a game that has just been counted. */
void match_json_keep(struct buffer *setups, const struct tournament_news *news);

/* Prints the whole document; with --events too in a single line. `setups` holds those of every
 * counted game. False without memory. */
bool match_json_print(const struct tournament *match, const struct plan *plan,
                      const struct buffer *setups);

/* Prints the line of a game that has just been counted. */
void match_json_game(const struct tournament *match, const struct tournament_news *news);

/* Prints that the games are told again, from the first on. */
void match_json_anew(void);

/* Prints the last line: the document without its games. False without memory. */
bool match_json_end(const struct tournament *match, const struct plan *plan);

#endif
