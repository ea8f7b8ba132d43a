/* integrity.h - consistency checks of a game and of views.
 *
 * Recomputes from scratch the state that the core updates incrementally. For trials of variants and
 * for tests: far too slow for play. All return false with a fault that names the disagreement. */
#ifndef ENSIGN_CORE_KNOW_INTEGRITY_H
#define ENSIGN_CORE_KNOW_INTEGRITY_H

#include "core/play/legal.h"
#include "view.h"

/* Sets, counts and hash against the cells; fallen pieces against the army. */
bool integrity_game(const struct game *game, struct fault *fault);

/* The list of legal moves against game_judge(): each listed move, and every move and standing use
 * of an ability of the piece on `from`, which belongs to the side to move. */
bool integrity_moves(const struct game *game, const struct move *moves, size_t count, square from,
                     struct fault *fault);

/* Plays a legal move, copies the game to `*after` and takes the move back: the game must be
 * unchanged. Do not read `after` if a call of the variant failed (calls_failed()). */
bool integrity_undo(struct game *game, struct move move, struct game *after, struct fault *fault);

/* A side's view against the game: nothing in it is false, and nothing that the side sees is
 * missing. */
bool integrity_view(const struct view *view, const struct game *game, struct fault *fault);

/* Two games that must be equal except for their histories, such as before a move and after its
 * undo. */
bool integrity_same(const struct game *a, const struct game *b, struct fault *fault);

#endif
