/* knowledge.h - what a view lets one conclude: which kind a hidden piece may be, how likely, and
 * how an attack between two pieces will probably end; also distances on the board.
 *
 * Pure reckoning over a `struct view`. Answers are kept for the turn they were asked in, so that
 * asking for every piece in every turn stays cheap. */
#ifndef ENSIGN_BOT_KNOWLEDGE_H
#define ENSIGN_BOT_KNOWLEDGE_H

#include "core/know/view.h"

enum { DISTANCE_NONE = 255 };

struct knowledge {
    const struct view *view;               /* as it is in this turn */
    bool counted;                          /* the next two are filled */
    int unseen[2][KINDS_MAX];              /* pieces on the board whose kind is hidden */
    int unmoved[2];                        /* hidden pieces that may be of an immobile kind */
    bool judged;                           /* the next is filled */
    kindset may_be[2 * BOARD_SQUARES_MAX]; /* by piece */
    bool mapped[BOARD_SQUARES_MAX]; /* by square: its row of `steps` is filled; lasts a game */
    uint8_t steps[BOARD_SQUARES_MAX][BOARD_SQUARES_MAX];
};

/* Begins a turn: forgets everything but the distances. */
void knowledge_turn(struct knowledge *knowledge, const struct view *view);

/* As view_may_be(). */
kindset knowledge_may_be(struct knowledge *knowledge, int piece);

/* How likely the piece is of each kind, summing to 1 (to 0 if it cannot be anything): hidden pieces
 * share the hidden kinds evenly, immobile kinds only among those that have not moved. */
void knowledge_chances(struct knowledge *knowledge, int piece, double chance[KINDS_MAX]);

/* Fewest steps between two squares of the empty board, lakes respected, or DISTANCE_NONE. */
uint8_t knowledge_distance(struct knowledge *knowledge, square from, square to);

/* The same for every square, from the nearest of several. */
void knowledge_distances(const struct knowledge *knowledge, squareset from,
                         uint8_t steps[BOARD_SQUARES_MAX]);

/* Fewest steps on the board as it stands: squares between that are taken cannot be crossed. */
uint8_t knowledge_way(const struct knowledge *knowledge, square from, square to);

#endif
