/* playout.h - games played to the end with uniformly random legal moves.
 *
 * All rules apply, repetition and limits included, and at every ply all legal moves are equally
 * likely. Variants and boards that fit are played in lanes (lanes.h), or in crowds (crowd.h) if
 * there are many games, with the same results. For others the moves are listed: the same
 * distribution, but different games. Nothing is allocated after playouts_new(). */
#ifndef ENSIGN_CORE_SEARCH_PLAYOUT_H
#define ENSIGN_CORE_SEARCH_PLAYOUT_H

#include "core/play/legal.h"

struct playout_result {
    uint8_t result, reason;      /* enum result, enum reason */
    uint32_t plies;              /* played here */
    uint16_t attacks[KINDS_MAX]; /* made here, by the attacker's kind, both sides */
    cell at[BOARD_SQUARES_MAX];  /* the final position */
};

/* Working memory for playouts of one variant; for one thread at a time. */
struct playouts;

enum { PLAYOUT_CAP_MAX = 65535 };

/* A playout is drawn by the ply limit after `cap` plies of its own, 1 … PLAYOUT_CAP_MAX. NULL
 * without memory. The rules must outlive it; the caller frees with playouts_free(). */
struct playouts *playouts_new(const struct rules *rules, uint32_t cap);
void playouts_free(struct playouts *playouts);

/* Why this variant's moves must be listed, or NULL if it is played in lanes. */
const char *playouts_why_listed(const struct playouts *playouts);

/* Games of a large batch played at once. `why` (may be NULL) receives the reason why it is not a
 * crowd, or NULL. */
int playouts_at_once(const struct playouts *playouts, const char **why);

/* Name of the instruction set that lanes use on this machine. */
const char *playouts_instructions(void);

/* Plays a copy of `start`, a game of these rules with its history, to the end. */
void playout_run(struct playouts *playouts, const struct game *start, struct random random,
                 struct playout_result *result);

/* Plays many games, several at a time: results[i] is the result of playout_run() for starts[i] with
 * random_stream(seed, STREAM_PLAYOUT, i). */
void playout_batch(struct playouts *playouts, const struct game *starts, size_t count,
                   uint64_t seed, struct playout_result *results);

/* The same, `count` times from one game. */
void playout_repeat(struct playouts *playouts, const struct game *start, size_t count,
                    uint64_t seed, struct playout_result *results);

#endif
