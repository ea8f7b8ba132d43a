#include "camp.h"

#include <string.h>

enum { CAMP_WILD = 50 };

/* The preferred row of a kind, 0 (front) to 255 (back rank), and how much it matters. */
struct wish {
    int row, care;
};

/* What one set-up is drawn by: `wild`, the wishes, and how immobile pieces are drawn to the flag's
 * side and kept out of the front row. */
struct layout_plan {
    unsigned wild;
    struct wish wish[KINDS_MAX];
    int beside_flag, in_front;
};

static struct wish usual_wish(const struct rules *rules, kind_id kind, int strongest) {
    const struct kind *of = &rules->kind[kind];
    if (of->flag) return (struct wish){255, 3000};
    if (!(rules->mobile & kindset_of(kind))) return (struct wish){204, 512};
    if (rules_most(rules, kind) > 5) return (struct wish){77, 180};
    if (of->abilities) return (struct wish){102, 512};
    if (of->rank * 2 < strongest) return (struct wish){178, 384};
    return (struct wish){64, 384};
}

static int rank_of_strongest(const struct rules *rules) {
    int strongest = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if ((rules->mobile & kindset_of(kind)) && rules->kind[kind].rank > strongest)
            strongest = rules->kind[kind].rank;
    return strongest;
}

/* People differ in where they like to have a kind, not in each piece alone: so the wishes of a
 * set-up are the usual ones, each moved by chance, the further the wilder. */
static void plan_draw(const struct rules *rules, struct random *random, unsigned wild,
                      struct layout_plan *plan) {
    const int strongest = rank_of_strongest(rules), spread = (int)wild;
    plan->wild = wild;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        struct wish *wish = &plan->wish[kind];
        *wish = usual_wish(rules, kind, strongest);
        if (rules->kind[kind].flag && random_below(random, 8)) continue;
        wish->row += (int)random_below(random, 2 * (uint32_t)spread + 1) - spread;
        wish->row = wish->row < 0 ? 0 : wish->row > 255 ? 255 : wish->row;
        wish->care -= wish->care * (int)random_below(random, wild + 1) / 256;
    }
    plan->beside_flag = 180 - (int)random_below(random, 2 * wild + 1);
    plan->in_front = random_below(random, 512) < wild ? 0 : 700;
}

/* Order in which pieces are laid: flags, immobile ones, then from the strongest down. */
static int turn_of(const struct rules *rules, kind_id kind) {
    if (rules->kind[kind].flag) return 4 * RANK_MAX;
    return rules->kind[kind].rank + (rules->mobile & kindset_of(kind) ? 0 : 2 * RANK_MAX);
}

static int row_of(const struct board *board, square at) {
    return board->zone_ranks[RED] - 1 - board_rank(board, at); /* 0: the front, as red */
}

/* Cost of a square for a piece; the least is taken. */
static int cost_of(const struct rules *rules, const struct layout_plan *plan, square flag,
                   kind_id kind, square at) {
    const struct board *board = &rules->board;
    const struct wish wish = plan->wish[kind];
    const int last = board->zone_ranks[RED] > 1 ? board->zone_ranks[RED] - 1 : 1;
    const int row = row_of(board, at) * 255 / last;
    int cost = (row > wish.row ? row - wish.row : wish.row - row) * wish.care / 256;
    if (!(rules->mobile & kindset_of(kind)) && flag != SQUARE_NONE) {
        if (squareset_has(board->neighbours[flag], at)) cost -= plan->beside_flag;
        if (row_of(board, at) == 0) cost += plan->in_front;
    }
    return cost;
}

static void draw_once(const struct measure *measure, struct random *random, unsigned wild,
                      struct setup *setup) {
    const struct rules *rules = measure->rules;
    struct layout_plan plan;
    kind_id order[BOARD_SQUARES_MAX];
    int count = 0;
    plan_draw(rules, random, wild, &plan);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        for (int i = 0; i < rules->start[RED].count[kind]; i++) {
            int at = count++;
            for (; at > 0 && turn_of(rules, order[at - 1]) < turn_of(rules, kind); at--)
                order[at] = order[at - 1];
            order[at] = kind;
        }
    }
    squareset free = rules->board.zone[RED];
    square flag = SQUARE_NONE;
    memset(setup, 0, sizeof *setup);
    for (int i = 0; i < count; i++) {
        int least = INT32_MAX;
        square best = SQUARE_NONE;
        for (squareset left = free & rules->start[RED].on[order[i]]; left;) {
            square at = squareset_pop(&left);
            int cost =
                cost_of(rules, &plan, flag, order[i], at) + (int)random_below(random, 1 + wild * 4);
            if (cost >= least) continue;
            least = cost;
            best = at;
        }
        if (best == SQUARE_NONE) return; /* others stand there: no set-up */
        setup->at[best] = order[i];
        free &= ~squareset_of(best);
        if (rules->kind[order[i]].flag) flag = best;
    }
}

