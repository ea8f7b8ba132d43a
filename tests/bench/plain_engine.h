/* plain_engine.h - the yardstick of compare.c: a straightforward bitboard engine that lists all
 * moves of a ply and takes one at random.
 *
 * It has steps, straight runs, battles and both draw limits, but no repetition rules, abilities
 * or other movement; only its speed is of interest. */
#ifndef ENSIGN_TESTS_BENCH_PLAIN_ENGINE_H
#define ENSIGN_TESTS_BENCH_PLAIN_ENGINE_H

#include "core/play/position.h"

/* Plays from `position` to the end or for `cap` plies; returns how many it played. */
uint32_t plain_engine_play(const struct rules *rules, const struct position *position, uint32_t cap,
                           struct random *random);

#endif
