/* ending.h - detects the end of a game, its result and reason. RULES 7. */
#ifndef ENSIGN_CORE_PLAY_ENDING_H
#define ENSIGN_CORE_PLAY_ENDING_H

#include "calls.h"
#include "repetition.h"

/* Sets result and reason if the game has ended. `turn` of `mover` has been carried out and the
 * other side is to move; `turn` is NULL at the start of a game. */
void ending_find(struct game *game, enum side mover, const struct turn *turn);

/* The draw without miners: neither side has a piece of rules.draw_without, and no flag can be
 * reached. Reads `at`, `count`, `pieces` and `mobile`. */
bool ending_drawn_without(const struct game *game);

/* The squares of this side on which a piece of a goal's kinds ends the game now that it is the turn
 * of `to_move`; none if the goal is about a counter. */
squareset ending_goal_squares(const struct goal *goal, enum side side, enum side to_move,
                              const struct marks *marks);

/* The number of latest plies among which the position may have stood before; 0 without
 * rules.repetition. */
uint32_t ending_repeatable(const struct game *game);

/* Has the position, with the side to move, marks and counters, stood as often as the rules allow?
 */
bool ending_repeats(const struct game *game);

/* Does a piece of the side to move stand here that can step to a neighbour, repetition rules and
 * calls aside? */
static inline bool ending_has_room(const struct game *game, square at) {
    squareset own = game->pieces[game->to_move];
    return at != SQUARE_NONE && squareset_has(own, at) && !game_holds(game, at) &&
           (game->rules->pacers >> cell_kind(game->at[at]) & 1) &&
           (game->rules->board.neighbours[at] & ~own);
}

/* ending_find() after a plain move to an empty square; `repeats`: with rules.repetition. Inline,
 * since nearly every ply comes here, and usually the piece that the side to move moved last can
 * move again. */
static inline void ending_find_quiet(struct game *game, bool repeats) {
    bool forbids = repetition_in_force(game) || calls_want(game, CALL_LEGAL);
    if ((forbids || !ending_has_room(game, game->chaser[game->to_move].to)) && !game_can_move(game))
        game_stop(game, result_win(side_other((enum side)game->to_move)), REASON_IMMOBILE);
    else if (repeats && ending_repeats(game))
        game_stop(game, RESULT_DRAW, REASON_REPETITION);
    else if (game->limits.no_attack && game->quiet >= game->limits.no_attack)
        game_stop(game, RESULT_DRAW, REASON_NO_ATTACK_LIMIT);
    else if ((game->limits.plies && game->ply_count >= game->limits.plies) ||
             game->ply_count == game->ply_capacity)
        game_stop(game, RESULT_DRAW, REASON_PLY_LIMIT);
}

#endif
