/* evaluation_moves.c - what a move makes of an evaluation. A walk is tried and taken back; battles
 * and abilities are tried on copies, one for each outcome. */
#include "evaluation_inside.h"

#include <string.h>

/* A copy to change. Rows are copied as far as they are used, with room for one more enemy. */
static void evaluation_copy(struct evaluation *copy, const struct evaluation *evaluation) {
    const size_t row = (size_t)(evaluation->enemies + 1) * sizeof(int16_t);
    memcpy(copy, evaluation, offsetof(struct evaluation, mobile));
    memcpy(copy->mobile, evaluation->mobile, row);
    memcpy(copy->flag_chance, evaluation->flag_chance, row);
    memcpy(copy->returner, evaluation->returner, row);
    memcpy(copy->chance, evaluation->chance, (size_t)evaluation->enemies * sizeof *copy->chance);
    for (int kind = 1; kind <= evaluation->view->rules->kinds; kind++) {
        memcpy(copy->against[kind].prey, evaluation->against[kind].prey, row);
        memcpy(copy->against[kind].fear, evaluation->against[kind].fear, row);
        memcpy(copy->against[kind].bite, evaluation->against[kind].bite, row);
    }
}

/* The chance to win once everything is worked out, unless a side has no mobile pieces left. */
static int32_t settled_chance(struct evaluation *evaluation) {
    const struct rules *rules = evaluation->view->rules;
    int32_t own = 0, enemy = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!(rules->mobile & kindset_of(kind))) continue;
        enemy += evaluation->left[kind];
        for (int state = 0; state < MINE_STATES; state++) own += evaluation->count[kind][state];
    }
    const int32_t some = TERM_UNIT / 64;
    if (own < some || enemy < some)
        return own < some && enemy < some ? CHANCE_CERTAIN / 2 : own < some ? 0 : CHANCE_CERTAIN;
    for (squareset left = evaluation->stale; left;)
        evaluation_settle_piece(evaluation, squareset_pop(&left), true);
    evaluation->stale = 0;
    for (int i = 0; i < evaluation->own; i++) evaluation_engage(evaluation, i);
    evaluation->counted = evaluation_counted_sum(evaluation);
    if (evaluation->raids_stale) raids_find(&evaluation->found, evaluation);
    return evaluation_chance(evaluation);
}

/* An enemy comes or goes: the pieces that it has most influence on are to be settled. */
static void enemy_stirs(struct evaluation *evaluation, int enemy, square at) {
    for (int i = 0; i < evaluation->own; i++)
        if (evaluation->at[i] != EVALUATION_NOBODY &&
            evaluation_reach_has(evaluation, i, enemy, at))
            evaluation->stale |= squareset_of((square)i);
}

static void own_put(struct evaluation *evaluation, int number, square to) {
    square from = evaluation->at[number];
    if (raids_hang_on(evaluation, number)) evaluation->raids_stale = true;
    if (from != EVALUATION_NOBODY && evaluation->own_on[from] == number) {
        evaluation->own_on[from] = EVALUATION_NOBODY;
        evaluation->taken &= ~squareset_of(from);
        evaluation->vacated |= squareset_of(from);
    }
    evaluation->at[number] = to;
    evaluation->stale |= squareset_of((square)number);
    if (to == EVALUATION_NOBODY) return;
    evaluation->own_on[to] = (uint8_t)number;
    evaluation->taken |= squareset_of(to);
    evaluation->entered |= squareset_of(to);
}

static void own_state(struct evaluation *evaluation, int number, int state) {
    int32_t *count = evaluation->count[evaluation->kind[number]];
    count[evaluation->state[number]] -= TERM_UNIT;
    count[state] += TERM_UNIT;
    evaluation->state[number] = (uint8_t)state;
    evaluation->stale |= squareset_of((square)number);
}

