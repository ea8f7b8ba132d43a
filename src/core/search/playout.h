/* playout.h - games played to the end by uniformly random legal moves.
 *
 * All rules are in force, repetition and limits included, and every legal move has the same chance
 * at every ply. Variants and boards that fit are played in lanes (lanes.h), many of them in crowds
 * (crowd.h) if there are enough games, with the same results; others by listing the moves: same
 * games in law, not move for move. Nothing is allocated after playouts_new(). */
#ifndef ENSIGN_CORE_SEARCH_PLAYOUT_H
#define ENSIGN_CORE_SEARCH_PLAYOUT_H

#include "core/play/legal.h"

struct playout_result {
    uint8_t result, reason;      /* enum result, enum reason */
    uint32_t plies;              /* played here */
    uint16_t attacks[KINDS_MAX]; /* made here, by the attacker's kind, both sides */
    cell at[BOARD_SQUARES_MAX];  /* where the pieces stand at the end */
};

/* The memory that playouts of one variant need; for one thread at a time. */
struct playouts;

enum { PLAYOUT_CAP_MAX = 65535 };

/* A playout is drawn by the ply limit after `cap` plies of its own, 1 … PLAYOUT_CAP_MAX. NULL
 * without memory. The rules must outlive it; the caller frees with playouts_free(). */
struct playouts *playouts_new(const struct rules *rules, uint32_t cap);
void playouts_free(struct playouts *playouts);

/* Why the moves have to be listed for this variant, or NULL if it is played in lanes. */
const char *playouts_why_listed(const struct playouts *playouts);

/* How many games of a large batch are played at once; `why`, which may be NULL, receives why they
 * are no more, or NULL. */
int playouts_at_once(const struct playouts *playouts, const char **why);

/* The instruction set that lanes use on this machine, for people to read. */
const char *playouts_instructions(void);

/* Plays `start`, a game of these rules whose history is there, to the end. It stays as it is. */
void playout_run(struct playouts *playouts, const struct game *start, struct random random,
                 struct playout_result *result);

/* Plays many games, several at a time: results[i] is what playout_run() makes of starts[i] with
 * random_stream(seed, STREAM_PLAYOUT, i). */
void playout_batch(struct playouts *playouts, const struct game *starts, size_t count,
                   uint64_t seed, struct playout_result *results);

/* The same `count` times from one game. */
void playout_repeat(struct playouts *playouts, const struct game *start, size_t count,
                    uint64_t seed, struct playout_result *results);

#endif
