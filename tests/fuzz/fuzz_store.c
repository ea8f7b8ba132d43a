/* Files that claim to be a match's results. Whatever is read makes sense; one that can be continued
 * takes further games, which are read again. The folder is a temporary one. */
#include "fuzz.h"
#include "host/match/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is read of a match. */
struct reading {
    uint64_t next; /* number that may follow */
    uint32_t games;
    bool has_own;
};

static bool visit_player(void *context, uint32_t number, const struct store_player *player,
                         struct fault *fault) {
    struct reading *reading = context;
    (void)fault;
    fuzz_require(number >= reading->next, "players ascend");
    fuzz_require(player->name && player->source && player->hash, "a player has its texts");
    reading->next = number + UINT64_C(1);
    return true;
}

static bool visit_source(void *context, const char *name, uint64_t hash, struct fault *fault) {
    (void)context, (void)hash, (void)fault;
    fuzz_require(name != NULL, "a source has a path");
    return true;
}

static bool visit_game(void *context, const struct store_game *game, struct fault *fault) {
    struct reading *reading = context;
    (void)fault;
    fuzz_require(game->number >= reading->next && game->number > 0, "games ascend");
    fuzz_require(game->result < RESULT_COUNT && game->reason < REASON_COUNT, "an ending is one");
    fuzz_require(game->seed <= INT64_MAX, "a seed is not negative");
    reading->next = game->number + UINT64_C(1);
    reading->games++;
    reading->has_own = reading->has_own || game->number == UINT32_MAX;
    return true;
}

/* True if everything can be read. */
static bool read_all(struct store *store, struct reading *reading) {
    static const char *const KEYS[] = {"games", "seed", "arguments", "directory", "variant_path"};
    struct fault fault = {0};
    uint64_t number;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        const char *value = store_meta(store, KEYS[i]);
        fuzz_require(!value || strlen(value) <= 1 << 20, "a value has a limit");
    }
    if (!store_meta_number(store, "games", &number, &fault)) fuzz_require_fault(&fault);
    *reading = (struct reading){0};
    bool read = store_players(store, visit_player, reading, &fault);
    *reading = (struct reading){0};
    read = read && store_sources(store, visit_source, reading, &fault) &&
           store_games(store, visit_game, reading, &fault);
    if (!read) fuzz_require_fault(&fault);
    return read;
}

static void go_on(struct store *store, const struct reading *before) {
    struct reading after;
    struct fault fault = {0};
    const struct store_game game = {.number = UINT32_MAX,
                                    .player = {0, 1},
                                    .result = RESULT_DRAW,
                                    .reason = REASON_AGREED,
                                    .hash = 1};
    bool put = store_begin(store, &fault) && store_put_game(store, &game, &fault) &&
               store_put_meta(store, "fuzz", "yes", &fault) && store_commit(store, &fault);
    if (!put)
        fuzz_require_fault(&fault);
    else if (read_all(store, &after))
        fuzz_require(after.has_own && after.games >= before->games, "a game that is put is there");
    store_drop_games(store, 1, UINT32_MAX, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct reading reading;
    char path[STORE_PATH_MAX];
    snprintf(path, sizeof path, "%s/" STORE_FILE, fuzz_folder());
    fuzz_write(path, data, size);
    struct store *store = store_open(fuzz_folder(), STORE_READ, &fault);
    if (!store) fuzz_require_fault(&fault);
    bool whole = store && read_all(store, &reading);
    store_close(store);
    if (!whole) return 0;
    store = store_open(fuzz_folder(), STORE_WRITE, &fault);
    if (!store) fuzz_require_fault(&fault);
    if (store) go_on(store, &reading);
    store_close(store);
    return 0;
}