static void own_falls(struct evaluation *evaluation, int number) {
    evaluation->count[evaluation->kind[number]][evaluation->state[number]] -= TERM_UNIT;
    own_put(evaluation, number, EVALUATION_NOBODY);
}

static void enemy_off(struct evaluation *evaluation, int enemy) {
    square at = evaluation->enemy_at[enemy];
    evaluation->enemy_on[at] = EVALUATION_NOBODY;
    evaluation->taken &= ~squareset_of(at);
    enemy_stirs(evaluation, enemy, at);
    evaluation->enemy_at[enemy] = OFF_BOARD;
}

/* `chance` are those of what it is, now that it has fallen. */
static void enemy_falls(struct evaluation *evaluation, int enemy, const int16_t chance[KINDS_MAX]) {
    for (kind_id kind = 1; kind <= evaluation->view->rules->kinds; kind++) {
        int32_t part = chance[kind] * TERM_UNIT / CHANCE_ONE;
        evaluation->left[kind] = most(0, evaluation->left[kind] - part);
        if (enemy >= evaluation->still)
            evaluation->told[kind] = most(0, evaluation->told[kind] - part);
    }
    enemy_off(evaluation, enemy);
}

/* It is known from now on: it goes behind the others. */
static void enemy_shown(struct evaluation *evaluation, int enemy, const int16_t chance[KINDS_MAX]) {
    square at = evaluation->enemy_at[enemy];
    if (enemy < evaluation->still) {
        enemy_off(evaluation, enemy);
        enemy = evaluation->enemies++;
        evaluation->enemy_at[enemy] = at;
        evaluation->enemy_on[at] = (uint8_t)enemy;
        evaluation->taken |= squareset_of(at);
        for (kind_id kind = 1; kind <= evaluation->view->rules->kinds; kind++)
            evaluation->told[kind] += chance[kind] * TERM_UNIT / CHANCE_ONE;
    }
    memcpy(evaluation->chance[enemy], chance, sizeof evaluation->chance[enemy]);
    evaluation_enemy_columns(evaluation, enemy, true);
    enemy_stirs(evaluation, enemy, at);
    evaluation->changed = enemy;
}

/* What the enemy knows of a piece that has walked to an empty square: a way that no other kind
 * which it may still be could take shows it. */
static int state_walked(const struct evaluation *evaluation, int number, square to) {
    const struct rules *rules = evaluation->view->rules;
    const square from = evaluation->at[number];
    if (evaluation->state[number] == MINE_SHOWN) return MINE_SHOWN;
    kindset kinds = rules->mobile; /* a step tells nothing where all kinds step */
    if (!rules->same_walk &&
        (rules->mobile != rules->pacers || !squareset_has(rules->board.neighbours[from], to)))
        kinds =
            rules_walkers(rules, (enum side)evaluation->view->side, evaluation->taken, from, to);
    kinds &= evaluation->open[number];
    return kinds & (kinds - 1) ? MINE_MOVED : MINE_SHOWN;
}

/* The numbers of own pieces on or beside the two squares, whose threats a walk may change: as
 * evaluation_engage(), without links, of which a square may have more than `list` has room for. */
static int list_touched(const struct evaluation *evaluation, square from, square to,
                        uint8_t list[10]) {
    const struct board *board = &evaluation->view->rules->board;
    int count = 0;
    squareset near = (board->neighbours[from] & ~board->linked[from]) |
                     (board->neighbours[to] & ~board->linked[to]) | squareset_of(to);
    for (near &= evaluation->taken; near;) {
        uint8_t number = evaluation->own_on[squareset_pop(&near)];
        if (number != EVALUATION_NOBODY) list[count++] = number;
    }
    return count;
}

