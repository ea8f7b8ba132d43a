/* sample.c - from a view to games consistent with it.
 *
 * sampler->base holds the known pieces; a draw adds the hidden ones. It is the position of some
 * plies ago: plain moves can be taken back without knowing the mover's kind, and replaying them
 * restores the counters of the repetition rules. The number of plies needed is public: runs and
 * chases do not depend on kinds, so the first sample's counters settle it. */
#include "sample.h"

#include "core/play/calls.h"
#include "core/play/ending.h"
#include "core/play/legal.h"

#include <string.h>

enum { DRAWS_MAX = 300 };

/* Square, before the replayed moves, of the piece now on `at`; `*moves` of them were its own. */
static square stood_at(const struct sampler *sampler, square at, int *moves) {
    const struct view *view = sampler->view;
    *moves = 0;
    for (int i = view->recent_count; i-- > view->recent_count - sampler->tail;) {
        if (view->recent[i].to != at) continue;
        at = view->recent[i].from;
        ++*moves;
    }
    return at;
}

/* Marks of a piece's cell before the replayed moves, `moves` of which were its own. */
static cell mark_of(const struct sampler *sampler, int number, int moves) {
    cell returned = number >= sampler->first_returned ? CELL_RETURNED : 0;
    bool walked = sampler->view->piece[number].moves > moves;
    return walked ? returned | sampler->view->rules->moved : returned;
}

static void drawn_put(struct sampler *sampler, int drawn, square at) {
    sampler->base.at[at] =
        cell_of(sampler->hidden, sampler->deal.kind[drawn]) | sampler->mark[drawn];
}

static void lay_base(struct sampler *sampler) {
    const struct view *view = sampler->view;
    for (int i = 0; i < sampler->deal.pieces; i++) {
        square at = view->piece[sampler->piece[i]].at;
        int moves = 0;
        sampler->stood[i] = at == SQUARE_NONE ? SQUARE_NONE : stood_at(sampler, at, &moves);
        sampler->mark[i] = mark_of(sampler, sampler->piece[i], moves);
    }
    memset(&sampler->base, 0, sizeof sampler->base);
    sampler->base.to_move = (enum side)view->to_move;
    if (sampler->tail % 2) sampler->base.to_move = side_other(sampler->base.to_move);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE || piece->kind == KIND_NONE) continue;
        int moves;
        square at = stood_at(sampler, piece->at, &moves);
        sampler->base.at[at] =
            cell_of((enum side)piece->side, piece->kind) | mark_of(sampler, i, moves);
    }
}

/* Kinds that an ability or call can bring back. */
static kindset placeable(const struct rules *rules) {
    kindset kinds = rules->calls && (rules->calls->declared & CALLS_EFFECTS) ? rules->army : 0;
    for (int i = 0; i < rules->abilities; i++)
        if (rules->ability[i].asks == ASKS_CAPTURED) kinds |= rules->ability[i].choices;
    return kinds;
}

void sampler_start(struct sampler *sampler, const struct view *view, const kindset *may_be,
                   squareset clear) {
    struct deal *deal = &sampler->deal;
    int started = 0;
    memset(sampler->placed, 0, sizeof sampler->placed);
    memset(deal->count, 0, sizeof deal->count);
    sampler->view = view;
    sampler->hidden = side_other((enum side)view->side);
    sampler->fresh = view->plies == 0 && view->to_move == view->side;
    sampler->tail_settled = false;
    sampler->tail =
        view->rules->sight ? 0 : view->recent_count; /* enemy moves out of sight are unknown */
    deal->pieces = 0;
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++) {
        started += view->start[RED][kind] + view->start[BLUE][kind];
        deal->count[kind] =
            (uint8_t)(view->start[sampler->hidden][kind] - view->captured[sampler->hidden][kind]);
    }
    sampler->first_returned = started;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (i >= started && piece->kind != KIND_NONE) sampler->placed[piece->side][piece->kind]++;
        if (piece->side == view->side || view_piece_counted(piece)) continue;
        if (piece->kind != KIND_NONE) {
            deal->count[piece->kind]--;
            continue;
        }
        if (deal->pieces == DEAL_PIECES_MAX) break; /* in knowledge that somebody has made up */
        sampler->piece[deal->pieces] = (uint16_t)i;
        kindset kinds = i < started ? may_be[i] : may_be[i] & placeable(view->rules);
        double *weight = deal->weight[deal->pieces++];
        for (int kind = 0; kind < KINDS_MAX; kind++) weight[kind] = kinds >> kind & 1;
    }
    lay_base(sampler);
    sampler->dark = view->rules->sight ? view->rules->board.land & ~view_sees(view) & ~clear : 0;
}

