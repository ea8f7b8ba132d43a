/* turn.h - the consequences of a legal move, computed without changing the game.
 *
 * The results of battles and the effects of abilities depend on hidden kinds, which only the game
 * knows. Playing a move applies a turn; the ISF chase rule computes one without playing it. */
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
    bool stays;                 /* the winning attacker has not moved */
    kind_id placed;             /* kind brought back by the last change, or KIND_NONE */
    uint8_t outcome;            /* enum outcome of the battle, if there was one */
    uint8_t flags_fallen;       /* set of sides (bit RED, bit BLUE) that lose a flag */
    uint16_t effects;           /* of the ability, if it was carried out */
    struct counting counting;   /* of the same */

    /* Added by the variant's calls while the turn is played. */
    uint8_t deeds;     /* number of effects */
    uint8_t decided;   /* enum result */
    squareset touched; /* squares changed */
};

/* Who falls in an attack; CANNOT_ATTACK if it may not be made. Calls the variant for
 * ASK_THE_VARIANT. */
enum outcome turn_outcome(const struct game *game, struct move move);

static inline bool turn_attacks(const struct game *game, struct move move) {
    return move.to != move.from && game->at[move.to];
}

/* Does the attack win or tie? */
static inline bool turn_pays(const struct game *game, struct move move) {
    const enum outcome outcome = turn_outcome(game, move);
    return outcome != DEFENDER_WINS && outcome != CANNOT_ATTACK;
}

/* Computes the turn of a move. Appends its public events, except the game's end, to `events` unless
 * NULL. */
void turn_resolve(const struct game *game, struct move move, struct turn *turn,
                  struct events *events);

#endif
