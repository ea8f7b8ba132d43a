/* ending.c - checks the endings in a fixed order.
 *
 * First a fallen flag, then the decision of an ability or of the effects of a call, a goal that is
 * reached, calls.ending, sides without mobile pieces, the draw without miners, a side without legal
 * moves, and last the draws by repetition and the two limits: a game decided by the position is not
 * drawn by a limit reached on the same ply. */
#include "ending.h"

/* Squares that the pieces on `from` can ever reach: mobile pieces may make way, the immobile ones
 * in `walls` never do. */
static squareset flood(const struct game *game, squareset from, squareset walls) {
    const struct board *board = &game->rules->board;
    squareset reached = from;
    for (squareset edge = from; edge;) {
        edge = board_joined(board, edge) & ~walls & ~reached;
        reached |= edge;
    }
    return reached;
}

/* Are the squares next to this side's flags out of reach of all enemy pieces? */
static bool walled_in(const struct game *game, enum side side) {
    const struct rules *rules = game->rules;
    enum side enemy = side_other(side);
    squareset immobile =
        (game->pieces[RED] & ~game->mobile[RED]) | (game->pieces[BLUE] & ~game->mobile[BLUE]);
    squareset reached = flood(game, game->mobile[enemy], immobile);
    for (squareset own = game->pieces[side]; own;) {
        square at = squareset_pop(&own);
        if (!rules->kind[cell_kind(game->at[at])].flag) continue;
        if (rules->board.neighbours[at] & reached) return false;
    }
    return true;
}

bool ending_drawn_without(const struct game *game) {
    const struct rules *rules = game->rules;
    if (!rules->draw_without) return false;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if ((rules->draw_without & kindset_of(kind)) &&
            (game->count[RED][kind] || game->count[BLUE][kind]))
            return false;
    return walled_in(game, RED) && walled_in(game, BLUE);
}

/* The result if the sides of this set (bit RED, bit BLUE) lose. */
static enum result result_of_losers(unsigned losers) {
    if (losers == 3) return RESULT_DRAW;
    return losers == 1 << RED ? RESULT_BLUE : RESULT_RED;
}

/* What a goal that this side has reached gives. */
static enum result goal_gives(const struct goal *goal, enum side side) {
    static const enum result of_game[] = {
        [GOAL_DRAW] = RESULT_DRAW, [GOAL_RED] = RESULT_RED, [GOAL_BLUE] = RESULT_BLUE};
    if (goal->result == GOAL_WIN) return result_win(side);
    return goal->result == GOAL_LOSE ? result_win(side_other(side)) : of_game[goal->result];
}

squareset ending_goal_squares(const struct goal *goal, enum side side, enum side to_move,
                              const struct marks *marks) {
    if (!goal->kinds || (goal->after && side != to_move)) return 0;
    return goal->after > 1 ? goal->at[side] & marks_stood(marks, goal->after) : goal->at[side];
}

static bool goal_is_met(const struct game *game, const struct goal *goal, enum side side) {
    const struct rules *rules = game->rules;
    if (!goal->kinds)
        return goal_reached(rules, goal, counters_get(&game->counters, rules, side, goal->counter));
    squareset there = ending_goal_squares(goal, side, (enum side)game->to_move, &game->marks) &
                      game->pieces[side];
    while (there)
        if (goal->kinds >> cell_kind(game->at[squareset_pop(&there)]) & 1) return true;
    return false;
}

/* The result of the goals that are reached: a draw if they disagree. RESULT_NONE if none is. */
static enum result goals_result(const struct game *game) {
    enum result result = RESULT_NONE;
    for (int i = 0; i < game->rules->goals; i++)
        for (int side = RED; side <= BLUE; side++) {
            const struct goal *goal = &game->rules->goal[i];
            if (!goal_is_met(game, goal, (enum side)side)) continue;
            enum result gives = goal_gives(goal, (enum side)side);
            result = result == RESULT_NONE || result == gives ? gives : RESULT_DRAW;
        }
    return result;
}

uint32_t ending_repeatable(const struct game *game) {
    const struct rules *rules = game->rules;
    if (!rules->repetition) return 0;
    /* A battle removes a piece, and what brings one back is an ability or a call. */
    const bool returns = rules->abilities || game->calls;
    return returns || game->quiet > game->ply_count ? game->ply_count : game->quiet;
}

bool ending_repeats(const struct game *game) {
    const struct rules *rules = game->rules;
    const uint32_t plies = ending_repeatable(game);
    uint32_t times = 1;
    for (uint32_t back = 2; back <= plies && times < rules->repetition; back += 2) {
        const struct ply *ply = &game->plies[game->ply_count - back];
        times +=
            ply->hash == game->hash && (!rules->marks || marks_equal(&ply->marks, &game->marks));
    }
    return times >= rules->repetition;
}

void ending_find(struct game *game, enum side mover, const struct turn *turn) {
    if (turn && turn->flags_fallen) {
        game_stop(game, result_of_losers(turn->flags_fallen), REASON_FLAG);
        return;
    }
    unsigned said = turn ? turn->effects & (EFFECT_WIN | EFFECT_LOSE | EFFECT_DRAW) : 0;
    if (said) {
        enum side winner = said == EFFECT_WIN ? mover : side_other(mover);
        game_stop(game, said == EFFECT_DRAW ? RESULT_DRAW : result_win(winner), REASON_ABILITY);
        return;
    }
    enum result result = turn ? (enum result)turn->decided : RESULT_NONE;
    enum reason reason = REASON_VARIANT;
    if (result == RESULT_NONE && turn && (result = goals_result(game)) != RESULT_NONE)
        reason = REASON_GOAL;
    if (result == RESULT_NONE && game->calls) result = calls_ending(game);
    if (result != RESULT_NONE) {
        game_stop(game, result, reason);
        return;
    }
    unsigned immobile =
        (game->mobile[RED] ? 0u : 1u << RED) | (game->mobile[BLUE] ? 0u : 1u << BLUE);
    if (immobile) {
        game_stop(game, result_of_losers(immobile),
                  immobile == 3 ? REASON_BOTH_IMMOBILE : REASON_IMMOBILE);
        return;
    }
    if ((!turn || turn->attack || turn->used) && ending_drawn_without(game)) {
        game_stop(game, RESULT_DRAW, REASON_NO_MINERS);
        return;
    }
    ending_find_quiet(game, game->rules->repetition != 0);
}
