/* movement.c - builds and walks the tries of movement.h.
 *
 * Paths are sorted to bring common prefixes together, then written in preorder: a node, its
 * subtree, and in `skip` the index after the subtree. */
#include "movement.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

static int path_compare(const void *left, const void *right) {
    const struct path *a = left, *b = right;
    if (a->side != b->side) return a->side < b->side ? -1 : 1;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    for (int i = 0; i < a->length && i < b->length; i++)
        if (a->squares[i] != b->squares[i]) return a->squares[i] < b->squares[i] ? -1 : 1;
    return a->length - b->length;
}

static bool path_check(const struct path *path, const struct board *board, struct fault *fault) {
    if (path->length < 1 || path->length > PATH_MAX_SQUARES)
        return fault_set(fault, STATUS_RULES, "a way of %d squares, expected 1 to %d", path->length,
                         PATH_MAX_SQUARES);
    if (path->from >= board->squares)
        return fault_set(fault, STATUS_RULES, "a way that starts off the board");
    for (int i = 0; i < path->length; i++) {
        square at = path->squares[i];
        if (at >= board->squares || !squareset_has(board->land, at))
            return fault_set(fault, STATUS_RULES, "a way that enters %s",
                             at >= board->squares ? "a square off the board" : "a lake");
        if (at == path->from)
            return fault_set(fault, STATUS_RULES, "a way that comes back to its own start");
    }
    return true;
}

/* Writes the nodes of paths[0..count), which share their first `depth` squares, from *used on. */
static void trie_write(struct movement *movement, uint32_t base, uint32_t *used,
                       const struct path *paths, size_t count, int depth) {
    struct path_node *nodes = movement->nodes;
    size_t i = 0;
    while (i < count) {
        if (paths[i].length <= depth) {
            i++;
            continue;
        }
        square to = paths[i].squares[depth];
        size_t end = i + 1;
        while (end < count && paths[end].squares[depth] == to) end++;
        uint32_t node = (*used)++;
        nodes[node].to = to;
        movement->bars[node] = BAR_STOP;
        for (size_t k = i; k < end; k++)
            movement->bars[node] &=
                paths[k].length == depth + 1 ? paths[k].last_bars : paths[k].bars;
        trie_write(movement, base, used, paths + i, end - i, depth + 1);
        nodes[node].skip = (uint8_t)(*used - base);
        i = end;
    }
}

/* Are the ways from this square straight lines as far as there is land? */
static bool is_run(const struct movement *movement, const struct board *board, enum side side,
                   square from) {
    const uint32_t *start = &movement->start[side][from];
    const struct path_node *nodes = movement->nodes + start[0];
    uint32_t ways = start[1] - start[0], i = 0;
    for (int way = 0; way < 4; way++) {
        uint32_t begin = i;
        for (square at = from; board->around[at][way] != at; i++) {
            at = board->around[at][way];
            if (i == ways || nodes[i].to != at) return false;
        }
        for (uint32_t node = begin; node < i; node++)
            if (nodes[node].skip != i) return false;
    }
    return i == ways;
}

/* Clears the properties that the ways from one square contradict. */
static void note_ways(struct movement *movement, const struct board *board, enum side side,
                      square from) {
    const uint32_t ways = movement->start[side][from + 1] - movement->start[side][from];
    const struct path_node *nodes = movement->nodes + movement->start[side][from];
    squareset all = 0, first = 0, beside = board->neighbours[from];
    for (uint32_t i = 0; i < ways; i++) all |= squareset_of(nodes[i].to);
    for (uint32_t i = 0; i < ways; i = nodes[i].skip) first |= squareset_of(nodes[i].to);
    if (squareset_count(all) != (int)ways) movement->apart = false;
    if (first & ~beside) movement->near = false;
    if (first != beside) movement->pace = false;
    if (first != beside || (int)ways != squareset_count(beside)) movement->step = false;
    if (!is_run(movement, board, side, from)) movement->run = false;
}

/* Forgets the bars if there are none. With some, where a piece can go depends on what is there, and
 * it has none of the properties but `near`. */
static void settle_bars(struct movement *movement, uint32_t nodes) {
    uint8_t any = 0;
    for (uint32_t i = 0; i < nodes; i++) any |= movement->bars[i];
    movement->plain = !any;
    if (any) {
        movement->apart = movement->step = movement->pace = movement->run = false;
    } else {
        free(movement->bars);
        movement->bars = NULL;
    }
}

