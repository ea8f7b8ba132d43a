/* chance.h - chance behind which something is hidden: keys, and what is derived from them.
 *
 * A key is 256 bits from which any number of keys, streams and numbers follow by a one-way
 * function, HChaCha20 (libsodium): each has a purpose and an index, and whoever knows all but one
 * of them knows nothing of that one, nor of the key they come from. A stream shows its state to
 * anyone who reads four of its words (random.h); that is all there is to learn from it, because
 * nothing else is derived from that state.
 *
 * Keys of a match:  seed --stretched (host/seed.h)--> match --> pair --> game --> seat --> turn.
 * Needs no set-up, no memory and no system call, so that it also works inside the cage. */
#ifndef ENSIGN_CORE_CHANCE_H
#define ENSIGN_CORE_CHANCE_H

#include "random.h"

enum { CHANCE_BYTES = 32 };

struct chance {
    uint8_t bytes[CHANCE_BYTES];
};

/* What is derived, and what the index counts. The numbers are part of every derived value: a new
 * purpose goes to the end. */
enum chance_purpose {
    CHANCE_PAIR,   /* of a match: pair */
    CHANCE_GAME,   /* of a pair: game, 0 or 1 */
    CHANCE_SEAT,   /* of a game: player of the pair, 0 or 1; in `play`: enum side */
    CHANCE_SETUP,  /* of a pair or a game: army that the host draws, 0 or 1 */
    CHANCE_FIRST,  /* of a pair or a game: which side begins; 0 */
    CHANCE_TOLD,   /* of a game: the number that tells which games shared chance; 0 */
    CHANCE_CHECK,  /* of a match: whether a seed is the one that it was begun with; 0 */
    CHANCE_TURN,   /* of a seat: moment of the game, 0 before its first turn (script/bot.h) */
    CHANCE_SCRIPT, /* of math.randomseed: 0 */
    CHANCE_PURPOSES
};

/* The key, the stream and the number of this purpose and index. The three differ, also for the same
 * arguments. */
struct chance chance_derive(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
struct random chance_random(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
uint64_t chance_number(const struct chance *parent, enum chance_purpose purpose, uint64_t index);

#endif
