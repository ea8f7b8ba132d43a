/* chance.h - chance that tells nothing of other chance: keys, and what is derived from them.
 *
 * From a key of 256 bits a one-way function (HChaCha20 of libsodium) derives keys, streams and
 * numbers, each by a purpose and an index. All but one of them together tell nothing about that
 * one, nor about the key. Four words of a stream show its whole state (random.h); nothing else is
 * derived from that state, so there is no more to learn from it.
 *
 * Keys of a match:  seed --stretched (host/seed.h)--> match --> pair --> game --> seat --> turn.
 * Needs no set-up, no memory and no system call: it works inside the cage. */
#ifndef ENSIGN_BASE_CHANCE_H
#define ENSIGN_BASE_CHANCE_H

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
    CHANCE_CHECK,  /* of a match: check value by which its seed is known again; 0 */
    CHANCE_TURN,   /* of a seat: moment of the game, 0 before its first turn (bot/bot.h) */
    CHANCE_SCRIPT, /* of math.randomseed: 0 */
    CHANCE_PURPOSES
};

/* The key, the stream and the number of this purpose and index; three different values. */
struct chance chance_derive(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
struct random chance_random(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
uint64_t chance_number(const struct chance *parent, enum chance_purpose purpose, uint64_t index);

#endif
