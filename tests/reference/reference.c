/* reference.c - the second implementation of the rules. Obviously right rather than fast: loops
 * over the whole board, positions compared square by square, repetition judged from the history. Of
 * the core it uses only accessors of plain data. */
#include "reference.h"

#include "reference_effects.h"
#include "reference_repetition.h"
#include "reference_walk.h"

#include <stdlib.h>
#include <string.h>

static bool ability_allowed(const struct reference *ref, struct move move) {
    const struct reference_state *state = reference_now(ref);
    const struct rules *rules = ref->rules;
    enum side side = state->to_move;
    if (move.ability >= rules->abilities) return false;
    const struct ability *ability = &rules->ability[move.ability];
    if (ability->actor != reference_on(ref, state, move.from).kind) return false;
    enum ability_time time = move.to == move.from                   ? ABILITY_INSTEAD
                             : reference_on(ref, state, move.to).id ? ABILITY_AFTER_ATTACK
                                                                    : ABILITY_AFTER_STEP;
    if (!(ability->when & time)) return false;
    if (ability->each && reference_on(ref, state, move.from).spent >= ability->each) return false;
    if (ability->limit && state->uses[side][ability->tally.n] >= ability->limit) return false;
    if (move.target >= rules->board.squares ||
        !squareset_has(ability->targets[side][move.to], move.target))
        return false;
    /* The board once the piece has arrived. */
    struct token there = reference_on(ref, state, move.target);
    if (move.target == move.from) there = (struct token){0};
    if (move.target == move.to) there = reference_on(ref, state, move.from);
    enum ability_aim aim = !there.id ? AIM_EMPTY : there.side == side ? AIM_OWN : AIM_ENEMY;
    if (!(ability->aims & aim)) return false;
    if (ability->asks == ASKS_NOTHING) return move.choice == KIND_NONE;
    if (move.choice == KIND_NONE || move.choice > rules->kinds) return false;
    if (!(ability->choices >> move.choice & 1)) return false;
    return ability->asks != ASKS_CAPTURED ||
           state->fallen[side][move.choice] > state->spent[side][move.choice];
}

/* The rest of the judgement, once the piece is known to reach `to`. */
static enum verdict judge_rest(const struct reference *ref, struct move move) {
    if (move.ability == ABILITY_NONE) {
        if (move.target != SQUARE_NONE || move.choice != KIND_NONE) return ILLEGAL_ABILITY;
    } else if (!ability_allowed(ref, move)) {
        return ILLEGAL_ABILITY;
    }
    enum verdict verdict = reference_repetition(ref, move);
    return verdict == LEGAL && !reference_allows(ref, move) ? ILLEGAL_VARIANT : verdict;
}

enum verdict reference_judge(const struct reference *ref, struct move move) {
    const struct reference_state *state = reference_now(ref);
    int squares = ref->rules->board.squares;
    if (move.from >= squares || move.to >= squares) return ILLEGAL_OFF_BOARD;
    if (state->result != RESULT_NONE) return ILLEGAL_GAME_OVER;
    struct token mover = reference_on(ref, state, move.from);
    if (!mover.id || mover.side != state->to_move) return ILLEGAL_NOT_YOURS;
    if (mover.held) return ILLEGAL_HELD;
    if (move.to == move.from)
        return move.ability == ABILITY_NONE ? ILLEGAL_MOVEMENT : judge_rest(ref, move);
    if (!reference_mobile(ref, mover.kind)) return ILLEGAL_IMMOBILE_KIND;
    if (squareset_has(ref->rules->board.stays, move.from)) return ILLEGAL_LEAVES;
    if (reference_lake(ref, move.to)) return ILLEGAL_LAKE;
    struct token there = reference_on(ref, state, move.to);
    struct reach reach;
    reference_walk(ref, state, state->to_move, mover.kind, move.from, &reach);
    if (reach.to[move.to]) return judge_rest(ref, move);
    if (reach.barred[move.to]) return ILLEGAL_BATTLE;
    reach.struck = there.id != 0;
    reference_walk(ref, NULL, state->to_move, mover.kind, move.from, &reach);
    if (!reach.to[move.to]) return ILLEGAL_MOVEMENT;
    if (there.id && there.side == mover.side) return ILLEGAL_OWN_PIECE;
    bool sheltered = there.id && squareset_has(ref->rules->board.shelter, move.to);
    return sheltered ? ILLEGAL_SHELTER : ILLEGAL_BLOCKED;
}

