/* game.c - keeps the position up to date, cell by cell.
 *
 * Invariant: pieces, mobile, runners, odd, count and returned are functions of `at`; the hash is a
 * function of `at` and its state at the start. game_lay_out() writes them as a whole, later only
 * cell_set() and play_step() do. A ply stores the previous contents of each changed cell; undo
 * restores them in reverse order. */
#include "game.h"

#include <string.h>

#include "calls.h"
#include "cells.h"
#include "core/play/turn.h"
#include "core/rules/rules.h"
#include "ending.h"

/* Updates each side's counters for the repetition rules (struct chaser). RULES 5. For game.c
 * alone; inline, since it runs on every ply. repetition.h reads the counters. */

static inline bool chase_adjacent(const struct game *game, square a, square b) {
    return a != SQUARE_NONE && b != SQUARE_NONE &&
           squareset_has(game->rules->board.neighbours[a], b);
}

static inline uint16_t chase_one_more(uint16_t count) {
    return (uint16_t)(count + (count < UINT16_MAX));
}

/* The four steps of RULES 5, in their order; own->from and own->to are set already. */
static inline void chase_isf(struct game *game, struct chaser *own, struct chaser *other,
                             enum side enemy, bool attack) {
    bool ran = chase_adjacent(game, own->from, other->to) & !attack;
    bool chases = (game->rules->board.neighbours[own->to] & game->pieces[enemy]) != 0;
    other->chase = ran ? chase_one_more(other->chase) : 0;
    own->chase = chases ? chase_one_more(attack ? 0 : own->chase) : 0;
}

/* `own` has moved: its chase goes on or ends, and if it ran from `other`'s last mover, that piece
 * chases it. An attack counts as a move of the chaser, but a quarry that attacks does not run; an
 * ability that is used in place neither chases nor runs. */
static inline void chase_russian(struct game *game, struct chaser *own, struct chaser *other,
                                 bool alive, bool other_alive, const struct turn *turn) {
    bool moved = own->from != own->to || (turn && turn->stays); /* a winner may go back */
    bool touched = turn && own->quarry != SQUARE_NONE && squareset_has(turn->touched, own->quarry);
    if (alive && moved && !touched && chase_adjacent(game, own->to, own->quarry)) {
        own->chase = chase_one_more(own->chase);
    } else {
        own->chase = 0;
        own->quarry = SQUARE_NONE;
    }
    bool attack = turn && turn->attack;
    if (alive && other_alive && moved && !attack && chase_adjacent(game, own->from, other->to)) {
        if (other->quarry != own->from) other->chase = 1;
        other->quarry = own->to;
    } else {
        other->quarry = SQUARE_NONE;
        other->chase = 0;
    }
}

/* Ends the runs of pieces that the turn removed or swapped. */
static inline void chase_losses(struct game *game, enum side mover, const struct turn *turn) {
    const struct ply *ply = &game->plies[game->ply_count - 1];
    struct chaser *own = &game->chaser[mover], *other = &game->chaser[side_other(mover)];
    enum side enemy = side_other(mover);
    squareset there[2] = {game->pieces[RED], game->pieces[BLUE]};
    for (int side = RED; turn->deeds && side <= BLUE; side++) there[side] &= ~turn->touched;
    bool alive = squareset_has(there[mover], own->to);
    bool other_alive = other->to != SQUARE_NONE && squareset_has(there[enemy], other->to);
    bool swap = (turn->effects & EFFECT_SWAP) != 0;
    if (!alive || swap) own->run = 0;
    if (!other_alive || (swap && ply->move.target == other->to)) other->run = 0;
}

/* Updates the counters after `mover` played `move`. `turn` is its result, or NULL for a plain move
 * to an empty square. */
