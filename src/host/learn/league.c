/* league.c - the equilibrium is found by regret matching (Hart and Mas-Colell 2000), with regrets
 * that never fall below 0 and later rounds counting more ("regret matching+", Tammelin 2014): the
 * shares of each round go with how much more each style would have gained so far, and their mean
 * tends to the equilibrium. */
#include "league.h"

#include "base/digest.h"

#include <string.h>

void roster_add(struct roster *roster, const struct style *style, double share) {
    roster->style[roster->count] = style;
    roster->share[roster->count++] = share;
}

/* The turn's bits behind the point, the lowest first: van der Corput's sequence, which fills 0 … 1
 * as evenly as any. */
static double place_of(uint64_t turn) {
    double place = 0, half = 0.5;
    for (int bit = 0; bit < 32; bit++, half /= 2) place += half * (double)(turn >> bit & 1);
    return place;
}

const struct style *roster_turn(const struct roster *roster, uint64_t turn) {
    double whole = 0, passed = 0;
    for (int i = 0; i < roster->count; i++) whole += roster->share[i];
    const double place = place_of(turn) * whole;
    for (int i = 0; i < roster->count - 1; i++) {
        passed += roster->share[i];
        if (place < passed) return roster->style[i];
    }
    return roster->style[roster->count - 1];
}

/* Is the board the same with left and right exchanged? */
static bool is_even(const struct board *board) {
    for (squareset left = board->lakes; left;) {
        square at = squareset_pop(&left);
        int file = board->files - 1 - board_file(board, at);
        if (!squareset_has(board->lakes, board_square(board, file, board_rank(board, at))))
            return false;
    }
    return true;
}

void setup_perhaps_mirror(const struct rules *rules, struct random *random, struct setup *setup) {
    if (random_below(random, 2) || !is_even(&rules->board)) return;
    struct setup mirrored;
    setup_mirror(rules, setup, &mirrored);
    if (setup_check(rules, RED, &mirrored, NULL)) *setup = mirrored;
}

bool style_draw_setup(const struct style *style, const struct rules *rules, struct random *random,
                      struct setup *setup) {
    if (!style->setups) return false;
    *setup = style->setup[random_below(random, style->setups)];
    setup_perhaps_mirror(rules, random, setup);
    return true;
}

static void leave(struct league *league, int number) {
    const size_t after = (size_t)(league->count - number - 1);
    memmove(&league->style[number], &league->style[number + 1], after * sizeof *league->style);
    memmove(&league->share[number], &league->share[number + 1], after * sizeof *league->share);
    memmove(league->points[number], league->points[number + 1], after * sizeof *league->points);
    league->count--;
    for (int i = 0; i < league->count; i++)
        memmove(&league->points[i][number], &league->points[i][number + 1],
                after * sizeof **league->points);
}

int league_join(struct league *league, const struct style *style) {
    if (league->count == LEAGUE_MAX) {
        int least = 0;
        for (int i = 1; i < league->count; i++)
            if (league->share[i] < league->share[least]) least = i;
        leave(league, least);
    }
    const int number = league->count++;
    league->style[number] = *style;
    league->share[number] = 0;
    for (int i = 0; i <= number; i++) league_note(league, number, i, 0.5);
    return number;
}

void league_note(struct league *league, int one, int other, double points) {
    league->points[one][other] = points;
    league->points[other][one] = 1 - points;
}

/* Makes numbers of 0 and more sum to 1; all alike if they are 0. */
static void make_shares(double *share, int count) {
    double whole = 0;
    for (int i = 0; i < count; i++) whole += share[i];
    for (int i = 0; i < count; i++) share[i] = whole > 0 ? share[i] / whole : 1.0 / count;
}

/* Leaves out what is hardly played. */
static void prune(struct league *league) {
    static const double least = 0.01;
    int played = 0;
    for (int i = 0; i < league->count; i++) {
        if (league->share[i] < least) league->share[i] = 0;
        played += league->share[i] > 0;
    }
    for (; played > LEARNED_STYLES_MAX; played--) {
        int out = -1;
        for (int i = 0; i < league->count; i++)
            if (league->share[i] > 0 && (out < 0 || league->share[i] < league->share[out])) out = i;
        league->share[out] = 0;
    }
    make_shares(league->share, league->count);
}

void league_balance(struct league *league) {
    enum { ROUNDS = 20000 };
    const int count = league->count;
    double regret[LEAGUE_MAX] = {0}, now[LEAGUE_MAX], gained[LEAGUE_MAX];
    memset(league->share, 0, sizeof league->share);
    for (int round = 1; round <= ROUNDS; round++) {
        double mean = 0;
        memcpy(now, regret, sizeof now);
        make_shares(now, count);
        for (int i = 0; i < count; i++) {
            gained[i] = -LEAGUE_CROWDING * now[i];
            for (int j = 0; j < count; j++) gained[i] += league->points[i][j] * now[j];
            mean += now[i] * gained[i];
        }
        for (int i = 0; i < count; i++) {
            regret[i] += gained[i] - mean;
            if (regret[i] < 0) regret[i] = 0;
            league->share[i] += round * now[i];
        }
    }
    make_shares(league->share, count);
    prune(league);
}

int league_chief(const struct league *league) {
    int chief = 0;
    for (int i = 1; i < league->count; i++)
        if (league->share[i] > league->share[chief]) chief = i;
    return chief;
}

void league_meet(struct roster *roster, const struct league *league) {
    roster->count = 0;
    for (int i = 0; i < league->count; i++)
        if (league->share[i] > 0) roster_add(roster, &league->style[i], league->share[i]);
}

void opponents_meet(struct roster *roster, const struct opponent *opponents, int count) {
    roster->count = 0;
    for (int i = 0; i < count; i++) {
        const struct learned *learned = &opponents[i].learned;
        double whole = 0;
        for (uint32_t s = 0; s < learned->styles; s++) whole += learned->style[s].share;
        for (uint32_t s = 0; s < learned->styles; s++)
            roster_add(roster, &learned->style[s], learned->style[s].share / whole);
    }
}

const struct style *opponent_chief(const struct opponent *opponent) {
    const struct learned *learned = &opponent->learned;
    const struct style *chief = &learned->style[0];
    for (uint32_t s = 1; s < learned->styles; s++)
        if (learned->style[s].share > chief->share) chief = &learned->style[s];
    return chief;
}

static uint64_t add_mark(const struct style *style, uint64_t hash) {
    hash = digest_add(hash, &style->share, sizeof style->share);
    hash = digest_add(hash, &style->value.weights, sizeof style->value.weights);
    hash = digest_add(hash, &style->value.habits, sizeof style->value.habits);
    return digest_add(hash, style->setup, style->setups * sizeof *style->setup);
}

uint32_t opponents_mark(const struct opponent *opponents, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        const struct learned *learned = &opponents[i].learned;
        hash = digest_add(hash, &learned->styles, sizeof learned->styles);
        for (uint32_t s = 0; s < learned->styles; s++) hash = add_mark(&learned->style[s], hash);
    }
    return (uint32_t)hash | 1;
}
