/* ending.h - has the game ended, for whom, and why. RULES 7. */
#ifndef ENSIGN_CORE_PLAY_ENDING_H
#define ENSIGN_CORE_PLAY_ENDING_H

#include "calls.h"
#include "repetition.h"

/* Looks at the game after `turn` of `mover` was carried out and the turn passed on; `turn` NULL at
 * the start. Sets result and reason if it has ended. */
void ending_find(struct game *game, enum side mover, const struct turn *turn);

/* The draw without miners: nobody has a piece of rules.draw_without left, and no flag can be
 * reached. Reads `at`, `count`, `pieces` and `mobile`. */
bool ending_drawn_without(const struct game *game);

/* Can a piece of the side to move on this square step to a neighbour, if nothing forbids it? */
static inline bool ending_has_room(const struct game *game, square at) {
    squareset own = game->pieces[game->to_move];
    return at != SQUARE_NONE && squareset_has(own, at) &&
           (game->rules->pacers >> cell_kind(game->at[at]) & 1) &&
           (game->rules->board.neighbours[at] & ~own);
}

/* Looks at the game after a move to an empty square and nothing else. In line, since nearly every
 * ply comes here, and finds that the side to move can do something with the piece that it moved
 * last. */
static inline void ending_find_quiet(struct game *game) {
    bool forbids = repetition_in_force(game) || calls_want(game, CALL_LEGAL);
    if ((forbids || !ending_has_room(game, game->chaser[game->to_move].to)) && !game_can_move(game))
        game_stop(game, result_win(side_other((enum side)game->to_move)), REASON_IMMOBILE);
    else if (game->limits.no_attack && game->quiet >= game->limits.no_attack)
        game_stop(game, RESULT_DRAW, REASON_NO_ATTACK_LIMIT);
    else if ((game->limits.plies && game->ply_count >= game->limits.plies) ||
             game->ply_count == game->ply_capacity)
        game_stop(game, RESULT_DRAW, REASON_PLY_LIMIT);
}

#endif
