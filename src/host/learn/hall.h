/* hall.h - games that are played at once, by several threads. */
#ifndef ENSIGN_HOST_LEARN_HALL_H
#define ENSIGN_HOST_LEARN_HALL_H

#include "episode.h"

enum { HALL_JOBS_MAX = 256 };

/* A game, and what came of it. Values that it points to must not change meanwhile. */
struct pupil {
    struct episode_options options;
    struct setup setups[2];
    int judged[2]; /* numbers of the camp's set-ups that it judges; -1: none */
    struct random random;
    struct lesson_taken taken;
    struct habit_counts habits;
};

/* Plays all of them, on `jobs` threads (1 to HALL_JOBS_MAX), or fewer if no more can be had; one
 * episode for each. What each game gives does not depend on their number. */
void hall_play(struct episode *const *episodes, int jobs, struct pupil *pupils, int count);

/* 1, 0.5 or 0. */
double pupil_points(const struct pupil *pupil, enum side side);

#endif
