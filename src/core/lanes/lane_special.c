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
#define EVERYWHERE (~(squareset)0)

enum sort { NOTHING, TURNS, WALKS, GUESSES, ACTS };

/* Of which sort are the moves of the piece, an actor, that are no destinations? */
static ALWAYS_INLINE enum sort sort_of(const struct lanes_table *table, const struct lane *lane,
                                       enum side side, square at, kind_id kind) {
    const struct duty *duty = &table->duty[table->duty_of[kind]];
    if (lane->may_use[side] && (duty->scope[side][at] & lane->game.pieces[!side]))
        return table->guess[kind] != ABILITY_NONE ? GUESSES : ACTS;
    if (table->turners >> kind & 1) return TURNS;
    return table->odd >> kind & 1 ? WALKS : NOTHING;
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
    unsigned files = board->files;
    uint64_t free = table->diamond[at] & ~around(board, lane->game.pieces[side], at);
    uint64_t enemy = around(board, lane->game.pieces[!side], at);
    uint64_t first = table->beside_centre & free, past = first & ~enemy;
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

static ALWAYS_INLINE uint32_t count_guesses(const struct lanes_table *table,
                                            const struct lane *lane, enum side side, square at,
                                            kind_id kind) {
    const struct ability *ability = &table->rules->ability[table->guess[kind]];
    squareset enemy = lane->game.pieces[!side];
    int targets = 0;
    if (ability->limit && lane->game.uses[side][ability->tally] >= ability->limit) return 0;
    for (squareset stands = stands_of(table, lane, ability, at); stands;)
        targets += squareset_count(ability->targets[side][squareset_pop(&stands)] & enemy);
    return (uint32_t)targets * table->guesses[kind];
}

static ALWAYS_INLINE struct move guess_move(const struct lanes_table *table,
                                            const struct lane *lane, enum side side, square at,
                                            kind_id kind, uint32_t index) {
    const struct ability *ability = &table->rules->ability[table->guess[kind]];
    uint32_t pair = index / table->guesses[kind], skip = index % table->guesses[kind];
    struct move move = {at, at, SQUARE_NONE, table->guess[kind], KIND_NONE};
    if (ability->asks == ASKS_KIND) {
        kindset named = ability->choices;
        while (skip--) named &= named - 1;
        move.choice = (kind_id)__builtin_ctz(named);
    }
    for (squareset stands = stands_of(table, lane, ability, at);;) {
        move.to = squareset_pop(&stands);
        squareset targets = ability->targets[side][move.to] & lane->game.pieces[!side];
        uint32_t here = (uint32_t)squareset_count(targets);
        if (pair >= here) {
            pair -= here;
            continue;
        }
        do move.target = squareset_pop(&targets);
        while (pair--);
        return move;
    }
}

static ALWAYS_INLINE uint32_t count_anew(const struct lanes_table *table, struct lane *lane) {
    enum side side = (enum side)lane->game.to_move;
    squareset own = 0, enemy = 0; /* squares where a change of own and enemy pieces matters */
    uint32_t count = 0;
    for (squareset left = lane->acting[side]; left;) {
        square at = squareset_pop(&left);
        kind_id kind = cell_kind(lane->game.at[at]);
        const struct duty *duty = &table->duty[table->duty_of[kind]];
        enum sort sort = sort_of(table, lane, side, at, kind);
        own |= table->only[at];
        if (lane->may_use[side]) enemy |= duty->scope[side][at];
        if (sort == NOTHING) continue;
        own |= duty->walk[side][at];
        if (sort == TURNS) {
            count += (uint32_t)__builtin_popcountll(two_steps(table, lane, side, at));
            enemy |= table->cross[at];
            continue;
        }
        enemy |= duty->walk[side][at];
        if (sort != WALKS && duty->scope[side][at] == EVERYWHERE) own = EVERYWHERE;
        if (sort == GUESSES)
            count += count_guesses(table, lane, side, at, kind);
        else
            count += game_piece_count(&lane->game, at, table->odd >> kind & 1, sort == ACTS);
    }
    lane->watch[side][side] = own;
    lane->watch[!side][side] = enemy;
    lane->alert[side] = own | lane->watch[side][!side] | lane->gate[side];
    lane->alert[!side] |= enemy;
    lane->special[side] = count;
    return count;
}

void special_notice(const struct lanes_table *table, struct lane *lane, enum side side,
                    squareset moved, kind_id kind) {
    if (lane->watch[side][side] & moved) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & moved) lane->special[!side] = SPECIAL_UNKNOWN;
    if (!(table->acting >> kind & 1)) return;
    squareset to = moved & lane->game.pieces[side];
    squareset sight = table->odd >> kind & 1 ? EVERYWHERE : table->post[side];
    lane->acting[side] = (lane->acting[side] & ~moved) | (to & sight);
    lane->alert[side] |= to;
    if (lane->may_use[side] && (table->duty[table->duty_of[kind]].scoped[side] & to))
        lane->special[side] = SPECIAL_UNKNOWN;
}

static ALWAYS_INLINE struct move move_of(const struct lanes_table *table, const struct lane *lane,
                                         uint32_t index, bool pdep) {
    enum side side = (enum side)lane->game.to_move;
    for (squareset left = lane->acting[side];;) {
        square at = squareset_pop(&left);
        kind_id kind = cell_kind(lane->game.at[at]);
        enum sort sort = sort_of(table, lane, side, at, kind);
        bool walks = table->odd >> kind & 1;
        uint32_t count = 0;
        if (sort == TURNS) {
            uint64_t ways = two_steps(table, lane, side, at);
            count = (uint32_t)__builtin_popcountll(ways);
            if (index < count) {
                uint64_t way = pdep ? nth_bit_pdep(ways, index) : nth_bit_plain(ways, index);
                int by = __builtin_ctzll(way) - 2 * table->rules->board.files - 2;
                return (struct move){at, (square)(at + by), SQUARE_NONE, ABILITY_NONE, KIND_NONE};
            }
        } else if (sort == GUESSES) {
            count = count_guesses(table, lane, side, at, kind);
            if (index < count) return guess_move(table, lane, side, at, kind, index);
        } else if (sort != NOTHING) {
            count = game_piece_count(&lane->game, at, walks, sort == ACTS);
            if (index < count) return game_piece_move(&lane->game, at, walks, index);
        }
        index -= count;
    }
}

/* Each a second time for processors that have instructions for bits. */

static __attribute__((noinline)) uint32_t count_anew_plain(const struct lanes_table *table,
                                                           struct lane *lane) {
    return count_anew(table, lane);
}

static __attribute__((noinline)) struct move move_of_plain(const struct lanes_table *table,
                                                           const struct lane *lane,
                                                           uint32_t index) {
    return move_of(table, lane, index, false);
}

#if defined(__x86_64__)
#define FAST static __attribute__((target("bmi,bmi2,popcnt"), noinline))

FAST uint32_t count_anew_fast(const struct lanes_table *table, struct lane *lane) {
    return count_anew(table, lane);
}

FAST struct move move_of_fast(const struct lanes_table *table, const struct lane *lane,
                              uint32_t index) {
    return move_of(table, lane, index, true);
}

static bool is_fast(void) {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#else
#define count_anew_fast count_anew_plain
#define move_of_fast move_of_plain

static bool is_fast(void) {
    return false;
}
#endif

uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane) {
    return is_fast() ? count_anew_fast(table, lane) : count_anew_plain(table, lane);
}

struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index) {
    return is_fast() ? move_of_fast(table, lane, index) : move_of_plain(table, lane, index);
}
