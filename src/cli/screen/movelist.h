/* movelist.h - the moves of a game in the notation, as somebody was told of them.
 *
 * Kinds are named by their letters. Written from events, so that it holds nothing that its reader
 * may not know; a turn of which nothing was to be seen is "…". */
#ifndef ENSIGN_CLI_SCREEN_MOVELIST_H
#define ENSIGN_CLI_SCREEN_MOVELIST_H

#include "core/play/event.h"
#include "core/text/notation.h"

enum { MOVELIST_MAX = 1 << 20 }; /* moves that it holds; the rest is left out */

struct movelist {
    char (*move)[MOVE_TEXT_MAX]; /* owned */
    uint32_t count;
};

/* Adds a turn. Events without a move (the end alone) add nothing. What finds no memory is left
 * out. */
void movelist_add(struct movelist *movelist, const struct rules *rules,
                  const struct events *events);
void movelist_clear(struct movelist *movelist);

#endif