/* A list of moves under construction. */
struct list {
    struct move *out;
    size_t capacity, count;
    size_t wanted; /* stop at this many */
};

static void list_if_legal(const struct reference *ref, struct move move, struct list *list) {
    if (judge_rest(ref, move) != LEGAL) return;
    if (list->count < list->capacity) list->out[list->count] = move;
    list->count++;
}

/* The move and all its forms with an ability. */
static void list_forms(const struct reference *ref, kind_id kind, square from, square to,
                       struct list *list) {
    const struct rules *rules = ref->rules;
    if (from != to) {
        struct move move = {from, to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        list_if_legal(ref, move, list);
    }
    for (uint8_t a = 0; a < rules->abilities; a++) {
        if (rules->ability[a].actor != kind) continue;
        squareset targets = rules->ability[a].targets[reference_now(ref)->to_move][to];
        for (square target = 0; target < rules->board.squares; target++) {
            if (!squareset_has(targets, target)) continue;
            for (kind_id choice = KIND_NONE; choice <= rules->kinds; choice++) {
                struct move move = {from, to, target, a, choice};
                list_if_legal(ref, move, list);
            }
        }
    }
}

static void list_moves(const struct reference *ref, struct list *list) {
    const struct reference_state *state = reference_now(ref);
    if (state->result != RESULT_NONE) return;
    for (square from = 0; from < ref->rules->board.squares; from++) {
        struct token mover = reference_on(ref, state, from);
        if (!mover.id || mover.side != state->to_move || mover.held) continue;
        struct reach reach;
        reference_walk(ref, state, state->to_move, mover.kind, from, &reach);
        list_forms(ref, mover.kind, from, from, list);
        for (int i = 0; i < reach.count; i++)
            list_forms(ref, mover.kind, from, reach.list[i], list);
        if (list->count >= list->wanted) return;
    }
}

size_t reference_moves(const struct reference *ref, struct move *out, size_t capacity) {
    struct list list = {.out = out, .capacity = capacity, .wanted = SIZE_MAX};
    list_moves(ref, &list);
    return list.count;
}

static bool has_move(const struct reference *ref) {
    struct list list = {.wanted = 1};
    list_moves(ref, &list);
    return list.count > 0;
}

void reference_fall(const struct reference *ref, struct reference_state *state, square at,
                    bool flag_fell[2]) {
    struct token *token = reference_token(ref, state, at);
    if (!token->id) return;
    state->fallen[token->side][token->kind]++;
    if (token->returned) state->spent[token->side][token->kind]++;
    if (ref->rules->kind[token->kind].flag) flag_fell[token->side] = true;
    *token = (struct token){0};
}

void reference_count(const struct reference *ref, struct reference_state *state, enum side side,
                     struct counting counting) {
    const struct counter *counter = &ref->rules->counter[counting.counter - 1];
    if (counting.how & COUNTING_ENEMY) side = side_other(side);
    int *value = &state->counter[counter->each ? side : RED][counting.counter - 1];
    *value = counting.how & COUNTING_SETS ? counting.by : *value + counting.by;
    if (*value < counter->from) *value = counter->from;
    if (*value > counter->to) *value = counter->to;
}

static void use_ability(const struct reference *ref, struct reference_state *state,
                        struct move move, bool flag_fell[2], uint16_t *effects) {
    const struct ability *ability = &ref->rules->ability[move.ability];
    enum side side = state->to_move;
    kind_id target_kind = reference_on(ref, state, move.target).kind;
    *effects = ability->effects[target_kind][move.choice];
    if (ability->each) reference_token(ref, state, move.to)->spent++;
    if (ability->rest) reference_token(ref, state, move.to)->held = ability->rest;
    if (*effects / EFFECT_HOLD % 4 && target_kind)
        reference_token(ref, state, move.target)->held = (uint8_t)(*effects / EFFECT_HOLD % 4);
    state->uses[side][ability->tally.n]++;
    if (*effects & EFFECT_REMOVE_TARGET) reference_fall(ref, state, move.target, flag_fell);
    const struct counting *counting = &ability->counts[target_kind][move.choice];
    if (counting->counter) reference_count(ref, state, side, *counting);
    if (*effects & EFFECT_SWAP) {
        reference_token(ref, state, move.to)->stood = 0;
        reference_token(ref, state, move.target)->stood = 0;
        struct token actor = reference_on(ref, state, move.to);
        *reference_token(ref, state, move.to) = reference_on(ref, state, move.target);
        *reference_token(ref, state, move.target) = actor;
    }
    if (*effects & EFFECT_REMOVE_ACTOR)
        reference_fall(ref, state, *effects & EFFECT_SWAP ? move.target : move.to, flag_fell);
    if (*effects & EFFECT_PLACE) {
        state->fallen[side][move.choice]--;
        *reference_token(ref, state, move.target) = (struct token){
            ++state->last_id, (uint8_t)side, (kind_id)move.choice, true, false, 0, 0, 0};
    }
}

void reference_carry_out(const struct reference *ref, struct reference_state *state,
                         struct move move, bool flag_fell[2], uint16_t *effects, bool *attack) {
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token *token = reference_token(ref, state, s);
        if (token->id && token->side == state->to_move && token->held) token->held--;
    }
    struct token mover = reference_on(ref, state, move.from);
    bool alive = true;
    if (move.to != move.from) mover.moved = true;
    *attack = false;
    *effects = 0;
    state->stand = move.to;
    if (move.to != move.from) {
        struct token defender = reference_on(ref, state, move.to);
        enum outcome outcome = ATTACKER_WINS;
        if (defender.id) {
            *attack = true;
            outcome = reference_fight(ref, (enum side)mover.side, move.from, move.to, mover.kind,
                                      defender.kind);
            if (outcome == ASK_THE_VARIANT) outcome = reference_battle(ref, move);
        }
        alive = outcome == ATTACKER_WINS;
        if (defender.id && outcome != DEFENDER_WINS) reference_fall(ref, state, move.to, flag_fell);
        if (!alive) reference_fall(ref, state, move.from, flag_fell);
        bool stays = alive && defender.id && ref->gait[mover.kind].returns;
        if (!stays) mover.stood = 0;
        if (stays) state->stand = move.from;
        *reference_token(ref, state, move.from) = (struct token){0};
        if (alive) *reference_token(ref, state, state->stand) = mover;
    }
    if (alive && move.ability != ABILITY_NONE) {
        use_ability(ref, state, move, flag_fell, effects);
        if (ref->rules->ability[move.ability].attacks) *attack = true;
    }
    state->move = move;
    state->mover = mover.id;
    state->attacked = *attack;
}

