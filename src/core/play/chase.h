/* chase.h - updates each side's counters for the repetition rules (struct chaser). RULES 5.
 *
 * For game.c alone; inline, since it runs on every ply. repetition.h reads the counters. */
#ifndef ENSIGN_CORE_PLAY_CHASE_H
#define ENSIGN_CORE_PLAY_CHASE_H

#include "core/rules/rules.h"
#include "turn.h"

static inline bool chase_adjacent(const struct game *game, square a, square b) {
    return a != SQUARE_NONE && b != SQUARE_NONE &&
           squareset_has(game->rules->board.neighbours[a], b);
}

static inline uint16_t chase_one_more(uint16_t count) {
    return (uint16_t)(count + (count < UINT16_MAX));
}

/* The four steps of RULES 5, in their order; own->from and own->to are set already. */
static inline void chase_isf(struct game *game, struct chaser *own, struct chaser *other,
                             enum side enemy, bool attack) {
    bool ran = chase_adjacent(game, own->from, other->to) & !attack;
    bool chases = (game->rules->board.neighbours[own->to] & game->pieces[enemy]) != 0;
    other->chase = ran ? chase_one_more(other->chase) : 0;
    own->chase = chases ? chase_one_more(attack ? 0 : own->chase) : 0;
}

/* `own` has moved: its chase goes on or ends, and if it ran from `other`'s last mover, that piece
 * chases it. An attack counts as a move of the chaser, but a quarry that attacks does not run. */
static inline void chase_russian(struct game *game, struct chaser *own, struct chaser *other,
                                 bool alive, bool other_alive, const struct turn *turn) {
    bool touched = turn && own->quarry != SQUARE_NONE && squareset_has(turn->touched, own->quarry);
    if (alive && !touched && chase_adjacent(game, own->to, own->quarry)) {
        own->chase = chase_one_more(own->chase);
    } else {
        own->chase = 0;
        own->quarry = SQUARE_NONE;
    }
    bool attack = turn && turn->attack;
    if (alive && other_alive && !attack && chase_adjacent(game, own->from, other->to)) {
        if (other->quarry != own->from) other->chase = 1;
        other->quarry = own->to;
    } else {
        other->quarry = SQUARE_NONE;
        other->chase = 0;
    }
}

/* Ends the runs of pieces that the turn removed or swapped. */
static inline void chase_losses(struct game *game, enum side mover, const struct turn *turn) {
    const struct ply *ply = &game->plies[game->ply_count - 1];
    struct chaser *own = &game->chaser[mover], *other = &game->chaser[side_other(mover)];
    enum side enemy = side_other(mover);
    squareset there[2] = {game->pieces[RED], game->pieces[BLUE]};
    for (int side = RED; turn->deeds && side <= BLUE; side++) there[side] &= ~turn->touched;
    bool alive = squareset_has(there[mover], own->to);
    bool other_alive = other->to != SQUARE_NONE && squareset_has(there[enemy], other->to);
    bool swap = (turn->effects & EFFECT_SWAP) != 0;
    if (!alive || swap) own->run = 0;
    if (!other_alive || (swap && ply->move.target == other->to)) other->run = 0;
}

/* Updates the counters after `mover` played `move`. `turn` is its result, or NULL for a plain move
 * to an empty square. */
static inline void chase_note(struct game *game, enum side mover, struct move move,
                              const struct turn *turn) {
    struct chaser *own = &game->chaser[mover], *other = &game->chaser[side_other(mover)];
    enum side enemy = side_other(mover);
    int before = own->to == move.from ? own->run : 0;
    own->run = (uint8_t)(before + (before < UINT8_MAX));
    own->from = move.from;
    own->to = move.to;
    if (turn) chase_losses(game, mover, turn);
    if (game->rules->chase == CHASE_ISF)
        chase_isf(game, own, other, enemy, turn && turn->attack);
    else if (game->rules->chase == CHASE_RUSSIAN)
        chase_russian(game, own, other, own->run > 0, other->run > 0, turn);
}

#endif
