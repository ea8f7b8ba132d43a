/* reel.c - keeps as many films as fit, evenly chosen. */
#include "reel.h"

#include <stdlib.h>

static size_t bytes_of(const struct film *film) {
    return film->length + film->note_count * sizeof *film->notes + sizeof *film;
}

static bool in_stride(const struct reel *reel, uint32_t game) {
    return !reel->stride || game / 2 % reel->stride == 0;
}

/* Even choice of games_max out of all: the running share reaches the next whole number. */
static bool is_chosen(const struct reel *reel, uint32_t game) {
    if (reel->games_max >= reel->games) return true;
    uint64_t before = (uint64_t)game * reel->games_max / reel->games;
    uint64_t after = (uint64_t)(game + 1) * reel->games_max / reel->games;
    return after > before;
}

static bool stays_pinned(const struct reel *reel, bool pinned) {
    return pinned && reel->pinned_bytes < reel->bytes_max / 4;
}

bool reel_wants(const struct reel *reel, uint32_t game, bool pinned) {
    return stays_pinned(reel, pinned) || (in_stride(reel, game) && is_chosen(reel, game));
}

static void thin(struct reel *reel) {
    size_t kept = 0;
    reel->stride = reel->stride ? 2 * reel->stride : 2;
    for (size_t i = 0; i < reel->count; i++) {
        struct reel_game *entry = &reel->list[i];
        if (entry->pinned || in_stride(reel, entry->game)) {
            reel->list[kept++] = *entry;
        } else {
            reel->bytes -= bytes_of(&entry->film);
            film_clear(&entry->film);
        }
    }
    reel->count = kept;
}

bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film) {
    if (reel->count == reel->capacity) {
        size_t capacity = 2 * reel->capacity + 16;
        struct reel_game *list = realloc(reel->list, capacity * sizeof *list);
        if (!list) return false;
        reel->list = list;
        reel->capacity = capacity;
    }
    pinned = stays_pinned(reel, pinned);
    reel->bytes += bytes_of(film);
    if (pinned) reel->pinned_bytes += bytes_of(film);
    reel->list[reel->count++] = (struct reel_game){game, pinned, *film};
    *film = (struct film){0};
    while (reel->bytes > reel->bytes_max && (reel->stride ? reel->stride : 1) < reel->games) {
        thin(reel);
    }
    return true;
}

void reel_clear(struct reel *reel) {
    for (size_t i = 0; i < reel->count; i++) film_clear(&reel->list[i].film);
    free(reel->list);
    *reel = (struct reel){0};
}
