/* plain_engine.c - sets of squares by side; shifts them in each direction and lists every
 * destination. */
#include "plain_engine.h"

#include <string.h>

enum { LIST_MAX = 1024 };

struct plain {
    const struct rules *rules;
    squareset pieces[2], movers[2], runners[2];
    kind_id at[BOARD_SQUARES_MAX];
    uint16_t list[LIST_MAX]; /* from << 8 | to */
    int count;
};

/* `set` one step in a direction: 0 up, 1 right, 2 down, 3 left. */
static squareset shifted(const struct board *board, squareset set, int direction) {
    switch (direction) {
    case 0:
        return (set << board->files) & board->land;
    case 1:
        return ((set & ~board->last_file) << 1) & board->land;
    case 2:
        return (set >> board->files) & board->land;
    default:
        return ((set & ~board->first_file) >> 1) & board->land;
    }
}

static void list_add(struct plain *plain, square from, square to) {
    if (plain->count < LIST_MAX) plain->list[plain->count++] = (uint16_t)(from << 8 | to);
}

static void list_moves(struct plain *plain, enum side side) {
    const struct board *board = &plain->rules->board;
    const int step[4] = {board->files, 1, -board->files, -1};
    squareset taken = plain->pieces[RED] | plain->pieces[BLUE];
    plain->count = 0;
    for (int direction = 0; direction < 4; direction++) {
        squareset to_set = shifted(board, plain->movers[side], direction) & ~plain->pieces[side];
        while (to_set) {
            square to = squareset_pop(&to_set), from = (square)(to - step[direction]);
            list_add(plain, from, to);
            squareset run = squareset_of(to);
            if (!(plain->runners[side] & squareset_of(from))) continue;
            while (!(run & taken)) {
                run = shifted(board, run, direction) & ~plain->pieces[side];
                if (!run) break;
                to = (square)(to + step[direction]);
                list_add(plain, from, to);
            }
        }
    }
}

static void put(struct plain *plain, enum side side, square at, kind_id kind) {
    const struct kind *k = &plain->rules->kind[kind];
    squareset bit = squareset_of(at);
    plain->pieces[side] |= bit;
    plain->at[at] = kind;
    if (k->movement == MOVEMENT_NONE) return;
    plain->movers[side] |= bit;
    const struct movement *movement = &plain->rules->movement[k->movement];
    if (movement->start[RED][1] - movement->start[RED][0] > 4) plain->runners[side] |= bit;
}

static void take(struct plain *plain, enum side side, square at) {
    squareset rest = ~squareset_of(at);
    plain->pieces[side] &= rest;
    plain->movers[side] &= rest;
    plain->runners[side] &= rest;
    plain->at[at] = KIND_NONE;
}

static void walk(struct plain *plain, enum side side, square from, square to) {
    squareset both = squareset_of(from) | squareset_of(to);
    if (plain->runners[side] & squareset_of(from)) plain->runners[side] ^= both;
    plain->movers[side] ^= both;
    plain->pieces[side] ^= both;
    plain->at[to] = plain->at[from];
    plain->at[from] = KIND_NONE;
}

uint32_t plain_engine_play(const struct rules *rules, const struct position *position, uint32_t cap,
                           struct random *random) {
    struct plain plain = {.rules = rules};
    enum side side = position->to_move;
    uint32_t quiet = 0, ply = 0;
    for (square at = 0; at < rules->board.squares; at++)
        if (position->at[at])
            put(&plain, cell_side(position->at[at]), at, cell_kind(position->at[at]));
    for (; ply < cap; ply++, quiet++, side = side_other(side)) {
        list_moves(&plain, side);
        if (!plain.count || (rules->limits.no_attack && quiet >= rules->limits.no_attack)) break;
        uint16_t move = plain.list[random_below(random, (uint32_t)plain.count)];
        square from = (square)(move >> 8), to = (square)(move & 255);
        kind_id defender = plain.at[to];
        if (!defender) {
            walk(&plain, side, from, to);
            continue;
        }
        quiet = 0;
        enum outcome outcome = rules_outcome(rules, plain.at[from], defender);
        if (outcome != DEFENDER_WINS) take(&plain, side_other(side), to);
        if (outcome == ATTACKER_WINS)
            walk(&plain, side, from, to);
        else
            take(&plain, side, from);
        if (outcome != DEFENDER_WINS && rules->kind[defender].flag) break;
        if (!plain.movers[RED] || !plain.movers[BLUE]) break;
    }
    return ply;
}
