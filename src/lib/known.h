/* known.h - what a side may know of a game, as sets of squares.
 *
 * Where rules have no sight, calls, abilities or goals, everything that is ever told are moves,
 * battles and kinds shown, to both sides alike. Then a few sets a game are enough (struct lore),
 * changed ply by ply: a step costs a few operations, where a view costs a microsecond. Other rules
 * keep the views of the core (know/eyes.h). Both give the same struct known; tests compare them. */
#ifndef ENSIGN_LIB_KNOWN_H
#define ENSIGN_LIB_KNOWN_H

#include "core/know/eyes.h"

/* Pieces of a side whose kind is hidden, and may be each of these. */
struct hidden {
    squareset at;
    kindset kinds;    /* by moves and battles */
    kindset possible; /* of them by counting, if lore.counted */
};

struct lore {
    squareset kind[KINDS_MAX]; /* true kinds of both sides; read only where they are known */
    squareset shown[2];        /* by owner: the kind is known to all */
    squareset moved[2];
    uint8_t groups[2]; /* of hidden pieces, by owner; at most one for each piece */
    bool counted[2];
    struct hidden *group[2]; /* the caller's, lore_groups_max() each */
};

/* Is struct lore enough for these rules? */
bool lore_suffices(const struct rules *rules);

static inline int lore_groups_max(const struct rules *rules) {
    return rules_size(rules);
}

/* Of a game that has just been started. */
void lore_start(struct lore *lore, const struct game *game);

/* Plays a legal move. Returns a number made of all that is told. */
uint64_t lore_play(struct lore *lore, struct game *game, struct move move);

/* What a side knows at one moment. */
struct known {
    int kinds;
    /* All squares below can be turned at once: KNOWN_SETS, then those of the groups. */
    squareset kind[KINDS_MAX]; /* of own pieces, and of enemies in `shown`; else anything */
    squareset own, enemy;      /* enemies in sight */
    squareset told;            /* own pieces whose kind the enemy knows */
    squareset open;            /* own pieces whose kind both sides have seen */
    squareset shown;           /* enemies whose kind is known */
    squareset moved[2];        /* own; enemy */
    squareset seen;            /* squares in sight */
    squareset group_at[2 * BOARD_SQUARES_MAX];  /* own pieces that are not `open`, then enemies that
                                                   are not `shown` */
    kindset group_kinds[2 * BOARD_SQUARES_MAX]; /* for all that both sides saw; that it may be */
    int groups[2];                              /* own; all */
    const uint8_t *at; /* BOARD_SQUARES_MAX bytes, not turned: the kind in the low five bits where
                          it is known as in `kind`; else anything */
    uint8_t room[BOARD_SQUARES_MAX]; /* for `at` */
};
enum { KNOWN_SETS = KINDS_MAX + 8 };

/* `kinds` false: without `kind` and groups. What is known points into `game`. */
void known_of_lore(struct lore *lore, const struct game *game, enum side side, bool kinds,
                   struct known *known);
/* What is known points into itself. */
void known_of_view(const struct view *view, struct known *known);

#endif
