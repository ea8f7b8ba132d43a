/* worth.c - ranks by what can still beat them, attacks by chances, squares by what is near. */
#include "worth.h"

#include <math.h>
#include <string.h>

enum { FAR = 60 };

static const double BASE[RANKS] = {0, 220, 70, 170, 80, 120, 180, 280, 430, 720, 1000, 110, 2500};

static double greater(double one, double other) {
    return one > other ? one : other;
}

/* Who has lost all that beats a rank has a piece that roams; few miners are worth more. */
static void weigh_ranks(struct worth *worth, const struct table *table) {
    int left[2][RANKS] = {{0}};
    memcpy(left[THEIRS], RANK_COUNT, sizeof left[THEIRS]);
    for (int i = 1; i < PIECES; i++) {
        const struct piece *piece = &table->piece[i];
        if (piece->side == OURS && piece->alive) left[OURS][piece->rank]++;
        if (piece->side == THEIRS && !piece->alive) left[THEIRS][piece->rank]--;
    }
    for (int side = OURS; side <= THEIRS; side++) {
        const int *enemies = left[!side];
        double *of = worth->of[side];
        memcpy(of, BASE, sizeof BASE);
        int above = enemies[MARSHAL];
        for (int rank = GENERAL; rank >= CAPTAIN; above += enemies[rank--])
            if (above == 0) of[rank] = greater(1.25 * BASE[rank], 600);
        if (enemies[MARSHAL] == 0) of[SPY] = 50;
        if (enemies[SPY] == 0) of[MARSHAL] *= 1.15;
        if (left[side][MINER] <= 2) of[MINER] *= 1.5;
    }
}

static void weigh_our_attack(struct worth *worth, const double *chance, bool hidden, int defender,
                             int rank) {
    const double learned = 0.08; /* of a piece that is found out by losing to it */
    double gain = 0, wins = 0;
    for (int other = SPY; other < RANKS; other++) {
        const int outcome = battle(rank, other);
        if (outcome >= 0) gain += chance[other] * worth->of[THEIRS][other];
        if (outcome <= 0) gain -= chance[other] * worth->of[OURS][rank];
        if (outcome < 0 && hidden) gain += learned * chance[other] * worth->of[THEIRS][other];
        wins += chance[other] * (outcome + 1) / 2;
    }
    worth->our_gain[defender][rank] = gain;
    worth->our_chance[defender][rank] = wins;
}

static void weigh_their_attack(struct worth *worth, const double *chance, double mobile,
                               int attacker, int rank) {
    const double prize = rank == FLAG ? WORTH_WIN : worth->of[OURS][rank];
    double gain = 0, wins = 0;
    for (int other = SPY; other <= MARSHAL && mobile > 1e-6; other++) {
        const int outcome = battle(other, rank);
        const double part = chance[other] / mobile;
        if (outcome >= 0) gain += part * prize;
        if (outcome <= 0) gain -= part * worth->of[THEIRS][other];
        wins += part * (outcome + 1) / 2;
    }
    worth->their_gain[attacker][rank] = gain;
    worth->their_chance[attacker][rank] = wins;
}

/* They know how many of our ranks are hidden, and no more. */
static double guess_of(const struct worth *worth, const struct belief *belief, int attacker) {
    double gain = 0, sum = 0;
    for (int rank = SPY; rank < RANKS; rank++) {
        const double count = belief->hidden[OURS][rank];
        sum += count;
        gain += count * (rank == FLAG ? worth->of[OURS][FLAG] : worth->their_gain[attacker][rank]);
    }
    return sum > 0 ? gain / sum : 0;
}

static void weigh_attacks(struct worth *worth, const struct table *table,
                          const struct belief *belief) {
    for (int i = ARMY + 1; i < PIECES; i++) {
        if (!table->piece[i].alive) continue;
        const bool hidden = table->piece[i].rank == RANK_HIDDEN;
        for (int rank = SPY; rank < RANKS; rank++) {
            if (rank < BOMB) weigh_our_attack(worth, belief->chance[i], hidden, i, rank);
            weigh_their_attack(worth, belief->chance[i], belief->mobile[i], i, rank);
        }
        worth->guess[i] = guess_of(worth, belief, i);
    }
}

