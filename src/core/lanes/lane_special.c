/* lane_special.c - counts special moves and finds the one with an index.
 *
 * Pieces come in the order of their squares, in three sorts. Turners make up to two steps, round a
 * corner too: their destinations are a set. Guessers aim at an enemy in reach, from their square or
 * after a step, and may name any of some kinds. The number of guesses is that of the
 *
 *     . e . .      places from which an enemy is in reach (P itself and s; d, beside its own piece
 *     o P s e      o, is none of them), each counted once for each enemy in its reach, here
 *     . d o .      P: e, s: e, d: none; times the number of kinds.
 *
 * legal.c counts all others. Compiled twice, since counting bits is most of the work. */
#include "lane_special.h"

#include "core/play/cells.h"
#include "nth_bit.h"

#define EVERYWHERE (~(squareset)0)

/* A set of squares in a vector register. */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));
#define PAIR(set) (*pair_at(&(set)))

static ALWAYS_INLINE pair *pair_at(const squareset *set) {
    return (pair *)(uintptr_t)set;
}

/* As squareset_pop(), but without a branch on the half. */
static ALWAYS_INLINE square pop(squareset *set) {
    uint64_t low = (uint64_t)*set, in_high = -(uint64_t)(low == 0);
    uint64_t word = low | ((uint64_t)(*set >> 64) & in_high);
    *set &= *set - 1;
    return (square)((unsigned)__builtin_ctzll(word) + (in_high & 64));
}

static ALWAYS_INLINE unsigned nth_bit_index(uint64_t word, unsigned n, bool pdep) {
    return (unsigned)__builtin_ctzll(pdep ? nth_bit_pdep(word, n) : nth_bit_plain(word, n));
}

/* The n-th square of a set, from 0; the set has more than n. */
static ALWAYS_INLINE square nth_square(squareset set, unsigned n, bool pdep) {
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    unsigned below = (unsigned)__builtin_popcountll(low);
    return (square)(n < below ? nth_bit_index(low, n, pdep)
                              : 64 + nth_bit_index(high, n - below, pdep));
}