static int64_t sum_walked(struct evaluation *evaluation, int number, square to, struct terms *terms,
                          int32_t *peril) {
    const square from = evaluation->at[number];
    const kind_id kind = evaluation->kind[number];
    const int state = evaluation->state[number], walked = state_walked(evaluation, number, to);
    const int64_t sums = evaluation->sums, counted = evaluation->counted;
    const squareset engaged = evaluation->engaged;
    uint8_t touched[10];
    int32_t threat[10][2], gain[10][2];

    own_put(evaluation, number, to);
    evaluation->state[number] = (uint8_t)walked;
    evaluation->count[kind][state] -= TERM_UNIT;
    evaluation->count[kind][walked] += TERM_UNIT;
    const struct reach reach = evaluation->reach[number];
    const int64_t own_sum = evaluation->sum[number];
    evaluation_settle_piece(evaluation, number, true);
    evaluation->counted +=
        (int64_t)TERM_UNIT * (evaluation->weights->own[kind][OWN_HIDDEN + walked] -
                              evaluation->weights->own[kind][OWN_HIDDEN + state]);
    int count = list_touched(evaluation, from, to, touched);
    for (int i = 0; i < count; i++) {
        memcpy(threat[i], evaluation->threat[touched[i]], sizeof threat[i]);
        memcpy(gain[i], evaluation->gain[touched[i]], sizeof gain[i]);
        evaluation_engage(evaluation, touched[i]);
    }
    evaluation->quiet++;
    struct raids anew;
    const struct raids *raids = evaluation->raids;
    if (evaluation->raids_stale) raids_find(&anew, evaluation);
    int64_t sum = evaluation_sum_peril(evaluation, terms, peril);

    evaluation->raids = raids;
    evaluation->quiet--;
    for (int i = 0; i < count; i++) {
        memcpy(evaluation->threat[touched[i]], threat[i], sizeof threat[i]);
        memcpy(evaluation->gain[touched[i]], gain[i], sizeof gain[i]);
    }
    evaluation->engaged = engaged;
    evaluation->reach[number] = reach;
    evaluation->sum[number] = own_sum;
    evaluation->sums = sums;
    evaluation->counted = counted;
    evaluation->count[kind][walked] -= TERM_UNIT;
    evaluation->count[kind][state] += TERM_UNIT;
    evaluation->state[number] = (uint8_t)state;
    own_put(evaluation, number, from);
    evaluation->vacated = evaluation->entered = 0;
    evaluation->raids_stale = false;
    evaluation->stale = 0;
    return sum;
}

/* The chances of those kinds alone; the part that they are of all, in CHANCE_ONE. */
static int32_t condition(const int16_t chance[KINDS_MAX], kindset kinds, int16_t given[KINDS_MAX]) {
    int32_t sum = 0;
    for (int kind = 0; kind < KINDS_MAX; kind++)
        sum += given[kind] = (int16_t)(kinds >> kind & 1 ? chance[kind] : 0);
    for (int kind = 0; sum && kind < KINDS_MAX; kind++)
        given[kind] = (int16_t)((int32_t)given[kind] * CHANCE_ONE / sum);
    return sum;
}

static bool is_flag(const struct rules *rules, kind_id kind) {
    return rules->flags & kindset_of(kind);
}

static int64_t flag_part(const struct rules *rules, const int16_t chance[KINDS_MAX]) {
    int32_t part = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (is_flag(rules, kind)) part += chance[kind];
    return part;
}

/* Do flags fall to the effects of an ability? The chance to win then. `chance` is NULL unless it is
 * aimed at an enemy. */
static bool ends_by_flags(const struct evaluation *evaluation, struct move move, unsigned effects,
                          const int16_t chance[KINDS_MAX], int32_t *wins) {
    const struct rules *rules = evaluation->view->rules;
    const int own = evaluation->own_on[move.target];
    bool won = false, lost = false;
    if (effects & EFFECT_REMOVE_ACTOR)
        lost = is_flag(rules, evaluation->kind[evaluation->own_on[move.to]]);
    if (effects & EFFECT_REMOVE_TARGET) {
        if (chance) won = flag_part(rules, chance) > CHANCE_ONE / 2;
        if (own != EVALUATION_NOBODY) lost |= is_flag(rules, evaluation->kind[own]);
    }
    *wins = won == lost ? CHANCE_CERTAIN / 2 : won ? CHANCE_CERTAIN : 0;
    return won || lost;
}

