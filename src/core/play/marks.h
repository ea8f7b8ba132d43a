/* marks.h - what clings to a piece besides its kind: uses of its abilities so far, turns for which
 * it is held, turns for which it has stood still.
 *
 * All are public, and counted in two bits a piece: a set of squares for each bit, which all pieces
 * share. Only variants with rules.marks have any. A piece takes its marks along and loses them when
 * it falls; the ply keeps those before it for undo. */
#ifndef ENSIGN_CORE_PLAY_MARKS_H
#define ENSIGN_CORE_PLAY_MARKS_H

#include "core/rules/rules.h"

/* A number for each square, 0 to MARK_MAX: its two binary digits. */
struct mark_count {
    squareset low, high;
};

struct marks {
    struct mark_count spent; /* uses of abilities with `each` */
    struct mark_count held;  /* turns of its side in which it may not move or act */
    struct mark_count stood; /* turns of its side that have begun since it came to its square, at
                                most MARK_MAX; only with rules.stays */
};

static inline unsigned mark_count_at(const struct mark_count *count, square at) {
    return (unsigned)squareset_has(count->low, at) | (unsigned)squareset_has(count->high, at) << 1;
}

static inline void mark_count_set(struct mark_count *count, square at, unsigned number) {
    squareset bit = squareset_of(at);
    count->low = number & 1 ? count->low | bit : count->low & ~bit;
    count->high = number & 2 ? count->high | bit : count->high & ~bit;
}

/* Those that may do less: where a piece has stood for long is no part of a position. */
static inline bool marks_equal(const struct marks *a, const struct marks *b) {
    return a->spent.low == b->spent.low && a->spent.high == b->spent.high &&
           a->held.low == b->held.low && a->held.high == b->held.high;
}

/* The squares of held pieces. */
static inline squareset marks_held(const struct marks *marks) {
    return marks->held.low | marks->held.high;
}

/* A turn of the side that stands on `own` is over: its pieces are held for one turn less. */
static inline void marks_pass(struct marks *marks, squareset own) {
    squareset low = marks->held.low, high = marks->held.high;
    marks->held.low = (low & ~own) | (high & ~low & own);
    marks->held.high = (high & ~own) | (high & low & own);
}

/* A turn of the side that stands on `own` begins. */
static inline void marks_stand(struct marks *marks, squareset own) {
    squareset low = marks->stood.low, high = marks->stood.high;
    marks->stood.low = (low & ~own) | (own & (~low | high));
    marks->stood.high = (high & ~own) | (own & (high | low));
}

/* The squares where pieces have stood for at least `turns`, 0 to MARK_MAX. */
static inline squareset marks_stood(const struct marks *marks, unsigned turns) {
    squareset low = marks->stood.low, high = marks->stood.high;
    return turns == 0 ? ~(squareset)0 : turns == 1 ? low | high : turns == 2 ? high : low & high;
}

void marks_clear(struct marks *marks, square at);
void marks_swap(struct marks *marks, square at, square to);

struct game;
struct move;
struct turn;

/* The marks after a turn of a move, before the effects of a variant's calls. */
struct marks marks_after(const struct game *game, struct move move, const struct turn *turn);

#endif
