/* worth.h - what pieces, battles and squares are worth, by belief. A marshal is 1000. */
#ifndef BENCH_STRANGER_WORTH_H
#define BENCH_STRANGER_WORTH_H

#include "belief.h"

enum { WORTH_WIN = 20000 };

struct worth {
    /* By a piece of theirs and a rank of ours, when ours attacks and when theirs does: what the
     * attacker's side gains on average, and how likely it wins (a tie is half). */
    double our_gain[PIECES][RANKS], our_chance[PIECES][RANKS];
    double their_gain[PIECES][RANKS], their_chance[PIECES][RANKS];
    double guess[PIECES]; /* what one of theirs expects of an attack on a hidden piece of ours */
    double of[2][RANKS];  /* a rank, by side */
    double pull[PIECES][SQUARES]; /* how much a piece likes to stand there, for what is near */
};

void worth_make(struct worth *worth, const struct table *table, const struct belief *belief);

/* What the attacker's side gains on average by an attack. */
double worth_of_attack(const struct worth *worth, const struct table *table,
                       const struct belief *belief, int attacker, int defender);

#endif
