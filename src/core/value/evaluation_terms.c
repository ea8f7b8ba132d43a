/* evaluation_terms.c - the terms of an evaluation and their sums. */
#include "evaluation_inside.h"

/* A sum of weighted terms, which are noted too where somebody learns from them. */
struct tally {
    const struct terms *weights;
    struct terms *terms; /* may be NULL */
    int64_t sum;
};

static inline void tally_add(struct tally *tally, const int32_t *weight, int32_t amount) {
    tally->sum += (int64_t)*weight * amount;
    if (!tally->terms) return;
    ptrdiff_t index = weight - &tally->weights->own[0][0];
    (&tally->terms->own[0][0])[index] += amount;
}

#define ADD(tally, term, amount) tally_add(tally, &(tally)->weights->term, amount)

/* The terms of one piece on a square. */
static void piece_terms(const struct evaluation *evaluation, struct tally *tally, kind_id kind,
                        square at, int state, const struct reach *reach) {
    const struct rules *rules = evaluation->view->rules;
    bool shown = state == MINE_SHOWN;
    ADD(tally, own[kind][shown ? OWN_HUNTED_KNOWN : OWN_FEAR_KNOWN], reach->fear_known >> 4);
    ADD(tally, own[kind][shown ? OWN_HUNTED_UNKNOWN : OWN_FEAR_UNKNOWN], reach->fear_unknown >> 4);
    if (!(rules->mobile & kindset_of(kind))) return;
    ADD(tally, own[kind][OWN_PREY_KNOWN], reach->prey_known * 2);
    ADD(tally, own[kind][OWN_PREY_UNKNOWN], reach->prey_unknown * 2);
    ADD(tally, own[kind][OWN_STIRRED], reach->stirred >> 5);
    ADD(tally, own[kind][OWN_STILL], reach->still >> 5);
    ADD(tally, own[kind][OWN_FLAG], reach->flag >> 4);
    int rank = board_rank(&rules->board, at), last = rules->board.ranks - 1;
    if (evaluation->view->side == BLUE) rank = last - rank;
    ADD(tally, own[kind][OWN_ADVANCE], rank * TERM_UNIT / most(last, 1));
}

/* The part of an army, without its flags, that a kind beats by attacking; ties count half. */
static int32_t part_beaten(const struct measure *measure, kind_id kind,
                           const int32_t count[KINDS_MAX]) {
    const struct rules *rules = measure->rules;
    int32_t beaten = 0, all = 0;
    for (kind_id other = 1; other <= rules->kinds; other++) {
        int32_t pieces = rules->flags & kindset_of(other) ? 0 : count[other];
        all += 2 * pieces;
        beaten += measure->half[kind][other] * pieces;
    }
    return all > 0 ? (int32_t)((int64_t)beaten * TERM_UNIT / all) : TERM_UNIT;
}

/* Kinds of which more than half a piece is left. */
static kindset kinds_left(const struct rules *rules, const int32_t count[KINDS_MAX]) {
    kindset kinds = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (count[kind] > TERM_UNIT / 2) kinds |= kindset_of(kind);
    return kinds;
}

static int32_t part_of(int32_t count, int32_t part) {
    return (int32_t)((int64_t)count * part / TERM_UNIT);
}

/* The terms that only count pieces. */
static void counted_terms(const struct evaluation *evaluation, struct tally *tally) {
    const struct rules *rules = evaluation->view->rules;
    int32_t own[KINDS_MAX] = {0};
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        for (int state = 0; state < MINE_STATES; state++)
            own[kind] += evaluation->count[kind][state];
    const struct measure *measure = evaluation->measure;
    const kindset enemies = kinds_left(rules, evaluation->left), mine = kinds_left(rules, own);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const bool mobile = rules->mobile & kindset_of(kind);
        if (own[kind] > 0) {
            for (int state = 0; state < MINE_STATES; state++)
                ADD(tally, own[kind][OWN_HIDDEN + state], evaluation->count[kind][state]);
            if (mobile) {
                int32_t part = part_beaten(measure, kind, evaluation->left);
                ADD(tally, own[kind][OWN_BEATS], part_of(own[kind], part));
                if (!(measure->foes[kind] & enemies))
                    ADD(tally, own[kind][OWN_INVINCIBLE], own[kind]);
            }
            ADD(tally, own[kind][OWN_PRESENT], TERM_UNIT);
        }
        if (evaluation->left[kind] > 0) {
            ADD(tally, enemy[kind][ENEMY_LEFT], evaluation->left[kind]);
            ADD(tally, enemy[kind][ENEMY_KNOWN], evaluation->told[kind]);
            if (mobile) {
                int32_t part = part_beaten(measure, kind, own);
                ADD(tally, enemy[kind][ENEMY_BEATS], part_of(evaluation->left[kind], part));
                if (!(measure->foes[kind] & mine))
                    ADD(tally, enemy[kind][ENEMY_INVINCIBLE], evaluation->left[kind]);
            }
            ADD(tally, enemy[kind][ENEMY_PRESENT],
                evaluation->left[kind] < TERM_UNIT ? evaluation->left[kind] : TERM_UNIT);
        }
    }
}

