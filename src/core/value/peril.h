/* peril.h - how likely it is that an own flag will fall.
 *
 * A sum of terms cannot say it: no lead is worth anything once the flag has gone. So the chance to
 * win can be what a sum stands for, times the chance that the flag stays; the weight of flag_peril
 * (value.h) says how much of the peril counts.
 *
 * A raid is an enemy on its way to a gate, a square beside a flag, around own pieces that cannot
 * move, or through them if it may be of a kind that beats one. It is three quarters as likely to
 * come off for each step, and is stopped by an own piece that can be at the gate as soon, as far as
 * that beats it. The peril is that of the most dangerous raid, or the chance that an enemy takes
 * the flag with its next move. Nobody knows here how much the enemy knows of the flag: who walks up
 * to it is taken to mean it. */
#ifndef ENSIGN_CORE_VALUE_PERIL_H
#define ENSIGN_CORE_VALUE_PERIL_H

#include "belief.h"
#include "core/rules/rules.h"

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
    uint8_t enemy;        /* its number in the survey, */
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

struct survey;

/* Finds the gates and raids of a survey whose pieces have been read; from then on they are the
 * survey's. */
void raids_find(struct raids *raids, struct survey *survey);

/* Have raids to be found anew if this own piece comes or goes? */
bool raids_hang_on(const struct survey *survey, int own);

/* The peril in a survey in which not more than one piece of either side has come, gone or changed
 * since its raids were found, as far as it counts; `struck` is the chance that an enemy can take a
 * flag at once. In CHANCE_ONE. */
int32_t survey_peril(const struct survey *survey, int32_t struck);

#endif
