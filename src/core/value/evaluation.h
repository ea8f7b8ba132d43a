/* evaluation.h - the terms of a value (value.h), read from what one side knows: a view and a
 * belief, never a position.
 *
 * They hold for the moment in which the side has just moved. A move is valued by what it changes, a
 * battle or an ability by all that it may meet, each as likely as believed. The winner of a battle
 * is taken to be known from then on, also where the variant hides it; calls are not asked. */
#ifndef ENSIGN_CORE_VALUE_EVALUATION_H
#define ENSIGN_CORE_VALUE_EVALUATION_H

#include "core/play/game.h"
#include "core/rules/rules.h"
#include "core/value/belief.h"
#include "core/value/value.h"

/* How likely it is that an own flag will fall.
 *
 * A sum of terms cannot say it: no lead is worth anything once the flag has gone. So the chance to
 * win can be what a sum stands for, times the chance that the flag stays; the weight of flag_peril
 * (value.h) says how much of the peril counts.
 *
 * A raid is an enemy on its way to a gate, a square beside a flag, around own pieces that cannot
 * move, or through them if it may be of a kind that beats one. It is three quarters as likely to
 * come off for each step, and is stopped by an own piece that can be at the gate as soon, as far
 * as that beats it. The peril is that of the most dangerous raid, or the chance that an enemy
 * takes the flag with its next move. Nobody knows here how much the enemy knows of the flag: who
 * walks up to it is taken to mean it. */

enum {
    PERIL_FAR = 6,   /* steps to a gate beyond which nobody comes */
    PERIL_GATES = 8, /* beside all flags; more are not looked at */
    PERIL_RAIDS = 96 /* the same of raids; the nearest come first */
};

struct gate {
    bool open;                        /* no own piece that cannot move stands there */
    squareset around[PERIL_FAR + 1];  /* squares from which it is so many steps at most around own
                                         pieces that cannot move, */
    squareset through[PERIL_FAR + 1]; /* and through them */
};

struct raid {
    uint8_t enemy;        /* its number in the evaluation, */
    square from;          /* and where it stands */
    int16_t chance, open; /* that it gets there; that nobody there in time beats it; CHANCE_ONE */
    squareset posts;      /* from where an own piece is there in time; none if it is there already
                           */
};

struct raid_list {
    int count;
    struct raid raid[PERIL_RAIDS];
};

/* What threatens the flags as things stand. */
struct raids {
    int gates;
    struct gate gate[PERIL_GATES];
    struct raid_list list;
    kindset breakers; /* mobile kinds that beat or tie an own piece that cannot move */
};

struct evaluation;

/* Finds the gates and raids of an evaluation whose pieces have been read; from then on they are the
 * evaluation's. */
void raids_find(struct raids *raids, struct evaluation *evaluation);

/* Have raids to be found anew if this own piece comes or goes? */
bool raids_hang_on(const struct evaluation *evaluation, int own);

/* The peril in an evaluation in which not more than one piece of either side has come, gone or
 * changed since its raids were found, as far as it counts; `struck` is the chance that an enemy can
 * take a flag at once. In CHANCE_ONE. */
int32_t evaluation_peril(const struct evaluation *evaluation, int32_t struck);

/* What the enemy knows of an own piece. */
enum { MINE_HIDDEN, MINE_MOVED, MINE_SHOWN, MINE_STATES };

enum {
    EVALUATION_PIECES_MAX = BOARD_SQUARES_MAX + 1, /* one more than there may be */
    EVALUATION_ROW = EVALUATION_PIECES_MAX + 15,
    EVALUATION_NOBODY = 255
};

/* The greatest influences on a piece, faded. */
struct reach {
    int16_t fear_known, fear_unknown;
    int16_t prey_known, prey_unknown, stirred, still, flag; /* 0 on an immobile piece */
};

struct evaluation {
    const struct view *view;
    const struct measure *measure;
    const struct belief *belief;
    const struct terms *weights;

