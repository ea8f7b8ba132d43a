/* lane_special.c - counts the moves of acting pieces, and chooses among them.
 *
 * Pieces come in the order of their squares. Three sorts are told apart. Some make up to two steps,
 * round a corner too: where they can go is a set. Some guess what stands in reach, from where they
 * stand or after a step, and may name any of so many kinds: there are as many guesses as
 *
 *     . e . .      places from which an enemy is in reach (P itself and s; d, beside its own piece
 *     o P s e      o, is none of them), each counted once for each enemy in its reach, here
 *     . d o .      P: e, s: e, d: none; times the number of kinds.
 *
 * All others are legal.c's business. Compiled twice, since counting bits is most of the work. */
#include "lane_special.h"

#include "nth_bit.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum sort { NOTHING, TURNS, GUESSES, WHATEVER };

struct special {
    enum sort sort;
    bool walks; /* its moves without abilities are not among the destinations */
    bool acts;  /* it may have a use of an ability */
    const struct duty *duty;
};

static ALWAYS_INLINE struct special special_at(const struct lanes_table *table,
                                               const struct lane *lane, enum side side, square at) {
    kind_id kind = cell_kind(lane->game.at[at]);
    const struct duty *duty = &table->duty[table->duty_of[kind]];
    struct special special = {.walks = table->odd >> kind & 1,
                              .acts = lane->may_use[side] &&
                                      (duty->scope[side][at] & lane->game.pieces[!side]),
                              .duty = duty};
    if (!special.acts)
        special.sort = table->turners >> kind & 1 ? TURNS : special.walks ? WHATEVER : NOTHING;
    else
        special.sort = table->guess[kind] != ABILITY_NONE ? GUESSES : WHATEVER;
    return special;
}

/* Five ranks of the board around a square in one word, the square at bit 2 * files + 2:
 *
 *     . . x . .       x  where two steps lead: diamond[at]
 *     . x + x .       +  where the first leads
 *     x + T + x
 *     . x + x .       The ends of ranks meet, and so do the first rank and the last; but no
 *     . . x . .       diamond has squares there that are not on the board. */
static ALWAYS_INLINE uint64_t around(const struct board *board, squareset set, square at) {
    unsigned shift = ((unsigned)at - 2u * board->files - 2u) & 127;
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    uint64_t first = shift & 64 ? high : low, next = shift & 64 ? low : high;
    return first >> (shift & 63) | next << 1 << (~shift & 63);
}

/* Where a piece can go that makes two steps at most, on the squares around it. */
static ALWAYS_INLINE uint64_t two_steps(const struct lanes_table *table, const struct lane *lane,
                                        enum side side, square at) {
    const struct board *board = &table->rules->board;
    unsigned files = board->files, centre = 2 * files + 2;
    uint64_t free = table->diamond[at] & ~around(board, lane->game.pieces[side], at);
    uint64_t enemy = around(board, lane->game.pieces[!side], at);
    uint64_t beside = (uint64_t)5 << (centre - 1) | ((uint64_t)1 << 2 * files | 1)
                                                        << (centre - files);
    uint64_t first = beside & free, past = first & ~enemy;
    return (first | past << 1 | past >> 1 | past << files | past >> files) & free;
}

/* Where the piece can be when it guesses. */
static ALWAYS_INLINE squareset stands_of(const struct lanes_table *table, const struct lane *lane,
                                         const struct ability *ability, square at) {
    squareset stands = 0;
    if (ability->when & ABILITY_INSTEAD) stands = table->only[at];
    if (ability->when & ABILITY_AFTER_STEP)
        stands |= table->rules->board.neighbours[at] &
                  ~(lane->game.pieces[RED] | lane->game.pieces[BLUE]);
    return stands;
}

static ALWAYS_INLINE const struct ability *guess_of(const struct lanes_table *table,
                                                    const struct lane *lane, square at) {
    return &table->rules->ability[table->guess[cell_kind(lane->game.at[at])]];
}

static ALWAYS_INLINE bool used_up(const struct lane *lane, const struct ability *ability,
                                  enum side side) {
    return ability->limit && lane->game.uses[side][ability->tally] >= ability->limit;
}

static ALWAYS_INLINE uint32_t count_guesses(const struct lanes_table *table,
                                            const struct lane *lane, enum side side, square at) {
    const struct ability *ability = guess_of(table, lane, at);
    squareset enemy = lane->game.pieces[!side];
    int targets = 0;
    if (used_up(lane, ability, side)) return 0;
    for (squareset stands = stands_of(table, lane, ability, at); stands;)
        targets += squareset_count(ability->targets[side][squareset_pop(&stands)] & enemy);
    return (uint32_t)targets * table->guesses[ability - table->rules->ability];
}

static ALWAYS_INLINE uint32_t count_of(const struct lanes_table *table, const struct lane *lane,
                                       enum side side, square at, struct special special) {
    switch (special.sort) {
    case NOTHING:
        return 0;
    case TURNS:
        return (uint32_t)squareset_count(two_steps(table, lane, side, at));
    case GUESSES:
        return count_guesses(table, lane, side, at);
    default:
        return game_piece_count(&lane->game, at, special.walks, special.acts);
    }
}