static inline void chase_note(struct game *game, enum side mover, struct move move,
                              const struct turn *turn) {
    struct chaser *own = &game->chaser[mover], *other = &game->chaser[side_other(mover)];
    enum side enemy = side_other(mover);
    int before = own->to == move.from ? own->run : 0;
    own->run = (uint8_t)(before + (before < UINT8_MAX));
    own->from = move.from;
    own->to = move.to;
    if (turn) chase_losses(game, mover, turn);
    if (game->rules->chase == CHASE_ISF)
        chase_isf(game, own, other, enemy, turn && turn->attack);
    else if (game->rules->chase == CHASE_RUSSIAN)
        chase_russian(game, own, other, own->run > 0, other->run > 0, turn);
}

const char *result_name(enum result result) {
    static const char *const names[] = {"*", "red", "blue", "draw"};
    return names[result];
}

const char *reason_name(enum reason reason) {
    static const char *const names[REASON_COUNT] = {
        [REASON_NONE] = "none",
        [REASON_FLAG] = "flag",
        [REASON_IMMOBILE] = "immobile",
        [REASON_BOTH_IMMOBILE] = "both-immobile",
        [REASON_NO_MINERS] = "no-miners",
        [REASON_NO_ATTACK_LIMIT] = "no-attack-limit",
        [REASON_PLY_LIMIT] = "ply-limit",
        [REASON_ABILITY] = "ability",
        [REASON_GOAL] = "goal",
        [REASON_VARIANT] = "variant",
        [REASON_REPETITION] = "repetition",
        [REASON_AGREED] = "agreed",
        [REASON_RESIGNED] = "resigned",
        [REASON_FORFEIT_ILLEGAL] = "forfeit-illegal",
        [REASON_FORFEIT_FUEL] = "forfeit-fuel",
        [REASON_FORFEIT_TIME] = "forfeit-time",
        [REASON_FORFEIT_MEMORY] = "forfeit-memory",
        [REASON_FORFEIT_ERROR] = "forfeit-error",
        [REASON_FORFEIT_CRASH] = "forfeit-crash",
        [REASON_UNFINISHED] = "unfinished",
        [REASON_FAULT] = "fault",
    };
    return names[reason];
}

enum result result_named(const char *name) {
    enum result r = RESULT_NONE;
    while (r < RESULT_COUNT && strcmp(name, result_name(r)) != 0) r++;
    return r;
}

enum reason reason_named(const char *name) {
    enum reason r = REASON_NONE + 1; /* "none" is never written */
    while (r < REASON_COUNT && strcmp(name, reason_name(r)) != 0) r++;
    return r;
}

static void cell_set(struct game *game, square at, cell piece) {
    squareset bit = squareset_of(at);
    cell was = game->at[at];
    if (was) {
        enum side side = cell_side(was);
        kind_id kind = cell_kind(was);
        game->pieces[side] &= ~bit;
        game->mobile[side] &= ~bit;
        game->runners[side] &= ~bit;
        game->odd[side] &= ~bit;
        game->count[side][kind]--;
        if (was & CELL_RETURNED) game->returned[side][kind]--;
        game->hash ^= game->rules->key[side][kind][at];
    }
    if (piece) {
        enum side side = cell_side(piece);
        kind_id kind = cell_kind(piece);
        game->pieces[side] |= bit;
        if (game->rules->mobile & kindset_of(kind)) game->mobile[side] |= bit;
        if (game->rules->runners & kindset_of(kind)) game->runners[side] |= bit;
        if (game->rules->odd & kindset_of(kind)) game->odd[side] |= bit;
        game->count[side][kind]++;
        if (piece & CELL_RETURNED) game->returned[side][kind]++;
        game->hash ^= game->rules->key[side][kind][at];
    }
    game->at[at] = piece;
}

/* After a failed call the game cannot go on. */
static void stop_if_failed(struct game *game) {
    if (game->calls && calls_failed()) game_stop(game, RESULT_DRAW, REASON_FAULT);
}