bool movement_build(struct movement *movement, const struct board *board, const struct path *paths,
                    size_t count, struct fault *fault) {
    memset(movement, 0, sizeof *movement);
    size_t nodes = 0;
    for (size_t i = 0; i < count; i++) {
        if (!path_check(&paths[i], board, fault)) return false;
        nodes += paths[i].length;
    }
    struct path *sorted = malloc((count + 1) * sizeof *sorted);
    movement->nodes = malloc((nodes + 1) * sizeof *movement->nodes);
    movement->bars = malloc(nodes + 1);
    if (!sorted || !movement->nodes || !movement->bars) {
        free(sorted);
        movement_clear(movement);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a movement");
    }
    if (count) memcpy(sorted, paths, count * sizeof *sorted);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!squareset_has(board->stays, sorted[i].from)) sorted[kept++] = sorted[i];
    count = kept;
    qsort(sorted, count, sizeof *sorted, path_compare);

    size_t next = 0;
    uint32_t used = 0;
    bool fits = true;
    movement->apart = movement->near = movement->pace = movement->step = movement->run = true;
    for (int side = RED; side <= BLUE; side++) {
        for (int from = 0; from < BOARD_SQUARES_MAX; from++) {
            size_t path = next;
            while (next < count && (int)sorted[next].side == side && sorted[next].from == from)
                next++;
            movement->start[side][from] = used;
            trie_write(movement, used, &used, sorted + path, next - path, 0);
            movement->start[side][from + 1] = used;
            if (used - movement->start[side][from] > UINT8_MAX) fits = false;
            if (fits && squareset_has(board->land, (square)from))
                note_ways(movement, board, (enum side)side, (square)from);
        }
    }
    free(sorted);
    settle_bars(movement, used);
    if (fits) return true;
    movement_clear(movement);
    return fault_set(fault, STATUS_RULES, "more than 255 ways from one square");
}

void movement_clear(struct movement *movement) {
    free(movement->nodes);
    free(movement->bars);
    free(movement->flood);
    memset(movement, 0, sizeof *movement);
}

bool movement_add_flood(struct movement *movement, const struct board *board, squareset ground,
                        struct fault *fault) {
    movement->flood = calloc(BOARD_SQUARES_MAX, sizeof *movement->flood);
    if (!movement->flood) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a movement");
    movement->plain = false;
    movement->ground = ground;
    movement->sources = ground & ~board->stays;
    for (squareset left = ground; left;) {
        const square at = squareset_pop(&left);
        movement->flood[at] = board->neighbours[at] & ground;
    }
    movement->apart = movement->near = movement->step = movement->pace = movement->run = false;
    return true;
}

enum { WAYS_MAX = 2 * BOARD_SQUARES_MAX * 255 };

bool ways_add(struct ways *ways, const struct path *path, struct fault *fault) {
    if (ways->count == WAYS_MAX)
        return fault_set(fault, STATUS_RULES, "more than %d ways in all", WAYS_MAX);
    struct path *grown = array_grown(ways->list, ways->count, sizeof *grown, WAYS_MAX);
    if (!grown) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a movement");
    ways->list = grown;
    ways->list[ways->count++] = *path;
    return true;
}

/* How the ways of a walk go on. */
struct walk_terms {
    const struct board *board;
    squareset ground; /* that they keep to */
    struct walk_of walk;
    bool links;
};

static bool walk_on(struct ways *ways, const struct walk_terms *terms, struct path *path,
                    square next, int reach, int only, struct fault *fault);

/* Extends `path`, which ends at `at`, by up to `reach` steps in every possible way; `only` is the
 * set of directions still allowed. */