/* Removes a target, and does what else an ability does. `chance` are those of an enemy that it is
 * aimed at. */
static int32_t chance_affected(struct evaluation *evaluation, struct move move, unsigned effects,
                               const int16_t chance[KINDS_MAX]) {
    const struct rules *rules = evaluation->view->rules;
    int actor = evaluation->own_on[move.to], enemy = evaluation->enemy_on[move.target];
    int own = evaluation->own_on[move.target];
    int32_t wins;
    if (ends_by_flags(evaluation, move, effects, chance, &wins)) return wins;
    if (effects & EFFECT_WIN) return CHANCE_CERTAIN;
    if (effects & EFFECT_LOSE) return 0;
    if (effects & EFFECT_DRAW) return CHANCE_CERTAIN / 2;
    evaluation->raids_stale = true; /* more than one piece may come or go */
    if (effects & EFFECT_REVEAL_ACTOR) own_state(evaluation, actor, MINE_SHOWN);
    if (effects & EFFECT_CONCEAL_ACTOR) own_state(evaluation, actor, MINE_MOVED);
    if (enemy != EVALUATION_NOBODY) {
        if (effects & EFFECT_REMOVE_TARGET) {
            enemy_falls(evaluation, enemy, chance);
        } else if (effects & (EFFECT_REVEAL_TARGET | EFFECT_LEARN)) {
            enemy_shown(evaluation, enemy, chance);
        } else if (enemy < evaluation->still) {
            enemy_stirs(evaluation, enemy, evaluation->enemy_at[enemy]);
            memcpy(evaluation->chance[enemy], chance, sizeof evaluation->chance[enemy]);
            evaluation_enemy_columns(evaluation, enemy, false);
            enemy_stirs(evaluation, enemy, evaluation->enemy_at[enemy]);
        }
    } else if (own != EVALUATION_NOBODY) {
        if (effects & EFFECT_REMOVE_TARGET) own_falls(evaluation, own);
        if (effects & EFFECT_REVEAL_TARGET) own_state(evaluation, own, MINE_SHOWN);
        if (effects & EFFECT_CONCEAL_TARGET) own_state(evaluation, own, MINE_MOVED);
    }
    if (effects & EFFECT_REMOVE_ACTOR) own_falls(evaluation, actor);
    if (effects & EFFECT_SWAP) {
        enemy = evaluation->enemy_on[move.target];
        own = evaluation->own_on[move.target];
        own_put(evaluation, actor, move.target);
        if (own != EVALUATION_NOBODY) own_put(evaluation, own, move.to);
        if (enemy != EVALUATION_NOBODY) {
            evaluation->enemy_on[move.target] = EVALUATION_NOBODY;
            enemy_stirs(evaluation, enemy, move.target);
            enemy_stirs(evaluation, enemy, move.to);
            evaluation->enemy_at[enemy] = move.to;
            evaluation->enemy_on[move.to] = (uint8_t)enemy;
            evaluation->taken |= squareset_of(move.to);
        }
    }
    if ((effects & EFFECT_PLACE) && evaluation->own < EVALUATION_PIECES_MAX) {
        int placed = evaluation->own++;
        evaluation->kind[placed] = (kind_id)move.choice;
        evaluation->open[placed] = rules->army;
        evaluation->state[placed] = MINE_HIDDEN;
        evaluation->at[placed] = EVALUATION_NOBODY;
        evaluation->sum[placed] = 0;
        evaluation->count[move.choice][MINE_HIDDEN] += TERM_UNIT;
        own_put(evaluation, placed, move.target);
        if (evaluation->returns[evaluation->view->side])
            evaluation->returns[evaluation->view->side]--;
    }
    return settled_chance(evaluation);
}

