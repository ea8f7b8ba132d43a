/* deal.c - draws contingency tables exactly, or by a Markov chain if they are too large.
 *
 * How many pieces x(g, k) of group g get kind k is a table with given row and column sums, of
 * probability proportional to the product of w(g, k)^x / x!. It is drawn cell by cell. The total
 * weight of the cells still to come depends only on the remaining column capacities (the rest of
 * the row follows from the sums), so deal->table holds that total for each cell and each
 * combination of capacities, a `rest`. Each cell's part is scaled by its largest entry, which
 * changes no probability. Groups and kinds are interchangeable here: the columns are whichever have
 * fewer rests. */
#include "deal.h"

#include <string.h>

enum {
    TRIES = 10000, /* draws from a table of merged groups until one fits */
    TRIALS = 200,  /* draws that test whether rejection is worth while */
    SWAPS = 6,     /* per piece and draw of a chain */
    BURN_IN = 60   /* draws discarded before a chain's first */
};

static const double LEAST = 1e-9;

/* The table's rows and columns, with their sums. */
struct shape {
    int rows, columns;
    uint8_t total[DEAL_PIECES_MAX];    /* of each row */
    uint8_t capacity[DEAL_PIECES_MAX]; /* of each column */
    size_t stride[DEAL_PIECES_MAX];
    int after[DEAL_PIECES_MAX]; /* totals of the rows that follow */
    size_t rests;               /* number of combinations of remaining capacities */
};

/* Combinations of remaining capacities; stops counting above `most`. */
static size_t count_rests(const uint8_t *capacity, int columns, size_t most) {
    size_t rests = 1;
    for (int i = 0; i < columns && rests <= most; i++) rests *= capacity[i] + 1u;
    return rests;
}

static size_t table_size(const struct deal *deal, bool by_kind) {
    uint8_t capacity[KINDS_MAX];
    for (int i = 0; i < deal->kinds; i++) capacity[i] = deal->count[deal->dealt[i]];
    size_t rests = by_kind ? count_rests(capacity, deal->kinds, deal->room)
                           : count_rests(deal->size, deal->groups, deal->room);
    return rests * ((size_t)deal->groups * (size_t)deal->kinds + 1);
}

static double cell_weight(const struct deal *deal, int row, int column) {
    return deal->by_kind ? deal->share[row][deal->dealt[column]]
                         : deal->share[column][deal->dealt[row]];
}

static void shape_find(const struct deal *deal, struct shape *shape) {
    uint8_t counts[KINDS_MAX];
    for (int i = 0; i < deal->kinds; i++) counts[i] = deal->count[deal->dealt[i]];
    const uint8_t *rows = deal->by_kind ? deal->size : counts;
    const uint8_t *columns = deal->by_kind ? counts : deal->size;
    shape->rows = deal->by_kind ? deal->groups : deal->kinds;
    shape->columns = deal->by_kind ? deal->kinds : deal->groups;
    int left = deal->pieces;
    for (int i = 0; i < shape->rows; i++) {
        left -= rows[i];
        shape->total[i] = rows[i];
        shape->after[i] = left;
    }
    shape->rests = 1;
    for (int i = 0; i < shape->columns; i++) {
        shape->capacity[i] = columns[i];
        shape->stride[i] = shape->rests;
        shape->rests *= columns[i] + 1u;
    }
}

/* Least and greatest number a cell can hold, with `left` to deal in its row and room for `rest` in
 * its column. False if nothing fits. */
static bool cell_range(const struct shape *shape, int column, int left, int rest, int range[2]) {
    range[1] = left < rest ? left : rest;
    range[0] = column == shape->columns - 1 ? left : 0;
    return range[0] <= range[1];
}

/* Fills one cell's part from the next cell's; rests that cannot occur there get 0. */
static void fill_cell(const struct shape *shape, int row, int column, double weight,
                      const double *next, double *part) {
    uint8_t rest[DEAL_PIECES_MAX] = {0};
    double powers[BOARD_SQUARES_MAX + 1] = {1}, highest = 0;
    int sum = 0;
    for (int x = 1; x <= shape->total[row]; x++) powers[x] = powers[x - 1] * weight / x;
    for (size_t at = 0; at < shape->rests; at++) {
        int range[2], left = sum - shape->after[row];
        double ways = 0;
        if (left >= 0 && left <= shape->total[row] &&
            cell_range(shape, column, left, rest[column], range))
            for (int x = range[0]; x <= range[1]; x++)
                ways += powers[x] * next[at - (size_t)x * shape->stride[column]];
        part[at] = ways;
        if (ways > highest) highest = ways;
        for (int i = 0; i < shape->columns; i++) {
            if (rest[i] < shape->capacity[i]) {
                rest[i]++;
                sum++;
                break;
            }
            sum -= rest[i];
            rest[i] = 0;
        }
    }
    for (size_t at = 0; highest > 0 && at < shape->rests; at++) part[at] /= highest;
}

