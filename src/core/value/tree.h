/* tree.h - what looking ahead has found about later turns of one's own: one tree over all imagined
 * armies.
 *
 * A node is a turn of ours as we would see it: reached by the same moves of ours and the same
 * events that we were told, whatever army the enemy was imagined to have. So the same numbers
 * choose our move against all of these armies, and we never act on what we cannot know. */
#ifndef ENSIGN_CORE_VALUE_TREE_H
#define ENSIGN_CORE_VALUE_TREE_H

#include "core/play/event.h"
#include "core/play/game.h"
#include "evaluation.h"

enum { TREE_NODES = 1 << 12, TREE_CHOICES = 8 };

/* A move that may be tried at a node. */
struct tree_choice {
    struct move move;
    int32_t chance; /* to win, as valued before anything was tried; in CHANCE_CERTAIN */
    uint32_t tried; /* how often */
    int64_t sum;    /* of the chances found, less the luck in the move */
    struct stakes stakes;
};

struct tree_node {
    uint64_t way;   /* to it */
    uint32_t age;   /* of the tree when it was added; another one: empty */
    uint32_t tried; /* all choices together */
    int count;
    struct tree_choice choice[TREE_CHOICES]; /* the best by `chance` first */
};

/* Zeroed, then cleared, before its first use. */
struct tree {
    uint32_t age; /* times it was cleared */
    int nodes;
    struct tree_node node[TREE_NODES];
};

/* Forgets all nodes. */
void tree_clear(struct tree *tree);

/* The way to a node: begins with the move that is looked at, goes on by what the side is told. */
uint64_t tree_way(struct move move);
uint64_t tree_way_on(uint64_t way, const struct events *told);

/* The node at the end of a way, or NULL. */
struct tree_node *tree_find(struct tree *tree, uint64_t way);

/* Adds one with the best of these moves, at least one; NULL if there is no room. */
struct tree_node *tree_add(struct tree *tree, uint64_t way, const struct move *moves,
                           const int32_t *chances, size_t count);

/* The choice to be tried next: the most promising, with hope for what was tried seldom. */
struct tree_choice *tree_choose(struct tree_node *node);

#endif
