/* eyes.h - what both sides see of a game while it is played.
 *
 * Whoever plays a game for people, bots or pages plays it through this module: it turns each move
 * into what either side is told of it and lets both views follow. Where the rules limit sight the
 * two are told different things. */
#ifndef ENSIGN_CORE_KNOW_EYES_H
#define ENSIGN_CORE_KNOW_EYES_H

#include "view.h"

struct eyes {
    struct view view[2];   /* by side */
    struct events told[2]; /* by side: the latest turn, as that side learns of it */
};

/* The views of a game that has just been started; nothing has been told. */
void eyes_open(struct eyes *eyes, const struct game *game);

/* Plays a move that game_judge() allows. */
void eyes_play(struct eyes *eyes, struct game *game, struct move move);

#endif
