/* value.h - what a position is worth to one side, as far as that side knows it.
 *
 * A value is a sum of terms of the view, each with a weight: for each kind of its own army how many
 * pieces are hidden, have moved or are known, what draws them on and what they fear; for each of
 * the enemy's kinds how many are left and known; and what threatens now. Terms are written in the
 * words of the rules, so that every variant has them; the weights are learned (host/learn). The
 * value stands for the chance to win, by the logistic function.
 *
 * evaluation.h reads the terms from a view. */
#ifndef ENSIGN_CORE_VALUE_VALUE_H
#define ENSIGN_CORE_VALUE_VALUE_H

#include "belief.h"
#include "measure.h"

/* Terms for each kind of one's own army. The first three count pieces by what the enemy knows of
 * them. Draws and fears are those of the nearest or greatest, and fade with distance. */
enum own_term {
    OWN_HIDDEN,       /* pieces that have not moved */
    OWN_MOVED,        /* pieces that have moved but are hidden */
    OWN_SHOWN,        /* pieces that are known */
    OWN_PREY_KNOWN,   /* gain from attacking known enemies */
    OWN_PREY_UNKNOWN, /* gain from attacking unknown ones */
    OWN_STILL,        /* nearness of an unknown enemy that has not moved */
    OWN_STIRRED,      /* nearness of an unknown enemy that has */
    OWN_FLAG,         /* nearness of the likely flag */
    OWN_FEAR_KNOWN,   /* nearness of known enemies that beat it, while it is hidden */
    OWN_FEAR_UNKNOWN,
    OWN_HUNTED_KNOWN, /* the same while it is known */
    OWN_HUNTED_UNKNOWN,
    OWN_ADVANCE,    /* ranks from the own edge, as a part of the board's */
    OWN_BEATS,      /* part of the enemy's army that it beats, for each piece */
    OWN_INVINCIBLE, /* pieces that no mobile enemy beats or ties */
    OWN_PRESENT,    /* 1 if there is any */
    OWN_TERMS
};

/* Terms for each kind of the enemy's army. */
enum enemy_term {
    ENEMY_LEFT,
    ENEMY_KNOWN,
    ENEMY_BEATS,
    ENEMY_INVINCIBLE,
    ENEMY_PRESENT,
    ENEMY_TERMS
};

/* Terms of the whole. Threats are the worth that the enemy's next move may take, less what can be
 * taken back at once. */
enum whole_term {
    WHOLE_ONE,    /* always 1 */
    WHOLE_THREAT, /* the greatest; of a hidden piece it counts half */
    WHOLE_SECOND_THREAT,
    WHOLE_HIDDEN_KNOWN, /* all threats: to hidden pieces by known enemies, … */
    WHOLE_HIDDEN_UNKNOWN,
    WHOLE_SHOWN_KNOWN,
    WHOLE_SHOWN_UNKNOWN,
    WHOLE_CHANCE, /* the greatest gain from attacking a known neighbour */
    WHOLE_SECOND_CHANCE,
    WHOLE_UNKNOWN_CHANCE, /* the same of an unknown one */
    WHOLE_FLAG_DANGER,    /* nearness of enemies that may move to the own flag */
    WHOLE_FLAG_OPEN,      /* empty squares next to it */
    WHOLE_FLAG_SHOWN,
    WHOLE_FLAG_STRUCK,    /* the greatest chance that an enemy can take it with its next move */
    WHOLE_FLAG_LOOSE,     /* nearness of an enemy that no own piece there in time beats */
    WHOLE_FLAG_PERIL,     /* no term, always 0: its weight says how much of the flag's peril
                             is taken off the chance to win, VALUE_LOGIT all of it; not learned */
    WHOLE_COMEBACK,       /* worth of the best fallen own piece, by the nearness of a piece to where
                           an ability returns it */
    WHOLE_ENEMY_COMEBACK, /* the same of the enemy */
    WHOLE_STILL,          /* unknown enemies that have not moved */
    WHOLE_STIRRED,        /* unknown enemies that have */
    WHOLE_QUIET,          /* plies without an attack, as a part of the limit (or of 200) */
    WHOLE_QUIET_LEAD,     /* the same times the lead in worth */
    WHOLE_LEAD,           /* of 8 points */
    WHOLE_PHASE,          /* 1 for one of: plies from 0, 12, 24, 48, 96, 192, 384 */
    WHOLE_PHASE_LAST = WHOLE_PHASE + 6,
    WHOLE_TERMS
};

enum {
    TERM_UNIT = 1024,   /* one piece, all of an influence, or a worth of 1 */
    VALUE_LOGIT = 4096, /* 1 in a sum of terms: odds of e to 1 */
    TERMS = KINDS_MAX * (OWN_TERMS + ENEMY_TERMS) + WHOLE_TERMS,
    WEIGHT_MAX = 16 * VALUE_LOGIT
};

struct terms {
    int32_t own[KINDS_MAX][OWN_TERMS];
    int32_t enemy[KINDS_MAX][ENEMY_TERMS];
    int32_t whole[WHOLE_TERMS];
};
_Static_assert(sizeof(struct terms) == TERMS * sizeof(int32_t), "an array of terms");

/* Names of the terms, as in learned files, in their order. */
extern const char *const OWN_TERM_NAMES[OWN_TERMS], *const ENEMY_TERM_NAMES[ENEMY_TERMS],
                                                        *const WHOLE_TERM_NAMES[WHOLE_TERMS];

/* Weights in VALUE_LOGIT, at most WEIGHT_MAX either way. */
struct value {
    struct terms weights;
    struct habits habits;
};

/* What a player of the game would say who has not learned yet. */
void value_begin(struct value *value, const struct measure *measure);

/* The chance to win that a sum stands for, in CHANCE_CERTAIN. */
int32_t value_chance(const struct measure *measure, int64_t sum);

#endif