/* A full-strength side: copy the army's counts. */
static void count_pieces(struct game *game, enum side side) {
    uint8_t *count = game->count[side];
    const struct start *start = &game->rules->start[side];
    if (squareset_count(game->pieces[side]) == start->size) {
        memcpy(count, start->count, sizeof start->count);
        return;
    }
    memset(count, 0, sizeof game->count[side]);
    for (int half = 0; half < 2; half++)
        for (uint64_t left = squareset_half(game->pieces[side], half); left; left &= left - 1)
            count[cell_kind(game->at[64 * half + __builtin_ctzll(left)])]++;
}

/* Writes all cells, and all that is a function of them. */
static void game_lay_out(struct game *game, const cell at[BOARD_SQUARES_MAX]) {
    const struct rules *rules = game->rules;
    squareset taken = cells_taken(at) & rules->board.land, blue = cells_blue(at);
    squareset fixed = cells_of_kinds(at, rules->army & ~rules->mobile);
    game->pieces[RED] = taken & ~blue;
    game->pieces[BLUE] = taken & blue;
    squareset runners = cells_of_kinds(at, rules->runners), odd = cells_of_kinds(at, rules->odd);
    for (int side = RED; side <= BLUE; side++) {
        game->mobile[side] = game->pieces[side] & ~fixed;
        game->runners[side] = game->pieces[side] & runners;
        game->odd[side] = game->pieces[side] & odd;
    }

    memcpy(game->at, at, sizeof game->at);
    for (int side = RED; side <= BLUE; side++) count_pieces(game, (enum side)side);
    memcpy(game->start, game->count, sizeof game->start);
    memset(game->returned, 0, sizeof game->returned);
    for (squareset left = taken & cells_where(at, CELL_RETURNED, CELL_RETURNED); left;) {
        cell piece = at[squareset_pop(&left)];
        game->returned[cell_side(piece)][cell_kind(piece)]++;
    }
}

/* Sets every field one by one; clearing the struct first would take a sixth of the time. */
void game_start(struct game *game, const struct rules *rules, const struct position *position,
                const struct limits *limits, struct ply *plies, uint32_t capacity) {
    game->rules = rules;
    game->calls = rules->calls;
    game->plies = plies;
    game->ply_capacity = capacity;
    game->ply_count = game->earlier = game->quiet = 0;
    game->hash = 0;
    game->limits = limits ? *limits : rules->limits;
    for (int side = RED; side <= BLUE; side++)
        game->chaser[side] =
            (struct chaser){.from = SQUARE_NONE, .to = SQUARE_NONE, .quarry = SQUARE_NONE};
    game->to_move = (uint8_t)position->to_move;
    game_stop(game, RESULT_NONE, REASON_NONE);
    memset(game->placed, 0, sizeof game->placed);
    memset(game->uses, 0, sizeof game->uses);
    game->marks = (struct marks){0};
    game->counters = counters_start(rules);
    game_lay_out(game, position->at);
    if (game->calls) calls_take(NULL); /* left by an earlier game */
    ending_find(game, position->to_move, NULL);
    stop_if_failed(game);
}

bool game_change(struct game *game, square at, cell now) {
    struct ply *ply = &game->plies[game->ply_count - 1];
    if (ply->changes == CHANGES_MAX) return false;
    ply->change[ply->changes].at = at;
    ply->change[ply->changes].was = game->at[at];
    ply->changes++;
    cell_set(game, at, now);
    return true;
}

/* By splitmix64. */
uint64_t game_counter_key(int counter, enum side side, int value) {
    uint64_t key = (uint64_t)(counter * 2 + (int)side + 1) << 32 | (uint32_t)value;
    key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
    return key ^ key >> 31;
}

void game_count(struct game *game, enum side side, struct counting counting,
                struct events *events) {
    int counter = counting.counter - 1;
    const struct rules *rules = game->rules;
    enum side whose = rules->counter[counter].each ? side : RED;
    int16_t *value = &game->counters.of[whose][counter];
    game->hash ^= game_counter_key(counter, whose, *value);
    *value = (int16_t)counting_result(rules, counting, *value);
    game->hash ^= game_counter_key(counter, whose, *value);
    if (events && events->count < EVENTS_MAX)
        events->list[events->count++] = (struct event){.type = EVENT_COUNT,
                                                       .side = (uint8_t)side,
                                                       .from = SQUARE_NONE,
                                                       .to = SQUARE_NONE,
                                                       .counter = (uint8_t)counter,
                                                       .sets = counting.how & COUNTING_SETS,
                                                       .now = *value,
                                                       .by = counting.by};
}

