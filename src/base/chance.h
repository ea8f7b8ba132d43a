/* chance.h - derives independent random keys, streams and numbers.
 *
 * A one-way function (HChaCha20 of libsodium) derives them from a 256-bit key, each by a purpose
 * and an index. Derived values reveal neither the key nor one another. Four words of a stream
 * reveal its whole state (random.h), but nothing else is derived from that state.
 *
 * Keys of a match:  seed --stretched (host/seed.h)--> match --> pair --> game --> seat --> turn.
 * Needs no set-up, memory or system call, so it works inside the jail. */
#ifndef ENSIGN_BASE_CHANCE_H
#define ENSIGN_BASE_CHANCE_H

#include "random.h"

enum { CHANCE_BYTES = 32 };

struct chance {
    uint8_t bytes[CHANCE_BYTES];
};

/* Purpose, and what the index counts. The numbers are part of every derived value, so add new
 * purposes at the end. */
enum chance_purpose {
    CHANCE_PAIR,   /* of a match: pair */
    CHANCE_GAME,   /* of a pair: game, 0 or 1 */
    CHANCE_SEAT,   /* of a game: player of the pair, 0 or 1; in `play`: enum side */
    CHANCE_SETUP,  /* of a pair or a game: army drawn by the host, 0 or 1 */
    CHANCE_FIRST,  /* of a pair or a game: which side begins; 0 */
    CHANCE_TOLD,   /* of a game: published number, equal in games that shared chance; 0 */
    CHANCE_CHECK,  /* of a match: published check value of its seed; 0 */
    CHANCE_TURN,   /* of a seat: moment of the game, 0 before its first turn (bot/bot.h) */
    CHANCE_SCRIPT, /* of math.randomseed: 0 */
    CHANCE_GUEST,  /* of a seat: number that its program or client is told; 0 */
    CHANCE_HINT,   /* of a game of `play`: side that a bot gives hints to */
    CHANCE_LEAGUE, /* of learning: classes so far, when a style joins its league */
    CHANCE_PURPOSES
};

/* The key, stream and number of this purpose and index; the three are independent. */
struct chance chance_derive(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
struct random chance_random(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index);
uint64_t chance_number(const struct chance *parent, enum chance_purpose purpose, uint64_t index);

#endif
