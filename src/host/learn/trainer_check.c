/* trainer_check.c - whether a state read from a file can have been learned.
 *
 * Whoever can count can make the hash of such a file right, so each number is held against what
 * learning can make of it: it is finite and within its range, each set-up is valid, and what must
 * agree does. Numbers that have no place in `struct trainer_state` (chance, seed) may be any, and
 * so may entries beyond a count. */
#include "trainer_inside.h"

#include <math.h>

/* Limits that nothing learned comes near. */
static const uint64_t CLASSES_MAX = UINT64_C(1) << 40;
static const double LOGITS_MAX = 1000, BEND_MAX = 1e9;
enum { COUNT_MAX = 1 << 30, PLIES_MAX = 10 * SELFPLAY_PLIES_MAX };

/* False for NAN. */
static bool is_within(double number, double least, double most) {
    return number >= least && number <= most;
}

static bool are_within(const double *numbers, int count, double most) {
    for (int i = 0; i < count; i++)
        if (!is_within(numbers[i], -most, most)) return false;
    return true;
}

static bool is_setup(const struct rules *rules, const struct setup *setup) {
    for (int at = rules->board.squares; at < BOARD_SQUARES_MAX; at++)
        if (setup->at[at] != KIND_NONE) return false;
    return setup_check(rules, RED, setup, NULL);
}

static bool are_setups(const struct rules *rules, const struct setup *setups, int count) {
    for (int i = 0; i < count; i++)
        if (!is_setup(rules, &setups[i])) return false;
    return true;
}

/* Habits may be any numbers. */
static bool is_value(const struct value *value) {
    const int32_t *weight = &value->weights.own[0][0];
    for (int i = 0; i < TERMS; i++)
        if (weight[i] < -WEIGHT_MAX || weight[i] > WEIGHT_MAX) return false;
    return true;
}

static bool is_style(const struct rules *rules, const struct style *style) {
    return style->share >= 1 && style->share <= LEARNED_SHARE_MAX && is_value(&style->value) &&
           style->setups <= LEARNED_SETUPS_MAX &&
           are_setups(rules, style->setup, (int)style->setups);
}

/* Products of the same numbers: none is greater than those of each with itself allow. */
static bool are_bends(const double bend[TERMS][TERMS]) {
    for (int i = 0; i < TERMS; i++) {
        if (!is_within(bend[i][i], 0, BEND_MAX)) return false;
        for (int j = 0; j < i; j++) {
            const double most = sqrt(bend[i][i] * bend[j][j]) * (1 + 1e-6) + 1e-12;
            if (!is_within(bend[i][j], -most, most)) return false;
        }
    }
    return true;
}

static bool is_fit(const struct fit *fit, uint64_t classes) {
    return fit->steps <= classes && are_within(fit->first, TERMS, LOGITS_MAX) &&
           are_within(fit->own, TERMS, LOGITS_MAX) &&
           are_within(fit->shared, FIT_SHARED, LOGITS_MAX) &&
           are_within(fit->weight, TERMS, LOGITS_MAX) && are_within(fit->mean, TERMS, LOGITS_MAX) &&
           is_within(fit->surprise, 0, 1) && are_bends(fit->bend);
}

static bool are_counts(const struct habit_counts *counts) {
    for (int s = 0; s < SIGNS; s++)
        for (int k = 0; k < KINDS_MAX; k++)
            if (counts->seen[s][k] > COUNT_MAX) return false;
    return true;
}

/* Games are halved to whole numbers and points are not. */
static bool is_camp(const struct rules *rules, const struct camp *camp) {
    for (int i = 0; i < CAMP_SETUPS; i++)
        if (camp->games[i] > COUNT_MAX || !is_within(camp->points[i], 0, camp->games[i] + 1.0))
            return false;
    return are_setups(rules, camp->setup, CAMP_SETUPS);
}

/* Are they parts that make one whole? */
static bool are_shares(const double *share, int count) {
    double whole = 0;
    for (int i = 0; i < count; i++) {
        if (!is_within(share[i], 0, 1)) return false;
        whole += share[i];
    }
    return count == 0 || is_within(whole, 1 - 1e-6, 1 + 1e-6);
}

