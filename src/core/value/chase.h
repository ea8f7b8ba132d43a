/* chase.h - who reaches what first: two pieces over several moves, while all others stand still.
 *
 * Read from a view. A piece that its enemy knows only in part moves as any of the kinds that count,
 * from move to move. Its moves are those of its movement, around lakes and pieces; abilities,
 * repetition rules, pieces that are held and enemies out of sight do not count. */
#ifndef ENSIGN_CORE_VALUE_CHASE_H
#define ENSIGN_CORE_VALUE_CHASE_H

#include "core/know/view.h"

enum { CHASE_PLIES_MAX = 64, CHASE_NEVER = 255 };

/* Who chases whom: numbers of pieces on the board, of different sides. */
struct pursuit {
    const struct view *view;
    const kindset *may_be; /* of all its pieces: view_all_may_be() */
    int hunter, prey;
    square hunter_at, prey_at; /* where they stand, perhaps after a move */
    bool hunter_moves;         /* whose turn it is first */
};

/* Plies until the hunter attacks the prey if both do their best, the attack counted; CHASE_NEVER if
 * the prey escapes for `plies`, at most CHASE_PLIES_MAX. The two move in turn, or stay (their sides
 * then move other pieces); the prey does not attack. A hunter counts with its kinds that may win or
 * tie against some kind of the prey. */
int chase_plies(const struct pursuit *pursuit, int plies);

/* The moves of a piece, as any of these kinds, to a square that may be taken; 0 if it stands there,
 * CHASE_NEVER if there is no way in `most` moves. */
int race_moves(const struct view *view, int number, kindset kinds, square to, int most);

struct race {
    int own;    /* moves of the piece, or CHASE_NEVER */
    int theirs; /* of the first of the other side's pieces that may win or tie against it */
    int number; /* of that piece; VIEW_EMPTY if none gets there */
};

/* The piece and the other side's to a square. */
struct race race_run(const struct view *view, const kindset *may_be, int number, square to);

#endif