/* The ability of a move whose piece stands where it acts. */
static int32_t chance_acted(const struct evaluation *evaluation, struct move move) {
    const struct ability *ability = &evaluation->view->rules->ability[move.ability];
    struct evaluation after;
    evaluation_copy(&after, evaluation);
    int enemy = evaluation->enemy_on[move.target], own = evaluation->own_on[move.target];
    if (ability->attacks) after.quiet = 0;
    if (enemy == EVALUATION_NOBODY) {
        kind_id target = own == EVALUATION_NOBODY ? KIND_NONE : evaluation->kind[own];
        return chance_affected(&after, move, ability->effects[target][move.choice], NULL);
    }
    const int16_t *chance = evaluation->chance[enemy];
    kindset rest = 0;
    for (int kind = 1; kind < KINDS_MAX; kind++)
        if (chance[kind]) rest |= kindset_of((kind_id)kind);
    int64_t sum = 0, parts = 0;
    uint32_t quiet = after.quiet;
    while (rest) {
        uint16_t effects = ability->effects[__builtin_ctz(rest)][move.choice];
        int16_t given[KINDS_MAX];
        kindset alike = 0;
        for (kindset left = rest; left; left &= left - 1)
            if (ability->effects[__builtin_ctz(left)][move.choice] == effects)
                alike |= left & (~left + 1);
        rest &= ~alike;
        int32_t part = condition(chance, alike, given);
        evaluation_copy(&after, evaluation);
        after.quiet = quiet;
        sum += (int64_t)part * chance_affected(&after, move, effects, given);
        parts += part;
    }
    return parts ? (int32_t)(sum / parts) : CHANCE_CERTAIN / 2;
}

/* A battle that the variant decides counts as a tie. */
static enum outcome outcome_of(const struct rules *rules, enum side side, struct move move,
                               kind_id attacker, kind_id met) {
    const enum outcome outcome = rules_outcome_on(rules, side, move.from, move.to, attacker, met);
    if (outcome == CANNOT_ATTACK) return DEFENDER_WINS;
    return outcome == ASK_THE_VARIANT ? BOTH_FALL : outcome;
}

int evaluation_end(const struct rules *rules, enum side side, struct move move, kind_id attacker,
                   kind_id met) {
    const enum outcome outcome = outcome_of(rules, side, move, attacker, met);
    if (outcome == DEFENDER_WINS || !is_flag(rules, met)) return (int)outcome;
    return outcome == BOTH_FALL && is_flag(rules, attacker) ? BOTH_FALL : END_FLAG;
}

/* Kinds that a battle with this outcome leaves possible. */
static kindset kinds_met(const struct rules *rules, enum side side, struct move move,
                         kind_id attacker, enum outcome outcome) {
    kindset kinds = 0;
    for (kind_id other = 1; other <= rules->kinds; other++)
        if (outcome_of(rules, side, move, attacker, other) == outcome) kinds |= kindset_of(other);
    return kinds;
}

/* The chance once a battle has had this outcome, with an enemy that has these chances and was no
 * flag. */
static int32_t chance_after(const struct evaluation *evaluation, int number, struct move move,
                            enum outcome outcome, const int16_t given[KINDS_MAX]) {
    const int enemy = evaluation->enemy_on[move.to];
    struct evaluation after;
    evaluation_copy(&after, evaluation);
    after.quiet = 0;
    if (outcome != DEFENDER_WINS) enemy_falls(&after, enemy, given);
    if (outcome != ATTACKER_WINS) own_falls(&after, number);
    if (outcome == DEFENDER_WINS) enemy_shown(&after, enemy, given);
    if (outcome != ATTACKER_WINS) return settled_chance(&after);
    if (!(evaluation->view->rules->stayers >> evaluation->kind[number] & 1))
        own_put(&after, number, move.to);
    own_state(&after, number, MINE_SHOWN);
    return move.ability == ABILITY_NONE ? settled_chance(&after) : chance_acted(&after, move);
}

