/* turn.h - what a legal move does, worked out before anything is touched.
 *
 * The result of a battle and the effects of an ability depend on hidden ranks, which only the game
 * knows. Playing a move applies a turn; the chase rule looks at one without playing it. */
#ifndef ENSIGN_CORE_PLAY_TURN_H
#define ENSIGN_CORE_PLAY_TURN_H

#include "game.h"

struct turn {
    int changes;
    struct {
        square at;
        cell now;
    } change[MOVE_CHANGES_MAX]; /* in order; a square may come twice */
    bool attack;                /* counts as an attack */
    bool used;                  /* the ability was carried out */
    kind_id placed;             /* what an ability brings back with the last change, or KIND_NONE */
    uint8_t outcome;            /* enum outcome of the battle, if there was one */
    uint8_t flags_fallen;       /* set of sides, bit RED and bit BLUE, that lose a flag */
    uint16_t effects;           /* of the ability, if it was carried out */

    /* What the variant's calls add while the turn is played. */
    uint8_t deeds;     /* how many effects */
    uint8_t decided;   /* enum result */
    squareset touched; /* squares that they changed */
};

/* Who falls in an attack. Asks the variant where the rules say so. */
enum outcome turn_outcome(const struct game *game, struct move move);

/* `events` (may be NULL) receives what both sides may know of it, without the game's end. */
void turn_resolve(const struct game *game, struct move move, struct turn *turn,
                  struct events *events);

#endif
