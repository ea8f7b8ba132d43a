/* pointing.h - a move put together by pointing at squares.
 *
 * First a piece is pointed at, then where it goes or what its ability is aimed at. What can be
 * pointed at is read off the moves that the referee offers. Where several moves remain the person
 * chooses among ways first (go there; go there and use an ability), then among targets, by pointing
 * once more, then among the kinds that may be named. */
#ifndef ENSIGN_CLI_SCREEN_POINTING_H
#define ENSIGN_CLI_SCREEN_POINTING_H

#include "core/play/legal.h"

enum { POINTING_WAYS_MAX = 16 };

struct pointing {
    const struct move *moves; /* that are offered; the referee's */
    size_t count;
    square from;  /* of the piece, SQUARE_NONE: none yet */
    bool settled; /* `to` and `ability` are, and a target is to be pointed at */
    square to;
    uint8_t ability;
};

/* A way to use what was pointed at. */
struct pointing_way {
    square to;
    uint8_t ability; /* ABILITY_NONE: only goes there */
    square target;   /* SQUARE_NONE if there are several, or none */
    int targets;
};

struct pointing pointing_of(const struct move *moves, size_t count);

/* Has the piece on a square any move? */
bool pointing_movable(const struct pointing *pointing, square from);

/* Squares to go to, and squares to aim at from where the piece stands (or will stand, once that is
 * settled). */
squareset pointing_targets(const struct pointing *pointing);
squareset pointing_aims(const struct pointing *pointing);

/* The ways that lead through a square. */
int pointing_ways(const struct pointing *pointing, square at,
                  struct pointing_way ways[POINTING_WAYS_MAX]);

/* The kinds that may be named for a way whose target is known; empty if it asks nothing. `move` is
 * the move, but for the kind. */
kindset pointing_choices(const struct pointing *pointing, const struct pointing_way *way,
                         struct move *move);

#endif