static bool can_move(const struct table *table, const struct belief *belief, int piece) {
    if (table->piece[piece].side == OURS) return table->piece[piece].rank < BOMB;
    return belief->mobile[piece] >= 0.3;
}

/* Half steps from each square to a target: own pieces that can move are half a step in the way. */
static void measure(const struct table *table, const struct belief *belief, int target, int side,
                    int half_steps[SQUARES]) {
    int queue[SQUARES], head = 0, tail = 0;
    for (int at = 0; at < SQUARES; at++) half_steps[at] = 2 * FAR;
    half_steps[target] = 0;
    queue[tail++] = target;
    while (head < tail) {
        const int at = queue[head++];
        for (int i = 0; i < 4; i++) {
            const int next = at + STEP[i], met = table->at[next];
            if (met == LAKE || half_steps[next] < 2 * FAR) continue;
            if (met != EMPTY && table->piece[met].side != side) continue;
            if (met != EMPTY && !can_move(table, belief, met)) continue;
            half_steps[next] = half_steps[at] + (met == EMPTY ? 2 : 3);
            queue[tail++] = next;
        }
    }
}

/* Of two pulls on a square the stronger counts in full, the weaker by a tenth. */
static void draw(double *pull, const int half_steps[SQUARES], double prize) {
    static double fade[2 * FAR];
    if (fade[0] == 0)
        for (int i = 0; i < 2 * FAR; i++) fade[i] = pow(0.86, i / 2.0);
    if (prize <= 0) return;
    for (int at = FIRST; at <= LAST; at++) {
        if (half_steps[at] >= 2 * FAR) continue;
        const double value = prize * fade[half_steps[at]];
        pull[at] = greater(pull[at], value) + 0.1 * (pull[at] < value ? pull[at] : value);
    }
}

/* What a rank of ours hopes for near a piece of theirs; cheap ones are curious. */
static double our_prize(const struct worth *worth, const struct piece *target, int number,
                        int rank) {
    if (target->rank != RANK_HIDDEN)
        return battle(rank, target->rank) > 0 ? 0.25 * worth->of[THEIRS][target->rank] : 0;
    double prize = worth->our_gain[number][rank];
    if (rank == SCOUT || rank == SERGEANT || rank == LIEUTENANT) prize = greater(prize, 20) + 40;
    if (target->moved) prize += 15;
    return 0.25 * prize;
}

static void weigh_squares(struct worth *worth, const struct table *table,
                          const struct belief *belief) {
    int half_steps[SQUARES];
    for (int i = 1; i < PIECES; i++) {
        const struct piece *target = &table->piece[i];
        const bool ours = target->side == OURS;
        if (!target->alive || (ours && !target->known)) continue;
        measure(table, belief, target->at, !target->side, half_steps);
        for (int j = ours ? ARMY + 1 : 1; j < (ours ? PIECES : ARMY + 1); j++) {
            if (!table->piece[j].alive || !can_move(table, belief, j)) continue;
            const double prize = ours
                                     ? 0.15 * worth->their_gain[j][target->rank] * belief->mobile[j]
                                     : our_prize(worth, target, i, table->piece[j].rank);
            draw(worth->pull[j], half_steps, prize);
        }
    }
}

void worth_make(struct worth *worth, const struct table *table, const struct belief *belief) {
    memset(worth, 0, sizeof *worth);
    weigh_ranks(worth, table);
    weigh_attacks(worth, table, belief);
    weigh_squares(worth, table, belief);
}

double worth_of_attack(const struct worth *worth, const struct table *table,
                       const struct belief *belief, int attacker, int defender) {
    const struct piece *piece = &table->piece[attacker], *met = &table->piece[defender];
    if (piece->side == OURS) {
        if (met->rank == FLAG) return WORTH_WIN;
        const double secret = piece->known ? 0 : piece->rank >= COLONEL ? 0.12 : 0.05;
        return worth->our_gain[defender][piece->rank] - secret * worth->of[OURS][piece->rank];
    }
    double gain = worth->their_gain[attacker][met->rank];
    if (!met->known && gain > 0) {
        if (met->rank == FLAG)
            gain *= 0.05; /* they do not know where it is */
        else if (worth->guess[attacker] < 0)
            gain *= 0.4; /* nor do they dare */
    }
    return gain * (piece->moved ? 1 : 0.3 + 0.7 * belief->mobile[attacker]);
}