void camp_draw(const struct measure *measure, struct random *random, unsigned wild,
               struct setup *setup) {
    for (int tries = 0; tries < 20; tries++) {
        draw_once(measure, random, wild, setup);
        if (setup_check(measure->rules, RED, setup, NULL)) return;
    }
    setup_random(measure->rules, RED, random, setup, NULL);
}

void camp_begin(struct camp *camp, const struct measure *measure, struct random *random) {
    memset(camp, 0, sizeof *camp);
    for (int i = 0; i < CAMP_SETUPS; i++) camp_draw(measure, random, CAMP_WILD, &camp->setup[i]);
}

double camp_mean(const struct camp *camp) {
    double points = 0, games = 0;
    for (int i = 0; i < CAMP_SETUPS; i++) {
        points += camp->points[i];
        games += camp->games[i];
    }
    return games > 0 ? points / games : 0.5;
}

/* Points a game, drawn to the usual while there are few games. */
static double score_of(const struct camp *camp, double usual, int number) {
    enum { DOUBT = 40 };
    return (camp->points[number] + DOUBT * usual) / (camp->games[number] + DOUBT);
}

void camp_order(const struct camp *camp, double usual, uint8_t order[CAMP_SETUPS]) {
    for (int i = 0; i < CAMP_SETUPS; i++) {
        int at = i;
        for (; at > 0 && score_of(camp, usual, order[at - 1]) < score_of(camp, usual, i); at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
}

void camp_change(const struct rules *rules, struct random *random, struct setup *setup) {
    const struct start *start = &rules->start[RED];
    struct setup before = *setup;
    do {
        *setup = before;
        for (uint32_t i = 1 + random_below(random, 2); i; i--) {
            square a = start->zone[random_below(random, start->zone_size)];
            square b = start->zone[random_below(random, start->zone_size)];
            kind_id kind = setup->at[a];
            setup->at[a] = setup->at[b];
            setup->at[b] = kind;
        }
    } while (!setup_check(rules, RED, setup, NULL));
}

static bool are_alike(const struct rules *rules, const struct setup *one,
                      const struct setup *other) {
    int differ = 0;
    const struct start *start = &rules->start[RED];
    for (int i = 0; i < start->zone_size; i++)
        differ += one->at[start->zone[i]] != other->at[start->zone[i]];
    return differ < CAMP_APART;
}

/* Is one of the first `count` set-ups like this one or its mirror image, apart from number `place`?
 */
static bool has_alike(const struct camp *camp, const struct rules *rules, const struct setup *setup,
                      int count, int place) {
    struct setup mirrored;
    setup_mirror(rules, setup, &mirrored);
    for (int i = 0; i < count; i++)
        if (i != place && (are_alike(rules, &camp->setup[i], setup) ||
                           are_alike(rules, &camp->setup[i], &mirrored)))
            return true;
    return false;
}

/* Puts a set-up in its place, changed until none of the first `count` is like it, or for as many
 * TRIES. */
static void settle(struct camp *camp, const struct rules *rules, struct random *random,
                   struct setup setup, int count, int place) {
    enum { TRIES = 20 };
    for (int i = 0; i < TRIES && has_alike(camp, rules, &setup, count, place); i++)
        camp_change(rules, random, &setup);
    camp->setup[place] = setup;
}

void camp_begin_with(struct camp *camp, const struct measure *measure, struct random *random,
                     const struct setup *setups, uint32_t count) {
    memset(camp, 0, sizeof *camp);
    for (uint32_t i = 0; i < CAMP_SETUPS; i++)
        settle(camp, measure->rules, random, setups[i % count], (int)i, (int)i);
}

void camp_invite(struct camp *camp, const struct setup *setups, uint32_t count) {
    memcpy(camp->setup, setups, count * sizeof *setups);
}

void camp_improve(struct camp *camp, const struct measure *measure, struct random *random,
                  uint32_t least, double usual) {
    enum { REPLACED = CAMP_SETUPS / 8, NEW_ONE_IN = 4 };
    uint8_t order[CAMP_SETUPS];
    camp_order(camp, usual, order);
    int best = 0, done = 0;
    for (int i = CAMP_SETUPS - 1; i > CAMP_SETUPS / 2 && done < REPLACED; i--) {
        int worst = order[i];
        if (camp->games[worst] < least) continue;
        while (best < CAMP_SETUPS / 4 && camp->games[order[best]] < least) best++;
        if (best == CAMP_SETUPS / 4) break;
        if (done % NEW_ONE_IN == NEW_ONE_IN - 1)
            camp_draw(measure, random, CAMP_WILD, &camp->setup[worst]);
        else
            settle(camp, measure->rules, random, camp->setup[order[best++]], CAMP_SETUPS, worst);
        camp->games[worst] = 0;
        camp->points[worst] = 0;
        done++;
    }
    for (int i = 0; i < CAMP_SETUPS; i++) { /* hands get better: old results fade */
        if (camp->games[i] < 4 * least) continue;
        camp->points[i] /= 2;
        camp->games[i] /= 2;
    }
}
