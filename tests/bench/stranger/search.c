/* search.c - alpha-beta with iterative deepening on the likeliest course of each battle.
 *
 * A battle with a hidden piece counts by its mean, and goes on as it most likely ends. Moves that
 * do nothing at once are searched less deep, a side may pass to show that it needs no move, and at
 * the end all attacks that gain are played out. */
#include "search.h"

#include "worth.h"

#include <string.h>
#include <time.h>

enum {
    MOVES = 400,
    DEPTH = 30,
    KILLERS = 64,
    ENTRIES = 1 << 17,
    QUIET = -1000000, /* the score of a move that does not attack */
    LOST = -1000000,
    STUCK = -18000,
    QUIET_DEPTH = 6,
    POSITIONS = 5000,
    LOOK_BACK = 200,
    CLOCK_NODES = 256, /* the clock is read after so many nodes */
    AGAIN = 60         /* for each time that the position was there before */
};

struct move {
    int from, to, score;
};

struct entry {
    uint64_t key;
    int depth, value;
    int bound; /* -1: at most, 0: exactly, 1: at least */
    uint8_t from, to;
};

/* A move played in the search. */
struct step {
    int from, to, mover, met;
    bool moved, known, met_known; /* before */
    bool mover_falls, met_falls;
    double change; /* of the score */
};

static struct {
    struct table *table;
    const struct belief *belief;
    struct worth worth;
    double score; /* for our side */
    uint64_t key;
    double stop; /* milliseconds */
    bool stopped;
    long nodes;
    struct entry entry[ENTRIES];
    int history[2][SQUARES][SQUARES];
    struct move killer[KILLERS][2];
} now;

/* Chosen positions of the game so far. */
static uint64_t position[POSITIONS];
static int positions;

static double clock_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Random numbers of a piece on a square, and of the side to move. */
static uint64_t key_of(int piece, int at) {
    static uint64_t keys[PIECES][SQUARES];
    if (keys[0][0] == 0) {
        uint64_t state = 88172645463325252u;
        for (int i = 0; i < PIECES; i++)
            for (int j = 0; j < SQUARES; j++) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                keys[i][j] = state;
            }
    }
    return keys[piece][at];
}

static uint64_t key_of_side(void) {
    return key_of(0, 0);
}

static double sign(int piece) {
    return now.table->piece[piece].side == OURS ? 1 : -1;
}

static double pull(int piece, int at) {
    return sign(piece) * now.worth.pull[piece][at];
}

static double value_of_attack(int mover, int met) {
    return worth_of_attack(&now.worth, now.table, now.belief, mover, met);
}

/* How a battle most likely ends. */
static void decide(struct step *step) {
    const struct piece *mover = &now.table->piece[step->mover], *met = &now.table->piece[step->met];
    if (mover->rank != RANK_HIDDEN && mover->rank == met->rank) {
        step->mover_falls = step->met_falls = true;
        return;
    }
    const double chance = mover->side == OURS ? now.worth.our_chance[step->met][mover->rank]
                                              : now.worth.their_chance[step->mover][met->rank];
    step->met_falls = chance >= 0.5;
    step->mover_falls = !step->met_falls;
}

static void put(int piece, int at) {
    now.table->at[at] = (uint8_t)piece;
    now.table->piece[piece].at = at;
}

static void step_play(struct step *step, int from, int to) {
    struct table *table = now.table;
    const int number = table->at[from], other = table->at[to];
    struct piece *mover = &table->piece[number], *met = &table->piece[other];
    const double before = now.score;
    *step = (struct step){from,         to,         number, other, mover->moved,
                          mover->known, met->known, false,  false, 0};
    const bool attacks = other != EMPTY;
    if (attacks) {
        now.score += sign(number) * value_of_attack(number, other);
        decide(step);
        mover->known = met->known = true;
    } else if (mover->side == OURS && !mover->moved && !mover->known) {
        now.score -= 4; /* it shows that it can move */
    }
    table->at[from] = EMPTY;
    now.key ^= key_of(number, from) ^ key_of_side();
    now.score -= pull(number, from);
    if (step->met_falls) {
        now.score -= pull(other, to);
        now.key ^= key_of(other, to);
        met->alive = false;
        table->at[to] = EMPTY;
    }
    mover->alive = !step->mover_falls;
    if (mover->alive) {
        mover->moved = true;
        put(number, to);
        now.key ^= key_of(number, to);
        now.score += pull(number, to);
    }
    step->change = now.score - before;
}

static void step_back(const struct step *step) {
    struct piece *mover = &now.table->piece[step->mover], *met = &now.table->piece[step->met];
    now.key ^= key_of(step->mover, step->from) ^ key_of_side();
    if (mover->alive) now.key ^= key_of(step->mover, step->to);
    if (step->met_falls) now.key ^= key_of(step->met, step->to);
    now.table->at[step->to] = (uint8_t)step->met;
    put(step->mover, step->from);
    mover->alive = true;
    mover->moved = step->moved;
    mover->known = step->known;
    if (step->met != EMPTY) {
        met->alive = true;
        met->known = step->met_known;
    }
    now.score -= step->change;
}

