/* listing.h - legal moves for people: a line a piece, guesses folded together. */
#ifndef ENSIGN_CLI_LINES_LISTING_H
#define ENSIGN_CLI_LINES_LISTING_H

#include "core/play/legal.h"
#include "lua/language.h"

#include <stdio.h>

/* Prints those of the legal moves of `game`, in the order of game_moves(), that begin on `only`
 * (SQUARE_NONE: all). Moves that differ only in the kind named are one: "e7@e9=?". `tell_kinds`
 * says, in `language`, what stands on each square. Returns how many moves that were. */
size_t listing_print(FILE *out, const struct language *language, const struct game *game,
                     const struct move *moves, size_t count, square only, bool tell_kinds);

#endif
