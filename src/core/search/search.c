/* search.c - alpha-beta with an incremental evaluation, guided playouts, perft.
 *
 * The sum of a position is updated with each move from the previous contents in its ply. The lists
 * of moves lie one after the other in the caller's room. */
#include "search.h"

#include "core/play/cells.h"
#include "core/play/legal.h"
#include "core/play/turn.h"

enum { BEYOND = INT32_MAX };

static int32_t cell_value(const struct values *values, cell piece, square at) {
    return piece ? values->at[piece & (2 * KINDS_MAX - 1)][at] : 0;
}

static int32_t sum_of(const struct values *values, const cell cells[BOARD_SQUARES_MAX]) {
    int32_t sum = 0;
    for (squareset left = cells_taken(cells); left;) {
        square at = squareset_pop(&left);
        sum += cell_value(values, cells[at], at);
    }
    return sum;
}

/* The change of the sum by the last ply. */
static int32_t sum_change(const struct values *values, const struct game *game) {
    const struct ply *ply = &game->plies[game->ply_count - 1];
    int32_t change = 0;
    for (int i = 0; i < ply->changes; i++) {
        square at = ply->change[i].at;
        bool again = false; /* a square written twice counts once, with its first contents */
        for (int j = 0; j < i; j++) again |= ply->change[j].at == at;
        if (again) continue;
        change += cell_value(values, game->at[at], at);
        change -= cell_value(values, ply->change[i].was, at);
    }
    return change;
}

static int32_t ended_value(const struct search *search, enum result result, int32_t sum) {
    if (result == RESULT_DRAW) return 0;
    bool won = result == result_win(search->own);
    return won ? sum + search->values->win : sum - search->values->win;
}

int32_t search_evaluate(const struct search *search, const cell cells[BOARD_SQUARES_MAX],
                        enum result result) {
    int32_t sum = sum_of(search->values, cells);
    return result == RESULT_NONE ? sum : ended_value(search, result, sum);
}

/* Does the attack win or tie? */
static bool attack_pays(const struct game *game, struct move move) {
    return turn_outcome(game, move) != DEFENDER_WINS;
}

static bool is_attack(const struct game *game, struct move move) {
    return move.to != move.from && game->at[move.to];
}

static bool is_guess(const struct game *game, struct move move) {
    return move.ability != ABILITY_NONE && game->rules->ability[move.ability].asks == ASKS_KIND;
}

kindset search_far(const struct rules *rules) {
    kindset far = 0;
    for (kindset left = rules->mobile; left; left &= left - 1) {
        kind_id kind = (kind_id)__builtin_ctz(left);
        const struct movement *movement = &rules->movement[rules->kind[kind].movement];
        for (squareset land = rules->board.land; land;) {
            square from = squareset_pop(&land);
            for (int side = RED; side <= BLUE; side++)
                if (movement_reach(movement, (enum side)side, from, 0) &
                    ~rules->board.neighbours[from])
                    far |= kindset_of(kind);
        }
    }
    return far;
}

/* The attacks that win or tie, ignoring the repetition rules. */
static size_t list_attacks(const struct search *search, const struct game *game, struct move *out,
                           size_t room) {
    const struct rules *rules = game->rules;
    enum side side = (enum side)game->to_move;
    squareset enemy = game->pieces[side_other(side)], own = game->pieces[side];
    squareset beside = board_beside(&rules->board, enemy);
    size_t count = 0;
    for (squareset left = game->mobile[side]; left;) {
        square from = squareset_pop(&left);
        kind_id kind = cell_kind(game->at[from]);
        if (!squareset_has(beside, from) && !(search->far & kindset_of(kind))) continue;
        const struct movement *movement = &rules->movement[rules->kind[kind].movement];
        squareset targets = movement_reach(movement, side, from, own | enemy) & enemy;
        while (targets && count < room) {
            struct move move = {from, squareset_pop(&targets), SQUARE_NONE, ABILITY_NONE,
                                KIND_NONE};
            if (attack_pays(game, move)) out[count++] = move;
        }
    }
    return count;
}

/* Drops guesses and puts attacks that pay first. Returns the number of moves left. */
static size_t order_moves(const struct game *game, struct move *moves, size_t count) {
    size_t kept = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        struct move move = moves[i];
        if (is_guess(game, move)) continue;
        moves[kept] = move;
        if (is_attack(game, move) && attack_pays(game, move)) {
            moves[kept] = moves[first];
            moves[first++] = move;
        }
        kept++;
    }
    return kept;
}

/* The value for the side to move, within alpha and beta; `sum` is the evaluation for `own`. Depth 0
 * and below follow up attacks, which are optional. */
static int32_t search_look(struct search *search, struct game *game, int depth, int32_t alpha,
                           int32_t beta, int32_t sum, struct move *moves, size_t room) {
    int32_t sign = game->to_move == search->own ? 1 : -1, best = -BEYOND;
    if (game_over(game)) {
        /* Prefer winning early and losing late. */
        int32_t value = sign * ended_value(search, (enum result)game->result, sum);
        return game->result == RESULT_DRAW ? 0 : value + (value > 0 ? depth : -depth);
    }
    if (depth <= 0) {
        best = sign * sum;
        if (best > alpha) alpha = best;
        if (alpha >= beta || depth <= -EXCHANGE_MAX) return best;
    }
    size_t count;
    if (depth <= 0) {
        count = list_attacks(search, game, moves, room);
    } else {
        count = game_moves(game, moves, room);
        count = order_moves(game, moves, count < room ? count : room);
    }
    for (size_t i = 0; i < count; i++) {
        if (search->nodes >= search->nodes_max) break;
        search->nodes++;
        game_play(game, moves[i], NULL);
        int32_t value =
            -search_look(search, game, depth - 1, -beta, -alpha,
                         sum + sum_change(search->values, game), moves + count, room - count);
        game_undo(game);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best == -BEYOND ? sign * sum : best;
}

int32_t search_run(struct search *search, struct game *game, int depth) {
    int32_t value = search_look(search, game, depth, -BEYOND, BEYOND,
                                sum_of(search->values, game->at), search->moves, search->room);
    return game->to_move == search->own ? value : -value;
}

/* A random move; if `guided`, an attack that wins or ties if there is one, else no attack if three
 * more draws find another move. */
static struct move pick_move(const struct game *game, const struct move *moves, uint32_t count,
                             struct random *random, bool guided) {
    uint32_t good = 0, chosen = 0;
    for (uint32_t i = 0; guided && i < count; i++) {
        if (!is_attack(game, moves[i]) || !attack_pays(game, moves[i])) continue;
        if (random_below(random, ++good) == 0) chosen = i;
    }
    if (good) return moves[chosen];
    chosen = random_below(random, count);
    for (int tries = 0; guided && tries < 3 && is_attack(game, moves[chosen]); tries++)
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
