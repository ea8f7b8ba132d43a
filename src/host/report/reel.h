/* reel.h - a sample of a match's films that keeps a page small enough to open.
 *
 * Pairs are sampled by a hash of their number: those below a limit are kept, so that no rhythm of
 * the pairing is favoured. Whenever the films pass the ceiling on bytes, the limit is halved and
 * films above it are dropped. Pinned games (forfeits) stay while they take less than a quarter of
 * the bytes. */
#ifndef ENSIGN_HOST_REPORT_REEL_H
#define ENSIGN_HOST_REPORT_REEL_H

#include "host/film.h"

enum { REEL_BYTES_MAX = 8 << 20 };

struct reel_game {
    uint32_t game; /* its index in the match, from 0 */
    bool pinned;
    struct film film;
};

struct reel {
    /* Set by the caller; the rest starts as 0. */
    size_t bytes_max;   /* of films; SIZE_MAX: no ceiling */
    uint32_t games;     /* in the match */
    uint32_t games_max; /* films of unpinned games, rounded up to pairs */

    size_t count;
    struct reel_game *list; /* owned, in the order of the games */
    size_t bytes, pinned_bytes;
    uint64_t limit; /* hashes below it are kept; 0: not determined yet */
};

/* Would reel_add() keep the game at this index? */
bool reel_wants(struct reel *reel, uint32_t game, bool pinned);

/* Takes the film, which is empty afterwards. False if memory is short. */
bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film);

void reel_clear(struct reel *reel);

#endif
