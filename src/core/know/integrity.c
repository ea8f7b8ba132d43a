/* integrity.c - recomputes what game.c, legal.c and view.c keep. */
#include "integrity.h"

#include "core/play/calls.h"
#include "core/text/notation.h"

#include <string.h>

static bool integrity_deny(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool integrity_deny(struct fault *fault, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_setv(fault, STATUS_SYSTEM, format, args);
    va_end(args);
    return false;
}

static uint64_t key_of(const struct rules *rules, square at, cell piece) {
    return piece ? rules->key[cell_side(piece)][cell_kind(piece)][at] : 0;
}

/* The hash before the last ply, updated by the ply's changes. */
static uint64_t hash_expected(const struct game *game) {
    if (game->ply_count == 0) return 0;
    const struct ply *ply = &game->plies[game->ply_count - 1];
    cell now[BOARD_SQUARES_MAX];
    uint64_t hash = ply->hash;
    memcpy(now, game->at, sizeof now);
    for (int i = ply->changes; i-- > 0;) {
        square at = ply->change[i].at;
        cell was = ply->change[i].was;
        hash ^= key_of(game->rules, at, now[at]) ^ key_of(game->rules, at, was);
        now[at] = was;
    }
    for (int side = RED; side <= BLUE; side++)
        for (int i = 0; i < game->rules->counters; i++)
            hash ^= game_counter_key(i, (enum side)side, ply->counters.of[side][i]) ^
                    game_counter_key(i, (enum side)side, game->counters.of[side][i]);
    return hash;
}

bool integrity_game(const struct game *game, struct fault *fault) {
    const struct rules *rules = game->rules;
    squareset pieces[2] = {0}, mobile[2] = {0}, runners[2] = {0}, odd[2] = {0};
    uint8_t count[2][KINDS_MAX] = {0}, returned[2][KINDS_MAX] = {0};
    for (square at = 0; at < rules->board.squares; at++) {
        cell piece = game->at[at];
        if (!piece) continue;
        enum side side = cell_side(piece);
        kind_id kind = cell_kind(piece);
        if (!squareset_has(rules->board.land, at))
            return integrity_deny(fault, "a piece stands in a lake");
        pieces[side] |= squareset_of(at);
        if (rules->mobile & kindset_of(kind)) mobile[side] |= squareset_of(at);
        if (rules->runners & kindset_of(kind)) runners[side] |= squareset_of(at);
        if (rules->odd & kindset_of(kind)) odd[side] |= squareset_of(at);
        count[side][kind]++;
        if (piece & CELL_RETURNED) returned[side][kind]++;
    }
    if (memcmp(pieces, game->pieces, sizeof pieces) ||
        memcmp(mobile, game->mobile, sizeof mobile) ||
        memcmp(runners, game->runners, sizeof runners) || memcmp(odd, game->odd, sizeof odd))
        return integrity_deny(fault, "the sets of squares are not those of the pieces");
    if (memcmp(count, game->count, sizeof count) ||
        memcmp(returned, game->returned, sizeof returned))
        return integrity_deny(fault, "the numbers of pieces are not those on the board");
    if (game->hash != hash_expected(game))
        return integrity_deny(fault, "the hash is not that of the position");
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 1; kind <= rules->kinds; kind++)
            if (game->count[side][kind] > game->start[side][kind])
                return integrity_deny(fault, "%s has more pieces \"%s\" than it began with",
                                      side_name((enum side)side), rules->kind[kind].name);
    return true;
}

static bool is_listed(const struct move *moves, size_t count, struct move move) {
    for (size_t i = 0; i < count; i++)
        if (move_equal(moves[i], move)) return true;
    return false;
}

/* A move must be listed exactly if it is judged legal. */
static bool judge_agrees(const struct game *game, const struct move *moves, size_t count,
                         struct move move, struct fault *fault) {
    enum verdict verdict = game_judge(game, move);
    bool listed = is_listed(moves, count, move);
    if (listed == (verdict == LEGAL)) return true;
    char text[MOVE_TEXT_MAX];
    move_write(game, move, text);
    return integrity_deny(fault, "%s is %slisted, and judged %s", text, listed ? "" : "not ",
                          verdict_name(verdict));
}

/* Every use of one ability without a move. */
static bool ability_agrees(const struct game *game, const struct move *moves, size_t count,
                           square from, uint8_t index, struct fault *fault) {
    const struct ability *ability = &game->rules->ability[index];
    struct move move = {.from = from, .to = from, .ability = index};
    for (squareset rest = ability->targets[game->to_move][from]; rest;) {
        move.target = squareset_pop(&rest);
        for (kind_id choice = 0; choice <= game->rules->kinds; choice++) {
            bool named = choice != KIND_NONE;
            if (named != (ability->asks != ASKS_NOTHING)) continue;
            move.choice = choice;
            if (!judge_agrees(game, moves, count, move, fault)) return false;
        }
    }
    return true;
}

