/* known.c - keeps and gathers what is known.
 *
 * Hidden pieces that may be of the same kinds form a group: in most variants there are two a side,
 * those that have moved and those that have not. */
#include "known.h"

#include "core/play/calls.h"

#include <string.h>

bool lore_suffices(const struct rules *rules) {
    return !rules->sight && !rules->calls && !rules->abilities && !rules->marks && !rules->goals &&
           !rules->fallen_hidden && !rules->open;
}

static void hidden_add(struct lore *lore, enum side owner, squareset at, kindset kinds) {
    struct hidden *group = lore->group[owner];
    int i = 0;
    while (i < lore->groups[owner] && group[i].kinds != kinds) i++;
    if (i == lore->groups[owner]) {
        group[i] = (struct hidden){0, kinds, kinds};
        lore->groups[owner]++;
    }
    group[i].at |= at;
    lore->counted[owner] = false;
}

/* Takes a piece out of its group; returns the group's kinds. */
static kindset hidden_remove(struct lore *lore, enum side owner, squareset at) {
    struct hidden *group = lore->group[owner];
    int i = 0;
    while (!(group[i].at & at)) i++;
    const kindset kinds = group[i].kinds;
    group[i].at &= ~at;
    if (!group[i].at) group[i] = group[--lore->groups[owner]];
    lore->counted[owner] = false;
    return kinds;
}

/* The kinds of a hidden piece turn out to be among these. */
static void hidden_narrow(struct lore *lore, enum side owner, squareset at, kindset among) {
    struct hidden *group = lore->group[owner];
    while (!(group->at & at)) group++;
    if (!(group->kinds & ~among)) return;
    const kindset kinds = hidden_remove(lore, owner, at);
    hidden_add(lore, owner, at, kinds & among);
}

static void piece_show(struct lore *lore, enum side owner, squareset at) {
    if (lore->shown[owner] & at) return;
    hidden_remove(lore, owner, at);
    lore->shown[owner] |= at;
}

/* A side's piece may at first be of any kind of its army; in a set-up, of those that may start on
 * its square. As the core's views have it. */
void lore_start(struct lore *lore, const struct game *game) {
    const struct rules *rules = game->rules;
    memset(lore->kind, 0, sizeof lore->kind);
    for (squareset left = game->pieces[RED] | game->pieces[BLUE]; left;) {
        const square at = squareset_pop(&left);
        lore->kind[cell_kind(game->at[at])] |= squareset_of(at);
    }
    for (int owner = RED; owner <= BLUE; owner++) {
        const enum side side = (enum side)owner;
        const squareset pieces = game->pieces[side];
        kindset army = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++)
            if (game->start[side][kind]) army |= kindset_of(kind);
        lore->shown[side] = lore->moved[side] = 0;
        lore->groups[side] = 0;
        if (!rules->start[side].bound || !setup_stands(rules, side, pieces)) {
            if (pieces) hidden_add(lore, side, pieces, army);
            continue;
        }
        for (squareset left = pieces; left;) {
            const square at = squareset_pop(&left);
            hidden_add(lore, side, squareset_of(at), army & setup_kinds(rules, side, at));
        }
    }
}

/* Kinds that could go this way. */
static kindset walkers(const struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    if (rules->same_walk) return rules->mobile;
    if (!rules->odd && !squareset_has(rules->board.neighbours[move.from], move.to))
        return rules->runners;
    return rules_walkers(rules, (enum side)game->to_move, game->pieces[RED] | game->pieces[BLUE],
                         move.from, move.to);
}

static void piece_leaves(struct lore *lore, enum side owner, squareset at) {
    if (lore->shown[owner] & at)
        lore->shown[owner] &= ~at;
    else
        hidden_remove(lore, owner, at);
    lore->moved[owner] &= ~at;
}

static void piece_goes(struct lore *lore, enum side owner, squareset from, squareset to) {
    const squareset both = from | to;
    lore->moved[owner] = (lore->moved[owner] & ~from) | to;
    if (lore->shown[owner] & from) {
        lore->shown[owner] ^= both;
        return;
    }
    struct hidden *group = lore->group[owner];
    while (!(group->at & from)) group++;
    group->at ^= both;
}

