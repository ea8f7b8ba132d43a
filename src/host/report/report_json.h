/* report_json.h - a report's numbers as one JSON document, for programs and for the page.
 *
 * The match's seed is a string, since some readers' numbers end at 2^53. Undefined and infinite
 * numbers (an Elo difference without games) are null. Scores and shares are 0..1; boards are arrays
 * over the squares, a1 first, rank by rank. */
#ifndef ENSIGN_HOST_REPORT_REPORT_JSON_H
#define ENSIGN_HOST_REPORT_REPORT_JSON_H

#include "summary.h"

#include <jansson.h>

/* Everything but films and the list of games. NULL if memory is short; json_decref() frees. */
json_t *report_numbers(const struct summary *report);

/* `[{"game","red","blue","result","reason","plies","seed","first","forfeit"}…]`. */
json_t *report_games(const struct summary *report);

#endif
