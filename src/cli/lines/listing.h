/* listing.h - prints legal moves, one line for each piece, with guesses folded together. */
#ifndef ENSIGN_CLI_LINES_LISTING_H
#define ENSIGN_CLI_LINES_LISTING_H

#include "core/play/legal.h"
#include "lua/language.h"

#include <stdio.h>

/* Prints the legal moves of `game`, in the order of game_moves(), that begin on `only`
 * (SQUARE_NONE: all). Moves that differ only in the named kind are printed once: "e7@e9=?". With
 * `tell_kinds` each line names its piece. Returns the number of moves. */
size_t listing_print(FILE *out, const struct language *language, const struct game *game,
                     const struct move *moves, size_t count, square only, bool tell_kinds);

#endif
