/* initiative.h - when a side has to make something of its lead, and by which moves.
 *
 * A value says who is ahead, not who has to act: where either side does well by waiting, both would
 * wait until the game is drawn. So a side that believes itself ahead presses on once nobody has
 * attacked for a while: it attacks, or brings a piece nearer to the nearest enemy in sight, on a
 * way around those of its pieces that cannot make room. The other side may wait. */
#ifndef ENSIGN_CORE_VALUE_INITIATIVE_H
#define ENSIGN_CORE_VALUE_INITIATIVE_H

#include "mind.h"

/* Plies without an attack after which a side that is ahead presses on; half of the limit if that is
 * less. */
enum { PRESS_AFTER = 40 };

/* Has the side of the view to press on? The mind has read the view. */
bool initiative_is_due(const struct mind *mind, const struct view *view);

struct initiative {
    const struct rules *rules;
    squareset enemies;                /* in sight */
    uint8_t steps[BOARD_SQUARES_MAX]; /* to the nearest of them; STEPS_NONE without a way */
};

void initiative_read(struct initiative *press, const struct view *view);

/* Does the move press on? It is one of the view's side. */
bool initiative_has(const struct initiative *press, struct move move);

#endif
