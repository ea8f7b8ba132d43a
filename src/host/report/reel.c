/* reel.c - keeps as many films as fit.
 *
 * Pair 0 has the hash 0 and so is always kept. */
#include "reel.h"

#include "base/buffer.h"
#include "host/match/tournament.h"

#include <stdlib.h>

static size_t bytes_of(const struct film *film) {
    return film->length + film->note_count * sizeof *film->notes + sizeof *film;
}

/* Fibonacci hashing: multiples of the golden ratio spread evenly, however many there are. */
static uint32_t hash_of(uint32_t game) {
    return game / 2 * UINT32_C(2654435769);
}

/* The lowest limit that keeps `chosen` pairs. */
static uint64_t limit_for(uint32_t pairs, uint32_t chosen) {
    uint64_t low = 0, high = UINT64_C(1) << 32; /* keeps too few; enough */
    while (chosen < pairs && high - low > 1) {
        uint64_t middle = (low + high) / 2;
        uint32_t below = 0;
        for (uint32_t pair = 0; pair < pairs; pair++) below += hash_of(2 * pair) < middle;
        if (below >= chosen)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool is_chosen(struct reel *reel, uint32_t game) {
    if (!reel->limit) {
        uint32_t pairs = reel->games / 2 + reel->games % 2;
        reel->limit = limit_for(pairs, reel->games_max / 2 + reel->games_max % 2);
    }
    return hash_of(game) < reel->limit;
}

static bool stays_pinned(const struct reel *reel, bool pinned) {
    return pinned && reel->pinned_bytes < reel->bytes_max / 4;
}

bool reel_wants(struct reel *reel, uint32_t game, bool pinned) {
    return stays_pinned(reel, pinned) || is_chosen(reel, game);
}

static void reel_thin(struct reel *reel) {
    size_t kept = 0;
    reel->limit /= 2;
    for (size_t i = 0; i < reel->count; i++) {
        struct reel_game *entry = &reel->list[i];
        if (entry->pinned || is_chosen(reel, entry->game)) {
            reel->list[kept++] = *entry;
        } else {
            reel->bytes -= bytes_of(&entry->film);
            film_clear(&entry->film);
        }
    }
    reel->count = kept;
}

bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film) {
    struct reel_game *list =
        array_grown(reel->list, reel->count, sizeof *list, TOURNAMENT_GAMES_MAX);
    if (!list) return false;
    reel->list = list;
    pinned = stays_pinned(reel, pinned);
    reel->bytes += bytes_of(film);
    if (pinned) reel->pinned_bytes += bytes_of(film);
    reel->list[reel->count++] = (struct reel_game){game, pinned, *film};
    *film = (struct film){0};
    while (reel->bytes > reel->bytes_max && reel->limit > 1) reel_thin(reel);
    return true;
}

void reel_clear(struct reel *reel) {
    for (size_t i = 0; i < reel->count; i++) film_clear(&reel->list[i].film);
    free(reel->list);
    *reel = (struct reel){0};
}
