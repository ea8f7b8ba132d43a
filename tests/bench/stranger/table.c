/* table.c - pieces on squares, and what a move says about the piece that makes it.
 *
 * A hidden piece that goes up to a known one probably beats it; one that leaves it, or lets it
 * stand there, probably does not. How much each says was guessed, not learned. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

const int RANK_COUNT[RANKS] = {0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1};
const int STEP[4] = {-ROW, ROW, -1, 1};

int battle(int attacker, int defender) {
    if (defender == FLAG) return 1;
    if (defender == BOMB) return attacker == MINER ? 1 : -1;
    if (attacker == SPY && defender == MARSHAL) return 1;
    return (attacker > defender) - (attacker < defender);
}

enum rank rank_of_label(char label) {
    if (label >= '1' && label <= '9') return (enum rank)(MARSHAL + '1' - label);
    if (label == 's' || label == 'S') return SPY;
    return label == 'B' ? BOMB : label == 'F' ? FLAG : RANK_HIDDEN;
}

char label_of_rank(int rank) {
    if (rank == SPY) return 's';
    return rank == BOMB ? 'B' : rank == FLAG ? 'F' : (char)('1' + MARSHAL - rank);
}

static int square_of(int x, int y) {
    return FIRST + y * ROW + x;
}

/* The square of a place in a set-up, whose owner has the upper rows or the lower ones. */
static int square_of_place(int place, bool upper) {
    const int row = place / 10, column = place % 10;
    return upper ? square_of(9 - column, 3 - row) : square_of(column, 6 + row);
}

void table_start(struct table *table, const uint8_t ours[ARMY], bool red) {
    memset(table, 0, sizeof *table);
    memset(table->at, LAKE, sizeof table->at);
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 10; x++)
            if ((y != 4 && y != 5) || x < 2 || x > 7 || x == 4 || x == 5)
                table->at[square_of(x, y)] = EMPTY;
    for (int i = 0; i < 2 * ARMY; i++) {
        const bool mine = i < ARMY;
        const int place = i % ARMY, at = square_of_place(place, mine == red);
        struct piece *piece = &table->piece[i + 1];
        piece->alive = true;
        piece->side = mine ? OURS : THEIRS;
        piece->rank = mine ? ours[place] : RANK_HIDDEN;
        piece->at = at;
        piece->start = place;
        for (int rank = 0; rank < RANKS; rank++) piece->manner[rank] = 1;
        table->at[at] = (uint8_t)(i + 1);
    }
}

static bool is_beside(int one, int other) {
    const int apart = abs(one - other);
    return apart == 1 || apart == ROW;
}

/* A hidden piece of theirs has gone near a known one of ours, or away from it. */
static void note_step(struct piece *piece, int from, int to, const struct piece *known) {
    enum { COMES, LEAVES };
    static const double says[2][3] = {
        [COMES] = {0.5, 0.8, 2.0}, /* loses to it, ties with it, beats it */
        [LEAVES] = {1.3, 1.3, 0.4},
    };
    const bool before = is_beside(from, known->at), after = is_beside(to, known->at);
    if (before == after) return;
    for (int rank = SPY; rank <= MARSHAL; rank++)
        piece->manner[rank] *= says[before ? LEAVES : COMES][battle(rank, known->rank) + 1];
}

/* A hidden piece of theirs has let a known one of ours stand beside it. */
static void note_patience(struct piece *piece, const struct piece *known) {
    const double says = 0.7, least = 0.02;
    if (!is_beside(piece->at, known->at)) return;
    for (int rank = SPY; rank <= MARSHAL; rank++) {
        if (battle(rank, known->rank) <= 0) continue;
        piece->manner[rank] *= says;
        if (piece->manner[rank] < least) piece->manner[rank] = least;
    }
}

static void note_manners(struct table *table, int mover, int from, int to) {
    for (int i = 1; i <= ARMY; i++) {
        const struct piece *known = &table->piece[i];
        if (!known->alive || !known->known || known->at == to) continue;
        for (int j = ARMY + 1; j < PIECES; j++) {
            struct piece *piece = &table->piece[j];
            if (!piece->alive || piece->rank != RANK_HIDDEN) continue;
            if (j == mover)
                note_step(piece, from, to, known);
            else
                note_patience(piece, known);
        }
    }
}

void table_follow(struct table *table, int from, int to, const char *outcome, enum rank attacker,
                  enum rank defender) {
    const int mover = table->at[from], met = table->at[to];
    if (mover == EMPTY || mover == LAKE || met == LAKE) return;
    struct piece *piece = &table->piece[mover];
    table->plies++;
    if (piece->side == THEIRS) {
        if (!is_beside(from, to)) piece->rank = SCOUT;
        note_manners(table, mover, from, to);
    }
    piece->moved = true;
    table->at[from] = EMPTY;
    const bool wins = !strcmp(outcome, "OK") || !strcmp(outcome, "KILLS");
    if (met != EMPTY) {
        struct piece *other = &table->piece[met];
        if (piece->side == THEIRS) piece->rank = (uint8_t)attacker;
        if (other->side == THEIRS) other->rank = (uint8_t)defender;
        piece->known = other->known = true;
        other->alive = !strcmp(outcome, "DIES");
        if (!other->alive) table->at[to] = EMPTY;
    }
    piece->alive = wins;
    if (!wins) return;
    piece->at = to;
    table->at[to] = (uint8_t)mover;
}
