/* deal.h - dealing kinds to hidden pieces by chance.
 *
 * As many pieces as kinds are left to deal, and a weight for each piece and kind: an assignment
 * comes up with a probability proportional to the product of its weights, one of the others being
 * 1 where it may be and 0 where it may not: uniformly. Pieces of equal weights are alike and form a
 * group; what is drawn first is how many of each kind each group gets, from a table of exact sums,
 * then who in the group gets which.
 *
 * DEAL_EXACT is exact. Where the pieces differ too much for the table (which `room` sets),
 * like groups are merged: weights that are all 0 or 1 are then still drawn exactly, by drawing
 * again what does not fit. Others are DEAL_CHAIN: a Markov chain of fresh draws and of swaps
 * between two pieces, each accepted by Metropolis' rule. Its draws tend to the right distribution
 * but follow on each other, so that neighbouring ones are somewhat alike. */
#ifndef ENSIGN_CORE_KNOW_DEAL_H
#define ENSIGN_CORE_KNOW_DEAL_H

#include "base/random.h"
#include "core/rules/rules.h"

enum { DEAL_PIECES_MAX = BOARD_SQUARES_MAX, DEAL_ROOM = 1 << 17 /* a good size for the table */ };

enum deal_method { DEAL_NONE, DEAL_EXACT, DEAL_CHAIN };

struct deal {
    /* Filled by the caller. Weights below a billionth of a piece's highest count as that. */
    int pieces;
    uint8_t count[KINDS_MAX]; /* how many of each kind there are to deal */
    double weight[DEAL_PIECES_MAX][KINDS_MAX];

    double *table; /* the caller's memory for sums, which must outlive the deal */
    size_t room;   /* how many it holds; at least (pieces + 1) * (kinds to deal + 1) */

    kind_id kind[DEAL_PIECES_MAX]; /* by piece: the latest draw */

    /* The rest is for deal.c alone. */
    enum deal_method method;
    bool by_kind; /* the columns of the table are kinds, else groups */
    bool merged;  /* some group holds pieces that differ */
    int groups;
    int kinds;                /* that are to be dealt */
    kind_id dealt[KINDS_MAX]; /* which */
    uint8_t group_of[DEAL_PIECES_MAX];
    uint8_t card_of[DEAL_PIECES_MAX]; /* by piece: which of the kinds dealt out is its own */
    uint8_t size[DEAL_PIECES_MAX];    /* pieces of a group */
    double share[DEAL_PIECES_MAX][KINDS_MAX]; /* weights of a group */
};

/* Prepares drawing. DEAL_NONE when no assignment has a weight above 0. */
enum deal_method deal_prepare(struct deal *deal);

/* Draws into deal->kind. Must have been prepared with another answer than DEAL_NONE. */
void deal_draw(struct deal *deal, struct random *random);

/* What preparing has cost, and what a draw costs at least, in entries of tables looked at. */
size_t deal_work(const struct deal *deal);

#endif
