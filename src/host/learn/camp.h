/* camp.h - the set-ups that learning plays with: sensible ones made by chance, those of the
 * library, and those that do well in its own hands. */
#ifndef ENSIGN_HOST_LEARN_CAMP_H
#define ENSIGN_HOST_LEARN_CAMP_H

#include "core/play/position.h"
#include "core/value/measure.h"

/* Draws a set-up with the flag at the back among immobile pieces, strong pieces at the front and
 * much left to chance. `wild` in 0 … 255 is how much. Always a valid one. */
void camp_draw(const struct measure *measure, struct random *random, unsigned wild,
               struct setup *setup);

/* Exchanges the contents of two squares of the zone, once or twice; a valid set-up stays one. */
void camp_change(const struct rules *rules, struct random *random, struct setup *setup);

enum {
    CAMP_SETUPS = 64,
    CAMP_GUESTS = CAMP_SETUPS / 2,
    CAMP_KEPT = 24, /* of the best, given out */
    CAMP_APART = 4  /* squares of two set-ups that differ, at least, where that is possible: all
                       alike  they would be known in advance */
};

/* Set-ups with their results. */
struct camp {
    struct setup setup[CAMP_SETUPS];
    uint32_t games[CAMP_SETUPS];
    double points[CAMP_SETUPS];
};

void camp_begin(struct camp *camp, const struct measure *measure, struct random *random);

/* The same with these set-ups, at least one, and changed copies of them. */
void camp_begin_with(struct camp *camp, const struct measure *measure, struct random *random,
                     const struct setup *setups, uint32_t count);

/* Before the first game: set-ups, CAMP_GUESTS at most, take the place of others. */
void camp_invite(struct camp *camp, const struct setup *setups, uint32_t count);

/* Points a game of them all; 0.5 without games. */
double camp_mean(const struct camp *camp);

/* Replaces some of the worst by changed copies of the best, and by new ones. None is judged by
 * fewer than `least` games. `usual` as in camp_order(). */
void camp_improve(struct camp *camp, const struct measure *measure, struct random *random,
                  uint32_t least, double usual);

/* Numbers of set-ups, the best first; one with few games is drawn to the `usual` points a game. */
void camp_order(const struct camp *camp, double usual, uint8_t order[CAMP_SETUPS]);

#endif
