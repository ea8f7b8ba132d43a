/* tree.c - a hash table of nodes by their way, and which choice is tried next.
 *
 * Floating point here is additions, multiplications, divisions and square roots in a fixed order,
 * as in belief.c. */
#include "tree.h"

#include "measure.h"

#include <math.h>
#include <string.h>

enum { FULL = TREE_NODES / 4 * 3 };

/* The mind's own word counts as much as so many tries. */
static const double TRUST = 2;

/* How much hope there is in what has been tried seldom, as a chance to win; a move that was valued
 * worse than the best by GAP gets half of it. */
static const double HOPE = 0.03, GAP = 0.03;

void tree_clear(struct tree *tree) {
    tree->nodes = 0;
    tree->age++;
}

static uint64_t mixed(uint64_t way, uint64_t with) {
    way = (way ^ with) * UINT64_C(0x9E3779B97F4A7C15);
    return way ^ way >> 29;
}

uint64_t tree_way(struct move move) {
    uint64_t way = (uint64_t)move.from | (uint64_t)move.to << 8 | (uint64_t)move.target << 16 |
                   (uint64_t)move.ability << 24 | (uint64_t)move.choice << 32;
    return mixed(1, way);
}

uint64_t tree_way_on(uint64_t way, const struct events *told) {
    for (int i = 0; i < told->count; i++) {
        uint64_t half[2];
        memcpy(half, &told->list[i], sizeof half);
        way = mixed(mixed(way, half[0]), half[1]);
    }
    return mixed(way, (uint64_t)told->count);
}

/* The node of this way, or the empty one where it belongs. */
static struct tree_node *place_of(struct tree *tree, uint64_t way) {
    uint64_t at = way % TREE_NODES;
    while (tree->node[at].age == tree->age && tree->node[at].way != way) at = (at + 1) % TREE_NODES;
    return &tree->node[at];
}

struct tree_node *tree_find(struct tree *tree, uint64_t way) {
    struct tree_node *node = place_of(tree, way);
    return node->age == tree->age ? node : NULL;
}

struct tree_node *tree_add(struct tree *tree, uint64_t way, const struct move *moves,
                           const int32_t *chances, size_t count) {
    if (tree->nodes == FULL) return NULL;
    struct tree_node *node = place_of(tree, way);
    tree->nodes++;
    node->way = way;
    node->age = tree->age;
    node->tried = 0;
    node->count = 0;
    for (size_t i = 0; i < count; i++) {
        int at = node->count;
        if (at < TREE_CHOICES)
            node->count++;
        else if (node->choice[--at].chance >= chances[i])
            continue;
        for (; at > 0 && node->choice[at - 1].chance < chances[i]; at--)
            node->choice[at] = node->choice[at - 1];
        node->choice[at] = (struct tree_choice){.move = moves[i], .chance = chances[i]};
    }
    return node;
}

struct tree_choice *tree_choose(struct tree_node *node) {
    const double root = sqrt((double)node->tried + 1);
    struct tree_choice *best = node->choice;
    double highest = -1;
    for (int i = 0; i < node->count; i++) {
        struct tree_choice *choice = &node->choice[i];
        const double first = (double)choice->chance / CHANCE_CERTAIN;
        const double gap = (double)(node->choice->chance - choice->chance) / CHANCE_CERTAIN;
        const double likely = 1 / (1 + gap * gap / (GAP * GAP));
        const double mean =
            ((double)choice->sum / CHANCE_CERTAIN + TRUST * first) / (choice->tried + TRUST);
        const double hope = mean + HOPE * likely * root / (1 + choice->tried);
        if (hope <= highest) continue;
        highest = hope;
        best = choice;
    }
    return best;
}