/* The lead in worth, 8 points to the unit, within 4 units. */
static int32_t lead_of(const struct evaluation *evaluation) {
    int64_t lead = 0;
    for (kind_id kind = 1; kind <= evaluation->view->rules->kinds; kind++) {
        int64_t pieces = -evaluation->left[kind];
        for (int state = 0; state < MINE_STATES; state++) pieces += evaluation->count[kind][state];
        if (!evaluation->view->rules->kind[kind].flag)
            lead += pieces * evaluation->measure->worth[kind];
    }
    lead /= 8 * WORTH_UNIT;
    if (lead > 4 * TERM_UNIT) lead = 4 * TERM_UNIT;
    if (lead < -4 * TERM_UNIT) lead = -4 * TERM_UNIT;
    return (int32_t)lead;
}

/* Greatest and second of numbers from 0 up. */
struct top {
    int32_t first, second;
};

static inline void top_note(struct top *top, int32_t number) {
    if (number > top->first) {
        top->second = top->first;
        top->first = number;
    } else if (number > top->second) {
        top->second = number;
    }
}

enum { WORTH_TERM = TERM_UNIT / WORTH_UNIT };

static void engaged_terms(const struct evaluation *evaluation, struct tally *tally) {
    struct top threat = {0, 0}, gain = {0, 0};
    int32_t sums[2][2] = {{0}}, unknown = 0;
    for (squareset left = evaluation->engaged; left;) {
        int number = squareset_pop(&left);
        bool shown = evaluation->state[number] == MINE_SHOWN;
        const int32_t *by = evaluation->threat[number];
        top_note(&threat, most(by[0], by[1]) / (shown ? 1 : 2));
        sums[shown][0] += by[0];
        sums[shown][1] += by[1];
        top_note(&gain, evaluation->gain[number][1]);
        unknown = most(unknown, evaluation->gain[number][0]);
    }
    ADD(tally, whole[WHOLE_THREAT], threat.first * WORTH_TERM);
    ADD(tally, whole[WHOLE_SECOND_THREAT], threat.second * WORTH_TERM);
    ADD(tally, whole[WHOLE_HIDDEN_UNKNOWN], sums[0][0] * WORTH_TERM);
    ADD(tally, whole[WHOLE_HIDDEN_KNOWN], sums[0][1] * WORTH_TERM);
    ADD(tally, whole[WHOLE_SHOWN_UNKNOWN], sums[1][0] * WORTH_TERM);
    ADD(tally, whole[WHOLE_SHOWN_KNOWN], sums[1][1] * WORTH_TERM);
    ADD(tally, whole[WHOLE_CHANCE], gain.first * WORTH_TERM);
    ADD(tally, whole[WHOLE_SECOND_CHANCE], gain.second * WORTH_TERM);
    ADD(tally, whole[WHOLE_UNKNOWN_CHANCE], unknown * WORTH_TERM);
}

/* The greatest chance that an enemy can move to this square, in CHANCE_ONE. */
static int32_t chance_struck(const struct evaluation *evaluation, square at) {
    const struct rules *rules = evaluation->view->rules;
    const enum side enemy_side = side_other((enum side)evaluation->view->side);
    squareset from = evaluation->measure->strikes[enemy_side][at] & evaluation->taken;
    const squareset beside = rules->board.neighbours[at];
    if (squareset_has(rules->board.shelter, at)) return 0;
    if (evaluation->measure->steady && !(beside & ~evaluation->taken)) from &= beside;
    int32_t most_likely = 0;
    while (from) {
        const square there = squareset_pop(&from);
        const int enemy = evaluation->enemy_on[there];
        if (enemy == EVALUATION_NOBODY) continue;
        int32_t chance = 0;
        if (squareset_has(beside, there) && rules->mobile == rules->pacers) {
            chance = (evaluation->mobile[enemy] + 1) / 2;
        } else {
            kindset kinds =
                rules_walkers(rules, enemy_side, evaluation->taken | squareset_of(at), there, at);
            for (; kinds; kinds &= kinds - 1)
                chance += evaluation->chance[enemy][__builtin_ctz(kinds)];
        }
        most_likely = most(most_likely, chance);
    }
    return most_likely;
}

