/* deal.h - dealing kinds to hidden pieces by chance.
 *
 * There are as many kinds to deal as pieces, and a weight for each piece and kind. The probability
 * of an assignment is proportional to the product of its weights; with weights of 0 and 1 all
 * possible assignments are equally likely. Pieces with equal weights form a group. A draw first
 * finds how many of each kind each group gets, from a table of exact sums, then shuffles them
 * within the group.
 *
 * DEAL_EXACT is exact. If the pieces differ too much for a table of `room` entries, similar groups
 * are merged. Weights of 0 and 1 are then still drawn exactly, by rejection, unless too few draws
 * fit. Everything else is DEAL_CHAIN: a Markov chain of fresh draws and swaps of two pieces, each
 * accepted by Metropolis' rule. It converges to the right distribution, but successive draws are
 * correlated. */
#ifndef ENSIGN_CORE_KNOW_DEAL_H
#define ENSIGN_CORE_KNOW_DEAL_H

#include "base/random.h"
#include "core/rules/rules.h"

enum { DEAL_PIECES_MAX = BOARD_SQUARES_MAX, DEAL_ROOM = 1 << 17 /* a good size for the table */ };

enum deal_method { DEAL_NONE, DEAL_EXACT, DEAL_CHAIN };

struct deal {
    /* Filled by the caller. A weight below a billionth of the piece's highest is raised to that. */
    int pieces;
    uint8_t count[KINDS_MAX]; /* of each kind, to be dealt */
    double weight[DEAL_PIECES_MAX][KINDS_MAX];

    double *table; /* for sums; the caller's, must outlive the deal */
    size_t room;   /* entries of `table`, at least (pieces + 1) * (kinds to deal + 1) */

    kind_id kind[DEAL_PIECES_MAX]; /* by piece: the latest draw */

    /* Private to deal.c. */
    enum deal_method method;
    bool by_kind; /* the columns of the table are kinds, else groups */
    bool merged;  /* some group holds pieces that differ */
    int groups;
    int kinds;                /* number of kinds to deal */
    kind_id dealt[KINDS_MAX]; /* which */
    uint8_t group_of[DEAL_PIECES_MAX];
    uint8_t card_of[DEAL_PIECES_MAX];         /* by piece: its index in the hand that is dealt */
    uint8_t size[DEAL_PIECES_MAX];            /* pieces of a group */
    double share[DEAL_PIECES_MAX][KINDS_MAX]; /* weights of a group */
};

/* Prepares drawing. DEAL_NONE if every assignment has weight 0. */
enum deal_method deal_prepare(struct deal *deal);

/* Draws into deal->kind. deal_prepare() must have succeeded. */
void deal_draw(struct deal *deal, struct random *random);

/* Cost of preparing, and least cost of a draw, in table entries. */
size_t deal_work(const struct deal *deal);

#endif
