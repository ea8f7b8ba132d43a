/* pointing.h - builds a move by pointing at squares.
 *
 * The person points at a piece, then at its destination or its ability's target, always among the
 * moves that the referee offers. If several moves remain, the person chooses a way (go there; go
 * there and use an ability), then a target by pointing again, then a kind to name. */
#ifndef ENSIGN_CLI_SCREEN_POINTING_H
#define ENSIGN_CLI_SCREEN_POINTING_H

#include "core/play/legal.h"

enum { POINTING_WAYS_MAX = 16 };

struct pointing {
    const struct move *moves; /* offered by the referee, which owns them */
    size_t count;
    square from;  /* of the piece; SQUARE_NONE: none yet */
    bool settled; /* `to` and `ability` are chosen, the target is not */
    square to;
    uint8_t ability;
};

/* A way to use the square pointed at. */
struct pointing_way {
    square to;
    uint8_t ability; /* ABILITY_NONE: a plain move */
    square target;   /* SQUARE_NONE if several or none */
    int targets;
};

struct pointing pointing_of(const struct move *moves, size_t count);

/* Can the piece on a square move? */
bool pointing_movable(const struct pointing *pointing, square from);

/* Squares to go to; squares to aim at from the piece's square (or its destination, once settled).
 */
squareset pointing_targets(const struct pointing *pointing);
squareset pointing_aims(const struct pointing *pointing);

/* The ways that use a square. */
int pointing_ways(const struct pointing *pointing, square at,
                  struct pointing_way ways[POINTING_WAYS_MAX]);

/* The kinds that may be named for a way with a known target; empty if it asks for none. `move`
 * receives the move without its kind. */
kindset pointing_choices(const struct pointing *pointing, const struct pointing_way *way,
                         struct move *move);

#endif
