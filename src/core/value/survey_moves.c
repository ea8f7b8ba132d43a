/* survey_moves.c - what a move makes of a survey. A walk is tried and taken back; battles and
 * abilities are tried on copies, one for each outcome. */
#include "survey_inside.h"

#include <string.h>

/* A copy to change. Rows are copied as far as they are used, with room for one more enemy. */
static void survey_copy(struct survey *copy, const struct survey *survey) {
    const size_t row = (size_t)(survey->enemies + 1) * sizeof(int16_t);
    memcpy(copy, survey, offsetof(struct survey, mobile));
    memcpy(copy->mobile, survey->mobile, row);
    memcpy(copy->flag_chance, survey->flag_chance, row);
    memcpy(copy->returner, survey->returner, row);
    memcpy(copy->chance, survey->chance, (size_t)survey->enemies * sizeof *copy->chance);
    for (int kind = 1; kind <= survey->view->rules->kinds; kind++) {
        memcpy(copy->against[kind].prey, survey->against[kind].prey, row);
        memcpy(copy->against[kind].fear, survey->against[kind].fear, row);
        memcpy(copy->against[kind].bite, survey->against[kind].bite, row);
    }
}

/* The chance to win once everything is worked out, unless a side has no mobile pieces left. */
static int32_t settled_chance(struct survey *survey) {
    const struct rules *rules = survey->view->rules;
    int32_t own = 0, enemy = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!(rules->mobile & kindset_of(kind))) continue;
        enemy += survey->left[kind];
        for (int state = 0; state < MINE_STATES; state++) own += survey->count[kind][state];
    }
    const int32_t some = TERM_UNIT / 64;
    if (own < some || enemy < some)
        return own < some && enemy < some ? CHANCE_CERTAIN / 2 : own < some ? 0 : CHANCE_CERTAIN;
    for (squareset left = survey->stale; left;)
        survey_settle_piece(survey, squareset_pop(&left), true);
    survey->stale = 0;
    for (int i = 0; i < survey->own; i++) survey_engage(survey, i);
    survey->counted = survey_counted_sum(survey);
    if (survey->raids_stale) raids_find(&survey->found, survey);
    return survey_chance(survey);
}

/* An enemy comes or goes: the pieces that it has most influence on are to be settled. */
static void enemy_stirs(struct survey *survey, int enemy, square at) {
    for (int i = 0; i < survey->own; i++)
        if (survey->at[i] != SURVEY_NOBODY && survey_reach_has(survey, i, enemy, at))
            survey->stale |= squareset_of((square)i);
}

static void own_put(struct survey *survey, int number, square to) {
    square from = survey->at[number];
    if (raids_hang_on(survey, number)) survey->raids_stale = true;
    if (from != SURVEY_NOBODY && survey->own_on[from] == number) {
        survey->own_on[from] = SURVEY_NOBODY;
        survey->taken &= ~squareset_of(from);
        survey->vacated |= squareset_of(from);
    }
    survey->at[number] = to;
    survey->stale |= squareset_of((square)number);
    if (to == SURVEY_NOBODY) return;
    survey->own_on[to] = (uint8_t)number;
    survey->taken |= squareset_of(to);
    survey->entered |= squareset_of(to);
}

static void own_state(struct survey *survey, int number, int state) {
    int32_t *count = survey->count[survey->kind[number]];
    count[survey->state[number]] -= TERM_UNIT;
    count[state] += TERM_UNIT;
    survey->state[number] = (uint8_t)state;
    survey->stale |= squareset_of((square)number);
}

static void own_falls(struct survey *survey, int number) {
    survey->count[survey->kind[number]][survey->state[number]] -= TERM_UNIT;
    own_put(survey, number, SURVEY_NOBODY);
}

static void enemy_off(struct survey *survey, int enemy) {
    square at = survey->enemy_at[enemy];
    survey->enemy_on[at] = SURVEY_NOBODY;
    survey->taken &= ~squareset_of(at);
    enemy_stirs(survey, enemy, at);
    survey->enemy_at[enemy] = OFF_BOARD;
}