static void table_fill(struct deal *deal) {
    struct shape shape;
    shape_find(deal, &shape);
    double *part = deal->table + (size_t)shape.rows * (size_t)shape.columns * shape.rests;
    memset(part, 0, shape.rests * sizeof *part);
    part[0] = 1;
    for (int row = shape.rows; row-- > 0;) {
        for (int column = shape.columns; column-- > 0;) {
            double *before = part - shape.rests;
            fill_cell(&shape, row, column, cell_weight(deal, row, column), part, before);
            part = before;
        }
    }
}

/* Draws a cell's number; `next` is the part of the cell after it. -1 if nothing fits. */
static int draw_cell(const struct shape *shape, int column, double weight, int left, int rest,
                     const double *next, struct random *random) {
    double ways[BOARD_SQUARES_MAX + 1], power = 1, sum = 0;
    int range[2];
    if (!cell_range(shape, column, left, rest, range)) return -1;
    if (range[0] == range[1]) return range[0];
    for (int x = 0; x <= range[1]; x++) {
        if (x) power *= weight / x;
        ways[x] = x < range[0] ? 0 : power * *(next - (size_t)x * shape->stride[column]);
        sum += ways[x];
    }
    if (!(sum > 0)) return -1;
    double point = random_part(random) * sum;
    int x = range[0], last = -1;
    for (; x <= range[1]; x++) {
        if (ways[x] <= 0) continue;
        last = x;
        point -= ways[x];
        if (point < 0) break;
    }
    return last;
}

/* Deals these amounts out to the pieces, every order within a group being equally likely. Kinds are
 * written eight at a time, since loops of random length cost more. */
static void deal_out(const struct deal *deal, uint8_t amount[][KINDS_MAX], struct random *random,
                     kind_id *kind) {
    enum { AT_ONCE = 8 };
    kind_id hand[DEAL_PIECES_MAX + AT_ONCE];
    int cards = 0;
    for (int group = 0; group < deal->groups; group++) {
        int first = cards;
        for (int i = 0; i < deal->kinds; i++) {
            int end = cards + amount[group][i], at = cards;
            do memset(hand + at, deal->dealt[i], AT_ONCE);
            while ((at += AT_ONCE) < end);
            cards = end;
        }
        random_shuffle(random, hand + first, 1, deal->size[group]);
    }
    for (int piece = 0; piece < deal->pieces; piece++) kind[piece] = hand[deal->card_of[piece]];
}

/* One draw from the table. False if rounding leaves no way to go on. */
static bool table_draw(const struct deal *deal, struct random *random, kind_id *kind) {
    struct shape shape;
    uint8_t rest[DEAL_PIECES_MAX], amount[DEAL_PIECES_MAX][KINDS_MAX];
    shape_find(deal, &shape);
    memcpy(rest, shape.capacity, sizeof rest);
    const double *part = deal->table;
    size_t at = shape.rests - 1;
    for (int row = 0; row < shape.rows; row++) {
        int left = shape.total[row];
        for (int column = 0; column < shape.columns; column++) {
            part += shape.rests;
            int x = draw_cell(&shape, column, cell_weight(deal, row, column), left, rest[column],
                              part + at, random);
            if (x < 0) return false;
            left -= x;
            rest[column] = (uint8_t)(rest[column] - x);
            at -= (size_t)x * shape.stride[column];
            if (deal->by_kind)
                amount[row][column] = (uint8_t)x;
            else
                amount[column][row] = (uint8_t)x;
        }
    }
    deal_out(deal, amount, random, kind);
    return true;
}

