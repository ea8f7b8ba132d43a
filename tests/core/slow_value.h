/* slow_value.h - beliefs and the terms of a value a second time, from the words of belief.h,
 * measure.h, value.h and evaluation.h: real numbers, plain loops, nothing kept from one move to the
 * next. */
#ifndef ENSIGN_TESTS_CORE_SLOW_VALUE_H
#define ENSIGN_TESTS_CORE_SLOW_VALUE_H

#include "core/value/evaluation.h"

struct slow_terms {
    double own[KINDS_MAX][OWN_TERMS];
    double enemy[KINDS_MAX][ENEMY_TERMS];
    double whole[WHOLE_TERMS];
};

/* What a side knows after its turn. */
struct slow {
    const struct view *view;
    const struct measure *measure; /* worths alone are read */
    const struct terms *weights;
    int own, enemies;
    struct {
        kind_id kind;
        int at; /* -1: fallen */
        int state;
        kindset open;
    } mine[EVALUATION_PIECES_MAX];
    struct {
        int at; /* -1: fallen */
        bool known, moved;
        double chance[KINDS_MAX];
    } enemy[EVALUATION_PIECES_MAX];
    double left[KINDS_MAX], told[KINDS_MAX];
    uint32_t quiet;
    int returns[2]; /* by side: uses that are left of abilities that return fallen pieces */
};

/* The chance of each kind for each of the view's pieces; only enemies that may be on the board are
 * filled. */
void slow_belief(const struct view *view, const struct habits *habits, double chance[][KINDS_MAX]);

/* From a view, with the chances of a belief. */
void slow_make(struct slow *slow, const struct view *view, const struct measure *measure,
               const struct belief *belief, const struct terms *weights);

void slow_terms(const struct slow *slow, struct slow_terms *terms);

/* The chance to win, 0 … 1, as things stand while the game goes on, and after a legal move. */
double slow_chance(const struct slow *slow);
double slow_move(const struct slow *slow, struct move move);

/* Of an attack: 1 for a win, a half for a tie. */
double slow_points(const struct slow *slow, kind_id attacker, kind_id defender);

/* How likely an enemy is of one of these kinds. */
double slow_part(const struct slow *slow, int enemy, kindset kinds);

/* Does anybody stand on this square? All such squares. */
bool slow_taken(const struct slow *slow, int at);
squareset slow_all_taken(const struct slow *slow);

#endif
