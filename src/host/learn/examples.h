/* examples.h - recorded games of others, programs or people, that learning sees beside its own: how
 * they lay out their armies, and what their hidden pieces show.
 *
 * A game in eight is held back: nothing is learned from it. How likely beliefs hold the true kinds
 * of hidden pieces in those says what habits are worth against opponents that were never played. */
#ifndef ENSIGN_HOST_LEARN_EXAMPLES_H
#define ENSIGN_HOST_LEARN_EXAMPLES_H

#include "base/fault.h"
#include "habit_counts.h"
#include "lua/folders.h"

enum { EXAMPLES_MAX = 1 << 20, EXAMPLES_HELD_EVERY = 8 };

struct example {
    struct position start;
    uint32_t count; /* moves */
    struct move *moves;
    bool strange[2];        /* sides whose pieces show habits: not those of bots on the search path,
                               which learning meets anyway */
    struct setup setups[2]; /* each as red's */
    bool has_setup[2];      /* of strangers, unless the game began with another position */
};

struct examples {
    struct example *list; /* those to learn from, then those that are held back */
    size_t taught, count;
    uint64_t mark; /* tells collections apart; 0: there are none */
};

/* Reads all records (".rec") of a folder and the folders in it, by their paths in order. The rules
 * have to be those of their variant. Records that are not legal games of it are left out;
 * `complain` is given the fault of each. False with a fault if a folder cannot be read, holds no
 * game to learn from, or memory is short. Several calls add up. Free with examples_clear(). */
bool examples_read(struct examples *examples, const struct folders *folders,
                   const struct rules *rules, const char *variant, const char *folder,
                   void (*complain)(void *context, const struct fault *fault), void *context,
                   struct fault *fault);

/* After the last folder: holds some games back. */
void examples_hold(struct examples *examples);

/* Adds the signs of strangers' pieces in the games to learn from. False with a fault without
 * memory. */
bool examples_count(const struct examples *examples, const struct rules *rules,
                    struct habit_counts *counts, struct fault *fault);

/* How far beliefs are from the true kinds of strangers' hidden pieces in the games held back: the
 * logarithm of the chance that they give to those, less the sign, summed, by the part of the game
 * (SIGN_MOVES) and the kind. */
enum { LOSS_PHASES = 4 };

struct belief_loss {
    double sum[LOSS_PHASES][KINDS_MAX];
    uint32_t pieces[LOSS_PHASES][KINDS_MAX];
};

bool examples_loss(const struct examples *examples, const struct rules *rules,
                   const struct habits *habits, struct belief_loss *loss, struct fault *fault);

void examples_clear(struct examples *examples);

#endif