/* Number of latest moves that the repetition rules look at: those of runs and chases in
 * progress. */
static int tail_needed(const struct sampler *sampler, const struct game *game) {
    const struct rules *rules = sampler->view->rules;
    int needed = rules->repetition ? sampler->tail : 2 * rules->two_squares;
    for (int side = RED; side <= BLUE; side++) {
        /* The chase's first ply, the position before it and the ply that made it one count too. */
        int chase = game->chaser[side].chase;
        if (rules->chase == CHASE_RUSSIAN) chase *= 2;
        if (rules->chase != CHASE_NONE && chase + 3 > needed) needed = chase + 3;
    }
    return needed < sampler->tail ? needed : sampler->tail;
}

static void start_game(struct sampler *sampler, struct game *game, struct ply *plies,
                       uint32_t capacity) {
    const struct view *view = sampler->view;
    uint32_t before = view->plies - (uint32_t)sampler->tail;
    struct limits limits = view->limits;
    if (limits.plies) limits.plies = limits.plies > before ? limits.plies - before : 1;
    game_start(game, view->rules, &sampler->base, &limits, plies, capacity);
    game->earlier = before;
    game->calls = NULL; /* the replayed moves were legal and had no effects */
    for (int i = view->recent_count - sampler->tail; i < view->recent_count; i++)
        game_play(game, view->recent[i], NULL);
    game->calls = view->rules->calls;
    memcpy(game->start, view->start, sizeof game->start);
    memcpy(game->uses, view->uses, sizeof game->uses);
    game->marks = view->marks;
    game->counters = view->counters;
    memcpy(game->placed, sampler->placed, sizeof game->placed);
    game->quiet = view->quiet;
    for (int i = 0; i < sampler->deal.pieces; i++)
        if (sampler->piece[i] >= sampler->first_returned)
            game->placed[sampler->hidden][sampler->deal.kind[i]]++;
}

/* Can this be the game in progress? It must not be over, and a legal set-up has a first move. */
static bool is_possible(const struct sampler *sampler, struct game *game) {
    game_stop(game, RESULT_NONE, REASON_NONE);
    ending_find(game, sampler->hidden, NULL);
    if (game_over(game)) return false;
    if (!sampler->fresh) return true;
    game->to_move = (uint8_t)sampler->hidden;
    bool can_move = game_can_move(game);
    game->to_move = sampler->view->side;
    return can_move;
}

static square draw_square(squareset from, struct random *random) {
    for (uint32_t skip = random_below(random, (uint32_t)squareset_count(from)); skip; skip--)
        from &= from - 1;
    return squareset_pop(&from);
}

/* Places the pieces out of sight: first the immobile ones, in their own zone if there is room, then
 * the others. */
static void unseen_scatter(struct sampler *sampler, struct random *random) {
    const struct rules *rules = sampler->view->rules;
    const struct board *board = &rules->board;
    squareset dark = sampler->dark;
    for (squareset rest = dark; rest;) sampler->base.at[squareset_pop(&rest)] = CELL_EMPTY;
    for (int mobile = 0; mobile <= 1; mobile++) {
        for (int i = 0; i < sampler->deal.pieces; i++) {
            kind_id kind = sampler->deal.kind[i];
            bool moves = (rules->mobile & kindset_of(kind)) != 0;
            if (!sampler->view->piece[sampler->piece[i]].unseen || moves != mobile || !dark)
                continue;
            squareset home =
                board_own_set(board, sampler->hidden, rules->start[sampler->hidden].on[kind]);
            square at = draw_square(!mobile && (dark & home) ? dark & home : dark, random);
            drawn_put(sampler, i, at);
            dark &= ~squareset_of(at);
        }
    }
}

void sampler_draw(struct sampler *sampler, struct random *random, struct game *game,
                  struct ply *plies, uint32_t capacity) {
    for (int draws = 0; draws < DRAWS_MAX; draws++) {
        deal_draw(&sampler->deal, random);
        for (int i = 0; i < sampler->deal.pieces; i++)
            if (sampler->stood[i] != SQUARE_NONE) drawn_put(sampler, i, sampler->stood[i]);
        if (sampler->dark) unseen_scatter(sampler, random);
        start_game(sampler, game, plies, capacity);
        if (!sampler->tail_settled) {
            sampler->tail = tail_needed(sampler, game);
            sampler->tail_settled = true;
            lay_base(sampler);
            draws--;
            continue;
        }
        if (is_possible(sampler, game) || calls_failed()) return;
    }
    game_stop(game, RESULT_NONE, REASON_NONE);
}