static ALWAYS_INLINE uint32_t count_anew(const struct lanes_table *table, struct lane *lane) {
    enum side side = (enum side)lane->game.to_move;
    squareset own = 0, enemy = 0; /* squares where a change of own and enemy pieces matters */
    uint32_t count = 0;
    for (squareset left = lane->acting[side]; left;) {
        square at = squareset_pop(&left);
        struct special special = special_at(table, lane, side, at);
        const struct duty *duty = special.duty;
        own |= table->only[at];
        if (lane->may_use[side]) enemy |= duty->scope[side][at];
        if (special.sort == NOTHING) continue;
        count += count_of(table, lane, side, at, special);
        own |= duty->walk[side][at];
        enemy |= special.sort == TURNS ? table->cross[at] : duty->walk[side][at];
        if (special.acts && duty->scope[side][at] == ~(squareset)0) own = ~(squareset)0;
    }
    lane->watch[side][side] = own;
    lane->watch[!side][side] = enemy;
    lane->alert[side] = own | lane->watch[side][!side] | lane->gate[side];
    lane->alert[!side] =
        enemy | lane->watch[!side][!side] | lane->acting[!side] | lane->gate[!side];
    lane->special[side] = count;
    return count;
}

void special_notice(const struct lanes_table *table, struct lane *lane, enum side side, square from,
                    square to, cell actor) {
    squareset moved = table->only[from] ^ table->only[to];
    kind_id kind = cell_kind(actor);
    if (lane->watch[side][side] & moved) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & moved) lane->special[!side] = SPECIAL_UNKNOWN;
    if (!(table->acting >> kind & 1)) return;
    lane->acting[side] &= ~table->only[from];
    special_sight(table, lane, side, to, kind);
    lane->alert[side] |= table->only[to];
    if (lane->may_use[side] && table->duty[table->duty_of[kind]].scope[side][to])
        lane->special[side] = SPECIAL_UNKNOWN;
}

/* The n-th square of a set that has more. */
static ALWAYS_INLINE square nth_square(squareset set, uint32_t n) {
    while (n--) set &= set - 1;
    return squareset_pop(&set);
}

static ALWAYS_INLINE struct move guess_move(const struct lanes_table *table,
                                            const struct lane *lane, enum side side, square at,
                                            uint32_t index) {
    const struct ability *ability = guess_of(table, lane, at);
    uint8_t number = table->guess[cell_kind(lane->game.at[at])];
    uint32_t choices = table->guesses[number], pair = index / choices;
    kindset named = ability->choices;
    kind_id choice = KIND_NONE;
    if (ability->asks == ASKS_KIND) {
        for (uint32_t skip = index % choices; skip; skip--) named &= named - 1;
        choice = (kind_id)__builtin_ctz(named);
    }
    for (squareset stands = stands_of(table, lane, ability, at);;) {
        square to = squareset_pop(&stands);
        squareset targets = ability->targets[side][to] & lane->game.pieces[!side];
        uint32_t here = (uint32_t)squareset_count(targets);
        if (pair < here) return (struct move){at, to, nth_square(targets, pair), number, choice};
        pair -= here;
    }
}

static ALWAYS_INLINE struct move move_of(const struct lanes_table *table, const struct lane *lane,
                                         uint32_t index, bool pdep) {
    enum side side = (enum side)lane->game.to_move;
    squareset left = lane->acting[side];
    for (;;) {
        square at = squareset_pop(&left);
        struct special special = special_at(table, lane, side, at);
        uint32_t count = count_of(table, lane, side, at, special);
        if (index >= count) {
            index -= count;
            continue;
        }
        if (special.sort == GUESSES) return guess_move(table, lane, side, at, index);
        if (special.sort != TURNS) return game_piece_move(&lane->game, at, special.walks, index);
        uint64_t ways = two_steps(table, lane, side, at);
        uint64_t way = pdep ? nth_bit_pdep(ways, index) : nth_bit_plain(ways, index);
        int by = __builtin_ctzll(way) - 2 * table->rules->board.files - 2;
        return (struct move){at, (square)(at + by), SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    }
}

#if defined(__x86_64__)
#define FAST __attribute__((target("bmi,bmi2,popcnt"), noinline))

FAST static uint32_t count_anew_fast(const struct lanes_table *table, struct lane *lane) {
    return count_anew(table, lane);
}

FAST static struct move move_of_fast(const struct lanes_table *table, const struct lane *lane,
                                     uint32_t index) {
    return move_of(table, lane, index, true);
}

static bool is_fast(void) {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#else
#define count_anew_fast count_anew
#define move_of_fast(table, lane, index) move_of(table, lane, index, false)

static bool is_fast(void) {
    return false;
}
#endif

uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane) {
    return is_fast() ? count_anew_fast(table, lane) : count_anew(table, lane);
}

struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index) {
    return is_fast() ? move_of_fast(table, lane, index) : move_of(table, lane, index, false);
}