/* `chance` are those of what it is, now that it has fallen. */
static void enemy_falls(struct survey *survey, int enemy, const int16_t chance[KINDS_MAX]) {
    for (kind_id kind = 1; kind <= survey->view->rules->kinds; kind++) {
        int32_t part = chance[kind] * TERM_UNIT / CHANCE_ONE;
        survey->left[kind] = most(0, survey->left[kind] - part);
        if (enemy >= survey->still) survey->told[kind] = most(0, survey->told[kind] - part);
    }
    enemy_off(survey, enemy);
}

/* It is known from now on: it goes behind the others. */
static void enemy_shown(struct survey *survey, int enemy, const int16_t chance[KINDS_MAX]) {
    square at = survey->enemy_at[enemy];
    if (enemy < survey->still) {
        enemy_off(survey, enemy);
        enemy = survey->enemies++;
        survey->enemy_at[enemy] = at;
        survey->enemy_on[at] = (uint8_t)enemy;
        survey->taken |= squareset_of(at);
        for (kind_id kind = 1; kind <= survey->view->rules->kinds; kind++)
            survey->told[kind] += chance[kind] * TERM_UNIT / CHANCE_ONE;
    }
    memcpy(survey->chance[enemy], chance, sizeof survey->chance[enemy]);
    survey_enemy_columns(survey, enemy, true);
    enemy_stirs(survey, enemy, at);
    survey->changed = enemy;
}

/* What the enemy knows of a piece that has walked to an empty square: a way that no other kind
 * which it may still be could take shows it. */
static int state_walked(const struct survey *survey, int number, square to) {
    const struct rules *rules = survey->view->rules;
    const square from = survey->at[number];
    if (survey->state[number] == MINE_SHOWN) return MINE_SHOWN;
    kindset kinds = rules->mobile; /* a step tells nothing where all kinds step */
    if (!rules->same_walk &&
        (rules->mobile != rules->pacers || !squareset_has(rules->board.neighbours[from], to)))
        kinds = rules_walkers(rules, (enum side)survey->view->side, survey->taken, from, to);
    kinds &= survey->open[number];
    return kinds & (kinds - 1) ? MINE_MOVED : MINE_SHOWN;
}

/* The numbers of own pieces on or beside the two squares, whose threats a walk may change. */
static int list_touched(const struct survey *survey, square from, square to, uint8_t list[10]) {
    const struct board *board = &survey->view->rules->board;
    int count = 0;
    squareset near = board->neighbours[from] | board->neighbours[to] | squareset_of(to);
    for (near &= survey->taken; near;) {
        uint8_t number = survey->own_on[squareset_pop(&near)];
        if (number != SURVEY_NOBODY) list[count++] = number;
    }
    return count;
}

