/* usage.h - what a player uses for its moves: calls, fuel, time.
 *
 * A call is one question for a move, answered or not; other callbacks are not counted. Fuel is that
 * of Lua bots (lua/sandbox.h) and the same on every run, in every process; a call whose process was
 * killed counts with 0. Time is the host's, from the question to the answer, and depends on the
 * machine. */
#ifndef ENSIGN_HOST_USAGE_H
#define ENSIGN_HOST_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct usage {
    uint64_t calls;
    bool metered;                 /* the fuel is known: the player is a Lua bot and was called */
    uint64_t fuel, fuel_greatest; /* Lua instructions: of all calls, and the most of one */
    uint64_t ns, ns_greatest;     /* the same in nanoseconds */
};

/* Counts a call. `fuel` is read only if the player is metered. */
void usage_count(struct usage *usage, bool metered, uint64_t fuel, uint64_t ns);

/* Adds the calls of another game. */
void usage_add(struct usage *usage, const struct usage *more);

/* Means of a call, in instructions and milliseconds; NAN without calls, or without fuel. */
double usage_fuel_mean(const struct usage *usage);
double usage_ms_mean(const struct usage *usage);

/* Nanoseconds in milliseconds. */
double usage_ms(uint64_t ns);

#endif
