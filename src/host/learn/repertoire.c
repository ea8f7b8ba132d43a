#include "repertoire.h"

#include "camp.h"
#include "habit_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the way to the weights that the scores want, of a step, and what games count for after it; but
 * once there have been many steps, both look back on the LATEST part of all. The longer a
 * repertoire is learned, the more games tell its set-ups apart. */
static const double STEP = 0.02, KEPT = 0.99, LATEST = 1.0 / 3;

/* One that has few games is judged as if it had played DOUBT more, and scored what all do on the
 * average, less MODESTY. */
static const double DOUBT = 70, MODESTY = 0.05;

/* A changed copy is judged as if it had played so many games, and scored as what it was made of;
 * none is replaced before it has played as many more in each role. */
static const double INHERITED = 25;

/* e^x, nearly, for x above -1024; by multiplications alone, so that it is the same everywhere. */
static double growth(double x) {
    enum { SQUARINGS = 10, PARTS = 1 << SQUARINGS };
    double by = 1 + x / PARTS;
    for (int i = 0; i < SQUARINGS; i++) by *= by;
    return by;
}

static void make_whole(double *weight, int count) {
    double whole = 0;
    for (int i = 0; i < count; i++) whole += weight[i];
    for (int i = 0; i < count; i++) weight[i] /= whole;
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
    repertoire->count = made;
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        for (int i = 0; i < made; i++) repertoire->standing[role].weight[i] = 1.0 / made;
    for (int i = 0; i < REPERTOIRE_STRANGERS; i++)
        draw_by_thumb(measure, random, &repertoire->stranger[i]);
}

int repertoire_at(const struct repertoire *repertoire, enum repertoire_role role, double part) {
    int number = 0;
    for (; number < repertoire->count - 1; number++) {
        part -= repertoire->standing[role].weight[number];
        if (part < 0) break;
    }
    return number;
}

static int draw(const struct repertoire *repertoire, enum repertoire_role role,
                struct random *random) {
    return repertoire_at(repertoire, role, random_part(random));
}

/* Any at all; half are not among the given ones. */
static int draw_evenly(const struct repertoire *repertoire, struct random *random) {
    const int first = random_below(random, 2) == 0 ? repertoire->given : 0;
    return first + (int)random_below(random, (uint32_t)(repertoire->count - first));
}

void repertoire_lineup(const struct repertoire *repertoire, struct random *random,
                       struct lineup *lineup) {
    enum { TRIED_ONE_IN = 4 };
    const bool trial = random_below(random, TRIED_ONE_IN) == 0;
    const enum repertoire_role tried = (enum repertoire_role)random_below(random, REPERTOIRE_ROLES);
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
        const bool any = trial && tried == role;
        const int number = any ? draw_evenly(repertoire, random) : draw(repertoire, role, random);
        lineup->setup[role] = &repertoire->setup[number];
        lineup->judged[role] = trial && !any ? -1 : number;
    }
    if (trial && tried == REPERTOIRE_RIVAL) return;
    if (random_part(random) >= REPERTOIRE_STRANGE) return;
    lineup->setup[REPERTOIRE_RIVAL] =
        &repertoire->stranger[random_below(random, REPERTOIRE_STRANGERS)];
    lineup->judged[REPERTOIRE_RIVAL] = -1;
}

void repertoire_note(struct repertoire *repertoire, enum repertoire_role role, int number,
                     double points) {
    repertoire->standing[role].games[number]++;
    repertoire->standing[role].points[number] += points;
}

/* What each should weigh, by its score next to that of all. */
static void find_wish(const struct repertoire_standing *standing, int count, double *wish) {
    double games = 0, points = 0;
    for (int i = 0; i < count; i++) {
        games += standing->games[i];
        points += standing->points[i];
    }
    const double usual = games > 0 ? points / games : 0.5;
    for (int i = 0; i < count; i++) {
        const double score =
            (standing->points[i] + DOUBT * (usual - MODESTY)) / (standing->games[i] + DOUBT);
        wish[i] = growth((score - usual) / REPERTOIRE_HEAT);
    }
    make_whole(wish, count);
}

void repertoire_weigh(struct repertoire *repertoire) {
    const double part = 1.0 / ++repertoire->steps;
    const double step = fmax(part, fmin(STEP, part / LATEST));
    const double kept = fmax(KEPT, 1 - part / LATEST);
    double wish[REPERTOIRE_SETUPS];
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
        struct repertoire_standing *standing = &repertoire->standing[role];
        find_wish(standing, repertoire->count, wish);
        for (int i = 0; i < repertoire->count; i++) {
            standing->weight[i] += step * (wish[i] - standing->weight[i]);
            standing->games[i] *= kept;
            standing->points[i] *= kept;
        }
        make_whole(standing->weight, repertoire->count);
    }
}