static bool has_mobile(const struct reference *ref, const struct reference_state *state,
                       enum side side) {
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token token = reference_on(ref, state, s);
        if (token.id && token.side == side && reference_mobile(ref, token.kind)) return true;
    }
    return false;
}

/* Can a mobile enemy get next to the flag on `flag` over squares that are empty or hold a mobile
 * piece? Floods from the enemy's mobile pieces until nothing new is wet. */
static bool flag_reachable(const struct reference *ref, const struct reference_state *state,
                           square flag) {
    bool wet[BOARD_SQUARES_MAX] = {false};
    enum side owner = (enum side)reference_on(ref, state, flag).side;
    for (bool grown = true; grown;) {
        grown = false;
        for (square s = 0; s < ref->rules->board.squares; s++) {
            struct token token = reference_on(ref, state, s);
            if (wet[s] || reference_lake(ref, s)) continue;
            if (token.id && !reference_mobile(ref, token.kind)) continue;
            bool reached = token.id && token.side != owner;
            square beside[BOARD_SQUARES_MAX];
            int count = reference_neighbours(ref, s, beside);
            for (int i = 0; i < count; i++)
                if (wet[beside[i]]) reached = true;
            if (!reached) continue;
            if (reference_next_to(ref, s, flag)) return true;
            wet[s] = grown = true;
        }
    }
    return false;
}