    /* Private to evaluation.c. Pieces have numbers of their own here. */
    int own;
    kind_id kind[EVALUATION_PIECES_MAX];
    uint8_t at[EVALUATION_PIECES_MAX];    /* its square; EVALUATION_NOBODY once it has fallen */
    uint8_t state[EVALUATION_PIECES_MAX]; /* MINE_HIDDEN … */
    kindset open[EVALUATION_PIECES_MAX];  /* kinds that it may be for the enemy */
    uint8_t own_on[BOARD_SQUARES_MAX];    /* number, or EVALUATION_NOBODY */
    squareset taken;
    squareset stale; /* numbers of pieces whose reach is to be found anew */
    struct reach reach[EVALUATION_PIECES_MAX];
    int64_t sum[EVALUATION_PIECES_MAX];       /* of the terms of each alone */
    int64_t sums;                             /* of all pieces */
    int64_t counted;                          /* of the terms that only count */
    int32_t threat[EVALUATION_PIECES_MAX][2]; /* to each, by unknown and by known enemies */
    int32_t gain[EVALUATION_PIECES_MAX][2];   /* of each from attacking its neighbours, the same */
    squareset engaged;                        /* numbers of those with a threat or a gain */
    squareset flags;                          /* numbers of own flags */
    squareset vacated, entered;            /* squares that own pieces left, and came to, since… */
    const struct raids *raids;             /* … these were found; */
    int changed;                           /* the enemy that has since, or EVALUATION_NOBODY */
    bool raids_stale;                      /* they have to be found anew */
    int32_t count[KINDS_MAX][MINE_STATES]; /* own pieces, in TERM_UNIT */

    /* Enemies in sight: those that have moved, those that have not, the known. */
    int moved, still, enemies;                /* where each sort ends */
    uint8_t enemy_at[EVALUATION_PIECES_MAX];  /* square, or OFF_BOARD */
    uint8_t enemy_on[BOARD_SQUARES_MAX];      /* number, or EVALUATION_NOBODY */
    int32_t left[KINDS_MAX], told[KINDS_MAX]; /* enemies in all, and known, in TERM_UNIT */
    uint32_t quiet;
    uint8_t returns[2];             /* uses that are left of abilities that return fallen pieces */
    int16_t mobile[EVALUATION_ROW]; /* chance to be of a kind that can move, doubled */
    int16_t flag_chance[EVALUATION_ROW]; /* the same of a flag */
    int16_t returner[EVALUATION_ROW];    /* the same of a kind that returns fallen pieces */
    int16_t chance[EVALUATION_PIECES_MAX][KINDS_MAX]; /* of each kind, in CHANCE_ONE */
    struct {
        int16_t prey[EVALUATION_ROW]; /* gain of the kind from attacking it, 4 * WORTH_UNIT */
        int16_t fear[EVALUATION_ROW]; /* chance that it beats the kind by attacking, doubled */
        int16_t bite[EVALUATION_ROW]; /* its gain from that, in WORTH_UNIT */
    } against[KINDS_MAX];             /* by own kind */
    struct raids found;               /* when the view was read */
};

/* Reads the view. All but `evaluation` must outlive it. */
void evaluation_make(struct evaluation *evaluation, const struct view *view,
                     const struct measure *measure, const struct belief *belief,
                     const struct terms *weights);

/* The sum of all terms, in VALUE_LOGIT * TERM_UNIT, as if the side had just moved; each is added to
 * `terms` unless that is NULL. */
int64_t evaluation_sum(const struct evaluation *evaluation, struct terms *terms);

/* The chance to win that goes with the sum and the peril, as if the side had just moved,
 * in CHANCE_CERTAIN; from 1/512 to 511/512 of it, so that a win at once is worth more than a clear
 * lead. */
int32_t evaluation_chance(const struct evaluation *evaluation);

/* The same after a legal move of the side; 0 or CHANCE_CERTAIN if that ends the game. The
 * evaluation is unchanged afterwards. */
int32_t evaluation_move(struct evaluation *evaluation, struct move move);

/* How a battle ends: by an outcome, or with a flag that falls to the attacker. */
enum { END_FLAG = BOTH_FALL + 1, ENDS };

/* By the attack of a side, the attacker's kind and that of what it meets. */
int evaluation_end(const struct rules *rules, enum side side, struct move move, kind_id attacker,
                   kind_id met);

/* The luck in a move: how much better the chance to win is after each end of its battle than what
 * evaluation_move() says before it, in CHANCE_CERTAIN. On the average of what the enemy may be it
 * is 0; for all ends if the move is no attack on an unknown piece. */
struct stakes {
    int32_t luck[ENDS];
};
void evaluation_stakes(const struct evaluation *evaluation, struct move move,
                       struct stakes *stakes);

/* If the move is a plain one to an empty square: the sum of all terms after it, as
 * evaluation_sum(). Otherwise false. */
bool evaluation_walk(struct evaluation *evaluation, struct move move, int64_t *sum,
                     struct terms *terms);

#endif
