/* Moves, battles and abilities of slow_value.h. */
#include "slow_value.h"

#include <math.h>

static int own_on(const struct slow *slow, int at) {
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at == at) return i;
    return -1;
}

static int enemy_on(const struct slow *slow, int at) {
    for (int e = 0; e < slow->enemies; e++)
        if (slow->enemy[e].at == at) return e;
    return -1;
}

/* An enemy is one of these kinds; returns how likely that is. */
static double suppose(struct slow *slow, int enemy, kindset kinds) {
    double part = slow_part(slow, enemy, kinds);
    for (int kind = 0; kind < KINDS_MAX; kind++)
        slow->enemy[enemy].chance[kind] =
            kinds >> kind & 1 && part > 0 ? slow->enemy[enemy].chance[kind] / part : 0;
    return part;
}

static void enemy_falls(struct slow *slow, int enemy) {
    for (int kind = 1; kind < KINDS_MAX; kind++) {
        double part = slow->enemy[enemy].chance[kind];
        slow->left[kind] = fmax(0, slow->left[kind] - part);
        if (slow->enemy[enemy].known) slow->told[kind] = fmax(0, slow->told[kind] - part);
    }
    slow->enemy[enemy].at = -1;
}

static void enemy_shown(struct slow *slow, int enemy) {
    for (int kind = 1; kind < KINDS_MAX && !slow->enemy[enemy].known; kind++)
        slow->told[kind] += slow->enemy[enemy].chance[kind];
    slow->enemy[enemy].known = true;
}

/* Once flags of ours, of the enemy or of both have fallen. */
static double after_flags(bool ours, bool theirs) {
    return ours && theirs ? 0.5 : theirs ? 1 : 0;
}

static double after_effects(struct slow *slow, struct move move, unsigned effects) {
    const struct rules *rules = slow->view->rules;
    const int actor = own_on(slow, move.to), own = own_on(slow, move.target);
    const int enemy = enemy_on(slow, move.target);
    const bool target_falls = effects & EFFECT_REMOVE_TARGET;
    const bool theirs = target_falls && enemy >= 0 && slow_part(slow, enemy, rules->flags) > 0.5;
    const bool ours = (target_falls && own >= 0 && rules->kind[slow->mine[own].kind].flag) ||
                      (effects & EFFECT_REMOVE_ACTOR && rules->kind[slow->mine[actor].kind].flag);
    if (ours || theirs) return after_flags(ours, theirs);
    if (effects & (EFFECT_WIN | EFFECT_LOSE | EFFECT_DRAW))
        return effects & EFFECT_WIN ? 1 : effects & EFFECT_LOSE ? 0 : 0.5;
    if (effects & EFFECT_REVEAL_ACTOR) slow->mine[actor].state = MINE_SHOWN;
    if (effects & EFFECT_CONCEAL_ACTOR) slow->mine[actor].state = MINE_MOVED;
    if (own >= 0 && effects & EFFECT_REVEAL_TARGET) slow->mine[own].state = MINE_SHOWN;
    if (own >= 0 && effects & EFFECT_CONCEAL_TARGET) slow->mine[own].state = MINE_MOVED;
    if (own >= 0 && effects & EFFECT_REMOVE_TARGET) slow->mine[own].at = -1;
    if (enemy >= 0 && effects & EFFECT_REMOVE_TARGET)
        enemy_falls(slow, enemy);
    else if (enemy >= 0 && effects & (EFFECT_REVEAL_TARGET | EFFECT_LEARN))
        enemy_shown(slow, enemy);
    if (effects & EFFECT_REMOVE_ACTOR) slow->mine[actor].at = -1;
    if (effects & EFFECT_SWAP) {
        if (own >= 0 && slow->mine[own].at >= 0) slow->mine[own].at = move.to;
        if (enemy >= 0 && slow->enemy[enemy].at >= 0) slow->enemy[enemy].at = move.to;
        slow->mine[actor].at = move.target;
    }
    if (effects & EFFECT_PLACE) {
        int placed = slow->own++;
        slow->mine[placed].kind = (kind_id)move.choice;
        slow->mine[placed].at = move.target;
        slow->mine[placed].state = MINE_HIDDEN;
        slow->returns[slow->view->side]--;
    }
    return slow_chance(slow);
}