/* One half of a set, picked without a branch. */
static ALWAYS_INLINE uint64_t half_of(const squareset *set, unsigned high) {
    typedef uint64_t half __attribute__((may_alias));
    enum { BIG_ENDIAN_SETS = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
    return ((const half *)set)[high ^ BIG_ENDIAN_SETS];
}

/* Five ranks of the board around a square in one word, the square at bit 2 * files + 2:
 *
 *     . . x . .       x  where two steps lead: diamond[at]
 *     . x + x .       +  where the first leads
 *     x + T + x
 *     . x + x .       The ends of ranks meet, and so do the first rank and the last; but no
 *     . . x . .       diamond has squares there that are not on the board. */
static ALWAYS_INLINE uint64_t around(const struct board *board, const squareset *set, square at) {
    unsigned shift = (unsigned)at - 2u * board->files - 2u, high = shift >> 6 & 1;
    uint64_t first = half_of(set, high), next = half_of(set, !high);
    return first >> (shift & 63) | next << 1 << (~shift & 63);
}

/* Destinations of up to two steps, in the word of around(). */
static ALWAYS_INLINE uint64_t two_steps(const struct lanes_table *table, const squareset *own,
                                        const squareset *enemy, square at) {
    const struct board *board = &table->rules->board;
    unsigned files = board->files;
    uint64_t free = table->diamond[at] & ~around(board, own, at);
    uint64_t first = table->beside_centre & free, past = first & ~around(board, enemy, at);
    return (first | past << 1 | past >> 1 | past << files | past >> files) & free;
}

enum sort { NOTHING, TURNS, WALKS, GUESSES, ACTS };

/* The sort of special moves that an acting piece has. */
static ALWAYS_INLINE enum sort sort_of(const struct lanes_table *table, const struct lane *lane,
                                       enum side side, square at, kind_id kind) {
    const struct duty *duty = &table->duty[table->duty_of[kind]];
    if (lane->may_use[side] && (duty->scope[side][at] & lane->game.pieces[!side]))
        return table->guess[kind] != ABILITY_NONE ? GUESSES : ACTS;
    if (table->turners >> kind & 1) return TURNS;
    return table->odd >> kind & 1 ? WALKS : NOTHING;
}

/* The squares from which the piece can guess. */
static ALWAYS_INLINE squareset stands_of(const struct lanes_table *table, const struct lane *lane,
                                         const struct ability *ability, square at) {
    squareset stands = 0;
    if (ability->when & ABILITY_INSTEAD) stands = table->only[at];
    if (ability->when & ABILITY_AFTER_STEP)
        stands |= table->rules->board.neighbours[at] &
                  ~(lane->game.pieces[RED] | lane->game.pieces[BLUE]);
    return stands;
}

static ALWAYS_INLINE bool is_used_up(const struct lane *lane, const struct ability *ability,
                                     enum side side) {
    return ability->limit && lane->game.uses[side][ability->tally.n] >= ability->limit;
}

static ALWAYS_INLINE uint32_t count_guesses(const struct lanes_table *table,
                                            const struct lane *lane, enum side side, square at,
                                            kind_id kind) {
    const struct ability *ability = &table->rules->ability[table->guess[kind]];
    squareset enemy = lane->game.pieces[!side];
    int targets = 0;
    if (is_used_up(lane, ability, side)) return 0;
    for (squareset stands = stands_of(table, lane, ability, at); stands;)
        targets += squareset_count(ability->targets[side][pop(&stands)] & enemy);
    return (uint32_t)targets * table->guesses[kind];
}

/* The guess with this index; or false, and the index is reduced by the number of guesses. */
static ALWAYS_INLINE bool find_guess(const struct lanes_table *table, const struct lane *lane,
                                     enum side side, square at, kind_id kind, uint32_t *index,
                                     bool pdep, struct move *move) {
    const struct ability *ability = &table->rules->ability[table->guess[kind]];
    uint32_t choices = table->guesses[kind], which = *index / choices, name = *index % choices;
    uint32_t before = 0;
    if (is_used_up(lane, ability, side)) return false;
    for (squareset stands = stands_of(table, lane, ability, at); stands;) {
        square to = pop(&stands);
        squareset targets = ability->targets[side][to] & lane->game.pieces[!side];
        uint32_t here = (uint32_t)squareset_count(targets);
        if (which - before < here) {
            square target = nth_square(targets, which - before, pdep);
            kind_id choice = ability->asks == ASKS_KIND
                                 ? (kind_id)nth_bit_index(ability->choices, name, pdep)
                                 : KIND_NONE;
            *move = (struct move){at, to, target, table->guess[kind], choice};
            return true;
        }
        before += here;
    }
    *index -= before * choices;
    return false;
}

/* Squares where a change of own, or of enemy, pieces matters. */
struct watched {
    pair own, enemy;
};

static ALWAYS_INLINE uint32_t count_turns(const struct lanes_table *table, const struct lane *lane,
                                          enum side side, square at, struct watched *watched) {
    watched->own |= PAIR(table->twice[at]);
    watched->enemy |= PAIR(table->once[at]);
    return (uint32_t)__builtin_popcountll(
        two_steps(table, &lane->game.pieces[side], &lane->game.pieces[!side], at));
}

/* Counts an acting piece's special moves and adds the squares they depend on. */
static ALWAYS_INLINE uint32_t count_at(const struct lanes_table *table, const struct lane *lane,
                                       enum side side, square at, kind_id kind,
                                       struct watched *watched) {
    const struct duty *duty = &table->duty[table->duty_of[kind]];
    enum sort sort = sort_of(table, lane, side, at, kind);
    if (lane->may_use[side]) watched->enemy |= PAIR(duty->scope[side][at]);
    if (sort == NOTHING) return 0;
    if (sort == TURNS) return count_turns(table, lane, side, at, watched);
    watched->own |= PAIR(duty->walk[side][at]);
    watched->enemy |= PAIR(duty->walk[side][at]);
    if (sort == GUESSES) return count_guesses(table, lane, side, at, kind);
    /* A scope of every square means that any change may matter. */
    if (sort == ACTS && duty->scope[side][at] == EVERYWHERE) watched->own = watched->enemy;
    return game_piece_count(&lane->game, at, table->odd >> kind & 1, sort == ACTS);
}

typedef uint32_t count_function(const struct lanes_table *table, const struct lane *lane,
                                enum side side, square at, kind_id kind, struct watched *watched);

/* The special moves of the side to move. Turners without a use nearby, by far the most frequent,
 * take a short cut; count_at() does the others. */
static ALWAYS_INLINE uint32_t count_anew(const struct lanes_table *table, struct lane *lane,
                                         count_function *count_other) {
    enum side side = (enum side)lane->game.to_move;
    struct watched watched = {PAIR(lane->acting[side]), {0}};
    squareset turns = ~(lane->may_use[side] ? table->scoped[side] : 0);
    uint32_t count = 0;
    for (squareset left = lane->acting[side]; left;) {
        square at = pop(&left);
        kind_id kind = cell_kind(lane->game.at[at]);
        if ((table->turners >> kind & 1) && squareset_has(turns, at))
            count += count_turns(table, lane, side, at, &watched);
        else
            count += count_other(table, lane, side, at, kind, &watched);
    }
    PAIR(lane->watch[side][side]) = watched.own;
    PAIR(lane->watch[!side][side]) = watched.enemy;
    PAIR(lane->alert[side]) = watched.own | PAIR(lane->watch[side][!side]) | PAIR(lane->gate[side]);
    PAIR(lane->alert[!side]) |= watched.enemy;
    lane->special[side] = count;
    return count;
}

void special_find(const struct lanes_table *table, struct lane *lane) {
    const struct game *game = &lane->game;
    squareset open = cells_of_kinds(game->at, table->open);
    for (int side = RED; side <= BLUE; side++) {
        lane->acting[side] = game->pieces[side] & open;
        for (squareset left = game->pieces[side] & table->gate[side]; left;) {
            square at = squareset_pop(&left);
            lane->acting[side] |= table->only[at] & table->sight[side][cell_kind(game->at[at])];
        }
    }
}

void special_notice(const struct lanes_table *table, struct lane *lane, enum side side,
                    squareset moved, kind_id kind) {
    /* Unpredictable, so without branches. */
    squareset to = moved & lane->game.pieces[side];
    for (int whose = RED; whose <= BLUE; whose++)
        lane->special[whose] |= -(uint32_t)((lane->watch[side][whose] & moved) != 0);
    lane->special[side] |= -(uint32_t)(lane->may_use[side] & ((table->uses[side][kind] & to) != 0));
    lane->acting[side] = (lane->acting[side] & ~moved) | (table->sight[side][kind] & to);
    lane->alert[side] |= table->sight[side][kind] & to;
}

static ALWAYS_INLINE struct move move_of(const struct lanes_table *table, const struct lane *lane,
                                         uint32_t index, bool pdep) {
    enum side side = (enum side)lane->game.to_move;
    for (squareset left = lane->acting[side];;) {
        square at = pop(&left);
        kind_id kind = cell_kind(lane->game.at[at]);
        enum sort sort = sort_of(table, lane, side, at, kind);
        bool walks = table->odd >> kind & 1;
        struct move move;
        if (sort == TURNS) {
            uint64_t ways =
                two_steps(table, &lane->game.pieces[side], &lane->game.pieces[!side], at);
            uint32_t count = (uint32_t)__builtin_popcountll(ways);
            if (index < count) {
                unsigned to = at + nth_bit_index(ways, index, pdep);
                to -= 2u * table->rules->board.files + 2;
                return (struct move){at, (square)to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
            }
            index -= count;
        } else if (sort == GUESSES) {
            if (find_guess(table, lane, side, at, kind, &index, pdep, &move)) return move;
        } else if (sort != NOTHING) {
            uint32_t count = game_piece_count(&lane->game, at, walks, sort == ACTS);
            if (index < count) return game_piece_move(&lane->game, at, walks, index);
            index -= count;
        }
    }
}

/* The same compiled for processors with bit instructions. */

#define NOINLINE __attribute__((noinline))

static NOINLINE uint32_t count_at_plain(const struct lanes_table *table, const struct lane *lane,
                                        enum side side, square at, kind_id kind,
                                        struct watched *watched) {
    return count_at(table, lane, side, at, kind, watched);
}

static NOINLINE uint32_t count_plain(const struct lanes_table *table, struct lane *lane) {
    return count_anew(table, lane, count_at_plain);
}

static NOINLINE struct move move_plain(const struct lanes_table *table, const struct lane *lane,
                                       uint32_t index) {
    return move_of(table, lane, index, false);
}

#if defined(__x86_64__)
#define FAST static __attribute__((noinline, target("bmi,bmi2,popcnt")))

FAST uint32_t count_at_fast(const struct lanes_table *table, const struct lane *lane,
                            enum side side, square at, kind_id kind, struct watched *watched) {
    return count_at(table, lane, side, at, kind, watched);
}

FAST uint32_t count_fast(const struct lanes_table *table, struct lane *lane) {
    return count_anew(table, lane, count_at_fast);
}

FAST struct move move_fast(const struct lanes_table *table, const struct lane *lane,
                           uint32_t index) {
    return move_of(table, lane, index, true);
}

static bool is_fast(void) {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#else
#define count_fast count_plain
#define move_fast move_plain

static bool is_fast(void) {
    return false;
}
#endif

uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane) {
    return is_fast() ? count_fast(table, lane) : count_plain(table, lane);
}

struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index) {
    return is_fast() ? move_fast(table, lane, index) : move_plain(table, lane, index);
}
