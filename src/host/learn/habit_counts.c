#include "habit_counts.h"

#include <math.h>

void habit_counts_note(struct habit_counts *counts, const struct game *game,
                       const struct view *view) {
    struct origins origins;
    origins_read(view, &origins);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side || piece->at == SQUARE_NONE || piece->kind != KIND_NONE)
            continue;
        uint8_t signs[SIGN_SORTS];
        signs_of(view, &origins, piece, signs);
        const kind_id kind = cell_kind(game->at[piece->at]);
        for (int j = 0; j < SIGN_SORTS; j++) counts->seen[signs[j]][kind]++;
    }
}

void habit_counts_add(struct habit_counts *counts, const struct habit_counts *more) {
    for (int s = 0; s < SIGNS; s++)
        for (int k = 0; k < KINDS_MAX; k++) counts->seen[s][k] += more->seen[s][k];
}

void habit_counts_fade(struct habit_counts *counts) {
    for (int s = 0; s < SIGNS; s++)
        for (int k = 0; k < KINDS_MAX; k++) counts->seen[s][k] /= 2;
}

/* A ratio of all armies, of which that part tells nothing by this sign, by the ratio of the others;
 * and back. */
static double with_unusual(double ratio, double unusual) {
    return (1 - unusual) * ratio + unusual;
}

static double without_unusual(double ratio, double unusual) {
    return ratio > unusual ? (ratio - unusual) / (1 - unusual) : 0;
}

/* Signs that are compared with each other: those of a sort (belief.h), and of moves those of one
 * part of the game. */
struct sign_group {
    int from, count;
    bool unusual;  /* part of all armies tell nothing by them */
    bool immobile; /* they are learned of kinds that cannot move alone */
};

static uint16_t ratio_of(double ratio) {
    ratio = floor(ratio * HABIT_UNIT + 0.5);
    if (ratio < 4) ratio = 4;
    if (ratio > 64 * HABIT_UNIT - 1) ratio = 64 * HABIT_UNIT - 1;
    return (uint16_t)ratio;
}

static void learn_group(const struct sign_group *group, const struct habit_counts *counts,
                        const struct rules *rules, const struct habits *first, double prior,
                        double unusual, struct habits *habits) {
    enum { RARE = 100 }; /* sightings of a sign that tell little: many are of one piece */
    const double untold = group->unusual ? unusual : 0;
    double all = 0, of_sign[SIGNS] = {0};
    for (int s = 0; s < group->count; s++) {
        for (int kind = 1; kind <= rules->kinds; kind++)
            of_sign[s] += counts->seen[group->from + s][kind];
        all += of_sign[s];
    }
    for (int kind = 1; kind <= rules->kinds && all > 0; kind++) {
        if (group->immobile && (rules->mobile >> kind & 1)) continue;
        double of_kind = 0;
        for (int s = 0; s < group->count; s++) of_kind += counts->seen[group->from + s][kind];
        for (int s = 0; s < group->count; s++) {
            const int sign = group->from + s;
            double part = (of_sign[s] + 1) / (all + group->count);
            const double first_ratio = first->ratio[sign][kind] / (double)HABIT_UNIT;
            const double before = without_unusual(first_ratio, untold);
            const double weight = prior * part + RARE;
            const double ratio =
                (counts->seen[sign][kind] + weight * before) / (of_kind * part + weight);
            habits->ratio[sign][kind] = ratio_of(with_unusual(ratio, untold));
        }
    }
}

void habits_learn(const struct habit_counts *counts, const struct rules *rules,
                  const struct habits *first, double prior, double unusual, struct habits *habits) {
    static const struct sign_group groups[] = {
        {SIGN_START, SIGN_START_COUNT, true, false},
        {SIGN_MOVES, SIGN_MOVES_TIMES, false, false},
        {SIGN_MOVES + SIGN_MOVES_TIMES, SIGN_MOVES_TIMES, false, false},
        {SIGN_MOVES + 2 * SIGN_MOVES_TIMES, SIGN_MOVES_TIMES, false, false},
        {SIGN_MOVES + 3 * SIGN_MOVES_TIMES, SIGN_MOVES_TIMES, false, false},
        {SIGN_DARED, KINDS_MAX, false, false},
        {SIGN_FLED, KINDS_MAX, false, false},
        {SIGN_STOOD, SIGN_STOOD_COUNT, false, false},
        {SIGN_BESIDE, SIGN_BESIDE_COUNT, true, true}};
    habits_even(habits);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        learn_group(&groups[i], counts, rules, first, prior, unusual, habits);
}

void habits_outside(const struct habits *own, const struct habits *others, int share,
                    struct habits *habits) {
    static const double TEMPER = 0.6; /* tests/bench/learning.md, "Strangers" */
    for (int s = 0; s < SIGNS; s++) {
        for (int k = 0; k < KINDS_MAX; k++) {
            const double mixed =
                (own->ratio[s][k] * (100.0 - share) + others->ratio[s][k] * (double)share) / 100 /
                HABIT_UNIT;
            habits->ratio[s][k] = ratio_of(pow(mixed, TEMPER));
        }
    }
}