bool integrity_moves(const struct game *game, const struct move *moves, size_t count, square from,
                     struct fault *fault) {
    const struct rules *rules = game->rules;
    for (size_t i = 0; i < count; i++)
        if (!judge_agrees(game, moves, count, moves[i], fault)) return false;
    for (square to = 0; to < rules->board.squares; to++) {
        struct move move = {from, to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        if (to != from && !judge_agrees(game, moves, count, move, fault)) return false;
    }
    for (uint8_t i = 0; i < rules->abilities; i++)
        if (rules->ability[i].actor == cell_kind(game->at[from]) &&
            !ability_agrees(game, moves, count, from, i, fault))
            return false;
    return true;
}

/* One piece of a view with a known square, against the true piece there. */
static bool piece_agrees(const struct view *view, const struct game *game,
                         const struct view_piece *piece, kindset may_be, struct fault *fault) {
    cell true_piece = game->at[piece->at];
    const char *whose = side_name((enum side)view->side);
    char text[SQUARE_TEXT_MAX];
    if (!true_piece || cell_side(true_piece) != piece->side)
        return integrity_deny(fault, "%s believes that a piece stands on %s", whose,
                              square_text(&game->rules->board, piece->at, text));
    kind_id kind = cell_kind(true_piece);
    if (piece->kind != KIND_NONE && piece->kind != kind)
        return integrity_deny(fault, "%s takes the piece on %s for another", whose,
                              square_text(&game->rules->board, piece->at, text));
    if (piece->side == view->side && piece->kind == KIND_NONE)
        return integrity_deny(fault, "%s does not know its own piece on %s", whose,
                              square_text(&game->rules->board, piece->at, text));
    if (!(may_be & kindset_of(kind)))
        return integrity_deny(fault, "%s concludes that the piece on %s cannot be what it is: %s",
                              whose, square_text(&game->rules->board, piece->at, text),
                              game->rules->kind[kind].name);
    return true;
}

/* Of the enemy's fallen a side may know only some. */
static bool counts_captured(const struct view *view, const struct game *game, enum side side,
                            kind_id kind) {
    const int known = view->captured[side][kind], fallen = game_captured(game, side, kind);
    return known == fallen ||
           (game->rules->fallen_hidden && side != (enum side)view->side && known < fallen);
}

bool integrity_view(const struct view *view, const struct game *game, struct fault *fault) {
    squareset known = 0;
    const char *whose = side_name((enum side)view->side);
    kindset may_be[2 * BOARD_SQUARES_MAX];
    view_all_may_be(view, may_be);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        if (!piece_agrees(view, game, piece, may_be[i], fault)) return false;
        known |= squareset_of(piece->at);
    }
    squareset seen = (game->pieces[RED] | game->pieces[BLUE]) & view_sees(view);
    if (seen & ~known) return integrity_deny(fault, "%s overlooks a piece that it sees", whose);
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 1; kind <= game->rules->kinds; kind++)
            if (!counts_captured(view, game, (enum side)side, kind))
                return integrity_deny(fault, "%s counts %d fallen \"%s\", not %d", whose,
                                      view->captured[side][kind], game->rules->kind[kind].name,
                                      game_captured(game, (enum side)side, kind));
    if (!view->rules->sight && !marks_equal(&view->marks, &game->marks))
        return integrity_deny(fault, "%s has lost count of what pieces have used or are held",
                              whose);
    if (!view->rules->sight && (view->marks.stood.low != game->marks.stood.low ||
                                view->marks.stood.high != game->marks.stood.high))
        return integrity_deny(fault, "%s has lost count of how long pieces have stood", whose);
    if (view->rules->counters && memcmp(&view->counters, &game->counters, sizeof game->counters))
        return integrity_deny(fault, "%s has other counters than the game", whose);
    if (view->plies != game->ply_count || view->result != game->result ||
        view->reason != game->reason || view->to_move != game->to_move ||
        view->quiet != game->quiet)
        return integrity_deny(fault, "%s has lost its place in the game", whose);
    return true;
}

static bool chaser_same(const struct chaser *a, const struct chaser *b) {
    return a->from == b->from && a->to == b->to && a->run == b->run && a->quarry == b->quarry &&
           a->chase == b->chase;
}

bool integrity_same(const struct game *a, const struct game *b, struct fault *fault) {
    if (memcmp(a->at, b->at, sizeof a->at) || a->hash != b->hash ||
        memcmp(a->pieces, b->pieces, sizeof a->pieces) ||
        memcmp(a->mobile, b->mobile, sizeof a->mobile) ||
        memcmp(a->runners, b->runners, sizeof a->runners) ||
        memcmp(a->odd, b->odd, sizeof a->odd) || memcmp(a->count, b->count, sizeof a->count))
        return integrity_deny(fault, "the positions differ");
    if (memcmp(a->placed, b->placed, sizeof a->placed) ||
        memcmp(a->returned, b->returned, sizeof a->returned) ||
        memcmp(a->uses, b->uses, sizeof a->uses) || !marks_equal(&a->marks, &b->marks) ||
        (a->rules->counters && memcmp(&a->counters, &b->counters, sizeof a->counters)))
        return integrity_deny(fault, "what abilities have used up differs");
    if (a->to_move != b->to_move || a->quiet != b->quiet || a->ply_count != b->ply_count ||
        a->result != b->result || a->reason != b->reason ||
        !chaser_same(&a->chaser[RED], &b->chaser[RED]) ||
        !chaser_same(&a->chaser[BLUE], &b->chaser[BLUE]))
        return integrity_deny(fault, "what has been counted of the game differs");
    return true;
}

bool integrity_undo(struct game *game, struct move move, struct game *after, struct fault *fault) {
    struct game before = *game;
    game_play(game, move, NULL);
    *after = *game;
    game_undo(game);
    return calls_failed() || integrity_same(&before, game, fault);
}
