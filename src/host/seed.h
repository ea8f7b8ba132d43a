/* seed.h - the seed of a match or of a game that is played: how it is given, kept and stretched.
 *
 * Whoever knows the seed knows every army that chance lays out, so it must not lie where a guest
 * can find it: neither in the program's arguments, which any process of the same user may read, nor
 * in memory that the processes of bots are copied from. A seed that was given is therefore taken
 * out of the arguments at once and kept as text in one place, which a nursery wipes before
 * it has children (seed_forget()); it becomes a number, and the number a key, only when the nursery
 * is there.
 *
 * A seed is made a key by Argon2id, once for a match and once for a game of `play`: 32 MiB and two
 * passes, about 40 ms. Trying out 2^20 seeds takes 42,000 s at full speed, and the 50,000,000
 * instructions of a bot's call 0.3 s: 140,000 calls, if a bot could compute as fast as the host and
 * had the memory. A program that plays has both, and is stopped only by a seed that cannot be
 * guessed. */
#ifndef ENSIGN_HOST_SEED_H
#define ENSIGN_HOST_SEED_H

#include "core/chance.h"
#include "core/fault.h"

enum { SEED_TEXT_MAX = 24 };

/* Takes a seed from `text`, a whole number from 0 to `most`, and overwrites the text with '*'. It
 * replaces the one given before. False, leaving all as it is, if the text is something else. */
bool seed_give(char *text, uint64_t most);

/* Is there one that has not been taken? */
bool seed_given(void);

/* The seed that was given, which is then given no more; else one of the system's randomness, from 0
 * to `most`, which is 2^n - 1. False with a STATUS_SYSTEM fault where the system has none. */
bool seed_take(uint64_t most, uint64_t *seed, struct fault *fault);

/* Gives one of the system's randomness, unless one was given. */
bool seed_settle(struct fault *fault);

/* Wipes what was given: in a process that bots are to be forked from. */
void seed_forget(void);

/* The key of the seed. STATUS_NO_MEMORY is the only fault. Wants 32 MiB for a moment. */
bool seed_stretch(uint64_t seed, struct chance *key, struct fault *fault);

#endif
