/* integrity.h - does a game agree with itself?
 *
 * What the core keeps up to date step by step is worked out again here from what it stands for. For
 * trials of variants, and for tests: far too slow for play. All return false with a fault that says
 * what does not agree. */
#ifndef ENSIGN_CORE_KNOW_INTEGRITY_H
#define ENSIGN_CORE_KNOW_INTEGRITY_H

#include "core/play/legal.h"
#include "view.h"

/* Sets, counts and hash against the cells; fallen pieces against the army. */
bool integrity_game(const struct game *game, struct fault *fault);

/* The list of all legal moves against the judgement of each of them, and of every way in which the
 * piece on `from`, whose side is to move, could go or use an ability in place of a move. */
bool integrity_moves(const struct game *game, const struct move *moves, size_t count, square from,
                     struct fault *fault);

/* Plays a legal move, which leaves `*after`, and takes it back: the game must be what it was.
 * `after` may not be read if a call of the variant failed (calls_failed()). */
bool integrity_undo(struct game *game, struct move move, struct game *after, struct fault *fault);

/* What a side knows against what is: true as far as it goes, and all that must be known. */
bool integrity_view(const struct view *view, const struct game *game, struct fault *fault);

/* Two games that must be the same but for their histories, such as before a move and after it was
 * taken back. */
bool integrity_same(const struct game *a, const struct game *b, struct fault *fault);

#endif
