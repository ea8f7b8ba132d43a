/* reel.h - which games of a match a page holds, so that it stays a file one can open.
 *
 * Pairs are chosen as evenly as chance would wish: by a hash of their number below a limit, so that
 * no rhythm of the pairing is favoured. With a ceiling on bytes the limit is halved, and what is
 * above it let go, whenever the ceiling is passed. Games that must be seen (forfeits) stay, as long
 * as they take less than a quarter of the bytes. */
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
    size_t bytes_max;   /* of texts; SIZE_MAX: no ceiling */
    uint32_t games;     /* in the match */
    uint32_t games_max; /* no more than so many besides, rounded up to pairs */

    size_t count;
    struct reel_game *list; /* owned, in the order of the games */
    size_t bytes, pinned_bytes;
    uint64_t limit; /* of the hashes that are kept; 0: not determined yet */
};

/* Is it worth filming the game at this index? */
bool reel_wants(struct reel *reel, uint32_t game, bool pinned);

/* Takes the film, which is empty afterwards. False without memory. */
bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film);

void reel_clear(struct reel *reel);

#endif
