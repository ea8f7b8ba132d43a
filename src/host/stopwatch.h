/* stopwatch.h - the clock of a game that people play.
 *
 * Runs for one side at a time, in milliseconds of clock_ms(): the referee says for which. Whoever
 * keeps a side from thinking, since it cannot see the board or the game cannot be saved, holds it
 * meanwhile. Any thread may call any function. */
#ifndef ENSIGN_HOST_STOPWATCH_H
#define ENSIGN_HOST_STOPWATCH_H

#include "bot/pace.h"

#include <pthread.h>
#include <stdbool.h>

enum { STOPWATCH_TEXT_MAX = 24 };

struct stopwatch {
    int64_t (*now)(void); /* clock_ms(), or a test's */

    /* Private to stopwatch.c. */
    pthread_mutex_t mutex;
    struct game_clock clock;
    int side;     /* that thinks; -1: none */
    bool held;    /* it stands still for that side, too */
    int64_t from; /* up to when `clock` is right */
};

/* Both sides begin with what `clock` has. */
void stopwatch_open(struct stopwatch *watch, const struct game_clock *clock);
void stopwatch_close(struct stopwatch *watch);

/* From now on the side thinks. */
void stopwatch_run(struct stopwatch *watch, enum side side);

/* Nobody thinks any more. Returns the ms that `side` has left. */
int64_t stopwatch_stop(struct stopwatch *watch, enum side side);

/* Stands still until stopwatch_go(), whoever thinks. Neither changes anything twice. */
void stopwatch_hold(struct stopwatch *watch);
void stopwatch_go(struct stopwatch *watch);

/* Adds the increment after a move. */
void stopwatch_add(struct stopwatch *watch, enum side side);

/* The ms that both sides have left now. */
struct game_clock stopwatch_look(struct stopwatch *watch);

/* The side that thinks, though it may be held; -1: none. */
int stopwatch_side(struct stopwatch *watch);

/* Ms that the side has left that thinks; -1: it stands still. */
int64_t stopwatch_left(struct stopwatch *watch);

/* Ms until it shows another second; -1: it stands still. */
int stopwatch_tick(struct stopwatch *watch);

/* "9:58", "1:00:00"; a begun second counts. */
void stopwatch_text(int64_t ms, char out[STOPWATCH_TEXT_MAX]);

#endif
