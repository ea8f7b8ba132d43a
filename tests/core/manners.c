/* A wish selects the legal moves that fulfil it; a manner gives each wish a probability. The first
 * wish that some move fulfils decides. */
#include "manners.h"

#include <string.h>

enum wish { SHUTTLE, CIRCLE_AWAY, CIRCLE_NEAR, FLEE, HUNT, PEACE, ABILITY, ADVANCE, WISH_COUNT };

/* Each value is a chance in a hundred. */
struct manner {
    uint32_t ability, shuttle, circle, hunt, advance, peace;
    bool endgame; /* few pieces, anywhere */
};

static const struct manner MANNERS[] = {
    {30, 0, 0, 0, 0, 0, false},   {10, 70, 0, 20, 10, 80, false}, {30, 10, 20, 70, 0, 70, false},
    {60, 5, 0, 0, 40, 0, true},   {5, 20, 50, 75, 0, 95, true},   {1, 0, 90, 95, 0, 99, true},
    {5, 60, 0, 30, 0, 95, true},  {70, 0, 0, 0, 80, 40, false},   {80, 0, 0, 0, 90, 30, true},
    {0, 0, 98, 98, 0, 100, true},
};

const struct manner *manner_draw(struct random *random) {
    return &MANNERS[random_below(random, sizeof MANNERS / sizeof *MANNERS)];
}

static kind_id some_kind(const struct rules *rules, kindset set, const uint8_t *left,
                         struct random *random) {
    for (int tries = 0; tries < 1000; tries++) {
        kind_id kind = (kind_id)(1 + random_below(random, rules->kinds));
        if (left[kind] && (set & kindset_of(kind))) return kind;
    }
    return KIND_NONE;
}

static void put(struct position *position, squareset where, enum side side, kind_id kind,
                struct random *random) {
    square free[BOARD_SQUARES_MAX];
    uint32_t count = 0;
    while (where) {
        square at = squareset_pop(&where);
        if (position->at[at] == CELL_EMPTY) free[count++] = at;
    }
    if (kind == KIND_NONE || count == 0) return;
    position->at[free[random_below(random, count)]] = cell_of(side, kind);
}

/* A flag and a handful of other pieces; often one with an ability is in the enemy's zone already,
 * and where walled-in flags draw the flag often stands in its corner behind bombs. */
static void draw_army(const struct rules *rules, enum side side, bool walled, struct random *random,
                      struct position *position) {
    const struct board *board = &rules->board;
    uint32_t others = 1 + random_below(random, 5);
    kindset gifted = 0;
    uint8_t left[KINDS_MAX] = {0};
    for (kind_id k = 1; k <= rules->kinds; k++) {
        left[k] = rules->start[RED].count[k];
        if (rules->kind[k].abilities) gifted |= kindset_of(k);
    }
    square corner = side == RED ? 0 : (square)(board->squares - 1);
    kind_id kind = some_kind(rules, rules->flags, left, random);
    left[kind]--;
    put(position, walled ? squareset_of(corner) : board->land, side, kind, random);
    for (uint32_t i = 0; i < 2 && walled; i++) {
        kind = some_kind(rules, ~(rules->mobile | rules->flags), left, random);
        left[kind]--;
        put(position, board->neighbours[corner], side, kind, random);
    }
    for (uint32_t i = 0; i < others; i++) {
        bool first = i == 0 && gifted && random_below(random, 2);
        squareset where = first ? board->zone[side_other(side)] : board->land;
        kind = some_kind(rules, first ? gifted : ~rules->flags, left, random);
        if (kind == KIND_NONE) continue;
        left[kind]--;
        put(position, where, side, kind, random);
    }
}

bool manner_position(const struct manner *manner, const struct rules *rules, struct random *random,
                     struct position *position) {
    struct setup red, blue;
    if (manner->endgame) {
        bool walled = rules->draw_without && random_below(random, 2);
        memset(position, 0, sizeof *position);
        position->to_move = (enum side)random_below(random, 2);
        draw_army(rules, RED, walled, random, position);
        draw_army(rules, BLUE, walled, random, position);
        return true;
    }
    if (!setup_random(rules, RED, random, &red, NULL) ||
        !setup_random(rules, RED, random, &blue, NULL))
        return false;
    position_from_setups(rules, &red, &blue, (enum side)random_below(random, 2), position);
    return true;
}

static bool beside_enemy(const struct game *game, square at) {
    squareset enemies = game->pieces[side_other((enum side)game->to_move)];
    return (game->rules->board.neighbours[at] & enemies) != 0;
}

/* Whether the side to move left this square in one of its last turns. */
static bool left_lately(const struct game *game, square at) {
    for (uint32_t back = 2; back <= 12 && back <= game->ply_count; back += 2)
        if (game->plies[game->ply_count - back].move.from == at) return true;
    return false;
}

static bool takes_back(const struct game *game, struct move move) {
    if (game->ply_count < 2) return false;
    struct move last = game->plies[game->ply_count - 2].move;
    return move.from == last.to && move.to == last.from && move.ability == ABILITY_NONE;
}

static bool fulfils(enum wish wish, const struct game *game, struct move move,
                    struct random *random) {
    bool quiet = move.from != move.to && game->at[move.to] == CELL_EMPTY;
    bool away = quiet && beside_enemy(game, move.from) && !beside_enemy(game, move.to);
    bool near = quiet && beside_enemy(game, move.to);
    int forward =
        board_rank(&game->rules->board, move.to) - board_rank(&game->rules->board, move.from);
    switch (wish) {
    case SHUTTLE:
        return takes_back(game, move);
    case CIRCLE_AWAY:
        return away && left_lately(game, move.to);
    case CIRCLE_NEAR:
        return near && left_lately(game, move.to) && !takes_back(game, move);
    case FLEE:
        return away;
    case HUNT:
        return near;
    case PEACE:
        return quiet && move.ability == ABILITY_NONE;
    case ADVANCE:
        return game->to_move == RED ? forward > 0 : forward < 0;
    case ABILITY: {
        if (move.ability == ABILITY_NONE) return false;
        if (game->rules->ability[move.ability].asks != ASKS_KIND) return true;
        bool right = cell_kind(game->at[move.target]) == move.choice;
        return right || random_below(random, 40) == 0;
    }
    default:
        return true;
    }
}

struct move manner_choose(const struct manner *manner, const struct game *game,
                          const struct move *moves, size_t count, struct random *random) {
    const uint32_t chance[WISH_COUNT] = {
        [SHUTTLE] = manner->shuttle, [CIRCLE_AWAY] = manner->circle, [CIRCLE_NEAR] = manner->circle,
        [FLEE] = manner->hunt,       [HUNT] = manner->hunt,          [PEACE] = manner->peace,
        [ABILITY] = manner->ability, [ADVANCE] = manner->advance,
    };
    static const enum wish order[] = {ABILITY, SHUTTLE, CIRCLE_AWAY, CIRCLE_NEAR,
                                      FLEE,    HUNT,    ADVANCE,     PEACE};
    for (size_t w = 0; w < sizeof order / sizeof *order; w++) {
        if (random_below(random, 100) >= chance[order[w]]) continue;
        size_t best = 0;
        uint32_t found = 0;
        for (size_t i = 0; i < count; i++)
            if (fulfils(order[w], game, moves[i], random) && random_below(random, ++found) == 0)
                best = i;
        if (found) return moves[best];
    }
    return moves[random_below(random, (uint32_t)count)];
}