struct wished {
    int number;
    double wish;
};

static int by_wish(const void *one, const void *other) {
    const struct wished *a = one, *b = other;
    if (a->wish != b->wish) return a->wish < b->wish ? -1 : 1;
    return a->number - b->number;
}

/* By what either side should lay it out, if that is more: the least first. */
static void order_by_wish(const struct repertoire *repertoire, struct wished *wished) {
    double wish[REPERTOIRE_ROLES][REPERTOIRE_SETUPS];
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        find_wish(&repertoire->standing[role], repertoire->count, wish[role]);
    for (int i = 0; i < repertoire->count; i++) {
        const double own = wish[REPERTOIRE_OWN][i], rival = wish[REPERTOIRE_RIVAL][i];
        wished[i] = (struct wished){i, own > rival ? own : rival};
    }
    qsort(wished, (size_t)repertoire->count, sizeof *wished, by_wish);
}

static bool may_give_way(const struct repertoire *repertoire, int number) {
    if (number < repertoire->given) return false;
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        if (repertoire->standing[role].games[number] < 2 * INHERITED) return false;
    return true;
}

static bool is_there(const struct repertoire *repertoire, const struct setup *setup) {
    for (int i = 0; i < repertoire->count; i++)
        if (memcmp(&repertoire->setup[i], setup, sizeof *setup) == 0) return true;
    return false;
}

static void replace(struct repertoire *repertoire, int out, const struct setup *setup, int parent) {
    repertoire->setup[out] = *setup;
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
        struct repertoire_standing *standing = &repertoire->standing[role];
        standing->weight[out] = standing->games[out] = standing->points[out] = 0;
        if (parent < 0) continue;
        const double games = standing->games[parent];
        const double kept = games > INHERITED ? INHERITED / games : 1;
        standing->games[out] = kept * games;
        standing->points[out] = kept * standing->points[parent];
    }
}

void repertoire_renew(struct repertoire *repertoire, const struct measure *measure,
                      struct random *random) {
    enum { REPLACED_MOST = REPERTOIRE_DRAWN / 4, THUMB_ONE_IN = 8 };
    struct wished wished[REPERTOIRE_SETUPS];
    const int count = repertoire->count;
    order_by_wish(repertoire, wished);
    for (int i = 0, replaced = 0; i < count / 2 && replaced < REPLACED_MOST; i++) {
        const int out = wished[i].number;
        if (!may_give_way(repertoire, out)) continue;
        struct setup setup;
        int parent = -1;
        if (random_below(random, THUMB_ONE_IN) == 0) {
            draw_by_thumb(measure, random, &setup);
        } else {
            const enum repertoire_role role = random_below(random, REPERTOIRE_ROLES);
            parent = draw(repertoire, role, random);
            setup = repertoire->setup[parent];
            camp_change(measure->rules, random, &setup);
        }
        if (is_there(repertoire, &setup)) continue;
        replace(repertoire, out, &setup, parent);
        replaced++;
    }
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        make_whole(repertoire->standing[role].weight, count);
}

static void count_starts(const struct setup *setup, const struct rules *rules, double armies,
                         struct habit_counts *counts) {
    for (int z = 0; z < rules->start[RED].zone_size; z++) {
        const square at = rules->start[RED].zone[z];
        const kind_id kind = setup->at[at];
        if (kind != KIND_NONE)
            counts->seen[sign_of_start(&rules->board, RED, at)][kind] += (uint32_t)armies;
    }
}

void repertoire_starts(const struct repertoire *repertoire, enum repertoire_role role,
                       const struct rules *rules, double unusual, struct habits *habits) {
    enum { ARMIES = 1000000, PRIOR = 1 };
    const double strange = role == REPERTOIRE_OWN ? REPERTOIRE_STRANGE : 0;
    const struct repertoire_standing *enemy =
        &repertoire->standing[role == REPERTOIRE_OWN ? REPERTOIRE_RIVAL : REPERTOIRE_OWN];
    struct habit_counts counts = {0};
    struct habits even, starts;
    for (int i = 0; i < repertoire->count; i++)
        count_starts(&repertoire->setup[i], rules, enemy->weight[i] * ARMIES * (1 - strange),
                     &counts);
    for (int i = 0; i < REPERTOIRE_STRANGERS; i++)
        count_starts(&repertoire->stranger[i], rules, ARMIES * strange / REPERTOIRE_STRANGERS,
                     &counts);
    habits_even(&even);
    habits_learn(&counts, rules, &even, PRIOR, unusual, &starts);
    memcpy(habits->ratio[SIGN_START], starts.ratio[SIGN_START],
           SIGN_START_COUNT * sizeof *habits->ratio);
}
