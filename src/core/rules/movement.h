/* movement.h - where a kind can go: tries of squares.
 *
 * One form serves steps, a scout's run, turning walks and custom leaps: each square has a small
 * tree of squares, each of which must be empty before those behind it can be reached. Move
 * listing, judging and views all walk the same trees. */
#ifndef ENSIGN_CORE_RULES_MOVEMENT_H
#define ENSIGN_CORE_RULES_MOVEMENT_H

#include "base/fault.h"
#include "core/board/board.h"

enum { PATH_MAX_SQUARES = 15 }; /* squares of the longest way of one move */

/* What a piece may not do on a square of a way: both, and it only passes. */
enum bars {
    BAR_MOVE = 1,   /* end there if it is empty */
    BAR_ATTACK = 2, /* attack an enemy there */
    BAR_STOP = BAR_MOVE | BAR_ATTACK
};

/* One way to go: squares entered in turn, each of which must be empty to go on. The last square
 * entered may hold an enemy: an attack. A leap is a path of one distant square. */
struct path {
    enum side side;
    square from;
    uint8_t length; /* 1..PATH_MAX_SQUARES */
    square squares[PATH_MAX_SQUARES];
    uint8_t last_bars, bars; /* of the last square, and of each before it; 0 usually. What one of
                                several ways allows on a square is allowed */
};

/* A node of a trie in preorder: if `to` is taken, the nodes up to `skip` cannot be reached. `skip`
 * counts from the first node of the square. */
struct path_node {
    square to;
    uint8_t skip;
};

struct movement {
    bool apart;        /* no two ways from a square lead to the same square */
    bool near;         /* every way begins with a neighbouring square */
    bool step;         /* the ways are exactly the neighbouring squares */
    bool pace;         /* the ways begin with all neighbouring squares and no others */
    bool run;          /* the ways are straight lines as far as there is land */
    bool plain;        /* its nodes alone say where it goes: no flood, no bars */
    squareset ground;  /* of a flood: any way along joined squares of it; empty without one */
    squareset sources; /* those of them that a piece may leave */
    squareset *flood; /* NULL without a flood; for each square those of the ground joined with it */
    struct path_node *nodes;
    uint8_t *bars; /* of each node; NULL if there are none */
    /* The nodes of square s are start[side][s] … start[side][s + 1] - 1. */
    uint32_t start[2][BOARD_SQUARES_MAX + 1];
};

/* Builds a movement from paths in any order; several may reach the same square. Paths from squares
 * that no piece leaves are left out. False with a fault if a path leaves the board, enters a lake
 * or its own start, or if a square has more than 255 nodes. The caller frees with movement_clear().
 */
bool movement_build(struct movement *movement, const struct board *board, const struct path *paths,
                    size_t count, struct fault *fault);
void movement_clear(struct movement *movement);

/* Makes the movement flood: any way along joined squares of `ground` that are empty, to an empty
 * one or onto an enemy. Once a movement. False with a fault without memory. */
bool movement_add_flood(struct movement *movement, const struct board *board, squareset ground,
                        struct fault *fault);

/* A growing list of paths for movement_build(). All zero is an empty one; the caller frees `list`.
 */
struct ways {
    struct path *list;
    size_t count;
};

/* False with a fault: of the rules for more than 65,280 paths. */
bool ways_add(struct ways *ways, const struct path *path, struct fault *fault);

/* Up to `reach` squares in a straight line (1..15; "step" is 1, "run" is 15) or, if `turns`, up to
 * `reach` steps in any directions, no square twice (1..3). */
struct walk_of {
    int reach;
    bool turns;
    uint8_t bars, last_bars; /* of ways shorter than `reach`, and of those as long */
};

/* Adds them. Steps follow links; a line of more than one does not. No way crosses a wall. False
 * with a fault. */
bool ways_add_walk(struct ways *ways, const struct board *board, struct walk_of walk,
                   struct fault *fault);

/* Adds straight lines along joined squares of `ground`, as far as it goes; they follow no links. */
bool ways_add_slide(struct ways *ways, const struct board *board, squareset ground, uint8_t bars,
                    struct fault *fault);

/* A movement of ways_add_walk() alone. */
bool movement_build_walk(struct movement *movement, const struct board *board, struct walk_of walk,
                         struct fault *fault);

/* The squares that a piece on `from` can enter if the `occupied` squares are taken: free ones, and
 * the first taken one of each way. */
squareset movement_reach(const struct movement *movement, enum side side, square from,
                         squareset occupied);

/* Those that it can ever enter by a move to an empty square (BAR_MOVE), by an attack (BAR_ATTACK)
 * or by either (BAR_STOP), on a board that is empty otherwise. */
squareset movement_ever(const struct movement *movement, enum side side, square from,
                        enum bars what);

#endif