/* Has the turn so far decided the game? */
static bool is_decided(const struct turn *turn) {
    return turn->flags_fallen || turn->decided || calls_failed() ||
           (turn->effects & (EFFECT_WIN | EFFECT_LOSE | EFFECT_DRAW));
}

/* The variant's effects after `turn`; `play` describes the move before it was carried out. */
static void play_effects(struct game *game, struct play *play, struct turn *turn,
                         struct events *events) {
    play->outcome = (enum outcome)turn->outcome;
    if (!turn->used) { /* the piece fell before it could act */
        play->move.ability = ABILITY_NONE;
        play->move.target = SQUARE_NONE;
        play->move.choice = KIND_NONE;
    }
    if (play->other && !is_decided(turn))
        calls_effects(game, CALL_AFTER_BATTLE, play, turn, events);
    if (!is_decided(turn)) calls_effects(game, CALL_AFTER_MOVE, play, turn, events);
    game->to_move = (uint8_t)side_other(play->side);
    if (!is_decided(turn)) calls_effects(game, CALL_TURN_START, NULL, turn, events);
}

/* A new ply without changes. */
static struct ply *ply_begin(struct game *game, struct move move) {
    struct ply *ply = &game->plies[game->ply_count++];
    ply->hash = game->hash;
    ply->move = move;
    memcpy(ply->chaser, game->chaser, sizeof ply->chaser);
    ply->quiet = game->quiet;
    ply->placed = 0;
    ply->used = false;
    ply->changes = 0;
    return ply;
}

/* Fast path of game_play(): a plain move to an empty square, without calls and events. */
static void play_step(struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    enum side mover = (enum side)game->to_move;
    cell piece = game->at[move.from];
    kind_id kind = cell_kind(piece);
    struct ply *ply = ply_begin(game, move);
    ply->changes = 2;
    ply->change[0].at = move.from;
    ply->change[0].was = piece;
    ply->change[1].at = move.to;
    ply->change[1].was = CELL_EMPTY;
    game->at[move.from] = CELL_EMPTY;
    game->at[move.to] = piece | rules->moved;
    squareset both = squareset_of(move.from) | squareset_of(move.to);
    game->pieces[mover] ^= both;
    game->mobile[mover] ^= both;
    if (rules->runners & kindset_of(kind)) game->runners[mover] ^= both;
    if (rules->odd & kindset_of(kind)) game->odd[mover] ^= both;
    game->hash ^= rules->key[mover][kind][move.from] ^ rules->key[mover][kind][move.to];
    game->quiet++;
    game->to_move = (uint8_t)side_other(mover);
    chase_note(game, mover, move, NULL);
    ending_find_quiet(game, false);
}

/* The falls of a game so far, by side and kind; whatever has returned stays counted. */
struct fallen {
    unsigned of[2][KINDS_MAX];
};

static struct fallen fallen_of(const struct game *game) {
    struct fallen fallen;
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 0; kind < KINDS_MAX; kind++)
            fallen.of[side][kind] =
                (unsigned)game_captured(game, (enum side)side, kind) + game->placed[side][kind];
    return fallen;
}

