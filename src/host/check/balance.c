/* balance.c - plays and counts thousands of random games, a batch at a time. */
#include "balance.h"

#include "base/clock.h"
#include "core/search/playout.h"

#include <stdlib.h>

enum {
    BATCH = 4096,
    PLIES_MAX = 10000 /* of a game, as in trial games */
};

struct balance_table {
    const struct balance_options *options;
    struct playouts *playouts;
    struct ply ply; /* games begin without a history, and playouts keep their own */
    struct game starts[BATCH];
    struct playout_result results[BATCH];
    uint32_t lengths[PLIES_MAX + 1]; /* games by their plies */
};

static enum side first_of(const struct rules *rules, uint32_t number) {
    if (rules->first == FIRST_CHOSEN) return number % 2 ? BLUE : RED;
    return rules_first(rules);
}

/* Draws both set-ups of game `number`. */
static bool balance_lay_out(struct balance_table *table, uint32_t number, struct game *game,
                            struct fault *fault) {
    const struct rules *rules = table->options->rules;
    struct random red_chance = random_stream(table->options->seed, STREAM_RED_SETUP, number);
    struct random blue_chance = random_stream(table->options->seed, STREAM_BLUE_SETUP, number);
    struct setup red, blue;
    struct position position;
    if (!setup_random(rules, RED, &red_chance, &red, fault) ||
        !setup_random(rules, BLUE, &blue_chance, &blue, fault))
        return false;
    position_from_setups(rules, &red, &blue, first_of(rules, number), &position);
    game_start(game, rules, &position, NULL, &table->ply, 1);
    return true;
}

static void count_pieces(const struct rules *rules, const struct playout_result *result,
                         struct balance *balance) {
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        balance->attacks[kind] += result->attacks[kind];
        balance->falls[kind] += (unsigned)rules_both(rules, kind);
    }
    for (int at = 0; at < rules->board.squares; at++)
        if (result->at[at]) balance->falls[cell_kind(result->at[at])]--;
}

static void balance_count_game(struct balance_table *table, const struct playout_result *result,
                               struct balance *balance) {
    const struct rules *rules = table->options->rules;
    enum side first = first_of(rules, balance->games);
    balance->games++;
    balance->reasons[result->reason]++;
    table->lengths[result->plies]++;
    count_pieces(rules, result, balance);
    if (result->result == RESULT_DRAW) {
        balance->draws++;
        return;
    }
    enum side winner = result->result == RESULT_RED ? RED : BLUE;
    balance->wins[winner]++;
    *(winner == first ? &balance->first_wins : &balance->first_losses) += 1;
}

static bool play_batch(struct balance_table *table, uint32_t count, struct balance *balance,
                       struct fault *fault) {
    for (uint32_t i = 0; i < count; i++)
        if (!balance_lay_out(table, balance->games + i, &table->starts[i], fault)) return false;
    struct random chance = random_stream(table->options->seed, STREAM_PLAYOUT, balance->games);
    playout_batch(table->playouts, table->starts, count, random_next(&chance), table->results);
    for (uint32_t i = 0; i < count; i++) balance_count_game(table, &table->results[i], balance);
    return true;
}

static void find_lengths(const struct balance_table *table, struct balance *balance) {
    uint64_t so_far = 0;
    int quartile = 0;
    for (uint32_t plies = 0; plies <= PLIES_MAX; plies++) {
        if (!table->lengths[plies]) continue;
        if (!so_far) balance->shortest = plies;
        balance->longest = plies;
        so_far += table->lengths[plies];
        while (quartile < QUARTILES && 4 * so_far >= ((uint64_t)quartile + 1) * balance->games)
            balance->quartile[quartile++] = plies;
    }
}

static uint32_t cap_of(const struct rules *rules) {
    uint32_t limit = rules->limits.plies;
    return limit && limit < PLIES_MAX ? limit : PLIES_MAX;
}

bool balance_run(const struct balance_options *options, struct balance *balance,
                 struct fault *fault) {
    *balance = (struct balance){0};
    struct balance_table *table = calloc(1, sizeof *table);
    if (table) table->playouts = playouts_new(options->rules, cap_of(options->rules));
    bool played = table && table->playouts;
    if (!played) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (played) table->options = options;
    while (played && balance->games < options->games &&
           !(options->deadline && clock_ms() >= options->deadline)) {
        uint32_t left = options->games - balance->games;
        played = play_batch(table, left < BATCH ? left : BATCH, balance, fault);
    }
    if (played) find_lengths(table, balance);
    if (table) playouts_free(table->playouts);
    free(table);
    return played;
}
