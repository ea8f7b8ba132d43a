/* eyes.h - the views of both sides while a game is played.
 *
 * Every game with players is played through this module: it turns each move into events, filters
 * them for each side and updates both views. The two sides' events differ only where the rules
 * limit sight. */
#ifndef ENSIGN_CORE_KNOW_EYES_H
#define ENSIGN_CORE_KNOW_EYES_H

#include "view.h"

struct eyes {
    struct view view[2];   /* by side */
    struct events told[2]; /* by side: its events of the latest turn */
};

/* Builds the views of a game that has just been started; no events yet. */
void eyes_open(struct eyes *eyes, const struct game *game);

/* Plays a move that game_judge() allows. */
void eyes_play(struct eyes *eyes, struct game *game, struct move move);

#endif