static void follow_battle(struct lore *lore, const struct rules *rules, const struct event *event) {
    const enum side side = (enum side)event->side, enemy = side_other(side);
    const squareset from = squareset_of(event->from), to = squareset_of(event->to);
    const bool silent = event->kind == KIND_NONE || event->other == KIND_NONE;
    if (event->outcome != BOTH_FALL && silent) {
        const enum side winner = event->outcome == ATTACKER_WINS ? side : enemy;
        const squareset at = winner == side ? from : to;
        if (!(lore->shown[winner] & at))
            hidden_narrow(lore, winner, at, view_silent_winners(rules, event));
    }
    if (event->outcome != DEFENDER_WINS) piece_leaves(lore, enemy, to);
    if (event->outcome != ATTACKER_WINS)
        piece_leaves(lore, side, from);
    else if (event->stays)
        lore->moved[side] |= from;
    else
        piece_goes(lore, side, from, to);
}

static uint64_t told_number(const struct event *event) {
    uint64_t half[2];
    memcpy(half, event, sizeof half);
    return half[0] * UINT64_C(0x9e3779b97f4a7c15) ^ half[1];
}

static uint64_t play_battle(struct lore *lore, struct game *game, struct move move) {
    struct events events = {.count = 0};
    uint64_t told = 0;
    game_play(game, move, &events);
    const struct ply *ply = &game->plies[game->ply_count - 1];
    for (int i = 0; i < ply->changes; i++)
        lore->kind[cell_kind(ply->change[i].was)] &= ~squareset_of(ply->change[i].at);
    for (int i = 0; i < ply->changes; i++) {
        square at = ply->change[i].at;
        if (game->at[at]) lore->kind[cell_kind(game->at[at])] |= squareset_of(at);
    }
    for (int i = 0; i < events.count; i++) {
        const struct event *event = &events.list[i];
        if (event->type == EVENT_BATTLE)
            follow_battle(lore, game->rules, event);
        else if (event->type == EVENT_REVEAL)
            piece_show(lore, (enum side)event->side, squareset_of(event->from));
        told = told * UINT64_C(0xff51afd7ed558ccd) + told_number(event);
    }
    return told;
}

uint64_t lore_play(struct lore *lore, struct game *game, struct move move) {
    const enum side side = (enum side)game->to_move;
    const squareset from = squareset_of(move.from), to = squareset_of(move.to);
    const bool attack = game->at[move.to] != CELL_EMPTY;
    const kind_id kind = cell_kind(game->at[move.from]);
    uint64_t told = (uint64_t)move.from | (uint64_t)move.to << 16;
    bool tells = false;
    if (!(lore->shown[side] & from)) {
        const kindset among = walkers(game, move);
        hidden_narrow(lore, side, from, among);
        tells = !game->rules->same_walk && !(among & (among - 1));
    }
    if (attack) {
        lore->counted[RED] = lore->counted[BLUE] = false;
        return play_battle(lore, game, move);
    }
    game_play(game, move, NULL);
    lore->kind[kind] ^= from | to;
    piece_goes(lore, side, from, to);
    if (tells) {
        piece_show(lore, side, to);
        told |= (uint64_t)kind << 32;
    }
    return told;
}

enum { HALL_MAX = 6 };

/* Counts with Hall's theorem: if some groups together have as many pieces as there are kinds left
 * for them, no other group can have one of those kinds. True if there are few groups. */
static bool count_by_hall(struct lore *lore, enum side owner, const uint8_t *left,
                          const struct rules *rules) {
    struct hidden *group = lore->group[owner];
    const int groups = lore->groups[owner];
    int pieces[HALL_MAX];
    kindset open = 0;
    if (groups > HALL_MAX) return false;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (left[kind]) open |= kindset_of(kind);
    for (int i = 0; i < groups; i++) {
        pieces[i] = squareset_count(group[i].at);
        group[i].possible = group[i].kinds & open;
    }
    for (unsigned set = 1; set + 1 < 1u << groups; set++) {
        kindset kinds = 0;
        int needed = 0, there = 0;
        for (int i = 0; i < groups; i++)
            if (set >> i & 1) {
                kinds |= group[i].kinds;
                needed += pieces[i];
            }
        for (kindset rest = kinds & open; rest; rest &= rest - 1)
            there += left[__builtin_ctz(rest)];
        for (int i = 0; needed == there && i < groups; i++)
            if (!(set >> i & 1)) group[i].possible &= ~kinds;
    }
    return true;
}

