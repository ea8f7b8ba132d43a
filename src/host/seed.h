/* seed.h - the seed of a match, or of a game of `play`: how it is given, kept and stretched.
 *
 * The seed gives away every army that chance lays out. So it must be neither in the program's
 * arguments, which any process of the user may read, nor in memory that bots' processes are copied
 * from. A seed that is given is taken out of the arguments at once and kept as text in one place,
 * which a nursery wipes before it has children (seed_forget()). It becomes a number, and the number
 * a key, only after the nursery was forked.
 *
 * Argon2id makes the key, once for a match or a game of `play`: 32 MiB, two passes, about 40 ms.
 * Trying out 2^20 seeds takes 42,000 s at full speed; a bot's call (50,000,000 instructions) lasts
 * 0.3 s, so that is 140,000 calls, for a bot as fast as the host. An external program has the time
 * and the memory: against one, only a seed that cannot be guessed helps. */
#ifndef ENSIGN_HOST_SEED_H
#define ENSIGN_HOST_SEED_H

#include "base/chance.h"
#include "base/fault.h"

enum { SEED_TEXT_MAX = 24 };

/* Takes a seed from `text`, a whole number from 0 to `most`, and overwrites the text with '*'. The
 * last seed given counts. False, and nothing changes, if the text is anything else. */
bool seed_give(char *text, uint64_t most);

/* Was one given that has not been taken yet? */
bool seed_given(void);

/* Takes the seed that was given, once; without one, draws one from 0 to `most` (2^n - 1) from the
 * system. False with a STATUS_SYSTEM fault where the system has no randomness. */
bool seed_take(uint64_t most, uint64_t *seed, struct fault *fault);

/* Draws one from the system, as if it had been given, unless one was. */
bool seed_settle(struct fault *fault);

/* Wipes what was given; for a process that bots are forked from. */
void seed_forget(void);

/* The key of the seed. False with STATUS_NO_MEMORY; needs 32 MiB for a moment. */
bool seed_stretch(uint64_t seed, struct chance *key, struct fault *fault);

#endif
