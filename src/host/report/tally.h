/* tally.h - sums over the games of a report: who scored what against whom, on which side, in which
 * set-up. */
#ifndef ENSIGN_HOST_REPORT_TALLY_H
#define ENSIGN_HOST_REPORT_TALLY_H

#include "summary.h"

/* Set-ups by their text; starts as 0. */
struct setup_index {
    uint32_t *slots; /* owned; 1 + index into report->setup_list, 0 where there is none */
    uint32_t room;   /* a power of two */
};

/* The number of a set-up, which is added to the report if it is new. False without memory. */
bool tally_setup(struct setup_index *index, struct summary *report, const char *text,
                 int32_t *number);
void setup_index_clear(struct setup_index *index);

/* Fills all sums of the games in the list, and the ratings. False without memory. */
bool tally_games(struct summary *report);

/* Fills the sums of those who moved first, once it is known who did. */
void tally_first(struct summary *report);

/* Counts where the flags of both armies stood in a game that starts so. */
void tally_flags(struct summary *report, const struct position *start);

#endif
