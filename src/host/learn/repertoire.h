/* repertoire.h - many set-ups, and how often each should be laid out when the enemy knows that.
 *
 * Each has two weights: how often it is laid out, and how often rivals lay it out, who know the
 * first. What is laid out is judged by games against rivals and, one in five, strangers who
 * lay out by rule of thumb; what rivals lay out, by games against what is laid out. Either side
 * believes of starts what its enemies lay out. So what is laid out often is expected and scores
 * less, what surprises becomes a rival's and is expected next, and what does well against strangers
 * is not given up for rivals' sake.
 *
 * The weights tend to a logit equilibrium (McKelvey and Palfrey 1995): that of each set-up goes
 * with e^(score / REPERTOIRE_HEAT), and what is about as good is laid out about as often. */
#ifndef ENSIGN_HOST_LEARN_REPERTOIRE_H
#define ENSIGN_HOST_LEARN_REPERTOIRE_H

#include "core/play/position.h"
#include "core/value/belief.h"
#include "core/value/measure.h"

enum {
    REPERTOIRE_GIVEN = 960, /* at most */
    REPERTOIRE_DRAWN = 64,
    REPERTOIRE_SETUPS = REPERTOIRE_GIVEN + REPERTOIRE_DRAWN,
    REPERTOIRE_STRANGERS = 128,
    REPERTOIRE_DEALT = 48 /* to each style */
};

/* In points of a game. */
static const double REPERTOIRE_HEAT = 0.02;

/* The part of enemies that are strangers. */
static const double REPERTOIRE_STRANGE = 0.2;

enum repertoire_role { REPERTOIRE_OWN, REPERTOIRE_RIVAL, REPERTOIRE_ROLES };

struct repertoire {
    int count;
    int given; /* the first ones */
    int steps; /* of the weights, so far */
    struct setup setup[REPERTOIRE_SETUPS];
    struct repertoire_standing {
        double weight[REPERTOIRE_SETUPS]; /* 1 in all */
        double games[REPERTOIRE_SETUPS];  /* by which it is judged; older ones count less */
        double points[REPERTOIRE_SETUPS];
    } standing[REPERTOIRE_ROLES];
    struct setup stranger[REPERTOIRE_STRANGERS];
};

/* Begins with these set-ups, valid ones that differ: if they are too many, with some of them,
 * evenly; the others are drawn by rule of thumb. The weights are equal. */
void repertoire_begin(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random, const struct setup *setups, int count);

/* The number of the set-up at this part of the weights, 0 to 1. */
int repertoire_at(const struct repertoire *repertoire, enum repertoire_role role, double part);

/* What both sides of a game lay out. */
struct lineup {
    const struct setup *setup[REPERTOIRE_ROLES];
    int judged[REPERTOIRE_ROLES]; /* the set-ups' numbers; -1: the game does not judge it */
};

/* Draws both by weight, or a stranger for the rival; but in one game of four one of them is any at
 * all, so that all are judged, and half of these are not among the given ones. Who meets such a one
 * is not judged by it. */
void repertoire_lineup(const struct repertoire *repertoire, struct random *random,
                       struct lineup *lineup);

/* What a set-up scored in a game, 0 to 1. */
void repertoire_note(struct repertoire *repertoire, enum repertoire_role role, int number,
                     double points);

/* Moves the weights a step to where the scores want them: all the way at first, then less. After
 * hundreds of steps the last third of them tells the weights. */
void repertoire_weigh(struct repertoire *repertoire);

/* Replaces some of those that either side wants least by changed copies of what is laid out, judged
 * like it until they have games of their own, and by new ones by rule of thumb. Those that were
 * given stay: what has once surprised somebody can do so again when it is no longer expected. */
void repertoire_renew(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random);

/* What starts tell one of that role of a piece of its enemy's, if an `unusual` part of armies may
 * begin anywhere; other habits stay. */
void repertoire_starts(const struct repertoire *repertoire, enum repertoire_role role,
                       const struct rules *rules, double unusual, struct habits *habits);

#endif
