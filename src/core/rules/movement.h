/* movement.h - where a kind can go: tries of squares that are walked in order.
 *
 * One form serves steps, a scout's run, turning walks and leaps of a variant's own: from each
 * square a small tree of squares, each of which must be empty before those behind it are tried. The
 * legal moves, the rules' judgement and the views all walk the same trees. */
#ifndef ENSIGN_CORE_RULES_MOVEMENT_H
#define ENSIGN_CORE_RULES_MOVEMENT_H

#include "base/fault.h"
#include "core/board/board.h"

enum { PATH_MAX_SQUARES = 15 }; /* squares of the longest way of one move */

/* One way to go: squares entered one after the other, each of which must be empty before the next
 * is tried. The last square that is entered may hold an enemy: that is an attack. A leap is a path
 * of one far square. */
struct path {
    enum side side;
    square from;
    uint8_t length; /* 1..PATH_MAX_SQUARES */
    square squares[PATH_MAX_SQUARES];
};

/* A node of a trie in preorder: if `to` is not empty, nothing up to `skip` can be reached through
 * it. `skip` is an index from the start of the square's own list. */
struct path_node {
    square to;
    uint8_t skip;
};

struct movement {
    bool apart; /* from no square do two ways lead to the same square */
    bool near;  /* every way begins with a neighbouring square */
    bool step;  /* the ways lead to all neighbouring squares and end there */
    bool pace;  /* they begin with these and no others: who goes so can move when one is free */
    bool run;   /* they lead in straight lines as far as there is land */
    struct path_node *nodes;
    uint32_t start[2][BOARD_SQUARES_MAX +
                      1]; /* nodes of square s: start[side][s] … start[side][s + 1] - 1 */
};

/* Builds a movement from paths in any order; the same square may be reached by several. False with
 * a fault when a path leaves the board, enters a lake, visits its own start, or a square has more
 * than 255 nodes. The caller frees with movement_clear(). */
bool movement_build(struct movement *movement, const struct board *board, const struct path *paths,
                    size_t count, struct fault *fault);
void movement_clear(struct movement *movement);

/* The usual movements: `reach` squares at most in a straight line (1..15; "step" is 1, "run" is
 * 15), or, if `turns`, along any way of that many steps that visits no square twice (reach 1..3).
 */
bool movement_build_walk(struct movement *movement, const struct board *board, int reach,
                         bool turns, struct fault *fault);

/* The squares that a piece on `from` can enter when `occupied` squares are taken: empty ones, and
 * the first taken one of each way. */
squareset movement_reach(const struct movement *movement, enum side side, square from,
                         squareset occupied);

#endif