static int64_t sum_walked(struct survey *survey, int number, square to, struct terms *terms,
                          int32_t *peril) {
    const square from = survey->at[number];
    const kind_id kind = survey->kind[number];
    const int state = survey->state[number], walked = state_walked(survey, number, to);
    const int64_t sums = survey->sums, counted = survey->counted;
    const squareset engaged = survey->engaged;
    uint8_t touched[10];
    int32_t threat[10][2], gain[10][2];

    own_put(survey, number, to);
    survey->state[number] = (uint8_t)walked;
    survey->count[kind][state] -= TERM_UNIT;
    survey->count[kind][walked] += TERM_UNIT;
    const struct reach reach = survey->reach[number];
    const int64_t own_sum = survey->sum[number];
    survey_settle_piece(survey, number, true);
    survey->counted += (int64_t)TERM_UNIT * (survey->weights->own[kind][OWN_HIDDEN + walked] -
                                             survey->weights->own[kind][OWN_HIDDEN + state]);
    int count = list_touched(survey, from, to, touched);
    for (int i = 0; i < count; i++) {
        memcpy(threat[i], survey->threat[touched[i]], sizeof threat[i]);
        memcpy(gain[i], survey->gain[touched[i]], sizeof gain[i]);
        survey_engage(survey, touched[i]);
    }
    survey->quiet++;
    struct raids anew;
    const struct raids *raids = survey->raids;
    if (survey->raids_stale) raids_find(&anew, survey);
    int64_t sum = survey_sum_peril(survey, terms, peril);

    survey->raids = raids;
    survey->quiet--;
    for (int i = 0; i < count; i++) {
        memcpy(survey->threat[touched[i]], threat[i], sizeof threat[i]);
        memcpy(survey->gain[touched[i]], gain[i], sizeof gain[i]);
    }
    survey->engaged = engaged;
    survey->reach[number] = reach;
    survey->sum[number] = own_sum;
    survey->sums = sums;
    survey->counted = counted;
    survey->count[kind][walked] -= TERM_UNIT;
    survey->count[kind][state] += TERM_UNIT;
    survey->state[number] = (uint8_t)state;
    own_put(survey, number, from);
    survey->vacated = survey->entered = 0;
    survey->raids_stale = false;
    survey->stale = 0;
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
static bool ends_by_flags(const struct survey *survey, struct move move, unsigned effects,
                          const int16_t chance[KINDS_MAX], int32_t *wins) {
    const struct rules *rules = survey->view->rules;
    const int own = survey->own_on[move.target];
    bool won = false, lost = false;
    if (effects & EFFECT_REMOVE_ACTOR) lost = is_flag(rules, survey->kind[survey->own_on[move.to]]);
    if (effects & EFFECT_REMOVE_TARGET) {
        if (chance) won = flag_part(rules, chance) > CHANCE_ONE / 2;
        if (own != SURVEY_NOBODY) lost |= is_flag(rules, survey->kind[own]);
    }
    *wins = won == lost ? CHANCE_CERTAIN / 2 : won ? CHANCE_CERTAIN : 0;
    return won || lost;
}

/* Removes a target, and does what else an ability does. `chance` are those of an enemy that it is
 * aimed at. */
static int32_t chance_affected(struct survey *survey, struct move move, unsigned effects,
                               const int16_t chance[KINDS_MAX]) {
    const struct rules *rules = survey->view->rules;
    int actor = survey->own_on[move.to], enemy = survey->enemy_on[move.target];
    int own = survey->own_on[move.target];
    int32_t wins;
    if (ends_by_flags(survey, move, effects, chance, &wins)) return wins;
    if (effects & EFFECT_WIN) return CHANCE_CERTAIN;
    if (effects & EFFECT_LOSE) return 0;
    if (effects & EFFECT_DRAW) return CHANCE_CERTAIN / 2;
    survey->raids_stale = true; /* more than one piece may come or go */
    if (effects & EFFECT_REVEAL_ACTOR) own_state(survey, actor, MINE_SHOWN);
    if (effects & EFFECT_CONCEAL_ACTOR) own_state(survey, actor, MINE_MOVED);
    if (enemy != SURVEY_NOBODY) {
        if (effects & EFFECT_REMOVE_TARGET) {
            enemy_falls(survey, enemy, chance);
        } else if (effects & (EFFECT_REVEAL_TARGET | EFFECT_LEARN)) {
            enemy_shown(survey, enemy, chance);
        } else if (enemy < survey->still) {
            enemy_stirs(survey, enemy, survey->enemy_at[enemy]);
            memcpy(survey->chance[enemy], chance, sizeof survey->chance[enemy]);
            survey_enemy_columns(survey, enemy, false);
            enemy_stirs(survey, enemy, survey->enemy_at[enemy]);
        }
    } else if (own != SURVEY_NOBODY) {
        if (effects & EFFECT_REMOVE_TARGET) own_falls(survey, own);
        if (effects & EFFECT_REVEAL_TARGET) own_state(survey, own, MINE_SHOWN);
        if (effects & EFFECT_CONCEAL_TARGET) own_state(survey, own, MINE_MOVED);
    }
    if (effects & EFFECT_REMOVE_ACTOR) own_falls(survey, actor);
    if (effects & EFFECT_SWAP) {
        enemy = survey->enemy_on[move.target];
        own = survey->own_on[move.target];
        own_put(survey, actor, move.target);
        if (own != SURVEY_NOBODY) own_put(survey, own, move.to);
        if (enemy != SURVEY_NOBODY) {
            survey->enemy_on[move.target] = SURVEY_NOBODY;
            enemy_stirs(survey, enemy, move.target);
            enemy_stirs(survey, enemy, move.to);
            survey->enemy_at[enemy] = move.to;
            survey->enemy_on[move.to] = (uint8_t)enemy;
            survey->taken |= squareset_of(move.to);
        }
    }
    if ((effects & EFFECT_PLACE) && survey->own < SURVEY_PIECES_MAX) {
        int placed = survey->own++;
        survey->kind[placed] = (kind_id)move.choice;
        survey->open[placed] = rules->army;
        survey->state[placed] = MINE_HIDDEN;
        survey->at[placed] = SURVEY_NOBODY;
        survey->sum[placed] = 0;
        survey->count[move.choice][MINE_HIDDEN] += TERM_UNIT;
        own_put(survey, placed, move.target);
        if (survey->returns[survey->view->side]) survey->returns[survey->view->side]--;
    }
    return settled_chance(survey);
}

/* The ability of a move whose piece stands where it acts. */
static int32_t chance_acted(const struct survey *survey, struct move move) {
    const struct ability *ability = &survey->view->rules->ability[move.ability];
    struct survey after;
    survey_copy(&after, survey);
    int enemy = survey->enemy_on[move.target], own = survey->own_on[move.target];
    if (ability->attacks) after.quiet = 0;
    if (enemy == SURVEY_NOBODY) {
        kind_id target = own == SURVEY_NOBODY ? KIND_NONE : survey->kind[own];
        return chance_affected(&after, move, ability->effects[target][move.choice], NULL);
    }
    const int16_t *chance = survey->chance[enemy];
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
        survey_copy(&after, survey);
        after.quiet = quiet;
        sum += (int64_t)part * chance_affected(&after, move, effects, given);
        parts += part;
    }
    return parts ? (int32_t)(sum / parts) : CHANCE_CERTAIN / 2;
}

