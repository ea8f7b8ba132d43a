/* exchange.c - a search over which pieces are left.
 *
 * At most four attackers and the piece that began make it small: once an own piece holds the
 * square, only it and the attackers left matter, so that value is kept in a table. An enemy that
 * holds it has fought, and is known. */
#include "exchange.h"

#include <stdlib.h>

/* Participants: the first pieces of the four lines, and the one that holds the square at first or
 * moves there. */
enum { BEGINNER = WAYS, PLACES, SURE = 1 << 30, CANDIDATES = WAYS * KINDS_MAX };

struct exchange {
    const struct rules *rules;
    const struct measure *measure;
    const struct belief *belief;
    unsigned own, enemies; /* sets of places, attackers only */
    kind_id kind[PLACES];  /* of ours */
    int group[PLACES];     /* of the belief, of enemies */
    kindset come[PLACES];  /* kinds of enemies that get to the square */
    bool kept[PLACES][1 << WAYS];
    int64_t held[PLACES][1 << WAYS]; /* by our piece on the square and the attackers left */
};

/* One of an enemy's kinds as the choice of its side. */
struct candidate {
    int64_t value;
    int place;
    int32_t chance;
};

static int64_t worth(const struct exchange *exchange, kind_id kind) {
    return (int64_t)exchange->measure->worth[kind] * (EXCHANGE_UNIT / WORTH_UNIT);
}

static bool is_flag(const struct exchange *exchange, kind_id kind) {
    return exchange->rules->flags & kindset_of(kind);
}

/* Does it leave the square empty when it wins? */
static bool stays(const struct exchange *exchange, kind_id kind) {
    return exchange->rules->stayers & kindset_of(kind);
}

static int64_t we_hold(struct exchange *exchange, int holder, unsigned left);
static int64_t enemy_holds(struct exchange *exchange, kind_id kind, unsigned left);

/* Our piece attacks an enemy of this kind; `left` are the attackers that remain. */
static int64_t attack(struct exchange *exchange, int place, kind_id enemy, unsigned left) {
    const kind_id own = exchange->kind[place];
    switch (rules_outcome(exchange->rules, own, enemy)) {
    case ATTACKER_WINS:
        return worth(exchange, enemy) + (is_flag(exchange, enemy) || stays(exchange, own)
                                             ? 0
                                             : we_hold(exchange, place, left));
    case DEFENDER_WINS:
        return -worth(exchange, own) +
               (is_flag(exchange, own) ? 0 : enemy_holds(exchange, enemy, left));
    default:
        return worth(exchange, enemy) - worth(exchange, own);
    }
}

/* An enemy of this kind attacks ours. */
static int64_t defend(struct exchange *exchange, int holder, kind_id enemy, unsigned left) {
    const kind_id own = exchange->kind[holder];
    switch (rules_outcome(exchange->rules, enemy, own)) {
    case ATTACKER_WINS:
        return -worth(exchange, own) + (is_flag(exchange, own) || stays(exchange, enemy)
                                            ? 0
                                            : enemy_holds(exchange, enemy, left));
    case DEFENDER_WINS:
        return worth(exchange, enemy) +
               (is_flag(exchange, enemy) ? 0 : we_hold(exchange, holder, left));
    default:
        return worth(exchange, enemy) - worth(exchange, own);
    }
}

/* A known enemy holds the square: our best attack, or none. */
static int64_t enemy_holds(struct exchange *exchange, kind_id kind, unsigned left) {
    int64_t best = 0;
    for (unsigned ours = left & exchange->own; ours; ours &= ours - 1) {
        const int64_t value =
            attack(exchange, __builtin_ctz(ours), kind, left & ~(ours & (~ours + 1)));
        if (value > best) best = value;
    }
    return best;
}

static int32_t chances_sum(const struct exchange *exchange, int place) {
    const int16_t *chance = exchange->belief->chance[exchange->group[place]];
    int32_t sum = 0;
    for (int kind = 1; kind <= exchange->rules->kinds; kind++) sum += chance[kind];
    return sum;
}

/* The worst for us first; the order is complete, so that sums are the same everywhere. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->place != b->place ? a->place - b->place : a->chance - b->chance;
}

/* The expectation of the least value, where each enemy is one of its candidates, or none. */
static int64_t expect_least(const struct exchange *exchange, struct candidate *list, int count) {
    int32_t sum[PLACES], rest[PLACES]; /* rest: of the kinds not passed yet */
    unsigned places = 0;
    int64_t value = 0;
    qsort(list, (size_t)count, sizeof *list, compare_candidates);
    for (int i = 0; i < count; i++) {
        const int place = list[i].place;
        if (!(places >> place & 1)) sum[place] = rest[place] = chances_sum(exchange, place);
        places |= 1u << place;
        int64_t part = (int64_t)list[i].chance * SURE / sum[place];
        for (unsigned others = places & ~(1u << place); others; others &= others - 1)
            part = part * rest[__builtin_ctz(others)] / sum[__builtin_ctz(others)];
        value += list[i].value * part / SURE;
        rest[place] -= list[i].chance;
    }
    return value;
}

