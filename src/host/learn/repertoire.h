/* repertoire.h - many set-ups, and how often each should be laid out when the enemy knows that.
 *
 * A set-up is worth what it scores against all others by their weights, while either side believes
 * of starts what these weights say. So one that is laid out often is expected, and scores less for
 * it. The weights tend to a logit equilibrium (McKelvey and Palfrey 1995): that of each set-up goes
 * with e^(score / REPERTOIRE_HEAT), and what is about as good is laid out about as often. */
#ifndef ENSIGN_HOST_LEARN_REPERTOIRE_H
#define ENSIGN_HOST_LEARN_REPERTOIRE_H

#include "core/play/position.h"
#include "core/value/belief.h"
#include "core/value/measure.h"

enum {
    REPERTOIRE_SETUPS = 1024,
    REPERTOIRE_GIVEN = 768, /* of them at most */
    REPERTOIRE_DRAWN = 128, /* by rule of thumb in the beginning */
    REPERTOIRE_DEALT = 48   /* to each style */
};

/* In points of a game. */
static const double REPERTOIRE_HEAT = 0.03;

struct repertoire {
    int count; /* 0 or REPERTOIRE_SETUPS */
    int given; /* the first ones */
    struct setup setup[REPERTOIRE_SETUPS];
    double weight[REPERTOIRE_SETUPS]; /* 1 in all */
    double games[REPERTOIRE_SETUPS];  /* by which it is judged; older ones count less */
    double points[REPERTOIRE_SETUPS];
};

/* Begins with these set-ups, valid ones that differ: if they are too many, with some of them,
 * evenly; the others are drawn by rule of thumb, then changed copies of all those. The weights are
 * equal. */
void repertoire_begin(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random, const struct setup *setups, int count);

/* The number of a set-up, drawn by weight. */
int repertoire_draw(const struct repertoire *repertoire, struct random *random);

/* The one at this part of the weights, 0 to 1. */
int repertoire_at(const struct repertoire *repertoire, double part);

/* What a set-up scored in a game, 0 to 1. */
void repertoire_note(struct repertoire *repertoire, int number, double points);

/* Moves the weights a step to where the scores want them. */
void repertoire_weigh(struct repertoire *repertoire);

/* Replaces some of the worst by changed copies of the best and of those that are laid out, and by
 * new ones by rule of thumb. Those that were given stay: what has once surprised somebody can do so
 * again when it is no longer expected. */
void repertoire_renew(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random);

/* What starts tell of a piece whose army was drawn by these weights; other habits stay. */
void repertoire_starts(const struct repertoire *repertoire, const struct rules *rules,
                       struct habits *habits);

#endif