/* A battle that the variant decides counts as a tie. */
static enum outcome outcome_of(const struct rules *rules, kind_id attacker, kind_id met) {
    const enum outcome outcome = rules_outcome(rules, attacker, met);
    return outcome == ASK_THE_VARIANT ? BOTH_FALL : outcome;
}

int survey_end(const struct rules *rules, kind_id attacker, kind_id met) {
    const enum outcome outcome = outcome_of(rules, attacker, met);
    if (outcome == DEFENDER_WINS || !is_flag(rules, met)) return (int)outcome;
    return outcome == BOTH_FALL && is_flag(rules, attacker) ? BOTH_FALL : END_FLAG;
}

/* Kinds that a battle with this outcome leaves possible. */
static kindset kinds_met(const struct rules *rules, kind_id attacker, enum outcome outcome) {
    kindset kinds = 0;
    for (kind_id other = 1; other <= rules->kinds; other++)
        if (outcome_of(rules, attacker, other) == outcome) kinds |= kindset_of(other);
    return kinds;
}

/* The chance once a battle has had this outcome, with an enemy that has these chances and was no
 * flag. */
static int32_t chance_after(const struct survey *survey, int number, struct move move,
                            enum outcome outcome, const int16_t given[KINDS_MAX]) {
    const int enemy = survey->enemy_on[move.to];
    struct survey after;
    survey_copy(&after, survey);
    after.quiet = 0;
    if (outcome != DEFENDER_WINS) enemy_falls(&after, enemy, given);
    if (outcome != ATTACKER_WINS) own_falls(&after, number);
    if (outcome == DEFENDER_WINS) enemy_shown(&after, enemy, given);
    if (outcome != ATTACKER_WINS) return settled_chance(&after);
    own_put(&after, number, move.to);
    own_state(&after, number, MINE_SHOWN);
    return move.ability == ABILITY_NONE ? settled_chance(&after) : chance_acted(&after, move);
}