int32_t evaluation_chance_beaten(const struct evaluation *evaluation, kindset kinds, int enemy) {
    const int16_t *chance = evaluation->chance[enemy];
    int32_t best = 0;
    for (; kinds; kinds &= kinds - 1) {
        const int16_t *half = evaluation->measure->half[__builtin_ctz(kinds)];
        int32_t sum = 0;
        for (int other = 1; other <= evaluation->view->rules->kinds; other++)
            sum += chance[other] * half[other];
        best = most(best, sum / 2);
    }
    return best;
}

/* The nearness to the flag of an enemy that no own piece beats which is as near, or a step less. In
 * FADE_UNIT. */
static int32_t nearness_loose(const struct evaluation *evaluation, square at) {
    enum { FAR = 5 }; /* steps */
    const uint8_t *steps = evaluation->measure->steps[at];
    const int16_t *near = evaluation->measure->fear[at];
    int32_t loose = 0;
    for (int e = 0; e < evaluation->enemies; e++) {
        const uint8_t there = evaluation->enemy_at[e];
        if (there == OFF_BOARD || steps[there] > FAR) continue;
        const int32_t danger = 2 * faded(evaluation->mobile[e], near[there]);
        if (danger <= loose) continue;
        kindset guards = 0;
        for (int i = 0; i < evaluation->own; i++)
            if (evaluation->at[i] != EVALUATION_NOBODY &&
                steps[evaluation->at[i]] <= steps[there] + 1)
                guards |= kindset_of(evaluation->kind[i]);
        guards &= evaluation->view->rules->mobile;
        const int32_t open = CHANCE_ONE - evaluation_chance_beaten(evaluation, guards, e);
        loose = most(loose, (int32_t)((int64_t)danger * most(open, 0) / CHANCE_ONE));
    }
    return loose;
}

/* Of several flags the greatest of each; whichever falls ends the game. Returns the peril. */
static int32_t flag_terms(const struct evaluation *evaluation, struct tally *tally) {
    const squareset *neighbours = evaluation->view->rules->board.neighbours;
    int32_t danger = 0, open = 0, shown = 0, struck = 0, loose = 0;
    for (squareset flags = evaluation->flags; flags;) {
        const int number = squareset_pop(&flags);
        const square at = evaluation->at[number];
        const int16_t *near = evaluation->measure->fear[at];
        for (int e = 0; e < evaluation->enemies; e++)
            danger = most(danger, faded(evaluation->mobile[e], near[evaluation->enemy_at[e]]));
        open = most(open, squareset_count(neighbours[at] & ~evaluation->taken));
        shown |= evaluation->state[number] == MINE_SHOWN;
        struck = most(struck, chance_struck(evaluation, at));
        loose = most(loose, nearness_loose(evaluation, at));
    }
    ADD(tally, whole[WHOLE_FLAG_DANGER], danger >> 4);
    ADD(tally, whole[WHOLE_FLAG_OPEN], open * TERM_UNIT);
    ADD(tally, whole[WHOLE_FLAG_SHOWN], shown * TERM_UNIT);
    ADD(tally, whole[WHOLE_FLAG_STRUCK], struck / (CHANCE_ONE / TERM_UNIT));
    ADD(tally, whole[WHOLE_FLAG_LOOSE], loose / (FADE_UNIT / TERM_UNIT));
    return evaluation_peril(evaluation, struck);
}

/* The worth of the best of a side's fallen pieces that may return, in TERM_UNIT; of the enemy as
 * far as it is believed to have fallen. */
static int32_t best_fallen(const struct evaluation *evaluation, enum side side) {
    const struct view *view = evaluation->view;
    int32_t best = 0;
    for (kindset kinds = evaluation->measure->returned; kinds; kinds &= kinds - 1) {
        const int kind = __builtin_ctz(kinds);
        int32_t fallen = view->start[side][kind] * TERM_UNIT;
        if (side != view->side) fallen -= evaluation->left[kind];
        for (int state = 0; side == view->side && state < MINE_STATES; state++)
            fallen -= evaluation->count[kind][state];
        if (fallen > TERM_UNIT) fallen = TERM_UNIT;
        best = most(best, fallen * evaluation->measure->worth[kind] / WORTH_UNIT);
    }
    return best;
}