static bool walled_in_draw(const struct reference *ref, const struct reference_state *state) {
    if (!ref->rules->draw_without) return false;
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token token = reference_on(ref, state, s);
        if (token.id && (ref->rules->draw_without >> token.kind & 1)) return false;
    }
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token token = reference_on(ref, state, s);
        if (token.id && ref->rules->kind[token.kind].flag && flag_reachable(ref, state, s))
            return false;
    }
    return true;
}

static void end(struct reference_state *state, enum result result, enum reason reason) {
    state->result = result;
    state->reason = reason;
}

/* Has this side reached the goal, now that it is the turn of the side to move? */
static bool goal_reached_by(const struct reference *ref, const struct goal *goal, enum side side) {
    const struct reference_state *state = reference_now(ref);
    if (!goal->kinds) {
        const struct counter *counter = &ref->rules->counter[goal->counter];
        int value = state->counter[counter->each ? side : RED][goal->counter];
        return goal->reaches > counter->start ? value >= goal->reaches : value <= goal->reaches;
    }
    if (goal->after > 0 && state->to_move != side) return false;
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token token = reference_on(ref, state, s);
        if (token.id && token.side == side && (goal->kinds >> token.kind & 1) &&
            squareset_has(goal->at[side], s) && token.stood >= goal->after)
            return true;
    }
    return false;
}

static enum result reference_goals(const struct reference *ref) {
    bool red = false, blue = false, draw = false;
    for (int i = 0; i < ref->rules->goals; i++)
        for (enum side side = RED; side <= BLUE; side++) {
            const struct goal *goal = &ref->rules->goal[i];
            if (!goal_reached_by(ref, goal, side)) continue;
            enum goal_result gives = (enum goal_result)goal->result;
            if (gives == GOAL_DRAW) draw = true;
            if (gives == GOAL_RED || (gives == GOAL_WIN && side == RED) ||
                (gives == GOAL_LOSE && side == BLUE))
                red = true;
            if (gives == GOAL_BLUE || (gives == GOAL_WIN && side == BLUE) ||
                (gives == GOAL_LOSE && side == RED))
                blue = true;
        }
    if (draw || (red && blue)) return RESULT_DRAW;
    return red ? RESULT_RED : blue ? RESULT_BLUE : RESULT_NONE;
}

static bool stands_again(const struct reference *ref) {
    uint32_t times = 0;
    for (uint32_t ply = 0; ply <= ref->plies; ply++)
        times += ref->states[ply].to_move == reference_now(ref)->to_move &&
                 reference_same_position(ref, reference_now(ref), &ref->states[ply]);
    return times >= ref->rules->repetition;
}

/* The endings decided by the position alone, for the current state. */
static void judge_position(struct reference *ref) {
    struct reference_state *state = &ref->states[ref->plies];
    enum result met = ref->plies ? reference_goals(ref) : RESULT_NONE;
    if (met != RESULT_NONE) {
        end(state, met, REASON_GOAL);
        return;
    }
    enum result said = reference_ending(ref);
    if (said != RESULT_NONE) {
        end(state, said, REASON_VARIANT);
        return;
    }
    bool red = has_mobile(ref, state, RED), blue = has_mobile(ref, state, BLUE);
    if (!red && !blue)
        end(state, RESULT_DRAW, REASON_BOTH_IMMOBILE);
    else if (!red || !blue)
        end(state, result_win(red ? RED : BLUE), REASON_IMMOBILE);
    else if (walled_in_draw(ref, state))
        end(state, RESULT_DRAW, REASON_NO_MINERS);
    else if (!has_move(ref))
        end(state, result_win(side_other(state->to_move)), REASON_IMMOBILE);
}