/* Also the chances after each outcome that may be, unless the enemy's flag falls alone. */
static int32_t chance_fought(const struct survey *survey, int number, struct move move,
                             int32_t after_outcome[BOTH_FALL + 1]) {
    const struct rules *rules = survey->view->rules;
    const kind_id kind = survey->kind[number];
    const int16_t *met = survey->chance[survey->enemy_on[move.to]];
    int64_t sum = 0, parts = 0;
    for (int i = ATTACKER_WINS; i <= BOTH_FALL; i++) {
        const enum outcome outcome = (enum outcome)i;
        int16_t given[KINDS_MAX];
        const int32_t part = condition(met, kinds_met(rules, kind, outcome), given);
        if (!part) continue;
        const int64_t flag = outcome == DEFENDER_WINS ? 0 : flag_part(rules, given);
        int64_t chance;
        if (outcome != ATTACKER_WINS && is_flag(rules, kind)) {
            chance = flag * (CHANCE_CERTAIN / 2) / CHANCE_ONE;
            after_outcome[outcome] = (int32_t)chance;
        } else {
            chance = after_outcome[outcome] = chance_after(survey, number, move, outcome, given);
            chance = (flag * CHANCE_CERTAIN + (CHANCE_ONE - flag) * chance) / CHANCE_ONE;
        }
        sum += part * chance;
        parts += part;
    }
    return parts ? (int32_t)(sum / parts) : CHANCE_CERTAIN / 2;
}

int32_t survey_move(struct survey *survey, struct move move) {
    int number = survey->own_on[move.from];
    if (number == SURVEY_NOBODY) return CHANCE_CERTAIN / 2;
    if (move.to != move.from && survey->enemy_on[move.to] != SURVEY_NOBODY) {
        int32_t after_outcome[BOTH_FALL + 1];
        return chance_fought(survey, number, move, after_outcome);
    }
    if (move.ability == ABILITY_NONE) {
        int32_t peril;
        const int64_t sum = sum_walked(survey, number, move.to, NULL, &peril);
        return survey_chance_of(survey, sum, peril);
    }
    struct survey after;
    survey_copy(&after, survey);
    if (move.to != move.from) {
        own_state(&after, number, state_walked(survey, number, move.to));
        own_put(&after, number, move.to);
    }
    after.quiet++;
    return chance_acted(&after, move);
}

void survey_stakes(const struct survey *survey, struct move move, struct stakes *stakes) {
    const int number = survey->own_on[move.from], enemy = survey->enemy_on[move.to];
    memset(stakes, 0, sizeof *stakes);
    if (number == SURVEY_NOBODY || move.to == move.from || enemy == SURVEY_NOBODY ||
        enemy >= survey->still)
        return;
    int32_t after_outcome[BOTH_FALL + 1] = {-1, -1, -1};
    const int32_t chance = chance_fought(survey, number, move, after_outcome);
    for (int outcome = ATTACKER_WINS; outcome <= BOTH_FALL; outcome++)
        if (after_outcome[outcome] >= 0) stakes->luck[outcome] = after_outcome[outcome] - chance;
    stakes->luck[END_FLAG] = CHANCE_CERTAIN - chance;
}

bool survey_walk(struct survey *survey, struct move move, int64_t *sum, struct terms *terms) {
    int number = survey->own_on[move.from];
    if (number == SURVEY_NOBODY || move.ability != ABILITY_NONE ||
        squareset_has(survey->taken, move.to))
        return false;
    int32_t peril;
    *sum = sum_walked(survey, number, move.to, terms, &peril);
    return true;
}
