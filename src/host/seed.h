/* seed.h - the seed of a match, or of a game of `play`, and the key stretched from it.
 *
 * A seed reveals every army that is drawn from it. So it must not stay in the program's arguments,
 * which any process of the user can read: it is erased there at once. Bots' processes never have
 * it, since they come from one that was forked before (jail/zygote.h).
 *
 * Argon2id makes the key, once for a match or a game of `play`: 32 MiB, two passes, about 40 ms.
 * Trying 2^20 seeds takes 42,000 s at full speed; a bot's call (50,000,000 instructions) lasts
 * 0.3 s, so a bot as fast as the host needs 140,000 calls. An external program has the time and the
 * memory: against one, only a seed that cannot be guessed helps. */
#ifndef ENSIGN_HOST_SEED_H
#define ENSIGN_HOST_SEED_H

#include "base/chance.h"
#include "base/fault.h"

enum { SEED_TEXT_MAX = 24 }; /* of the longest number */

/* Takes a seed from `text`, an integer from 0 to `most`, and overwrites the text with '*'. The last
 * seed given counts. False, and nothing changes, if the text is anything else. */
bool seed_give(char *text, uint64_t most);

/* Is there a seed that has not been taken yet? */
bool seed_given(void);

/* Takes the given seed, once; without one, draws a seed from 0 to `most` (2^n - 1) from the system.
 * False with a STATUS_SYSTEM fault if the system has no randomness. */
bool seed_take(uint64_t most, uint64_t *seed, struct fault *fault);

/* Wipes the given seed. */
void seed_forget(void);

/* Stretches the seed to a key. Needs 32 MiB for a moment; false with STATUS_NO_MEMORY. */
bool seed_stretch(uint64_t seed, struct chance *key, struct fault *fault);

#endif