/* Scales each piece's highest weight to 1. False if a piece has no possible kind. */
static bool scale_weights(struct deal *deal) {
    for (int piece = 0; piece < deal->pieces; piece++) {
        double highest = 0, *weight = deal->weight[piece];
        for (int kind = 0; kind < KINDS_MAX; kind++) {
            if (!deal->count[kind]) weight[kind] = 0;
            if (weight[kind] > highest) highest = weight[kind];
        }
        if (highest <= 0) return false;
        for (int kind = 0; kind < KINDS_MAX; kind++) {
            if (weight[kind] <= 0) continue;
            weight[kind] /= highest;
            if (weight[kind] < LEAST) weight[kind] = LEAST;
        }
    }
    return true;
}

static void find_groups(struct deal *deal) {
    deal->groups = 0;
    for (int piece = 0; piece < deal->pieces; piece++) {
        const double *weight = deal->weight[piece];
        int group = 0;
        while (group < deal->groups && memcmp(deal->share[group], weight, sizeof *deal->share))
            group++;
        if (group == deal->groups) {
            memcpy(deal->share[group], weight, sizeof *deal->share);
            deal->size[group] = 0;
            deal->groups++;
        }
        deal->group_of[piece] = (uint8_t)group;
        deal->size[group]++;
    }
}

/* Cards go to the groups in order, and within a group to its pieces in order. */
static void find_cards(struct deal *deal) {
    int card[DEAL_PIECES_MAX], first = 0;
    for (int group = 0; group < deal->groups; group++) {
        card[group] = first;
        first += deal->size[group];
    }
    for (int piece = 0; piece < deal->pieces; piece++)
        deal->card_of[piece] = (uint8_t)card[deal->group_of[piece]]++;
}

static double group_distance(const struct deal *deal, int a, int b) {
    double sum = 0;
    for (int i = 0; i < deal->kinds; i++) {
        double by = deal->share[a][deal->dealt[i]] - deal->share[b][deal->dealt[i]];
        sum += by < 0 ? -by : by;
    }
    return sum * (deal->size[a] < deal->size[b] ? deal->size[a] : deal->size[b]);
}

/* Joins `b` to `a`, a < b: weights become the mean, or the higher one if all are 0 or 1
 * (`even`). */
static void merge_groups(struct deal *deal, int a, int b, bool even) {
    double one = deal->size[a], other = deal->size[b];
    for (int i = 0; i < deal->kinds; i++) {
        double *into = &deal->share[a][deal->dealt[i]], from = deal->share[b][deal->dealt[i]];
        if (even)
            *into = *into > from ? *into : from;
        else
            *into = (one * *into + other * from) / (one + other);
    }
    deal->size[a] = (uint8_t)(deal->size[a] + deal->size[b]);
    int last = --deal->groups;
    memcpy(deal->share[b], deal->share[last], sizeof *deal->share);
    deal->size[b] = deal->size[last];
    for (int piece = 0; piece < deal->pieces; piece++) {
        uint8_t *group = &deal->group_of[piece];
        if (*group == b) *group = (uint8_t)a;
        if (*group == last) *group = (uint8_t)(b == last ? a : b);
    }
}

static void merge_nearest(struct deal *deal, bool even) {
    int best_a = 0, best_b = 1;
    double least = group_distance(deal, 0, 1);
    for (int b = 2; b < deal->groups; b++) {
        for (int a = 0; a < b; a++) {
            double distance = group_distance(deal, a, b);
            if (distance >= least) continue;
            least = distance;
            best_a = a;
            best_b = b;
        }
    }
    merge_groups(deal, best_a, best_b, even);
}

/* Assigns the piece a kind, reassigning others if needed: an augmenting path. */
static bool piece_assign(struct deal *deal, int piece, uint8_t *used, kindset *tried) {
    for (int i = 0; i < deal->kinds; i++) {
        kind_id kind = deal->dealt[i];
        if (deal->weight[piece][kind] <= 0 || (*tried & kindset_of(kind))) continue;
        *tried |= kindset_of(kind);
        if (used[kind] < deal->count[kind]) {
            used[kind]++;
            deal->kind[piece] = kind;
            return true;
        }
        for (int other = 0; other < deal->pieces; other++) {
            if (deal->kind[other] == kind && piece_assign(deal, other, used, tried)) {
                deal->kind[piece] = kind;
                return true;
            }
        }
    }
    return false;
}

/* Writes any assignment of positive weight to deal->kind. */
static bool find_assignment(struct deal *deal) {
    uint8_t used[KINDS_MAX] = {0};
    memset(deal->kind, KIND_NONE, sizeof deal->kind);
    for (int piece = 0; piece < deal->pieces; piece++) {
        kindset tried = 0;
        if (!piece_assign(deal, piece, used, &tried)) return false;
    }
    return true;
}