static bool is_league(const struct rules *rules, const struct league *league) {
    int played = 0;
    if (league->count < 0 || league->count > LEAGUE_MAX ||
        !are_shares(league->share, league->count))
        return false;
    for (int i = 0; i < league->count; i++) {
        played += league->share[i] > 0;
        if (!is_style(rules, &league->style[i])) return false;
        for (int j = 0; j < league->count; j++)
            if (!is_within(league->points[i][j], 0, 1)) return false;
    }
    return played <= LEARNED_STYLES_MAX;
}

static bool is_repertoire(const struct rules *rules, const struct repertoire *repertoire,
                          uint64_t classes) {
    const int count = repertoire->count;
    if (count < 0 || count > REPERTOIRE_SETUPS || repertoire->given < 0 ||
        repertoire->given > count || repertoire->steps < 0 ||
        (uint64_t)repertoire->steps > classes || !are_setups(rules, repertoire->setup, count) ||
        (count && !are_setups(rules, repertoire->stranger, REPERTOIRE_STRANGERS)))
        return false;
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
        const struct repertoire_standing *standing = &repertoire->standing[role];
        if (!are_shares(standing->weight, count)) return false;
        for (int i = 0; i < count; i++)
            if (!is_within(standing->games[i], 0, COUNT_MAX) ||
                !is_within(standing->points[i], 0, standing->games[i] + 1))
                return false;
    }
    return true;
}

static bool are_past(const struct trainer_state *state) {
    if (state->past_count < 1 || state->past_count > TRAINER_PAST) return false;
    for (uint32_t i = 0; i < state->past_count; i++)
        if (!is_value(&state->past[i])) return false;
    return is_value(&state->stage_first);
}

static bool are_notes(const struct trainer_state *state) {
    if (state->notes < 0 || state->notes > TRAINER_NOTES) return false;
    for (int i = 0; i < state->notes; i++) {
        const struct trainer_note *note = &state->note[i];
        if (note->games > state->classes * CLASS_GAMES || !is_within(note->against_first, 0, 100) ||
            !is_within(note->against_past, 0, 100) || !is_within(note->plies, 0, PLIES_MAX) ||
            !is_within(note->draws, 0, 10))
            return false;
    }
    return true;
}

static bool is_score(const struct statistics *score) {
    const uint64_t games = (uint64_t)score->wins + score->draws + score->losses;
    uint64_t pairs = 0, points = 0, forfeits = 0;
    for (uint64_t i = 0; i < PAIR_SCORES; i++) {
        pairs += score->pairs[i];
        points += i * score->pairs[i];
    }
    for (int i = 0; i < REASON_COUNT; i++) forfeits += score->forfeits[i];
    return games <= COUNT_MAX && games == 2 * pairs &&
           points == 2 * (uint64_t)score->wins + score->draws && forfeits <= score->losses;
}

static bool are_rungs(const struct trainer_state *state) {
    if (state->rungs < 0 || state->rungs > TRAINER_RUNGS) return false;
    for (int i = 0; i < state->rungs; i++) {
        if (state->rung[i].games > state->classes * CLASS_GAMES) return false;
        for (int r = 0; r < TRAINER_RIVALS; r++)
            if (!is_score(&state->rung[i].against[r])) return false;
    }
    return true;
}

const char *trainer_check(const struct rules *rules, const struct trainer_state *state) {
    if (state->classes > CLASSES_MAX || state->stage_began > state->classes)
        return "the number of games";
    if (!is_fit(&state->fit, state->classes)) return "a weight";
    if (!are_past(state)) return "a value of earlier";
    if (!are_counts(&state->counts)) return "a count of habits";
    if (!is_camp(rules, &state->camp)) return "a set-up, or what it scored";
    if (!is_league(rules, &state->league)) return "a style, or its share";
    if (!is_repertoire(rules, &state->repertoire, state->classes))
        return "a set-up of the repertoire, or what it scored";
    if (!is_within(state->plies, 0, PLIES_MAX) || !is_within(state->draws, 0, 1) ||
        !are_notes(state) || !are_rungs(state))
        return "a note of its strength";
    return NULL;
}
