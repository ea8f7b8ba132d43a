/* drawn.h - games of random moves as records, for tests of code that reads records. */
#ifndef ENSIGN_TESTS_GAMES_DRAWN_H
#define ENSIGN_TESTS_GAMES_DRAWN_H

#include "base/random.h"
#include "host/record.h"

/* A game of at most so many plies, with its result and reason ("unfinished" where the plies did not
 * suffice). `setups` is the seed of both set-ups, `moves` that of the moves. The caller frees. */
struct record *drawn_record(const struct rules *rules, uint64_t setups, uint64_t moves,
                            uint32_t plies);

#endif
