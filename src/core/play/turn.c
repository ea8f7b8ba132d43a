/* turn.c - battles and abilities of one move, as changes of cells and as events.
 *
 * Reads the position, never writes it. Later changes override earlier ones of the same square (a
 * piece that walks and then acts is written twice), so lookups go from the last to the first. */
#include "turn.h"

#include "calls.h"

#include <string.h>

static void event_add(struct events *events, struct event event) {
    if (events && events->count < EVENTS_MAX) events->list[events->count++] = event;
}

static struct event event_of(enum event_type type, enum side side, square from, square to,
                             kind_id kind) {
    return (struct event){
        .type = (uint8_t)type, .side = (uint8_t)side, .from = from, .to = to, .kind = kind};
}

static void turn_set(struct turn *turn, square at, cell now) {
    turn->change[turn->changes].at = at;
    turn->change[turn->changes].now = now;
    turn->changes++;
}

static cell turn_at(const struct game *game, const struct turn *turn, square at) {
    for (int i = turn->changes; i-- > 0;)
        if (turn->change[i].at == at) return turn->change[i].now;
    return game->at[at];
}

static void note_fall(const struct game *game, struct turn *turn, cell piece) {
    if (game->rules->kind[cell_kind(piece)].flag)
        turn->flags_fallen |= (uint8_t)(1 << cell_side(piece));
}

static void event_reveal(struct events *events, cell piece, square at) {
    event_add(events, event_of(EVENT_REVEAL, cell_side(piece), at, SQUARE_NONE, cell_kind(piece)));
}

/* Could only one kind have moved like this, so that the move has revealed it? */
static bool walk_tells(const struct game *game, struct move move, enum side side) {
    const struct rules *rules = game->rules;
    if (rules->same_walk) return false;
    kindset walkers =
        rules_walkers(rules, side, game->pieces[RED] | game->pieces[BLUE], move.from, move.to);
    return (walkers & (walkers - 1)) == 0;
}

enum outcome turn_outcome(const struct game *game, struct move move) {
    const cell actor = game->at[move.from];
    enum outcome outcome = rules_outcome_on(game->rules, cell_side(actor), move.from, move.to,
                                            cell_kind(actor), cell_kind(game->at[move.to]));
    return outcome == ASK_THE_VARIANT ? calls_battle(game, move) : outcome;
}

/* Resolves the step or attack. Returns whether the mover stands on move.to afterwards. */
static bool resolve_move(const struct game *game, struct move move, struct turn *turn,
                         struct events *events) {
    const struct rules *rules = game->rules;
    cell actor = game->at[move.from], defender = game->at[move.to];
    enum side side = cell_side(actor);
    bool tells = events && !rules->open && walk_tells(game, move, side);
    turn_set(turn, move.from, CELL_EMPTY);
    if (defender == CELL_EMPTY) {
        turn_set(turn, move.to, actor | rules->moved);
        event_add(events, event_of(EVENT_MOVE, side, move.from, move.to, KIND_NONE));
        if (tells) event_reveal(events, actor, move.to);
        return true;
    }

    turn->attack = true;
    enum after_battle after =
        (enum after_battle)rules->after_battle[cell_kind(actor)][cell_kind(defender)];
    bool silent = after == AFTER_BATTLE_SILENT;
    enum outcome outcome = turn_outcome(game, move);
    turn->outcome = (uint8_t)outcome;
    struct event battle = event_of(EVENT_BATTLE, side, move.from, move.to, cell_kind(actor));
    battle.other = cell_kind(defender);
    battle.outcome = (uint8_t)outcome;
    if (silent && outcome == ATTACKER_WINS && !tells) battle.kind = KIND_NONE;
    if (silent && outcome == DEFENDER_WINS) battle.other = KIND_NONE;
    battle.stays = outcome == ATTACKER_WINS && (rules->stayers >> cell_kind(actor) & 1);
    event_add(events, battle);
    bool wins = outcome == ATTACKER_WINS, stays = wins && (rules->stayers >> cell_kind(actor) & 1);
    if (outcome != DEFENDER_WINS) {
        note_fall(game, turn, defender);
        turn_set(turn, move.to, wins && !stays ? actor | rules->moved : CELL_EMPTY);
    }
    if (stays) turn_set(turn, move.from, actor | rules->moved);
    turn->stays = stays;
    if (outcome != ATTACKER_WINS) note_fall(game, turn, actor);
    bool kept = after == AFTER_BATTLE_REVEAL && !rules->open;
    if (wins && (kept || tells)) event_reveal(events, actor, stays ? move.from : move.to);
    if (outcome == DEFENDER_WINS && kept) event_reveal(events, defender, move.to);
    return wins;
}

