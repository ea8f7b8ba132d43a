#include "repertoire.h"

#include "camp.h"
#include "habit_counts.h"

#include <stdlib.h>
#include <string.h>

/* Of a step to the weights that the scores want; and what games count for after it. */
static const double STEP = 0.06, KEPT = 0.97;

/* One that has few games is judged as if it had played DOUBT more, and scored what all do on the
 * average, less MODESTY. */
static const double DOUBT = 30, MODESTY = 0.05;

/* None is replaced before it has played so many games. */
static const double GAMES_LEAST = 60;

/* e^x, nearly, for x above -64; by multiplications alone, so that it is the same everywhere. */
static double growth(double x) {
    enum { SQUARINGS = 6, PARTS = 1 << SQUARINGS };
    double by = 1 + x / PARTS;
    for (int i = 0; i < SQUARINGS; i++) by *= by;
    return by;
}

static void make_whole(struct repertoire *repertoire) {
    double whole = 0;
    for (int i = 0; i < repertoire->count; i++) whole += repertoire->weight[i];
    for (int i = 0; i < repertoire->count; i++) repertoire->weight[i] /= whole;
}

static void draw_by_thumb(const struct measure *measure, struct random *random,
                          struct setup *setup) {
    camp_draw(measure, random, 50 + random_below(random, 200), setup);
}

void repertoire_begin(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random, const struct setup *setups, int count) {
    const int given = count < REPERTOIRE_GIVEN ? count : REPERTOIRE_GIVEN;
    memset(repertoire, 0, sizeof *repertoire);
    int made = 0;
    for (; made < given; made++) repertoire->setup[made] = setups[(int64_t)made * count / given];
    repertoire->given = made;
    for (int i = 0; i < REPERTOIRE_DRAWN; i++)
        draw_by_thumb(measure, random, &repertoire->setup[made++]);
    for (const int different = made; made < REPERTOIRE_SETUPS; made++) {
        repertoire->setup[made] = repertoire->setup[made % different];
        camp_change(measure->rules, random, &repertoire->setup[made]);
    }
    repertoire->count = made;
    for (int i = 0; i < made; i++) repertoire->weight[i] = 1.0 / made;
}

int repertoire_at(const struct repertoire *repertoire, double part) {
    int number = 0;
    for (; number < repertoire->count - 1; number++) {
        part -= repertoire->weight[number];
        if (part < 0) break;
    }
    return number;
}

int repertoire_draw(const struct repertoire *repertoire, struct random *random) {
    return repertoire_at(repertoire, random_part(random));
}

void repertoire_note(struct repertoire *repertoire, int number, double points) {
    repertoire->games[number]++;
    repertoire->points[number] += points;
}

static void find_scores(const struct repertoire *repertoire, double score[REPERTOIRE_SETUPS]) {
    double games = 0, points = 0;
    for (int i = 0; i < repertoire->count; i++) {
        games += repertoire->games[i];
        points += repertoire->points[i];
    }
    const double usual = (games > 0 ? points / games : 0.5) - MODESTY;
    for (int i = 0; i < repertoire->count; i++)
        score[i] = (repertoire->points[i] + DOUBT * usual) / (repertoire->games[i] + DOUBT);
}

void repertoire_weigh(struct repertoire *repertoire) {
    double wish[REPERTOIRE_SETUPS], whole = 0;
    find_scores(repertoire, wish);
    for (int i = 0; i < repertoire->count; i++) {
        wish[i] = growth((wish[i] - 0.5) / REPERTOIRE_HEAT);
        whole += wish[i];
    }
    for (int i = 0; i < repertoire->count; i++) {
        repertoire->weight[i] += STEP * (wish[i] / whole - repertoire->weight[i]);
        repertoire->games[i] *= KEPT;
        repertoire->points[i] *= KEPT;
    }
    make_whole(repertoire);
}

struct judged {
    int number;
    double score;
};

static int by_score(const void *one, const void *other) {
    const struct judged *a = one, *b = other;
    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    return a->number - b->number;
}

void repertoire_renew(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random) {
    enum { REPLACED = REPERTOIRE_SETUPS / 12, THUMB_ONE_IN = 8, PLAYED_ONE_IN = 4 };
    double score[REPERTOIRE_SETUPS];
    struct judged judged[REPERTOIRE_SETUPS];
    const int count = repertoire->count;
    find_scores(repertoire, score);
    for (int i = 0; i < count; i++) judged[i] = (struct judged){i, score[i]};
    qsort(judged, (size_t)count, sizeof *judged, by_score);
    for (int i = count - 1, replaced = 0; i > count / 2 && replaced < REPLACED; i--) {
        const int out = judged[i].number;
        if (out < repertoire->given || repertoire->games[out] < GAMES_LEAST) continue;
        struct setup setup;
        if (random_below(random, THUMB_ONE_IN) == 0) {
            draw_by_thumb(measure, random, &setup);
        } else {
            const bool played = random_below(random, PLAYED_ONE_IN) == 0;
            const uint32_t best = random_below(random, (uint32_t)count / 4);
            setup = repertoire
                        ->setup[played ? repertoire_draw(repertoire, random) : judged[best].number];
            camp_change(measure->rules, random, &setup);
        }
        repertoire->setup[out] = setup;
        repertoire->weight[out] = repertoire->games[out] = repertoire->points[out] = 0;
        replaced++;
    }
    make_whole(repertoire);
}

void repertoire_starts(const struct repertoire *repertoire, const struct rules *rules,
                       struct habits *habits) {
    enum { ARMIES = 1000000, PRIOR = 1 };
    struct habit_counts counts = {0};
    struct habits even, starts;
    for (int i = 0; i < repertoire->count; i++) {
        const uint32_t armies = (uint32_t)(repertoire->weight[i] * ARMIES);
        for (int z = 0; z < rules->zone_size; z++) {
            const square at = rules->zone[z];
            const kind_id kind = repertoire->setup[i].at[at];
            if (kind != KIND_NONE)
                counts.seen[sign_of_start(&rules->board, RED, at)][kind] += armies;
        }
    }
    habits_even(&even);
    habits_learn(&counts, rules, &even, PRIOR, &starts);
    memcpy(habits->ratio[SIGN_START], starts.ratio[SIGN_START],
           SIGN_START_COUNT * sizeof *habits->ratio);
}
