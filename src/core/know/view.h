/* view.h - what one side may know of a running game. RULES 8.
 *
 * Built from the side's own set-up, from the squares on which the enemy's pieces stood, and from
 * events: nothing else goes in, so nothing else can come out. It serves every kind of player.
 * Pieces keep their number for the whole game; where the rules limit sight, an enemy that goes out
 * of sight is forgotten, and its number serves for the next that comes into sight. */
#ifndef ENSIGN_CORE_KNOW_VIEW_H
#define ENSIGN_CORE_KNOW_VIEW_H

#include "core/play/event.h"
#include "core/play/game.h"

struct view_piece {
    uint8_t side;    /* enum side */
    square at;       /* SQUARE_NONE once it has fallen, and while it is out of sight */
    square start;    /* where it stood first */
    kind_id kind;    /* own: always; enemy: when it has been shown, else KIND_NONE */
    kindset may_be;  /* kinds it may still be, by its moves and what was shown; counts are not
                        considered, see view_may_be() */
    kindset refuted; /* kinds that it is not, since abilities used on it would have shown it */
    uint16_t moves;  /* how often it moved, at most 65535 */
    bool moved;
    bool shown;  /* the other side knows the kind */
    bool unseen; /* an enemy that stands out of sight, nobody knows which and where */
};

enum { VIEW_RECENT = 48 };

struct view {
    const struct rules *rules;
    uint8_t side; /* whose view this is */
    uint8_t to_move;
    uint8_t result, reason;
    uint32_t plies; /* played */
    uint32_t quiet; /* plies in a row without an attack */
    struct limits limits;
    int count; /* pieces ever seen, both sides */
    struct view_piece piece[2 * BOARD_SQUARES_MAX];
    uint16_t number[BOARD_SQUARES_MAX]; /* piece on a square, VIEW_EMPTY if none */
    uint8_t start[2][KINDS_MAX];        /* the armies at the start; both sides know both */
    uint8_t captured[2][KINDS_MAX];     /* fallen pieces by side and kind */
    uint8_t uses[2][ABILITIES_MAX];
    uint8_t recent_count;            /* at most VIEW_RECENT */
    struct move recent[VIEW_RECENT]; /* the latest moves, oldest first, as far back as they were
                                        plain: moves to empty squares, in sight, and nothing more */
};

enum { VIEW_EMPTY = 65535 };

/* `own` are the cells of the side itself (others are ignored), `enemy` the squares where the other
 * side stands (where sight is limited, those that are seen), `enemy_start` its army by kind
 * (public: the army of the rules, or what a record's position says). */
void view_start(struct view *view, const struct rules *rules, enum side side, const cell *own,
                squareset enemy, const uint8_t *enemy_start, enum side first, struct limits limits);

/* Follows one turn: all events of it that the side is told (eyes.h), in order; afterwards the other
 * side is to move. */
void view_turn(struct view *view, const struct events *events);

/* What `side` sees with its pieces among these cells; every square where sight is not limited. Most
 * games hide ranks only; a variant with `sight` hides pieces too: a side sees the squares of its
 * own pieces and those that these see, by kind and place. */
squareset view_sight(const struct rules *rules, enum side side, const cell *at);

/* The squares that the side sees; every square where sight is not limited. */
squareset view_sees(const struct view *view);

/* Kinds that a piece may still be when the fallen and the shown pieces of its side are counted too,
 * without those that are refuted (which the counting does not follow up). A set of one kind means
 * that it is certain. */
kindset view_may_be(const struct view *view, int piece);

/* The same of all pieces at once; `out` has room for view->count sets. */
void view_all_may_be(const struct view *view, kindset *out);

#endif
