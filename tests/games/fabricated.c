#include "fabricated.h"

#include "base/digest.h"
#include "base/files.h"
#include "drawn.h"
#include "host/match/store.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct workbench {
    const char *folder;
    const struct rules *rules;
    const struct fabrication *plan;
    struct store *store;
    uint32_t games, made;
};

static void put_meta(struct store *store, const char *key, const char *value) {
    struct fault fault = {0};
    if (value && !store_put_meta(store, key, value, &fault)) fail_msg("%s", fault.text);
}

static void put_number(struct store *store, const char *key, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put_meta(store, key, text);
}

static void make_game(struct workbench *bench, const int players[2], uint64_t setups,
                      uint64_t seed) {
    const struct fabrication *plan = bench->plan;
    uint32_t number = ++bench->made;
    bool forfeits = plan->forfeit && number % plan->forfeit == 0;
    struct record *record =
        drawn_record(bench->rules, setups, seed + number, forfeits ? plan->plies / 4 : plan->plies);
    enum result result = result_named(record_tag(record, "Result"));
    enum reason reason = reason_named(record_tag(record, "Reason"));
    forfeits = forfeits && result == RESULT_NONE;
    if (forfeits) {
        result = record->move_count % 2 ? RESULT_RED : RESULT_BLUE;
        reason = REASON_FORFEIT_ERROR;
        record_set_tag(record, "Result", result_name(result));
        record_set_tag(record, "Reason", reason_name(reason));
        record_set_tag(record, "Forfeit", plan->why);
    }
    record_set_tag(record, "Red", plan->names[players[RED]]);
    record_set_tag(record, "Blue", plan->names[players[BLUE]]);
    char path[STORE_PATH_MAX], *text = record_write(record);
    struct fault fault = {0};
    assert_non_null(text);
    store_record_path(bench->folder, bench->games, number, path);
    const struct store_game game = {
        .number = number,
        .player = {(uint32_t)players[RED], (uint32_t)players[BLUE]},
        .result = result,
        .reason = reason,
        .plies = (uint32_t)record->move_count,
        .seed = seed,
        .setups = {record_tag(record, "RedSetup"), record_tag(record, "BlueSetup")},
        .forfeit = forfeits ? plan->why : NULL,
        .hash = digest_of(text, strlen(text)),
    };
    if (!files_write_new(path, text, strlen(text), 0, &fault) ||
        !store_put_game(bench->store, &game, &fault))
        fail_msg("%s", fault.text);
    free(text);
    record_free(record);
}

static void make_pairs(struct workbench *bench, int first, int second) {
    const struct fabrication *plan = bench->plan;
    const int seats[2][2] = {{first, second}, {second, first}};
    for (uint32_t pair = 0; pair < plan->pairs; pair++) {
        uint64_t number = bench->made / 2;
        uint64_t setups = plan->setups ? number % plan->setups : number;
        make_game(bench, seats[0], setups, 1000 + number);
        make_game(bench, seats[1], setups, 1000 + number);
    }
}

void fabricated_match(const char *folder, const struct rules *rules,
                      const struct fabrication *plan) {
    struct fault fault = {0};
    uint32_t meetings = (uint32_t)(plan->players * (plan->players - 1) / 2);
    struct workbench bench = {.folder = folder,
                              .rules = rules,
                              .plan = plan,
                              .store = store_create(folder, &fault),
                              .games = plan->planned ? plan->planned : 2 * meetings * plan->pairs};
    if (!bench.store) fail_msg("%s", fault.text);
    put_meta(bench.store, "ensign", "9.8.7");
    put_meta(bench.store, "variant", rules->name);
    put_meta(bench.store, "variant_path", plan->variant);
    put_meta(bench.store, "title", rules->title);
    put_meta(bench.store, "pairing", "round-robin");
    put_meta(bench.store, "directory", ENSIGN_ROOT);
    put_meta(bench.store, "sprt", plan->sprt);
    put_meta(bench.store, "ended", plan->planned ? NULL : "complete");
    put_number(bench.store, "seed", 42);
    put_number(bench.store, "games", bench.games);
    for (int i = 0; i < plan->players; i++) {
        const struct store_player player = {plan->names[i], plan->names[i], "0123456789abcdef"};
        assert_true(store_put_player(bench.store, (uint32_t)i, &player, &fault));
    }
    for (int i = 0; i < plan->players; i++)
        for (int j = i + 1; j < plan->players; j++) make_pairs(&bench, i, j);
    assert_true(store_commit(bench.store, &fault));
    store_close(bench.store);
}
