/* selfplay.h - one game that a value plays against itself or another one, and what is learned from
 * it: which way each weight should go, and which signs pieces of each kind showed. */
#ifndef ENSIGN_HOST_LEARN_SELFPLAY_H
#define ENSIGN_HOST_LEARN_SELFPLAY_H

#include "base/fault.h"
#include "core/know/eyes.h"
#include "core/value/mind.h"
#include "host/learn/habit_counts.h"

enum { SELFPLAY_PLIES_MAX = 1200 };

struct selfplay_options {
    const struct measure *measure;
    const struct value *values[2]; /* by side */
    bool learns[2];                /* from the turns of that side */
    bool fixed[2]; /* plays as its value says, without chance, and counts no habits */
    const struct setup *setups[2]; /* each as red's */
    enum side first;
    double lambda;  /* 0 … 1: how far a result reaches back */
    uint32_t quiet; /* plies without an attack that end it in a draw, at most; 0: as in the rules */
    double draw;    /* what a draw is worth, 0 … 0.5 */
    double noise;   /* chance to win that a move may be worse by */
    uint32_t restless; /* plies without an attack after which a side may have to press on */
    double forward;    /* with which probability */
    double wander;     /* part of moves that are any */
};

/* A term of a turn that is not 0. */
struct part {
    int32_t term, amount;
};

enum { TURNS_KEPT = 16, PARTS_KEPT = 8192 };

struct lesson_taken {
    double slope[TERMS]; /* of all turns, summed */
    uint32_t kept;       /* turns by chance, whose terms are kept */
    struct {
        uint32_t from, to; /* in `parts` */
        double bend;       /* chance to win times that not to */
    } turn[TURNS_KEPT];
    struct part parts[PARTS_KEPT];
    uint32_t part_count;
    uint32_t turns;
    uint32_t plies;
    enum result result;
    struct fault fault; /* if a call of the variant failed, else STATUS_OK */
    double surprise;    /* squared difference of target and value, summed */
};

/* Memory for playing; one for each thread. */
struct selfplay;
struct selfplay *selfplay_new(const struct rules *rules); /* NULL without memory */
void selfplay_free(struct selfplay *episode);

/* Plays one game. Counts of habits are added to `habits`. */
void selfplay_play(struct selfplay *episode, const struct selfplay_options *options,
                   struct random random, struct lesson_taken *taken, struct habit_counts *habits);

/* Games that are played at once, by several threads. */

enum { HALL_JOBS_MAX = 256 };

/* A game, and what came of it. Values that it points to must not change meanwhile. */
struct pupil {
    struct selfplay_options options;
    struct setup setups[2];
    int judged[2]; /* numbers of the camp's set-ups that it judges; -1: none */
    struct random random;
    struct lesson_taken taken;
    struct habit_counts habits;
};

/* Plays all of them, on `jobs` threads (1 to HALL_JOBS_MAX), or fewer if no more can be had; one
 * episode for each. What each game gives does not depend on their number. */
void hall_play(struct selfplay *const *episodes, int jobs, struct pupil *pupils, int count);

/* 1, 0.5 or 0. */
double pupil_points(const struct pupil *pupil, enum side side);

#endif
