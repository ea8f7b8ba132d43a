/* pace.h - how much time a game gives its players: SECONDS+INCREMENT.
 *
 * The clock of a match counts the work of Lua bots, not their time, so that the same seed gives the
 * same games on every machine: PACE_FUEL instructions pass for a second. */
#ifndef ENSIGN_BOT_PACE_H
#define ENSIGN_BOT_PACE_H

#include "base/fault.h"
#include "core/board/board.h"

#include <stdint.h>

enum {
    PACE_SECONDS_MAX = 1000000,
    PACE_FUEL = 100000000, /* Lua instructions that pass for a second */
    PACE_TEXT_MAX = 32
};

struct pace {
    int64_t ms;        /* of each side for the whole game; 0: there is no clock */
    int64_t increment; /* ms added after each move */
};

/* What both sides have left. */
struct game_clock {
    int64_t left[2];   /* ms, by side */
    int64_t increment; /* ms added after each move */
};

/* Takes off the ms that a side has thought; it keeps at least 0. */
void game_clock_spend(struct game_clock *clock, enum side side, int64_t ms);

/* Adds the increment after a side's move, unless it has nothing left. */
void game_clock_add(struct game_clock *clock, enum side side);

/* Reads "SECONDS" or "SECONDS+INCREMENT", each with up to three decimals: "600+5", "10+0.1". False
 * with a STATUS_USAGE fault that quotes the text. */
bool pace_read(const char *text, struct pace *pace, struct fault *fault);

/* The same for people: "MINUTES" or "MINUTES+SECONDS", as in "10+5". */
bool pace_read_minutes(const char *text, struct pace *pace, struct fault *fault);

/* Writes it in the shortest form that pace_read() takes. */
void pace_write(const struct pace *pace, char out[PACE_TEXT_MAX]);

/* Whether such a pace can be read; or there is no clock. */
bool pace_is_sound(const struct pace *pace);

/* The same for parts of a second: nanoseconds in which the fuel would be used, and instructions for
 * milliseconds. */
int64_t pace_ns(uint64_t fuel);
uint64_t pace_fuel(int64_t ms);

#endif