void reference_play(struct reference *ref, struct move move) {
    struct reference_state *state = &ref->states[ref->plies + 1];
    *state = ref->states[ref->plies];
    enum side mover = state->to_move;
    bool flag_fell[2] = {false, false}, attack;
    uint16_t effects;
    enum result decided = RESULT_NONE;
    reference_carry_out(ref, state, move, flag_fell, &effects, &attack);
    bool said = effects & (EFFECT_WIN | EFFECT_LOSE | EFFECT_DRAW);
    reference_effects(ref, move, said, flag_fell, &decided);
    reference_note_survivors(ref, state);
    state->to_move = mover;
    reference_note(ref, state, move, attack);
    state->quiet = attack ? 0 : state->quiet + 1;
    state->to_move = side_other(mover);
    ref->plies++;
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token *token = reference_token(ref, state, s);
        if (token->id && token->side == state->to_move && token->stood < 3) token->stood++;
    }
    if (flag_fell[RED] && flag_fell[BLUE]) {
        end(state, RESULT_DRAW, REASON_FLAG);
    } else if (flag_fell[RED] || flag_fell[BLUE]) {
        end(state, result_win(flag_fell[RED] ? BLUE : RED), REASON_FLAG);
    } else if (said) {
        enum side winner = effects & EFFECT_WIN ? mover : side_other(mover);
        end(state, effects & EFFECT_DRAW ? RESULT_DRAW : result_win(winner), REASON_ABILITY);
    } else if (decided != RESULT_NONE) {
        end(state, decided, REASON_VARIANT);
    } else {
        judge_position(ref);
    }
    if (state->result != RESULT_NONE) return;
    if (ref->rules->repetition && stands_again(ref))
        end(state, RESULT_DRAW, REASON_REPETITION);
    else if (ref->limits.no_attack && state->quiet >= ref->limits.no_attack)
        end(state, RESULT_DRAW, REASON_NO_ATTACK_LIMIT);
    else if ((ref->limits.plies && ref->plies >= ref->limits.plies) || ref->plies >= ref->capacity)
        end(state, RESULT_DRAW, REASON_PLY_LIMIT);
}

void reference_undo(struct reference *ref) {
    ref->plies--;
}

void reference_start(struct reference *ref, const struct position *position,
                     const struct limits *limits) {
    struct reference_state *state = &ref->states[0];
    memset(state, 0, sizeof *state);
    ref->plies = 0;
    ref->limits = limits ? *limits : ref->rules->limits;
    state->to_move = position->to_move;
    for (square s = 0; s < ref->rules->board.squares; s++) {
        cell piece = position->at[s];
        if (piece == CELL_EMPTY) continue;
        *reference_token(ref, state, s) = (struct token){++state->last_id,
                                                         (uint8_t)cell_side(piece),
                                                         cell_kind(piece),
                                                         (piece & CELL_RETURNED) != 0,
                                                         (piece & CELL_WALKED) != 0,
                                                         0,
                                                         0,
                                                         0};
    }
    for (int i = 0; i < ref->rules->counters; i++)
        for (int side = RED; side <= BLUE; side++)
            if (side == RED || ref->rules->counter[i].each)
                state->counter[side][i] = ref->rules->counter[i].start;
    judge_position(ref);
}

struct reference *reference_new(const struct rules *rules, bool written, uint32_t capacity) {
    struct reference *ref = calloc(1, sizeof *ref);
    if (!ref) return NULL;
    ref->rules = rules;
    ref->written = written;
    ref->capacity = capacity;
    ref->states = calloc((size_t)capacity + 1, sizeof *ref->states);
    if (!ref->states) {
        free(ref);
        return NULL;
    }
    for (int at = 0; at < rules->board.squares; at++)
        ref->place[at] = (struct place){at / rules->board.files, at % rules->board.files};
    for (kind_id a = 1; a <= rules->kinds; a++) {
        ref->gait[a] = reference_gait(rules, written, a);
        for (kind_id d = 1; d <= rules->kinds; d++) {
            ref->outcome[a][d] =
                written ? reference_outcome(rules, a, d) : (enum outcome)rules->outcome[a][d];
        }
    }
    return ref;
}

void reference_free(struct reference *ref) {
    if (!ref) return;
    free(ref->states);
    free(ref);
}

uint64_t reference_perft(struct reference *ref, int depth) {
    if (depth == 0) return 1;
    size_t count = reference_moves(ref, NULL, 0);
    struct move *moves = calloc(count + 1, sizeof *moves);
    if (!moves) abort();
    reference_moves(ref, moves, count);
    uint64_t leaves = 0;
    for (size_t i = 0; i < count; i++) {
        reference_play(ref, moves[i]);
        leaves += reference_perft(ref, depth - 1);
        reference_undo(ref);
    }
    free(moves);
    return leaves;
}
