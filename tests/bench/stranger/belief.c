/* belief.c - counts, places and manners, brought to agree. */
#include "belief.h"

#include <string.h>

enum { ROUNDS = 30, OPENING = 60, PATIENCE = 400 };

void places_make(struct places *places, double seen[ARMY][RANKS]) {
    for (int place = 0; place < ARMY; place++) {
        double sum = 0;
        for (int rank = SPY; rank < RANKS; rank++) sum += seen[place][rank];
        for (int rank = SPY; rank < RANKS; rank++) {
            const double part = sum > 0 ? seen[place][rank] / sum * ARMY / RANK_COUNT[rank] : 1;
            places->ratio[place][rank] = 0.9 * part + 0.1;
        }
    }
}

/* The longer a game lasts, the less likely a piece that never moved can move. */
static double stillness(int plies) {
    if (plies < OPENING) return 1;
    const double left = 1 - (plies - OPENING) / (double)PATIENCE;
    return left > 0.35 ? left : 0.35;
}

static void count_hidden(struct belief *belief, const struct table *table) {
    memcpy(belief->hidden[THEIRS], RANK_COUNT, sizeof belief->hidden[THEIRS]);
    for (int i = 1; i < PIECES; i++) {
        const struct piece *piece = &table->piece[i];
        if (piece->side == OURS && piece->alive && !piece->known)
            belief->hidden[OURS][piece->rank]++;
        if (piece->side == THEIRS && piece->rank != RANK_HIDDEN)
            belief->hidden[THEIRS][piece->rank]--;
    }
}

static void scale_row(double *chance) {
    double sum = 0;
    for (int rank = SPY; rank < RANKS; rank++) sum += chance[rank];
    for (int rank = SPY; rank < RANKS && sum > 0; rank++) chance[rank] /= sum;
}

static void agree(struct belief *belief, const int *hidden, int count) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) scale_row(belief->chance[hidden[i]]);
        for (int rank = SPY; rank < RANKS; rank++) {
            double sum = 0;
            for (int i = 0; i < count; i++) sum += belief->chance[hidden[i]][rank];
            for (int i = 0; i < count && sum > 0; i++)
                belief->chance[hidden[i]][rank] *= belief->hidden[THEIRS][rank] / sum;
        }
    }
    for (int i = 0; i < count; i++) scale_row(belief->chance[hidden[i]]);
}

void belief_make(struct belief *belief, const struct table *table, const struct places *places) {
    const double still = stillness(table->plies), least = 1e-9;
    int hidden[ARMY], count = 0;
    memset(belief, 0, sizeof *belief);
    count_hidden(belief, table);
    for (int i = ARMY + 1; i < PIECES; i++) {
        const struct piece *piece = &table->piece[i];
        double *chance = belief->chance[i];
        if (!piece->alive) continue;
        if (piece->rank != RANK_HIDDEN) {
            chance[piece->rank] = 1;
            continue;
        }
        hidden[count++] = i;
        for (int rank = SPY; rank < RANKS; rank++) {
            const bool moves = rank < BOMB;
            if (belief->hidden[THEIRS][rank] <= 0 || (piece->moved && !moves)) continue;
            double fits = places->ratio[piece->start][rank] * piece->manner[rank];
            if (!piece->moved && moves) fits *= still;
            chance[rank] = fits * belief->hidden[THEIRS][rank] + least;
        }
    }
    agree(belief, hidden, count);
    for (int i = ARMY + 1; i < PIECES; i++)
        belief->mobile[i] = 1 - belief->chance[i][BOMB] - belief->chance[i][FLAG];
}