/* Also the chances after each outcome that may be, unless the enemy's flag falls alone. */
static int32_t chance_fought(const struct evaluation *evaluation, int number, struct move move,
                             int32_t after_outcome[BOTH_FALL + 1]) {
    const struct rules *rules = evaluation->view->rules;
    const enum side side = (enum side)evaluation->view->side;
    const kind_id kind = evaluation->kind[number];
    const int16_t *met = evaluation->chance[evaluation->enemy_on[move.to]];
    int64_t sum = 0, parts = 0;
    for (int i = ATTACKER_WINS; i <= BOTH_FALL; i++) {
        const enum outcome outcome = (enum outcome)i;
        int16_t given[KINDS_MAX];
        const int32_t part = condition(met, kinds_met(rules, side, move, kind, outcome), given);
        if (!part) continue;
        const int64_t flag = outcome == DEFENDER_WINS ? 0 : flag_part(rules, given);
        int64_t chance;
        if (outcome != ATTACKER_WINS && is_flag(rules, kind)) {
            chance = flag * (CHANCE_CERTAIN / 2) / CHANCE_ONE;
            after_outcome[outcome] = (int32_t)chance;
        } else {
            chance = after_outcome[outcome] =
                chance_after(evaluation, number, move, outcome, given);
            chance = (flag * CHANCE_CERTAIN + (CHANCE_ONE - flag) * chance) / CHANCE_ONE;
        }
        sum += part * chance;
        parts += part;
    }
    return parts ? (int32_t)(sum / parts) : CHANCE_CERTAIN / 2;
}

int32_t evaluation_move(struct evaluation *evaluation, struct move move) {
    int number = evaluation->own_on[move.from];
    if (number == EVALUATION_NOBODY) return CHANCE_CERTAIN / 2;
    if (move.to != move.from && evaluation->enemy_on[move.to] != EVALUATION_NOBODY) {
        int32_t after_outcome[BOTH_FALL + 1];
        return chance_fought(evaluation, number, move, after_outcome);
    }
    if (move.ability == ABILITY_NONE) {
        int32_t peril;
        const int64_t sum = sum_walked(evaluation, number, move.to, NULL, &peril);
        return evaluation_chance_of(evaluation, sum, peril);
    }
    struct evaluation after;
    evaluation_copy(&after, evaluation);
    if (move.to != move.from) {
        own_state(&after, number, state_walked(evaluation, number, move.to));
        own_put(&after, number, move.to);
    }
    after.quiet++;
    return chance_acted(&after, move);
}

void evaluation_stakes(const struct evaluation *evaluation, struct move move,
                       struct stakes *stakes) {
    const int number = evaluation->own_on[move.from], enemy = evaluation->enemy_on[move.to];
    memset(stakes, 0, sizeof *stakes);
    if (number == EVALUATION_NOBODY || move.to == move.from || enemy == EVALUATION_NOBODY ||
        enemy >= evaluation->still)
        return;
    int32_t after_outcome[BOTH_FALL + 1] = {-1, -1, -1};
    const int32_t chance = chance_fought(evaluation, number, move, after_outcome);
    for (int outcome = ATTACKER_WINS; outcome <= BOTH_FALL; outcome++)
        if (after_outcome[outcome] >= 0) stakes->luck[outcome] = after_outcome[outcome] - chance;
    stakes->luck[END_FLAG] = CHANCE_CERTAIN - chance;
}

bool evaluation_walk(struct evaluation *evaluation, struct move move, int64_t *sum,
                     struct terms *terms) {
    int number = evaluation->own_on[move.from];
    if (number == EVALUATION_NOBODY || move.ability != ABILITY_NONE ||
        squareset_has(evaluation->taken, move.to))
        return false;
    int32_t peril;
    *sum = sum_walked(evaluation, number, move.to, terms, &peril);
    return true;
}