static bool moves(const struct piece *piece, int number) {
    if (!piece->alive || piece->rank >= BOMB) return false;
    return piece->side == OURS || now.belief->mobile[number] >= 0.1;
}

static int list(int side, struct move *out, bool attacks) {
    const int first = side == OURS ? 1 : ARMY + 1;
    int count = 0;
    for (int i = first; i < first + ARMY; i++) {
        const struct piece *piece = &now.table->piece[i];
        if (!moves(piece, i)) continue;
        for (int way = 0; way < 4; way++) {
            int to = piece->at + STEP[way];
            for (; now.table->at[to] == EMPTY; to += STEP[way]) {
                if (!attacks) out[count++] = (struct move){piece->at, to, QUIET};
                if (piece->rank != SCOUT) break;
            }
            const int met = now.table->at[to];
            if (met == EMPTY || met == LAKE || now.table->piece[met].side == side) continue;
            out[count++] = (struct move){piece->at, to, (int)value_of_attack(i, met)};
        }
    }
    return count;
}

/* Brings the best of the moves from `from` on to that place. */
static void pick(struct move *list_of, int from, int count) {
    int best = from;
    for (int i = from + 1; i < count; i++)
        if (list_of[i].score > list_of[best].score) best = i;
    const struct move move = list_of[best];
    list_of[best] = list_of[from];
    list_of[from] = move;
}

static int standing(int side) {
    return (int)(side == OURS ? now.score : -now.score);
}

/* Attacks that gain, as long as the side to move wants to. */
static int settle(int side, int alpha, int beta, int depth) {
    const int stand = standing(side);
    if (stand >= beta || depth == 0) return stand;
    if (stand > alpha) alpha = stand;
    struct move move[MOVES];
    const int count = list(side, move, true);
    for (int i = 0; i < count; i++) {
        pick(move, i, count);
        if (move[i].score <= 0) break;
        if (move[i].score > WORTH_WIN * 3 / 4) return WORTH_WIN * 3 / 4;
        struct step step;
        step_play(&step, move[i].from, move[i].to);
        const int value = -settle(!side, -beta, -alpha, depth - 1);
        step_back(&step);
        if (value >= beta) return value;
        if (value > alpha) alpha = value;
    }
    return alpha;
}

static bool is_same(const struct move *one, const struct move *other) {
    return one->from == other->from && one->to == other->to;
}

/* The stored move first, then attacks that gain, killers, quiet moves by history, other attacks. */
static void order(int side, struct move *move, int count, const struct entry *entry, int ply) {
    const bool stored = entry->key == now.key;
    for (int i = 0; i < count; i++) {
        const int gain = move[i].score, tried = now.history[side][move[i].from][move[i].to];
        if (stored && move[i].from == entry->from && move[i].to == entry->to)
            move[i].score = 1 << 28;
        else if (gain != QUIET)
            move[i].score = gain > 0 ? 1000000 + gain : -2000000 + gain;
        else if (ply < KILLERS && is_same(&move[i], &now.killer[ply][0]))
            move[i].score = 900000;
        else if (ply < KILLERS && is_same(&move[i], &now.killer[ply][1]))
            move[i].score = 890000;
        else
            move[i].score = tried < 800000 ? tried : 800000;
    }
}

static void note_cut(int side, const struct move *move, int depth, int ply) {
    now.history[side][move->from][move->to] += depth * depth;
    if (ply >= KILLERS || is_same(move, &now.killer[ply][0])) return;
    now.killer[ply][1] = now.killer[ply][0];
    now.killer[ply][0] = *move;
}

static bool is_flag(int square) {
    return now.table->at[square] != EMPTY && now.table->piece[now.table->at[square]].rank == FLAG;
}

static int search(int side, int depth, int alpha, int beta, int ply, bool may_pass);

/* A move's value; late quiet moves have to show first that they deserve the depth. */
static int value_of_move(int side, const struct move *move, int number, int depth, int alpha,
                         int beta, int ply) {
    const bool quiet = now.table->at[move->to] == EMPTY;
    if (side == OURS && is_flag(move->to)) return WORTH_WIN - ply;
    struct step step;
    step_play(&step, move->from, move->to);
    const bool first = number == 0;
    const int less = quiet && depth >= 3 ? (number > 6) + (number > 20) : 0;
    int value = 0;
    if (!first) value = -search(!side, depth - 1 - less, -alpha - 1, -alpha, ply + 1, true);
    if (first || (value > alpha && (less > 0 || value < beta)))
        value = -search(!side, depth - 1, -beta, -alpha, ply + 1, true);
    step_back(&step);
    return value;
}

