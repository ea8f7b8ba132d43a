/* search.c - evaluation, guided playouts, perft. */
#include "search.h"

#include "core/play/cells.h"
#include "core/play/legal.h"

static int32_t sum_of(const struct values *values, const cell cells[BOARD_SQUARES_MAX]) {
    int32_t sum = 0;
    for (squareset left = cells_taken(cells); left;) {
        square at = squareset_pop(&left);
        sum += values_of(values, cells[at], at);
    }
    return sum;
}

int32_t search_ended(const struct search *search, enum result result, int32_t sum) {
    if (result == RESULT_DRAW) return 0;
    bool won = result == result_win(search->own);
    return won ? sum + search->values->win : sum - search->values->win;
}

int32_t search_evaluate(const struct search *search, const cell cells[BOARD_SQUARES_MAX],
                        enum result result) {
    int32_t sum = sum_of(search->values, cells);
    return result == RESULT_NONE ? sum : search_ended(search, result, sum);
}

/* A random move; if `guided`, an attack that wins or ties if there is one, else no attack if three
 * more draws find another move. */
static struct move pick_move(const struct game *game, const struct move *moves, uint32_t count,
                             struct random *random, bool guided) {
    uint32_t good = 0, chosen = 0;
    for (uint32_t i = 0; guided && i < count; i++) {
        if (!turn_attacks(game, moves[i]) || !turn_pays(game, moves[i])) continue;
        if (random_below(random, ++good) == 0) chosen = i;
    }
    if (good) return moves[chosen];
    chosen = random_below(random, count);
    for (int tries = 0; guided && tries < 3 && turn_attacks(game, moves[chosen]); tries++)
        chosen = random_below(random, count);
    return moves[chosen];
}

void search_playout(struct search *search, struct game *game, struct random *random, uint32_t plies,
                    uint32_t guided) {
    for (; plies > 0 && !game_over(game) && search->nodes < search->nodes_max; plies--) {
        size_t count = game_moves(game, search->moves, search->room);
        if (count > search->room) count = search->room;
        if (count == 0) return;
        bool looks = guided && random_next(random) >> 56 < guided;
        search->nodes++;
        game_play(game, pick_move(game, search->moves, (uint32_t)count, random, looks), NULL);
    }
}

uint64_t perft_count(struct game *game, int depth, struct move *moves) {
    if (depth == 0) return 1;
    size_t count = game_moves(game, moves, game->rules->moves_max);
    if (depth == 1) return count; /* the last ply is counted, not played */
    uint64_t leaves = 0;
    for (size_t i = 0; i < count; i++) {
        game_play(game, moves[i], NULL);
        leaves += perft_count(game, depth - 1, moves + game->rules->moves_max);
        game_undo(game);
    }
    return leaves;
}
