/* move_sets.h - legal moves as sets of squares: counted, drawn and written as masks without a list.
 *
 * Steps and straight runs, the moves of nearly all pieces, come from a few operations on all pieces
 * at once (board/steps.h). Listing them one by one would take most of the time of a step. */
#ifndef ENSIGN_LIB_MOVE_SETS_H
#define ENSIGN_LIB_MOVE_SETS_H

#include "actions.h"
#include "base/random.h"

/* A uniformly random legal move of a running game. `room` has space for rules.moves_max moves. With
 * calls that contradict themselves there may be none: then `from` is SQUARE_NONE. */
struct move draw_move(const struct game *game, struct random *random, struct move *room);

/* Writes for each straight way of actions.h the squares of the pieces that go it, as the side to
 * move counts them if `turned`: ranks - 1 + files - 1 sets. False, with nothing written, where the
 * moves must be listed. */
bool moves_by_way(const struct game *game, const struct actions *actions, bool turned,
                  squareset *ways);

#endif