static int search(int side, int depth, int alpha, int beta, int ply, bool may_pass) {
    if (depth <= 0) return settle(side, alpha, beta, QUIET_DEPTH);
    if (++now.nodes % CLOCK_NODES == 0 && clock_ms() > now.stop) now.stopped = true;
    if (now.stopped) return 0;
    struct entry *entry = &now.entry[now.key & (ENTRIES - 1)];
    if (entry->key == now.key && entry->depth >= depth) {
        const bool enough = entry->bound == 0 || (entry->bound < 0 && entry->value <= alpha) ||
                            (entry->bound > 0 && entry->value >= beta);
        if (enough) return entry->value;
    }
    if (may_pass && depth >= 2 && standing(side) >= beta) {
        now.key ^= key_of_side();
        const int value = -search(!side, depth - 3, -beta, -beta + 1, ply + 1, false);
        now.key ^= key_of_side();
        if (now.stopped || value >= beta) return now.stopped ? 0 : value;
    }
    struct move move[MOVES];
    const int count = list(side, move, false), least = alpha;
    if (count == 0) return STUCK + ply;
    order(side, move, count, entry, ply);
    int best = LOST, chosen = 0;
    for (int i = 0; i < count && best < beta; i++) {
        pick(move, i, count);
        const bool quiet = now.table->at[move[i].to] == EMPTY;
        const int value = value_of_move(side, &move[i], i, depth, alpha, beta, ply);
        if (now.stopped) return 0;
        if (value > best) best = value, chosen = i;
        if (value > alpha) alpha = value;
        if (value >= beta && quiet) note_cut(side, &move[i], depth, ply);
    }
    *entry = (struct entry){now.key,
                            depth,
                            best,
                            best <= least ? -1 : best >= beta,
                            (uint8_t)move[chosen].from,
                            (uint8_t)move[chosen].to};
    return best;
}

static int times_before(uint64_t key) {
    int times = 0;
    for (int i = positions - 1; i >= 0 && i > positions - LOOK_BACK; i--)
        times += position[i] == key;
    return times;
}

/* The value of a move of ours at the root, less what repeating costs. */
static int value_at_root(const struct move *move, bool first, int depth, int alpha) {
    if (is_flag(move->to)) return WORTH_WIN;
    struct step step;
    step_play(&step, move->from, move->to);
    const int fine = AGAIN * times_before(now.key);
    const int floor = alpha + fine;
    int value = 0;
    if (!first) value = -search(THEIRS, depth - 1, -floor - 1, -floor, 1, true) - fine;
    if (first || (value > alpha && !now.stopped))
        value = -search(THEIRS, depth - 1, LOST, -floor, 1, true) - fine;
    step_back(&step);
    return value;
}

/* One round at the root. The best move is the first of the list afterwards. */
static int deepen(struct move *move, int count, int depth) {
    int alpha = LOST, best = 0;
    for (int i = 0; i < count; i++) {
        const int value = value_at_root(&move[i], i == 0, depth, alpha);
        if (now.stopped) break;
        if (value > alpha) alpha = value, best = i;
    }
    const struct move chosen = move[best];
    memmove(move + 1, move, (size_t)best * sizeof *move);
    move[0] = chosen;
    return alpha;
}

static void begin(struct table *table, const struct belief *belief) {
    now.table = table;
    now.belief = belief;
    now.score = 0;
    now.key = 0;
    now.nodes = 0;
    now.stopped = false;
    memset(now.entry, 0, sizeof now.entry);
    memset(now.history, 0, sizeof now.history);
    memset(now.killer, 0, sizeof now.killer);
    worth_make(&now.worth, table, belief);
    for (int i = 1; i < PIECES; i++) {
        if (!table->piece[i].alive) continue;
        now.key ^= key_of(i, table->piece[i].at);
        now.score += pull(i, table->piece[i].at);
    }
}

struct choice search_choose(struct table *table, const struct belief *belief, double ms) {
    const double start = clock_ms();
    struct move move[MOVES];
    now.stop = start + ms;
    begin(table, belief);
    const int count = list(OURS, move, false);
    if (count == 0) return (struct choice){0, 0};
    for (int i = 0; i < count; i++) {
        if (move[i].score == QUIET) move[i].score = 0;
        for (int j = i; j > 0 && move[j].score > move[j - 1].score; j--) {
            const struct move later = move[j];
            move[j] = move[j - 1];
            move[j - 1] = later;
        }
    }
    /* A round mostly takes longer than all before it, so none begins late. */
    for (int depth = 1; depth <= DEPTH && !now.stopped; depth++)
        if (deepen(move, count, depth) >= WORTH_WIN || clock_ms() - start > 0.6 * ms) break;
    struct step step;
    step_play(&step, move[0].from, move[0].to);
    if (positions < POSITIONS) position[positions++] = now.key;
    step_back(&step);
    return (struct choice){move[0].from, move[0].to};
}