/* The ability of a move, its piece being where it acts. */
static double after_ability(const struct slow *slow, struct move move) {
    const struct rules *rules = slow->view->rules;
    const struct ability *ability = &rules->ability[move.ability];
    const int enemy = enemy_on(slow, move.target), own = own_on(slow, move.target);
    kindset done = 0;
    double sum = 0, parts = 0;
    if (enemy < 0) {
        struct slow after = *slow;
        if (ability->attacks) after.quiet = 0;
        kind_id kind = own < 0 ? KIND_NONE : slow->mine[own].kind;
        return after_effects(&after, move, ability->effects[kind][move.choice]);
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (done >> kind & 1 || !(slow->enemy[enemy].chance[kind] > 0)) continue;
        struct slow after = *slow;
        kindset alike = 0;
        for (kind_id other = kind; other <= rules->kinds; other++)
            if (ability->effects[other][move.choice] == ability->effects[kind][move.choice])
                alike |= kindset_of(other);
        done |= alike;
        if (ability->attacks) after.quiet = 0;
        double part = suppose(&after, enemy, alike);
        sum += part * after_effects(&after, move, ability->effects[kind][move.choice]);
        parts += part;
    }
    return parts > 0 ? sum / parts : 0.5;
}

static double after_battle(const struct slow *slow, struct move move) {
    const struct rules *rules = slow->view->rules;
    const int attacker = own_on(slow, move.from), enemy = enemy_on(slow, move.to);
    double sum = 0, parts = 0;
    for (int twice = 0; twice <= 2; twice++) { /* points: loss, tie, win */
        struct slow after = *slow;
        kindset kinds = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++)
            if (2 * slow_points(slow, slow->mine[attacker].kind, kind) == twice)
                kinds |= kindset_of(kind);
        const double part = suppose(&after, enemy, kinds);
        if (part <= 0) continue;
        const double flag = twice ? slow_part(&after, enemy, rules->flags) : 0;
        after.quiet = 0;
        if (twice > 0) enemy_falls(&after, enemy);
        if (twice == 0) enemy_shown(&after, enemy);
        const bool stays = rules->stayers >> slow->mine[attacker].kind & 1;
        after.mine[attacker].at = twice < 2 ? -1 : stays ? move.from : move.to;
        if (twice == 2) after.mine[attacker].state = MINE_SHOWN;
        const double chance = twice == 2 && move.ability != ABILITY_NONE
                                  ? after_ability(&after, move)
                                  : slow_chance(&after);
        const bool ours = twice < 2 && rules->kind[slow->mine[attacker].kind].flag;
        sum += part * (flag * after_flags(ours, true) + (1 - flag) * (ours ? 0 : chance));
        parts += part;
    }
    return parts > 0 ? sum / parts : 0.5;
}

double slow_move(const struct slow *slow, struct move move) {
    const struct rules *rules = slow->view->rules;
    const int number = own_on(slow, move.from);
    if (move.to != move.from && enemy_on(slow, move.to) >= 0) return after_battle(slow, move);
    struct slow after = *slow;
    after.quiet++;
    if (move.to != move.from) {
        kindset walkers = rules_walkers(rules, (enum side)slow->view->side, slow_all_taken(slow),
                                        move.from, move.to);
        after.mine[number].at = move.to;
        if (after.mine[number].state != MINE_SHOWN)
            after.mine[number].state = __builtin_popcount(after.mine[number].open & walkers) == 1
                                           ? MINE_SHOWN
                                           : MINE_MOVED;
    }
    return move.ability == ABILITY_NONE ? slow_chance(&after) : after_ability(&after, move);
}