static bool deal_fits(const struct deal *deal, const kind_id *kind) {
    for (int piece = 0; piece < deal->pieces; piece++)
        if (deal->weight[piece][kind[piece]] <= 0) return false;
    return true;
}

/* Proposes a fresh draw (Metropolis-Hastings): the ratio corrects for the merged weights. */
static void chain_renew(struct deal *deal, struct random *random) {
    kind_id fresh[DEAL_PIECES_MAX];
    double ratio = 1;
    if (!table_draw(deal, random, fresh) || !deal_fits(deal, fresh)) return;
    for (int piece = 0; piece < deal->pieces; piece++) {
        const double *share = deal->share[deal->group_of[piece]], *weight = deal->weight[piece];
        kind_id now = fresh[piece], was = deal->kind[piece];
        ratio *= weight[now] * share[was] / (share[now] * weight[was]);
    }
    if (random_part(random) < ratio) memcpy(deal->kind, fresh, sizeof fresh);
}

static void chain_swap(struct deal *deal, struct random *random) {
    uint32_t a = random_below(random, (uint32_t)deal->pieces);
    uint32_t b = random_below(random, (uint32_t)deal->pieces);
    kind_id first = deal->kind[a], second = deal->kind[b];
    if (first == second) return;
    double now = deal->weight[a][second] * deal->weight[b][first];
    double was = deal->weight[a][first] * deal->weight[b][second];
    if (now <= 0 || (now < was && random_part(random) * was >= now)) return;
    deal->kind[a] = second;
    deal->kind[b] = first;
}

static void chain_draw(struct deal *deal, struct random *random) {
    chain_renew(deal, random);
    for (int i = SWAPS * deal->pieces; i > 0; i--) chain_swap(deal, random);
}

/* Does a draw from the merged table fit often enough? */
static bool worth_trying(const struct deal *deal) {
    struct random random = random_stream(0, STREAM_PLAYOUT, 0);
    kind_id kind[DEAL_PIECES_MAX];
    int fitting = 0;
    for (int i = 0; i < TRIALS; i++)
        fitting += table_draw(deal, &random, kind) && deal_fits(deal, kind);
    return fitting >= 4;
}

enum deal_method deal_prepare(struct deal *deal) {
    int sum = 0;
    bool even = true; /* weights are 0 and 1 */
    deal->method = DEAL_NONE;
    deal->kinds = deal->groups = 0; /* deal_work() reads them, also if nothing can be dealt */
    deal->merged = deal->by_kind = false;
    for (int kind = 0; kind < KINDS_MAX; kind++) {
        sum += deal->count[kind];
        if (deal->count[kind]) deal->dealt[deal->kinds++] = (kind_id)kind;
    }
    if (sum != deal->pieces || !scale_weights(deal) || !find_assignment(deal)) return DEAL_NONE;
    find_groups(deal);
    for (int group = 0; group < deal->groups; group++) {
        for (int i = 0; i < deal->kinds; i++) {
            double share = deal->share[group][deal->dealt[i]];
            even &= share <= 0 || share >= 1;
        }
    }
    deal->by_kind = table_size(deal, true) < table_size(deal, false);
    while (table_size(deal, deal->by_kind) > deal->room && deal->groups > 1) {
        deal->by_kind = false;
        merge_nearest(deal, even);
        deal->merged = true;
    }
    find_cards(deal);
    table_fill(deal);
    deal->method = !deal->merged || (even && worth_trying(deal)) ? DEAL_EXACT : DEAL_CHAIN;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    for (int i = 0; deal->method == DEAL_CHAIN && i < BURN_IN; i++) chain_draw(deal, &random);
    return deal->method;
}

void deal_draw(struct deal *deal, struct random *random) {
    kind_id fresh[DEAL_PIECES_MAX];
    for (int i = 0; deal->method == DEAL_EXACT && i < TRIES; i++) {
        if (!table_draw(deal, random, fresh)) break;
        if (deal->merged && !deal_fits(deal, fresh)) continue;
        memcpy(deal->kind, fresh, sizeof fresh);
        return;
    }
    chain_draw(deal, random);
}

size_t deal_work(const struct deal *deal) {
    return table_size(deal, deal->by_kind);
}
