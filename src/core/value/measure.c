/* measure.c - worth as in scripts/toolkit/worth.lua: a kind is worth more the more of an army it
 * beats, with a bonus for rare skills. */
#include "measure.h"

#include <string.h>

static int16_t half_points(const struct rules *rules, kind_id attacker, kind_id defender) {
    switch (rules_outcome(rules, attacker, defender)) {
    case ATTACKER_WINS:
        return 2;
    case DEFENDER_WINS:
        return 0;
    default:
        return 1;
    }
}

static kind_id strongest_kind(const struct rules *rules) {
    kind_id strongest = KIND_NONE;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if ((rules->mobile & kindset_of(kind)) &&
            (!strongest || rules->kind[kind].rank > rules->kind[strongest].rank))
            strongest = kind;
    return strongest;
}

/* A mobile kind. The squares are of the share of the mobile army that it beats. */
static int32_t worth_of(const struct rules *rules, kind_id kind, kind_id strongest) {
    int32_t mobile = 0, still = 0, army = 0;
    for (kind_id other = 1; other <= rules->kinds; other++) {
        int32_t points = half_points(rules, kind, other) * rules_both(rules, other);
        if (rules->mobile & kindset_of(other)) {
            mobile += points;
            army += 2 * rules_both(rules, other);
        } else if (!rules->kind[other].flag) {
            still += points;
        }
    }
    int32_t worth = WORTH_UNIT + 9 * WORTH_UNIT * mobile * mobile / (army * army);
    if (still) worth += WORTH_UNIT * 3 / 2;
    if (2 * mobile < army && rules_outcome(rules, kind, strongest) == ATTACKER_WINS)
        worth += 2 * WORTH_UNIT;
    if (rules->kind[kind].abilities) worth += 3 * WORTH_UNIT;
    return worth;
}

/* A table of `part` / 256 to the power of the steps. */
static void fill_fade(const struct measure *measure, uint32_t part,
                      int16_t fade[BOARD_SQUARES_MAX][FADE_ROW]) {
    int16_t power[STEPS_NONE + 1] = {FADE_UNIT};
    for (int i = 1; i < STEPS_NONE; i++) power[i] = (int16_t)((uint32_t)power[i - 1] * part >> 8);
    for (square from = 0; from < measure->rules->board.squares; from++)
        for (square to = 0; to < measure->rules->board.squares; to++)
            fade[from][to] = power[measure->steps[from][to]];
}

static int32_t gain_of(const struct measure *measure, kind_id attacker, kind_id defender) {
    int32_t theirs = measure->worth[defender], own = measure->worth[attacker];
    switch (rules_outcome(measure->rules, attacker, defender)) {
    case ATTACKER_WINS:
        return theirs;
    case DEFENDER_WINS:
        return -own;
    default:
        return theirs - own;
    }
}

static void fill_battles(struct measure *measure) {
    const struct rules *rules = measure->rules;
    for (kind_id a = 1; a <= rules->kinds; a++) {
        bool mobile = rules->mobile & kindset_of(a);
        for (kind_id d = 1; d <= rules->kinds; d++) {
            int16_t gain = (int16_t)gain_of(measure, a, d), half = half_points(rules, a, d);
            measure->gain[a][d] = gain;
            measure->half[a][d] = half;
            measure->sure[a][d] = mobile && gain > 0 ? gain : 0;
            measure->bite[d][a] = measure->sure[a][d];
            measure->fall[d][a] = mobile ? half : 0;
            if (mobile && half) measure->foes[d] |= kindset_of(a);
        }
    }
}

/* Do all ways from this square lead from neighbour to neighbour? */
static bool is_steady(const struct board *board, const struct movement *movement, enum side side,
                      square from) {
    const uint32_t first = movement->start[side][from], end = movement->start[side][from + 1];
    const struct path_node *nodes = movement->nodes + first;
    for (uint32_t node = 0; node < end - first; node++) {
        uint32_t before = node;
        while (before > 0 && nodes[before - 1].skip <= node) before--;
        const square last = before ? nodes[before - 1].to : from;
        if (!squareset_has(board->neighbours[last], nodes[node].to)) return false;
    }
    return true;
}

static void fill_strikes(struct measure *measure) {
    const struct rules *rules = measure->rules;
    measure->steady = true;
    for (int i = 0; i < rules->movements; i++) {
        const struct movement *movement = &rules->movement[i];
        for (int side = RED; side <= BLUE; side++)
            for (square from = 0; from < rules->board.squares; from++) {
                squareset to = movement_ever(movement, (enum side)side, from, BAR_ATTACK);
                while (to) measure->strikes[side][squareset_pop(&to)] |= squareset_of(from);
                if (!is_steady(&rules->board, movement, (enum side)side, from))
                    measure->steady = false;
            }
    }
}

static bool returns_pieces(const struct ability *ability) {
    for (int choice = 0; choice < KINDS_MAX; choice++)
        if (ability->effects[KIND_NONE][choice] & EFFECT_PLACE) return true;
    return false;
}

static void fill_returns(struct measure *measure) {
    const struct rules *rules = measure->rules;
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        if (!returns_pieces(ability)) continue;
        measure->returning |= (uint16_t)(1U << i);
        measure->returners |= kindset_of(ability->actor);
        measure->returned |= ability->choices;
        for (int side = RED; side <= BLUE; side++) {
            int16_t *landing = measure->landing[side];
            for (square at = 0; at < rules->board.squares; at++) {
                if (!ability->targets[side][at]) continue;
                for (square from = 0; from < rules->board.squares; from++)
                    if (landing[from] < measure->pull[at][from])
                        landing[from] = measure->pull[at][from];
            }
        }
    }
}

/* 1 / (1 + e^-x). The power is that of its beginning, 4096 times as near to 1; only exact
 * operations, so that the table is the same everywhere. */
static double logistic(double x) {
    double z = -x / 4096, power = 1 + z + z * z / 2;
    for (int i = 0; i < 12; i++) power *= power;
    return 1 / (1 + power);
}

void measure_make(struct measure *measure, const struct rules *rules) {
    memset(measure, 0, sizeof *measure);
    measure->rules = rules;
    kind_id strongest = strongest_kind(rules);
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (rules->kind[kind].flag)
            measure->worth[kind] = 30 * WORTH_UNIT;
        else if (rules->mobile & kindset_of(kind))
            measure->worth[kind] = (uint16_t)worth_of(rules, kind, strongest);
        else
            measure->worth[kind] = WORTH_UNIT * 3 / 2;
    for (square from = 0; from < BOARD_SQUARES_MAX; from++)
        board_steps(&rules->board, rules->board.land, squareset_of(from) & rules->board.land,
                    measure->steps[from]);
    fill_fade(measure, 218, measure->pull);
    fill_fade(measure, 154, measure->fear);
    fill_battles(measure);
    fill_strikes(measure);
    fill_returns(measure);
    for (int i = 0; i < LOGISTIC_ENTRIES; i++)
        measure->logistic[i] =
            (int32_t)(CHANCE_CERTAIN * logistic((double)i / LOGISTIC_STEPS - LOGISTIC_RANGE));
}
