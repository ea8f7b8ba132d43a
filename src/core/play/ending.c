/* ending.c - checks the endings in a fixed order.
 *
 * First a fallen flag, then the decision of an ability or a call, sides without mobile pieces, the
 * draw without miners, a side without legal moves, and last the two draw limits: a game decided by
 * the position is not drawn by a limit reached on the same ply. */
#include "ending.h"

/* Squares that the pieces on `from` can ever reach: mobile pieces may make way, the immobile ones
 * in `walls` never do. */
static squareset flood(const struct game *game, squareset from, squareset walls) {
    const struct board *board = &game->rules->board;
    squareset reached = from;
    for (squareset edge = from; edge;) {
        edge = board_beside(board, edge) & board->land & ~walls & ~reached;
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
    if (game->calls) {
        enum result result = turn ? (enum result)turn->decided : RESULT_NONE;
        if (result == RESULT_NONE) result = calls_ending(game);
        if (result != RESULT_NONE) {
            game_stop(game, result, REASON_VARIANT);
            return;
        }
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
    ending_find_quiet(game);
}
