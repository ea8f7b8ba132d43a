/* knowledge.h - inferred from a view: the possible kinds of hidden pieces and their probabilities;
 * also distances on the board.
 *
 * Results are cached for the turn, so that asking about every piece in every turn is cheap. */
#ifndef ENSIGN_BOT_KNOWLEDGE_H
#define ENSIGN_BOT_KNOWLEDGE_H

#include "core/know/view.h"

struct knowledge {
    const struct view *view;               /* of this turn */
    bool counted;                          /* the next two are filled */
    int unseen[2][KINDS_MAX];              /* pieces on the board whose kind is hidden */
    int unmoved[2];                        /* hidden pieces that may be of an immobile kind */
    bool judged;                           /* the next is filled */
    kindset may_be[2 * BOARD_SQUARES_MAX]; /* by piece */
    bool mapped[BOARD_SQUARES_MAX]; /* by square: its row of `steps` is filled; lasts a game */
    uint8_t steps[BOARD_SQUARES_MAX][BOARD_SQUARES_MAX];
};

/* Begins a turn: clears the cache except for distances. */
void knowledge_turn(struct knowledge *knowledge, const struct view *view);

/* As view_may_be(). */
kindset knowledge_may_be(struct knowledge *knowledge, int piece);

/* The probability of each kind for a piece, with sum 1 (0 if no kind is possible). Hidden kinds are
 * shared evenly by the hidden pieces, immobile ones by those that have not moved. */
void knowledge_chances(struct knowledge *knowledge, int piece, double chance[KINDS_MAX]);

/* Fewest steps between two squares around lakes, on a board without pieces, or STEPS_NONE. */
uint8_t knowledge_distance(struct knowledge *knowledge, square from, square to);

/* The same for every square, from the nearest square of `from`. */
void knowledge_distances(const struct knowledge *knowledge, squareset from,
                         uint8_t steps[BOARD_SQUARES_MAX]);

/* The same around the pieces that are on the board now. */
uint8_t knowledge_way(const struct knowledge *knowledge, square from, square to);

#endif
