/* reasons.h - why a move is legal or not, in words. */
#ifndef ENSIGN_CLI_REASONS_H
#define ENSIGN_CLI_REASONS_H

#include "core/know/filled_position.h"
#include "core/play/repetition.h"
#include "core/text/notation.h"
#include "lua/language.h"

enum { REASONS_MAX = 1024 };

/* What the verdict means, and below it, where a repetition rule refuses the move or has begun to
 * count, the earlier moves that matter; each sentence on a line. `game` knows its history from the
 * ply after `before` on. */
void reasons_write(const struct language *language, const struct game *game, struct move move,
                   enum verdict verdict, uint32_t before, char out[REASONS_MAX]);

/* Why a move that was not offered is illegal, by what its side knows. False when the filled
 * position allows it: then only a judge of the true game can tell. `move` is the move either way.
 */
bool reasons_find(const struct language *language, const struct filled_position *filled,
                  const struct move_pattern *pattern, struct move *move, char out[REASONS_MAX]);

/* Does the sign of a typed move contradict what the view knows: "x" to a square seen to be empty,
 * or "-" to one where an enemy stands? Then `out` says what to type instead. */
bool reasons_contradict(const struct language *language, const struct view *view,
                        const struct move_pattern *pattern, char out[REASONS_MAX]);

#endif