/* The same by the core, for many groups. */
static void count_by_core(struct lore *lore, enum side owner, const struct game *game) {
    struct hidden *group = lore->group[owner];
    struct view view = {.rules = game->rules, .side = (uint8_t)side_other(owner)};
    memcpy(view.start, game->start, sizeof view.start);
    int first[BOARD_SQUARES_MAX];
    for (kind_id kind = 1; kind <= game->rules->kinds; kind++)
        view.captured[owner][kind] = game_captured(game, owner, kind);
    for (squareset left = lore->shown[owner]; left;) {
        square at = squareset_pop(&left);
        view.piece[view.count++] =
            (struct view_piece){.side = (uint8_t)owner, .at = at, .kind = cell_kind(game->at[at])};
    }
    for (int i = 0; i < lore->groups[owner]; i++) {
        first[i] = view.count;
        for (squareset left = group[i].at; left;)
            view.piece[view.count++] = (struct view_piece){
                .side = (uint8_t)owner, .at = squareset_pop(&left), .may_be = group[i].kinds};
    }
    for (int i = 0; i < lore->groups[owner]; i++) group[i].possible = view_may_be(&view, first[i]);
}

static void lore_count(struct lore *lore, enum side owner, const struct game *game) {
    uint8_t left[KINDS_MAX];
    if (lore->counted[owner]) return;
    const squareset shown = lore->shown[owner];
    for (kind_id kind = 1; kind <= game->rules->kinds; kind++)
        left[kind] =
            (uint8_t)(game->count[owner][kind] - squareset_count(lore->kind[kind] & shown));
    if (!count_by_hall(lore, owner, left, game->rules)) count_by_core(lore, owner, game);
    lore->counted[owner] = true;
}

static void known_kinds_of_lore(struct lore *lore, const struct game *game, enum side side,
                                struct known *known) {
    const enum side enemy = side_other(side);
    lore_count(lore, enemy, game);
    memcpy(known->kind, lore->kind, (size_t)(known->kinds + 1) * sizeof *known->kind);
    int groups = 0;
    for (int i = 0; i < lore->groups[side]; i++, groups++) {
        known->group_at[groups] = lore->group[side][i].at;
        known->group_kinds[groups] = lore->group[side][i].kinds;
    }
    known->groups[0] = groups;
    for (int i = 0; i < lore->groups[enemy]; i++, groups++) {
        known->group_at[groups] = lore->group[enemy][i].at;
        known->group_kinds[groups] = lore->group[enemy][i].possible;
    }
    known->groups[1] = groups;
}

void known_of_lore(struct lore *lore, const struct game *game, enum side side, bool kinds,
                   struct known *known) {
    const enum side enemy = side_other(side);
    known->kinds = game->rules->kinds;
    known->own = game->pieces[side];
    known->enemy = game->pieces[enemy];
    known->told = known->open = lore->shown[side];
    known->shown = lore->shown[enemy];
    known->moved[0] = lore->moved[side];
    known->moved[1] = lore->moved[enemy];
    known->seen = game->rules->board.land;
    known->at = game->at;
    if (kinds) known_kinds_of_lore(lore, game, side, known);
}

static void group_add(struct known *known, int first, square at, kindset kinds) {
    int i = first;
    while (i < known->groups[1] && known->group_kinds[i] != kinds) i++;
    if (i == known->groups[1]) {
        known->group_at[i] = 0;
        known->group_kinds[i] = kinds;
        known->groups[1]++;
    }
    known->group_at[i] |= squareset_of(at);
}

void known_of_view(const struct view *view, struct known *known) {
    kindset may_be[2 * BOARD_SQUARES_MAX];
    memset(known, 0, offsetof(struct known, group_at));
    known->kinds = view->rules->kinds;
    known->groups[0] = known->groups[1] = 0;
    known->seen = view_sees(view);
    known->at = memset(known->room, KIND_NONE, sizeof known->room);
    view_all_may_be(view, may_be);
    for (int enemies = 0; enemies <= 1; enemies++) {
        const int first = known->groups[1];
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->at == SQUARE_NONE || (piece->side != view->side) != enemies) continue;
            const squareset at = squareset_of(piece->at);
            if (piece->kind) known->kind[piece->kind] |= at;
            known->room[piece->at] = piece->kind;
            if (piece->moved) known->moved[enemies] |= at;
            if (!enemies) {
                known->own |= at;
                if (piece->shown) known->told |= at;
                if (piece->shown && !piece->secret)
                    known->open |= at;
                else
                    group_add(known, first, piece->at, piece->open);
            } else {
                known->enemy |= at;
                if (piece->kind)
                    known->shown |= at;
                else
                    group_add(known, first, piece->at, may_be[i]);
            }
        }
        if (!enemies) known->groups[0] = known->groups[1];
    }
}
