/* reference_effects.c - the order of the calls and the meaning of each effect. A piece that an
 * effect moves or places gets a new id: to the repetition rules it is another piece. */
#include "reference_effects.h"

#include "reference_walk.h"

/* A state after `plies` plies as calls see it: a game without its history. */
static struct game shown(const struct reference *ref, const struct reference_state *state,
                         uint32_t plies) {
    struct game game = {
        .rules = ref->rules, .to_move = (uint8_t)state->to_move, .ply_count = plies};
    for (square s = 0; s < ref->rules->board.squares; s++) {
        struct token token = reference_on(ref, state, s);
        if (!token.id) continue;
        game.at[s] = cell_of((enum side)token.side, token.kind);
        if (token.returned) game.at[s] |= CELL_RETURNED;
        if (token.moved) game.at[s] |= CELL_WALKED;
        game.pieces[token.side] |= squareset_of(s);
        game.count[token.side][token.kind]++;
        if (token.returned) game.returned[token.side][token.kind]++;
    }
    for (int side = RED; side <= BLUE; side++) {
        for (int i = 0; i < COUNTERS_MAX; i++)
            game.counters.of[side][i] = (int16_t)state->counter[side][i];
        for (kind_id k = 1; k <= ref->rules->kinds; k++) {
            game.start[side][k] = (uint8_t)(game.count[side][k] + state->fallen[side][k]);
            game.placed[side][k] = (uint8_t)(game.returned[side][k] + state->spent[side][k]);
        }
    }
    return game;
}

/* False without an answer: the call is not declared, or it failed. */
static bool ask(const struct reference *ref, const struct reference_state *state, uint32_t plies,
                enum call call, const struct play *play, struct call_answer *answer) {
    struct calls *calls = ref->rules->calls;
    struct fault fault = {0};
    if (!calls || !(calls->declared >> call & 1)) return false;
    struct game game = shown(ref, state, plies);
    answer->fuel_max = UINT64_MAX;
    if (calls->ask(calls, call, &game, play, answer, &fault)) return true;
    if (ref->fault && ref->fault->status == STATUS_OK) *ref->fault = fault;
    return false;
}

static struct play play_of(const struct reference *ref, const struct reference_state *state,
                           struct move move) {
    struct token mover = reference_on(ref, state, move.from);
    struct token other = reference_on(ref, state, move.to);
    return (struct play){.side = (enum side)mover.side,
                         .move = move,
                         .kind = mover.kind,
                         .other = move.to == move.from ? KIND_NONE : other.kind};
}

bool reference_allows(const struct reference *ref, struct move move) {
    const struct reference_state *state = reference_now(ref);
    struct play play = play_of(ref, state, move);
    struct call_answer answer;
    return !ask(ref, state, ref->plies, CALL_LEGAL, &play, &answer) || answer.allowed;
}

enum outcome reference_battle(const struct reference *ref, struct move move) {
    const struct reference_state *state = reference_now(ref);
    struct play play = play_of(ref, state, move);
    struct call_answer answer;
    return ask(ref, state, ref->plies, CALL_BATTLE, &play, &answer) ? answer.outcome : BOTH_FALL;
}

enum result reference_ending(const struct reference *ref) {
    struct call_answer answer;
    bool said = ask(ref, reference_now(ref), ref->plies, CALL_ENDING, NULL, &answer);
    return said ? answer.result : RESULT_NONE;
}

static void carry_out(const struct reference *ref, struct reference_state *state,
                      const struct deed *deed, bool flag_fell[2], enum result *decided) {
    struct token *at = deed->at == SQUARE_NONE ? NULL : reference_token(ref, state, deed->at);
    switch ((enum deed_type)deed->type) {
    case DEED_REMOVE:
        reference_fall(ref, state, deed->at, flag_fell);
        break;
    case DEED_PLACE:
        *at = (struct token){++state->last_id, deed->side, deed->kind, true, false, 0, 0, 0};
        state->fallen[deed->side][deed->kind]--;
        break;
    case DEED_SWAP: {
        struct token *to = reference_token(ref, state, deed->to);
        struct token moved = *at;
        *at = *to;
        *to = moved;
        at->stood = to->stood = 0;
        if (at->id) at->id = ++state->last_id;
        if (to->id) to->id = ++state->last_id;
        break;
    }
    case DEED_COUNT:
        reference_count(ref, state, (enum side)deed->side, deed->counting);
        break;
    case DEED_WIN:
        *decided = result_win((enum side)deed->side);
        break;
    case DEED_DRAW:
        *decided = RESULT_DRAW;
        break;
    case DEED_REVEAL:
    case DEED_CONCEAL:
        break;
    }
}

void reference_effects(struct reference *ref, struct move move, bool over, bool flag_fell[2],
                       enum result *decided) {
    static const enum call order[] = {CALL_AFTER_BATTLE, CALL_AFTER_MOVE, CALL_TURN_START};
    const struct reference_state *before = &ref->states[ref->plies];
    struct reference_state *state = &ref->states[ref->plies + 1];
    struct play play = play_of(ref, before, move);
    if (!ref->rules->calls) return;
    bool acted = false;
    for (int i = 0; i < ABILITIES_MAX; i++)
        acted |= state->uses[play.side][i] != before->uses[play.side][i];
    if (!acted) {
        play.move.ability = ABILITY_NONE;
        play.move.target = SQUARE_NONE;
        play.move.choice = KIND_NONE;
    }
    if (play.other) {
        play.outcome = reference_fight(ref, play.side, move.from, move.to, play.kind, play.other);
        if (play.outcome == ASK_THE_VARIANT) play.outcome = reference_battle(ref, move);
    }
    for (int i = 0; i < 3; i++) {
        if (order[i] == CALL_TURN_START) state->to_move = side_other(play.side);
        if (order[i] == CALL_AFTER_BATTLE && !play.other) continue;
        if (over || flag_fell[RED] || flag_fell[BLUE] || *decided != RESULT_NONE) continue;
        const struct play *told = order[i] == CALL_TURN_START ? NULL : &play;
        struct call_answer answer;
        if (!ask(ref, state, ref->plies + 1, order[i], told, &answer)) continue;
        for (int d = 0; d < answer.count; d++)
            carry_out(ref, state, &answer.deed[d], flag_fell, decided);
    }
}

void reference_note_survivors(const struct reference *ref, struct reference_state *state) {
    uint16_t before = ref->plies ? ref->states[ref->plies].mover : 0;
    state->survived = state->other_survived = false;
    for (square s = 0; s < ref->rules->board.squares; s++) {
        uint16_t id = reference_on(ref, state, s).id;
        if (id && id == state->mover) state->survived = true;
        if (id && id == before) state->other_survived = true;
    }
}