static void resolve_removal(const struct game *game, struct turn *turn, square at,
                            struct events *events) {
    cell piece = turn_at(game, turn, at);
    note_fall(game, turn, piece);
    event_add(events, event_of(EVENT_REMOVE, cell_side(piece), at, SQUARE_NONE, cell_kind(piece)));
    turn_set(turn, at, CELL_EMPTY);
}

static void event_hold(struct events *events, cell piece, square at, unsigned turns) {
    struct event hold = event_of(EVENT_HOLD, cell_side(piece), at, SQUARE_NONE, KIND_NONE);
    hold.turns = (uint8_t)turns;
    event_add(events, hold);
}

/* Pieces that are held, where they stand now. */
static void tell_held(const struct ability *ability, struct move move, unsigned effects, cell actor,
                      cell target, struct events *events) {
    bool swap = effects & EFFECT_SWAP;
    if (ability->rest && !(effects & EFFECT_REMOVE_ACTOR))
        event_hold(events, actor, swap ? move.target : move.to, ability->rest);
    if (effect_hold(effects) && !(effects & EFFECT_REMOVE_TARGET))
        event_hold(events, target, swap ? move.to : move.target, effect_hold(effects));
}

static void resolve_ability(const struct game *game, struct move move, struct turn *turn,
                            struct events *events) {
    const struct ability *ability = &game->rules->ability[move.ability];
    square stand = move.to, aim = move.target;
    kind_id choice = (kind_id)move.choice;
    cell actor = turn_at(game, turn, stand), target = turn_at(game, turn, aim);
    enum side side = cell_side(actor);
    unsigned effects = ability->effects[target ? cell_kind(target) : KIND_NONE][choice];
    turn->used = true;
    turn->effects = (uint16_t)effects;
    if (ability->attacks) turn->attack = true;

    struct event use = event_of(EVENT_ABILITY, side, stand, aim, choice);
    use.tally = ability->tally;
    event_add(events, use);
    if (effects & EFFECT_LEARN) {
        struct event learn = event_of(EVENT_LEARN, side, aim, SQUARE_NONE, KIND_NONE);
        learn.kinds = ability->learn[cell_kind(target)][choice];
        event_add(events, learn);
    }
    if (effects & EFFECT_REVEAL_ACTOR) event_reveal(events, actor, stand);
    if (effects & EFFECT_REVEAL_TARGET) event_reveal(events, target, aim);
    if (effects & EFFECT_CONCEAL_ACTOR)
        event_add(events, event_of(EVENT_CONCEAL, side, stand, SQUARE_NONE, KIND_NONE));
    if (effects & EFFECT_CONCEAL_TARGET)
        event_add(events, event_of(EVENT_CONCEAL, cell_side(target), aim, SQUARE_NONE, KIND_NONE));
    if (effects & EFFECT_REMOVE_TARGET) resolve_removal(game, turn, aim, events);
    if (effects & EFFECT_REMOVE_ACTOR) resolve_removal(game, turn, stand, events);
    if (effects & EFFECT_SWAP) {
        turn_set(turn, stand, target);
        turn_set(turn, aim, actor);
        event_add(events, event_of(EVENT_SWAP, side, stand, aim, KIND_NONE));
    }
    if (effects & EFFECT_PLACE) {
        turn->placed = choice;
        turn_set(turn, aim, (cell)(cell_of(side, choice) | CELL_RETURNED));
        event_add(events, event_of(EVENT_PLACE, side, SQUARE_NONE, aim, choice));
    }
    tell_held(ability, move, effects, actor, target, events);
    turn->counting = ability->counts[target ? cell_kind(target) : KIND_NONE][choice];
}

void turn_resolve(const struct game *game, struct move move, struct turn *turn,
                  struct events *events) {
    memset(turn, 0, sizeof *turn);
    bool stands = move.to == move.from || resolve_move(game, move, turn, events);
    if (move.ability != ABILITY_NONE && stands) resolve_ability(game, move, turn, events);
}