static bool walk_from(struct ways *ways, const struct walk_terms *terms, struct path *path,
                      square at, int reach, int only, struct fault *fault) {
    static const int step[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    const struct board *board = terms->board;
    path->bars = BAR_STOP; /* shorter ways are added by themselves */
    path->last_bars = reach ? terms->walk.bars : terms->walk.last_bars;
    if (path->length && path->last_bars != BAR_STOP && !ways_add(ways, path, fault)) return false;
    if (reach == 0) return true;
    for (int d = 0; d < 4; d++) {
        if (!(only & (1 << d))) continue;
        square next = board_square(board, board_file(board, at) + step[d][0],
                                   board_rank(board, at) + step[d][1]);
        if (next == SQUARE_NONE || squareset_has(board->walled[at], next)) continue;
        if (!walk_on(ways, terms, path, next, reach, terms->walk.turns ? 15 : 1 << d, fault))
            return false;
    }
    for (squareset links = terms->links ? board->linked[at] : 0; links;)
        if (!walk_on(ways, terms, path, squareset_pop(&links), reach, 15, fault)) return false;
    return true;
}

static bool walk_on(struct ways *ways, const struct walk_terms *terms, struct path *path,
                    square next, int reach, int only, struct fault *fault) {
    bool visited = next == path->from;
    for (int i = 0; i < path->length; i++) visited |= path->squares[i] == next;
    if (visited || !squareset_has(terms->ground, next)) return true;
    path->squares[path->length++] = next;
    bool grown = walk_from(ways, terms, path, next, reach - 1, only, fault);
    path->length--;
    return grown;
}

static bool walk_all(struct ways *ways, const struct walk_terms *terms, struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        for (squareset left = terms->ground; left;) {
            struct path path = {.side = (enum side)side, .from = squareset_pop(&left)};
            if (!walk_from(ways, terms, &path, path.from, terms->walk.reach, 15, fault))
                return false;
        }
    }
    return true;
}

bool ways_add_walk(struct ways *ways, const struct board *board, struct walk_of walk,
                   struct fault *fault) {
    const struct walk_terms terms = {board, board->land, walk, walk.turns || walk.reach == 1};
    const int most = walk.turns ? 3 : PATH_MAX_SQUARES;
    if (walk.reach < 1 || walk.reach > most)
        return fault_set(fault, STATUS_RULES, "reach %d, expected 1 to %d", walk.reach, most);
    return walk_all(ways, &terms, fault);
}

bool ways_add_slide(struct ways *ways, const struct board *board, squareset ground, uint8_t bars,
                    struct fault *fault) {
    const struct walk_of walk = {PATH_MAX_SQUARES, false, bars, bars};
    const struct walk_terms terms = {board, ground, walk, false};
    return walk_all(ways, &terms, fault);
}

bool movement_build_walk(struct movement *movement, const struct board *board, struct walk_of walk,
                         struct fault *fault) {
    struct ways ways = {0};
    memset(movement, 0, sizeof *movement);
    bool done = ways_add_walk(&ways, board, walk, fault) &&
                movement_build(movement, board, ways.list, ways.count, fault);
    free(ways.list);
    return done;
}

/* Where a flood gets from a square. */
static __attribute__((noinline)) squareset flood_reach(const squareset *flood, square from,
                                                       squareset occupied) {
    squareset reached = flood[from], edge = reached & ~occupied;
    while (edge) {
        squareset next = 0;
        while (edge) next |= flood[squareset_pop(&edge)];
        edge = next & ~reached & ~occupied;
        reached |= next;
    }
    return reached & ~squareset_of(from);
}

squareset movement_reach(const struct movement *movement, enum side side, square from,
                         squareset occupied) {
    const struct path_node *nodes = movement->nodes + movement->start[side][from];
    uint32_t count = movement->start[side][from + 1] - movement->start[side][from];
    const uint8_t *bars = movement->bars ? movement->bars + movement->start[side][from] : NULL;
    squareset reached = 0;
    for (uint32_t i = 0; i < count;) {
        const bool taken = squareset_has(occupied, nodes[i].to);
        if (!bars || !(bars[i] & (taken ? BAR_ATTACK : BAR_MOVE)))
            reached |= squareset_of(nodes[i].to);
        i = taken ? nodes[i].skip : i + 1;
    }
    if (squareset_has(movement->sources, from))
        reached |= flood_reach(movement->flood, from, occupied);
    return reached;
}

squareset movement_ever(const struct movement *movement, enum side side, square from,
                        enum bars what) {
    if (!movement->bars) return movement_reach(movement, side, from, 0);
    squareset ever = 0;
    for (uint32_t i = movement->start[side][from]; i < movement->start[side][from + 1]; i++)
        if (what & ~movement->bars[i]) ever |= squareset_of(movement->nodes[i].to);
    if (squareset_has(movement->sources, from)) ever |= flood_reach(movement->flood, from, 0);
    return ever;
}