/* Tells of the pieces that the falls since `before` show. */
static void show_after_falls(const struct game *game, struct fallen before, struct events *events) {
    const struct rules *rules = game->rules;
    struct fallen now = fallen_of(game);
    for (int side = RED; side <= BLUE; side++) {
        kindset shown = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++)
            if (now.of[side][kind] > before.of[side][kind]) shown |= rules->fall_shows[kind];
        for (squareset left = shown ? game->pieces[side] : 0; left;) {
            square at = squareset_pop(&left);
            kind_id kind = cell_kind(game->at[at]);
            if (!(shown >> kind & 1) || events->count == EVENTS_MAX) continue;
            events->list[events->count++] = (struct event){.type = EVENT_REVEAL,
                                                           .side = (uint8_t)side,
                                                           .from = at,
                                                           .to = SQUARE_NONE,
                                                           .kind = kind};
        }
    }
}

static __attribute__((noinline)) void play_any(struct game *game, struct move move,
                                               struct events *events) {
    enum side mover = (enum side)game->to_move;
    struct play play;
    struct turn turn;
    if (game->calls) play = calls_play(game, move);
    turn_resolve(game, move, &turn, events);

    struct fallen fallen;
    if (events && game->rules->falls_show) fallen = fallen_of(game);
    struct marks marks = {0};
    if (game->rules->marks) marks = marks_after(game, move, &turn);
    struct ply *ply = ply_begin(game, move);
    ply->marks = game->marks;
    game->marks = marks;
    if (game->rules->counters) ply->counters = game->counters;
    ply->used = turn.used;
    ply->placed = turn.placed ? UINT32_C(1) << (turn.changes - 1) : 0;
    ply->changes = (uint8_t)turn.changes;
    for (int i = 0; i < turn.changes; i++) {
        ply->change[i].at = turn.change[i].at;
        ply->change[i].was = game->at[turn.change[i].at];
        cell_set(game, turn.change[i].at, turn.change[i].now);
    }
    if (turn.used) game->uses[mover][game->rules->ability[move.ability].tally.n]++;
    if (turn.placed) game->placed[mover][turn.placed]++;
    if (turn.counting.counter)
        game_count(game, turn.counting.how & COUNTING_ENEMY ? side_other(mover) : mover,
                   turn.counting, events);
    game->quiet = turn.attack ? 0 : game->quiet + 1;
    if (game->calls) play_effects(game, &play, &turn, events);
    game->to_move = (uint8_t)side_other(mover);
    if (game->rules->stays) marks_stand(&game->marks, game->pieces[game->to_move]);
    struct move stand = move; /* where the piece is now */
    if (turn.stays) stand.to = move.from;
    chase_note(game, mover, stand, &turn);
    if (events && game->rules->falls_show) show_after_falls(game, fallen, events);
    ending_find(game, mover, &turn);
    stop_if_failed(game);

    if (events && game->result != RESULT_NONE && events->count < EVENTS_MAX)
        events->list[events->count++] = (struct event){.type = EVENT_END,
                                                       .from = SQUARE_NONE,
                                                       .to = SQUARE_NONE,
                                                       .result = game->result,
                                                       .reason = game->reason};
}

void game_play(struct game *game, struct move move, struct events *events) {
    if (!game->at[move.to] && move.ability == ABILITY_NONE && !game->calls && !events &&
        !game->rules->watched)
        play_step(game, move);
    else
        play_any(game, move, events);
}

void game_undo(struct game *game) {
    const struct ply *ply = &game->plies[--game->ply_count];
    enum side mover = side_other((enum side)game->to_move);
    for (int i = ply->changes; i-- > 0;) {
        cell now = game->at[ply->change[i].at];
        if (ply->placed >> i & 1) game->placed[cell_side(now)][cell_kind(now)]--;
        cell_set(game, ply->change[i].at, ply->change[i].was);
    }
    if (ply->used) game->uses[mover][game->rules->ability[ply->move.ability].tally.n]--;
    if (game->rules->marks) game->marks = ply->marks;
    if (game->rules->counters) game->counters = ply->counters;
    memcpy(game->chaser, ply->chaser, sizeof game->chaser);
    game->quiet = ply->quiet;
    game->hash = ply->hash;
    game->to_move = (uint8_t)mover;
    game->result = RESULT_NONE;
    game->reason = REASON_NONE;
}
