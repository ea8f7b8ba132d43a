/* match_table.h - a match for people. */
#ifndef ENSIGN_CLI_MATCH_MATCH_TABLE_H
#define ENSIGN_CLI_MATCH_MATCH_TABLE_H

#include "plan.h"

/* Who won how often, how strong that makes them and how sure it is, on standard output. */
void match_table_print(const struct tournament *match, const struct plan *plan);

/* Why games were forfeited, and what broke bots after the end, on standard error, for those who
 * have to mend a bot. */
void match_table_faults(const struct tournament *match);

#endif
