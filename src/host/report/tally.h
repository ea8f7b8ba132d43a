/* tally.h - sums over the games of a report: by player, opponent, side and set-up. */
#ifndef ENSIGN_HOST_REPORT_TALLY_H
#define ENSIGN_HOST_REPORT_TALLY_H

#include "summary.h"

/* Set-ups by their text; starts as 0. */
struct setup_index {
    uint32_t *slots; /* owned; 1 + index into report->setup_list; 0: free */
    uint32_t room;   /* a power of two */
};

/* The index of a set-up, which is added to the report if new. False if memory is short. */
bool tally_setup(struct setup_index *index, struct summary *report, const char *text,
                 int32_t *number);
void setup_index_clear(struct setup_index *index);

/* Fills all sums of the games in the list, and the ratings. False if memory is short. */
bool tally_games(struct summary *report);

/* Fills the sums of the side that moved first, once the records have been read. */
void tally_first(struct summary *report);

/* Counts the squares of both flags at the start of a game. */
void tally_flags(struct summary *report, const struct position *start);

#endif
