/* chase.c - for each square of the prey the set of squares from which the hunter catches it: after
 * one ply, then after two, and so on.
 *
 * Where a piece can go is found once, without the other one. That the other blocks the way only
 * matters if it can be reached: then the hunter has caught the prey, and the prey's moves are found
 * anew. */
#include "chase.h"

#include <string.h>

/* One of the two, or a piece in a race. */
struct walker {
    const struct rules *rules;
    enum side side;
    kindset kinds;
};

struct chase {
    struct walker hunter, prey;
    squareset others;                      /* pieces that stand still */
    squareset free;                        /* land without them */
    squareset hunts[BOARD_SQUARES_MAX];    /* where the hunter goes from a square */
    squareset flees[BOARD_SQUARES_MAX];    /* the prey, the same */
    squareset caught[BOARD_SQUARES_MAX];   /* by the prey's square: the hunter's, it moves */
    squareset cornered[BOARD_SQUARES_MAX]; /* the same, the prey moves */
};

static squareset walk(const struct walker *walker, square from, squareset taken) {
    const struct rules *rules = walker->rules;
    uint32_t movements = 0;
    squareset reached = 0;
    for (kindset kinds = walker->kinds & rules->mobile; kinds; kinds &= kinds - 1)
        movements |= 1u << rules->kind[__builtin_ctz(kinds)].movement;
    for (; movements; movements &= movements - 1)
        reached |=
            movement_reach(&rules->movement[__builtin_ctz(movements)], walker->side, from, taken);
    return reached;
}

static squareset pieces(const struct view *view) {
    squareset taken = 0;
    for (square at = 0; at < view->rules->board.squares; at++)
        if (view->number[at] != VIEW_EMPTY) taken |= squareset_of(at);
    return taken;
}

/* Those of a piece's kinds that may win or tie by attacking one of `others`. */
static kindset matches(const struct rules *rules, kindset kinds, kindset others) {
    kindset found = 0;
    for (kindset left = kinds & rules->mobile; left; left &= left - 1) {
        const kind_id kind = (kind_id)__builtin_ctz(left);
        for (kind_id other = 1; other <= rules->kinds; other++)
            if ((others & kindset_of(other)) && rules_outcome(rules, kind, other) != DEFENDER_WINS)
                found |= kindset_of(kind);
    }
    return found;
}

static void prepare(struct chase *chase, const struct pursuit *pursuit) {
    const struct view *view = pursuit->view;
    const struct view_piece *hunter = &view->piece[pursuit->hunter];
    const struct view_piece *prey = &view->piece[pursuit->prey];
    const kindset prey_kinds = pursuit->may_be[pursuit->prey];
    const kindset hunting = matches(view->rules, pursuit->may_be[pursuit->hunter], prey_kinds);
    chase->hunter = (struct walker){view->rules, (enum side)hunter->side, hunting};
    chase->prey = (struct walker){view->rules, (enum side)prey->side, prey_kinds};
    chase->others = pieces(view) & ~squareset_of(hunter->at) & ~squareset_of(prey->at) &
                    ~squareset_of(pursuit->hunter_at) & ~squareset_of(pursuit->prey_at);
    chase->free = view->rules->board.land & ~chase->others;
    for (squareset left = chase->free; left;) {
        const square at = squareset_pop(&left);
        chase->hunts[at] = walk(&chase->hunter, at, chase->others) & chase->free;
        chase->flees[at] = walk(&chase->prey, at, chase->others) & chase->free;
    }
}

/* The hunter moves, or stays: `caught` from `cornered`. False if nothing is new, and so never will
 * be. */
static bool hunt(struct chase *chase) {
    bool new = false;
    for (squareset left = chase->free; left;) {
        const square prey = squareset_pop(&left);
        const squareset goals = squareset_of(prey) | chase->cornered[prey];
        squareset from = chase->cornered[prey];
        for (squareset hunters = chase->free & ~goals; hunters;) {
            const square hunter = squareset_pop(&hunters);
            if (chase->hunts[hunter] & goals) from |= squareset_of(hunter);
        }
        new |= chase->caught[prey] != from;
        chase->caught[prey] = from;
    }
    return new;
}

/* Is the prey caught wherever it goes from here? */
static bool has_no_escape(const struct chase *chase, square hunter, square prey) {
    squareset escapes =
        walk(&chase->prey, prey, chase->others | squareset_of(hunter)) & chase->free;
    escapes &= ~squareset_of(hunter);
    while (escapes)
        if (!squareset_has(chase->caught[squareset_pop(&escapes)], hunter)) return false;
    return true;
}

/* The prey moves, or stays: `cornered` from `caught`. */
static void flee(struct chase *chase) {
    for (squareset left = chase->free; left;) {
        const square prey = squareset_pop(&left);
        const squareset near = chase->flees[prey];
        squareset from = chase->caught[prey] & ~near;
        for (squareset escapes = near; escapes && from;)
            from &= chase->caught[squareset_pop(&escapes)];
        for (squareset hunters = near & chase->caught[prey]; hunters;) {
            const square hunter = squareset_pop(&hunters);
            if (has_no_escape(chase, hunter, prey)) from |= squareset_of(hunter);
        }
        chase->cornered[prey] = from;
    }
}

int chase_plies(const struct pursuit *pursuit, int plies) {
    struct chase chase;
    prepare(&chase, pursuit);
    memset(chase.caught, 0, sizeof chase.caught);
    memset(chase.cornered, 0, sizeof chase.cornered);
    for (int ply = 1; ply <= plies; ply++) {
        const bool hunts = ply % 2;
        if (!hunts)
            flee(&chase);
        else if (!hunt(&chase))
            return CHASE_NEVER;
        const squareset *lost = hunts ? chase.caught : chase.cornered;
        if (hunts == pursuit->hunter_moves &&
            squareset_has(lost[pursuit->prey_at], pursuit->hunter_at))
            return ply;
    }
    return CHASE_NEVER;
}

int race_moves(const struct view *view, int number, kindset kinds, square to, int most) {
    const struct view_piece *piece = &view->piece[number];
    const struct walker walker = {view->rules, (enum side)piece->side, kinds};
    const squareset taken = pieces(view) & ~squareset_of(piece->at);
    squareset edge = squareset_of(piece->at), seen = edge | taken;
    if (piece->at == to) return 0;
    for (int moves = 1; moves <= most && edge; moves++) {
        squareset next = 0;
        while (edge) next |= walk(&walker, squareset_pop(&edge), taken);
        if (squareset_has(next, to)) return moves;
        edge = next & ~seen;
        seen |= edge;
    }
    return CHASE_NEVER;
}

struct race race_run(const struct view *view, const kindset *may_be, int number, square to) {
    const struct view_piece *piece = &view->piece[number];
    struct race race = {.theirs = CHASE_NEVER, .number = VIEW_EMPTY};
    race.own = race_moves(view, number, may_be[number], to, BOARD_SQUARES_MAX);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *other = &view->piece[i];
        if (other->side == piece->side || other->at == SQUARE_NONE) continue;
        const kindset kinds = matches(view->rules, may_be[i], may_be[number]);
        if (!kinds) continue;
        const int moves = race_moves(view, i, kinds, to, race.theirs - 1);
        if (moves >= race.theirs) continue;
        race.theirs = moves;
        race.number = i;
    }
    return race;
}
