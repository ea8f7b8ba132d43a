/* movelist.h - the moves of a game in notation, from one side's events.
 *
 * Being built from events it holds nothing that the side may not know; an unseen turn is "…". Kinds
 * are named by their letters. */
#ifndef ENSIGN_CLI_SCREEN_MOVELIST_H
#define ENSIGN_CLI_SCREEN_MOVELIST_H

#include "core/play/event.h"
#include "core/text/notation.h"

enum { MOVELIST_MAX = 1 << 20 }; /* further moves are dropped */

struct movelist {
    char (*move)[MOVE_TEXT_MAX]; /* owned */
    uint32_t count;
};

/* Adds a turn; nothing for an end without a move. Without memory the turn is dropped. */
void movelist_add(struct movelist *movelist, const struct rules *rules,
                  const struct events *events);
void movelist_clear(struct movelist *movelist);

#endif
