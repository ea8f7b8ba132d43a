/* origin.c - finds a record's game by its hash, and derives the keys of its seats as pair.c did.
 *
 * The game's row holds a number that was derived from its key; keys that do not give it are those
 * of another seed. */
#include "origin.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/paths.h"
#include "core/rules/rules.h"
#include "host/players.h"
#include "host/record.h"
#include "host/seed.h"
#include "store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What `match` takes of its own options. */
static const uint64_t FUEL[] = {1000, UINT64_MAX / 2};
static const uint64_t MEMORY[] = {UINT64_C(1) << 20, UINT64_C(65536) << 20};

/* The game of a record in the match, and who played it. */
struct search {
    struct store_game game;
    bool program[2]; /* by side: an external program played */
};

static bool take_player(void *context, uint32_t number, const struct store_player *player,
                        struct fault *fault) {
    struct search *search = context;
    (void)fault;
    for (int side = RED; side <= BLUE; side++)
        if (search->game.player[side] == number)
            search->program[side] = player_is_program(player->source);
    return true;
}

/* The match beside the record, and its game in it; NULL if there is none, with a fault only if it
 * cannot be read. The caller closes it. */
static struct store *open_match(const char *path, struct search *search, struct fault *fault) {
    char folder[PATH_MAX];
    size_t length;
    path_folder(path, folder, sizeof folder);
    struct store *store = store_open(folder[0] ? folder : ".", STORE_READ, fault);
    if (!store && fault->status == STATUS_NOT_FOUND) *fault = (struct fault){0};
    if (!store) return NULL;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    const uint32_t named = (uint32_t)strtoul(path_file(path), NULL, 10);
    *search = (struct search){.game = {0}};
    bool found = text &&
                 store_find_game(store, digest_of(text, length), named, &search->game, fault) &&
                 search->game.number && store_players(store, take_player, search, fault);
    free(text);
    if (found) return store;
    store_close(store);
    return NULL;
}

bool origin_terms(const char *path, struct origin_terms *terms, struct fault *fault) {
    struct search search;
    uint64_t fuel, memory;
    *terms = (struct origin_terms){.found = false};
    struct store *store = open_match(path, &search, fault);
    if (!store) return fault->status == STATUS_OK;
    terms->found = store_meta_within(store, "fuel", FUEL[0], FUEL[1], &fuel, fault) &&
                   store_meta_within(store, "memory", MEMORY[0], MEMORY[1], &memory, fault);
    if (terms->found) terms->limits = (struct sandbox_limits){.fuel = fuel, .memory = memory};
    store_close(store);
    return terms->found;
}

/* The keys of the seats, by the match's seed. */
static bool derive(const struct search *search, bool externals, uint64_t seed,
                   struct origin *origin, struct fault *fault) {
    struct chance match;
    if (!seed_stretch(seed, &match, fault)) return false;
    const uint32_t number = search->game.number - 1, second = number % 2;
    const struct chance pair = chance_derive(&match, CHANCE_PAIR, number / 2);
    const struct chance game = chance_derive(&pair, CHANCE_GAME, externals ? second : 0);
    for (uint32_t side = RED; side <= BLUE; side++)
        origin->chance[side] = chance_derive(&game, CHANCE_SEAT, second ? 1 - side : side);
    origin->known = chance_number(&game, CHANCE_TOLD, 0) >> 11 == search->game.seed;
    return true;
}

bool origin_find(const char *path, const uint64_t *seed, struct origin *origin,
                 struct fault *fault) {
    struct search search;
    uint64_t own = 0;
    *origin = (struct origin){.found = false};
    struct store *store = open_match(path, &search, fault);
    if (!store) return fault->status == STATUS_OK;
    const char *bot = store_meta(store, "bot");
    const bool externals =
        search.program[RED] || search.program[BLUE] || (bot && player_is_program(bot));
    origin->found = true;
    origin->number = search.game.number;
    origin->asked = !store_meta(store, "setups");
    origin->clocked = store_meta(store, "clock") != NULL;
    bool done = true;
    if (seed || (store_meta(store, "seed") && store_meta_number(store, "seed", &own, fault)))
        done = derive(&search, externals, seed ? *seed : own, origin, fault);
    store_close(store);
    return done && fault->status == STATUS_OK;
}