static void comeback_terms(const struct evaluation *evaluation, struct tally *tally) {
    const enum side own = (enum side)evaluation->view->side, enemy = side_other(own);
    const int16_t *landing = evaluation->measure->landing[own];
    int16_t near[2] = {0, 0};
    for (int i = 0; evaluation->returns[own] && i < evaluation->own; i++)
        if (evaluation->at[i] != EVALUATION_NOBODY &&
            (evaluation->measure->returners & kindset_of(evaluation->kind[i])))
            near[0] = wider(near[0], landing[evaluation->at[i]]);
    landing = evaluation->measure->landing[enemy];
    for (int e = 0; evaluation->returns[enemy] && e < evaluation->enemies; e++)
        near[1] = wider(near[1], faded(evaluation->returner[e], landing[evaluation->enemy_at[e]]));
    if (near[0])
        ADD(tally, whole[WHOLE_COMEBACK], part_of(best_fallen(evaluation, own), near[0] >> 5));
    if (near[1])
        ADD(tally, whole[WHOLE_ENEMY_COMEBACK],
            part_of(best_fallen(evaluation, enemy), near[1] >> 4));
}

/* Returns the peril. */
static int32_t whole_terms(const struct evaluation *evaluation, struct tally *tally) {
    enum { USUAL_LIMIT = 200 };
    ADD(tally, whole[WHOLE_ONE], TERM_UNIT);
    engaged_terms(evaluation, tally);
    const int32_t peril = flag_terms(evaluation, tally);
    comeback_terms(evaluation, tally);
    int still = 0, stirred = 0;
    for (int e = 0; e < evaluation->still; e++) {
        bool here = evaluation->enemy_at[e] != OFF_BOARD;
        stirred += here && e < evaluation->moved;
        still += here && e >= evaluation->moved;
    }
    ADD(tally, whole[WHOLE_STILL], still * TERM_UNIT);
    ADD(tally, whole[WHOLE_STIRRED], stirred * TERM_UNIT);
    uint32_t limit = evaluation->view->limits.no_attack;
    if (!limit) limit = USUAL_LIMIT;
    uint32_t plies = evaluation->quiet < limit ? evaluation->quiet : limit;
    int32_t quiet = (int32_t)(plies * TERM_UNIT / limit), lead = lead_of(evaluation);
    ADD(tally, whole[WHOLE_QUIET], quiet);
    ADD(tally, whole[WHOLE_QUIET_LEAD], part_of(quiet, lead));
    ADD(tally, whole[WHOLE_LEAD], lead);
    int phase = 0;
    for (uint32_t from = 12; phase < 6 && evaluation->view->plies >= from; from *= 2) phase++;
    ADD(tally, whole[WHOLE_PHASE + phase], TERM_UNIT);
    return peril;
}

int64_t evaluation_piece_sum(const struct evaluation *evaluation, kind_id kind, square at,
                             int state, const struct reach *reach) {
    struct tally tally = {evaluation->weights, NULL, 0};
    piece_terms(evaluation, &tally, kind, at, state, reach);
    return tally.sum;
}

int64_t evaluation_counted_sum(const struct evaluation *evaluation) {
    struct tally tally = {evaluation->weights, NULL, 0};
    counted_terms(evaluation, &tally);
    return tally.sum;
}

int64_t evaluation_sum_peril(const struct evaluation *evaluation, struct terms *terms,
                             int32_t *peril) {
    struct tally tally = {evaluation->weights, terms, 0};
    if (terms) {
        counted_terms(evaluation, &tally);
        for (int i = 0; i < evaluation->own; i++)
            if (evaluation->at[i] != EVALUATION_NOBODY)
                piece_terms(evaluation, &tally, evaluation->kind[i], evaluation->at[i],
                            evaluation->state[i], &evaluation->reach[i]);
    } else {
        tally.sum = evaluation->sums + evaluation->counted;
    }
    *peril = whole_terms(evaluation, &tally);
    return tally.sum;
}

int64_t evaluation_sum(const struct evaluation *evaluation, struct terms *terms) {
    int32_t peril;
    return evaluation_sum_peril(evaluation, terms, &peril);
}

int32_t evaluation_chance_of(const struct evaluation *evaluation, int64_t sum, int32_t peril) {
    enum { PARTS = 512 };
    const int64_t stands = CHANCE_ONE - peril;
    const int32_t chance = (int32_t)(value_chance(evaluation->measure, sum) * stands / CHANCE_ONE);
    return chance - chance / (PARTS / 2) + CHANCE_CERTAIN / PARTS;
}

int32_t evaluation_chance(const struct evaluation *evaluation) {
    int32_t peril;
    const int64_t sum = evaluation_sum_peril(evaluation, NULL, &peril);
    return evaluation_chance_of(evaluation, sum, peril);
}