/* Ours holds the square: what the enemy's best attack costs us on average. */
static int64_t we_hold(struct exchange *exchange, int holder, unsigned left) {
    struct candidate list[CANDIDATES];
    int count = 0;
    if (exchange->kept[holder][left]) return exchange->held[holder][left];
    for (unsigned enemies = left & exchange->enemies; enemies; enemies &= enemies - 1) {
        const int place = __builtin_ctz(enemies);
        const int16_t *chance = exchange->belief->chance[exchange->group[place]];
        for (kind_id kind = 1; kind <= exchange->rules->kinds; kind++) {
            if (!chance[kind] || !(exchange->come[place] & kindset_of(kind))) continue;
            const int64_t value = defend(exchange, holder, kind, left & ~(1u << place));
            if (value < 0) list[count++] = (struct candidate){value, place, chance[kind]};
        }
    }
    exchange->kept[holder][left] = true;
    exchange->held[holder][left] = expect_least(exchange, list, count);
    return exchange->held[holder][left];
}

/* Our piece attacks the enemy that began on the square. */
static int64_t attack_beginner(struct exchange *exchange, int place, int group, unsigned left) {
    const int16_t *chance = exchange->belief->chance[group];
    int64_t value = 0, sum = 0;
    for (kind_id kind = 1; kind <= exchange->rules->kinds; kind++) {
        if (!chance[kind]) continue;
        value += chance[kind] * attack(exchange, place, kind, left);
        sum += chance[kind];
    }
    return sum ? value / sum : 0;
}

/* The first piece from `at` on along a line, VIEW_EMPTY if there is none. */
static int first_met(const struct view *view, squareset taken, square at, int way) {
    static const int by[WAYS][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    const struct board *board = &view->rules->board;
    int file = board_file(board, at), rank = board_rank(board, at);
    for (;;) {
        file += by[way][0];
        rank += by[way][1];
        if (file < 0 || rank < 0) return VIEW_EMPTY;
        const square next = board_square(board, file, rank);
        if (next == SQUARE_NONE || squareset_has(board->lakes, next)) return VIEW_EMPTY;
        if (squareset_has(taken, next)) return view->number[next];
    }
}

/* The exchange on a square once the piece from `gone` has left it, SQUARE_NONE if none leaves. */
static void gather(struct exchange *exchange, const struct mind *mind, square at, square gone) {
    const struct view *view = mind->evaluation.view;
    squareset taken = 0;
    *exchange =
        (struct exchange){.rules = view->rules, .measure = mind->measure, .belief = &mind->belief};
    for (square from = 0; from < view->rules->board.squares; from++)
        if (view->number[from] != VIEW_EMPTY && from != gone) taken |= squareset_of(from);
    taken |= squareset_of(at); /* by whoever is struck there */
    for (int way = 0; way < WAYS; way++) {
        const int number = first_met(view, taken, at, way);
        if (number == VIEW_EMPTY) continue;
        const struct view_piece *piece = &view->piece[number];
        const kindset come =
            rules_walkers(view->rules, (enum side)piece->side, taken, piece->at, at);
        if (piece->side != view->side) {
            exchange->enemies |= 1u << way;
            exchange->group[way] = mind->belief.group_of[number];
            exchange->come[way] = come;
        } else if (come & kindset_of(piece->kind)) {
            exchange->own |= 1u << way;
            exchange->kind[way] = piece->kind;
        }
    }
}

int32_t exchange_on(const struct mind *mind, square at) {
    const struct view *view = mind->evaluation.view;
    const int number = view->number[at];
    struct exchange exchange;
    int64_t best = 0;
    if (number == VIEW_EMPTY) return 0;
    gather(&exchange, mind, at, SQUARE_NONE);
    const unsigned all = exchange.own | exchange.enemies;
    if (view->piece[number].side == view->side) {
        exchange.kind[BEGINNER] = view->piece[number].kind;
        return (int32_t)we_hold(&exchange, BEGINNER, all);
    }
    for (unsigned ours = exchange.own; ours; ours &= ours - 1) {
        const int place = __builtin_ctz(ours);
        const int64_t value =
            attack_beginner(&exchange, place, mind->belief.group_of[number], all & ~(1u << place));
        if (value > best) best = value;
    }
    return (int32_t)best;
}

int32_t exchange_move(const struct mind *mind, struct move move) {
    const struct view *view = mind->evaluation.view;
    struct exchange exchange;
    gather(&exchange, mind, move.to, move.from);
    const unsigned all = exchange.own | exchange.enemies;
    const int there = view->number[move.to];
    exchange.kind[BEGINNER] = view->piece[view->number[move.from]].kind;
    if (there != VIEW_EMPTY && view->piece[there].side != view->side)
        return (int32_t)attack_beginner(&exchange, BEGINNER, mind->belief.group_of[there], all);
    return (int32_t)we_hold(&exchange, BEGINNER, all);
}
