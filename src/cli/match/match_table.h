/* match_table.h - the results of a match as a table. */
#ifndef ENSIGN_CLI_MATCH_MATCH_TABLE_H
#define ENSIGN_CLI_MATCH_MATCH_TABLE_H

#include "plan.h"

/* Prints wins, losses, ratings and their intervals to standard output. */
void match_table_print(const struct tournament *match, const struct plan *plan);

/* Prints the faults behind forfeits, and of bots that failed after the end of a game, to standard
 * error. */
void match_table_faults(const struct tournament *match);

#endif
