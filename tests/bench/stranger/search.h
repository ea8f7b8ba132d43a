/* search.h - the move of a side on one board, where hidden pieces count by their chances. */
#ifndef BENCH_STRANGER_SEARCH_H
#define BENCH_STRANGER_SEARCH_H

#include "belief.h"

struct choice {
    int from, to; /* from 0: there is no move */
};

/* Searches ever deeper for so many milliseconds of processor time. Moves that repeat a position it
 * chose before count as worse. */
struct choice search_choose(struct table *table, const struct belief *belief, double ms);

#endif
