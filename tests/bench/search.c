/* bench_search [VARIANT…] - moves that a search plays to value all moves of a position, and how
 * fast: positions from random play, 3, 4 and 5 plies deep. */
#include "core/play/legal.h"
#include "core/search/lookahead.h"
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POSITIONS = 40, PLIES = 1200, ROOM = 1 << 14 };

struct bench {
    struct game game;
    struct ply plies[PLIES];
    struct values values;
    struct lookahead memory;
    struct prospect prospects[ROOM];
    struct move moves[ROOM];
};

/* The more of the army a kind beats, the more it is worth. */
static void set_values(const struct rules *rules, struct values *values) {
    values->win = 30 * VALUE_UNIT;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        int32_t worth = VALUE_UNIT;
        for (kind_id other = 1; other <= rules->kinds; other++)
            if (rules_outcome(rules, kind, other) == ATTACKER_WINS)
                worth += VALUE_UNIT * rules->start[RED].count[other] / 4;
        for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
            values->at[cell_of(RED, kind)][at] = worth;
            values->at[cell_of(BLUE, kind)][at] = -worth;
        }
    }
}

/* Plays a number of plies from random set-ups. */
static void deal(struct bench *bench, const struct rules *rules, struct random *random) {
    struct setup setup[2];
    struct position position;
    struct fault fault;
    do {
        for (int side = RED; side <= BLUE; side++)
            if (!setup_random(rules, RED, random, &setup[side], &fault)) exit(1);
        position_from_setups(rules, &setup[RED], &setup[BLUE], RED, &position);
        game_start(&bench->game, rules, &position, NULL, bench->plies, PLIES);
        struct search search = {.moves = bench->moves, .room = ROOM, .nodes_max = UINT64_MAX};
        search_playout(&search, &bench->game, random, 20 + random_below(random, 80), 64);
    } while (game_over(&bench->game));
}

static void measure(struct bench *bench, const struct rules *rules, int depth) {
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    uint64_t nodes = 0;
    clock_t clocks = 0;
    for (int i = 0; i < POSITIONS; i++) {
        deal(bench, rules, &random);
        size_t count = game_moves(&bench->game, bench->moves, ROOM);
        for (size_t m = 0; m < count; m++) bench->prospects[m].move = bench->moves[m];
        struct search search = {.values = &bench->values,
                                .own = (enum side)bench->game.to_move,
                                .moves = bench->moves,
                                .room = ROOM,
                                .far = lookahead_far(rules),
                                .nodes_max = UINT64_MAX};
        clock_t start = clock();
        lookahead_score(&search, &bench->memory, &bench->game, bench->prospects, count, depth);
        clocks += clock() - start;
        nodes += search.nodes;
    }
    double seconds = (double)clocks / CLOCKS_PER_SEC;
    printf("%-16s %5d %12.0f %10.3f %10.2f\n", rules->name, depth, (double)nodes / POSITIONS,
           1000 * seconds / POSITIONS, (double)nodes / seconds / 1e6);
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"original", "duel", "infiltrator", "galaxy"};
    struct bench *bench = calloc(1, sizeof *bench);
    struct folders folders;
    struct fault fault;
    if (!bench || !folders_find(&folders, &fault)) return 1;
    printf("%-16s %5s %12s %10s %10s\n", "variant", "depth", "nodes", "ms", "Mnodes/s");
    for (int i = 0; i < (argc > 1 ? argc - 1 : 4); i++) {
        struct rules *rules = variant_load(&folders, argc > 1 ? argv[i + 1] : usual[i], &fault);
        if (!rules) {
            fprintf(stderr, "%s\n", fault.text);
            return 1;
        }
        set_values(rules, &bench->values);
        for (int depth = 3; depth <= 5; depth++) measure(bench, rules, depth);
        rules_free(rules);
    }
    free(bench);
}
