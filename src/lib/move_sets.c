/* move_sets.c - counts the moves direction by direction, takes the r-th, or sorts them by ways.
 *
 * A runner has further moves on a way behind its first step, up to the first square that is taken
 * or leads no further. Pieces with abilities or other movements are counted one by one. A move that
 * the repetition rules refuse is drawn again.
 *
 * Random positions make branches unpredictable, so what can be counted for all words at once is. */
#include "move_sets.h"

#include "core/lanes/nth_bit.h"
#include "core/play/calls.h"
#include "core/play/repetition.h"

/* Compiled twice: with the instructions that count and pick bits, and without. */
#define ALWAYS static inline __attribute__((always_inline))

enum { DOWN, LEFT, RIGHT, UP };

enum { WORDS = 2 * WAYS, RUNS_MAX = WAYS * BOARD_SQUARES_MAX };
#define EACH_WAY UINT64_C(0x0001000100010001)
#define EACH_SIGN (EACH_WAY << 15)

/* A runner and what it can go beyond its first step. */
struct run {
    square from;
    uint8_t way, beyond; /* squares, at least 1 */
};

/* The moves of the side to move. */
struct outlook {
    union {
        steps_pair set[WAYS];
        uint64_t word[WORDS];
    } step, far; /* pieces that step or run, by the ways that they can go; of them, runners
                    that can go farther */
    steps_pair stop[WAYS]; /* squares on which a run each way ends */
    squareset odd;
    unsigned far_words; /* which of `far` are not empty, a bit each */
    struct run run[RUNS_MAX];
    uint32_t runs, beyond; /* their number, and that of their squares */
    uint64_t upto;         /* sixteen bits a way: the steps of this and the ways before it */
    uint32_t steps, odds;
};

ALWAYS void outlook_open(const struct game *game, struct outlook *outlook) {
    const struct rules *rules = game->rules;
    const struct board *board = &rules->board;
    const enum side side = (enum side)game->to_move;
    const steps_pair own = pair_read(&game->pieces[side]);
    const steps_pair taken = own | pair_read(&game->pieces[side_other(side)]);
    steps_pair mobile = pair_read(&game->mobile[side]), odd = pair_read(&game->odd[side]);
    if (rules->marks) {
        const steps_pair held = pair_of(marks_held(&game->marks));
        mobile &= ~held;
        odd &= ~held;
    }
    const steps_pair plain = mobile & ~odd;
    const steps_pair runners = pair_read(&game->runners[side]) & plain;
    const struct stepping near = stepping_of(board, pair_read(&board->land) & ~own);
    const steps_pair empty[WAYS] = {near.from[0] & ~taken, near.from[1] & ~taken,
                                    near.from[2] & ~taken, near.from[3] & ~taken};
    const steps_pair on[WAYS] = {pair_up(empty[DOWN], board->files), pair_up(empty[LEFT], 1),
                                 pair_down(empty[RIGHT], 1), pair_down(empty[UP], board->files)};
    outlook->far_words = 0;
    for (int way = 0; way < WAYS; way++) {
        const steps_pair far = near.from[way] & on[way] & runners;
        outlook->step.set[way] = near.from[way] & plain;
        outlook->far.set[way] = far;
        outlook->far_words |= pair_tops(far | -far) << 2 * way;
        outlook->stop[way] = taken | ~near.from[way];
    }
    outlook->odd = (squareset)odd[1] << 64 | odd[0];
}

/* Squares between a runner and the last square of its run, that one counted. */
ALWAYS int run_length(const struct steps *steps, const struct outlook *outlook, square from,
                      int way) {
    const steps_pair ends = steps->ray[from][way] & outlook->stop[way];
    const uint64_t low = ends[0], high = ends[1];
    const int above = 64 + __builtin_ctzll(high | (uint64_t)1 << 63);
    const int below = 63 - __builtin_clzll(low | 1);
    const int up = low ? __builtin_ctzll(low | (uint64_t)1 << 63) : above;
    const int down = high ? 127 - __builtin_clzll(high | 1) : below;
    const int by = way >= RIGHT ? up - from : from - down, lines = steps->lines[by];
    return way == DOWN || way == UP ? lines : by;
}

/* Lists the runs. One loop, since its end is all that cannot be foreseen. */
ALWAYS void outlook_run(const struct game *game, struct outlook *outlook) {
    const struct steps *steps = &game->rules->steps;
    uint32_t runs = 0, all = 0;
    for (unsigned words = outlook->far_words; words;) {
        const unsigned i = (unsigned)__builtin_ctz(words);
        const uint64_t word = outlook->far.word[i], rest = word & (word - 1);
        const square from = (square)(i % 2 * 64 + (unsigned)__builtin_ctzll(word));
        const int beyond = run_length(steps, outlook, from, (int)i / 2) - 1;
        outlook->run[runs++] = (struct run){from, (uint8_t)(i / 2), (uint8_t)beyond};
        all += (uint32_t)beyond;
        outlook->far.word[i] = rest;
        words &= ~((unsigned)!rest << i);
    }
    outlook->runs = runs;
    outlook->beyond = all;
}

ALWAYS uint32_t outlook_count(const struct game *game, struct outlook *outlook) {
    uint64_t counts = 0;
    for (int i = 0; i < WORDS; i++)
        counts += (uint64_t)__builtin_popcountll(outlook->step.word[i]) << (i / 2 * 16);
    outlook->upto = counts * EACH_WAY;
    outlook->steps = (uint32_t)(outlook->upto >> 48);
    outlook->odds = 0;
    for (squareset left = outlook->odd; left;)
        outlook->odds += game_piece_count(game, squareset_pop(&left), true, true);
    return outlook->steps + outlook->beyond + outlook->odds;
}

ALWAYS struct move plain_move(square from, int to) {
    return (struct move){from, (square)to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
}

ALWAYS struct move outlook_nth(const struct game *game, const struct outlook *outlook, uint32_t n,
                               uint64_t (*nth_bit)(uint64_t word, unsigned n)) {
    const int8_t *by = game->rules->steps.by;
    if (n < outlook->steps) {
        /* Where the sum of a way does not exceed n, its sign bit stays. */
        const uint64_t passed = ((n * EACH_WAY | EACH_SIGN) - outlook->upto) & EACH_SIGN;
        const int way = __builtin_popcountll(passed);
        n -= (uint32_t)(outlook->upto << 16 >> 16 * way & 0xffff);
        const uint64_t *word = &outlook->step.word[2 * way];
        const uint32_t low = (uint32_t)__builtin_popcountll(word[0]);
        const unsigned half = n >= low;
        const uint64_t bit = nth_bit(word[half], n - (half ? low : 0));
        const square from = (square)(64 * half + (unsigned)__builtin_ctzll(bit));
        return plain_move(from, from + by[way]);
    }
    n -= outlook->steps;
    for (uint32_t i = 0; i < outlook->runs; i++) {
        const struct run run = outlook->run[i];
        if (n < run.beyond) return plain_move(run.from, run.from + by[run.way] * (int)(n + 2));
        n -= run.beyond;
    }
    for (squareset left = outlook->odd; left;) {
        const square from = squareset_pop(&left);
        const uint32_t count = game_piece_count(game, from, true, true);
        if (n < count) return game_piece_move(game, from, true, n);
        n -= count;
    }
    return plain_move(SQUARE_NONE, SQUARE_NONE);
}

ALWAYS struct move draw_from(const struct game *game, struct random *random,
                             uint64_t (*nth_bit)(uint64_t word, unsigned n)) {
    struct outlook outlook;
    outlook_open(game, &outlook);
    outlook_run(game, &outlook);
    const uint32_t count = outlook_count(game, &outlook);
    struct move move = outlook_nth(game, &outlook, random_below(random, count), nth_bit);
    if (!repetition_in_force(game)) return move;
    const struct suspects suspects = repetition_suspects(game);
    while (suspects_have(&suspects, move) && repetition_judge(game, move) != LEGAL)
        move = outlook_nth(game, &outlook, random_below(random, count), nth_bit);
    return move;
}

/* Writes the sets of moves_by_way(). */
ALWAYS void ways_from(const struct game *game, const struct actions *actions, bool turned,
                      squareset *ways) {
    const struct board *board = &game->rules->board;
    struct outlook outlook;
    outlook_open(game, &outlook);
    outlook_run(game, &outlook);
    squareset step[WAYS];
    for (int way = 0; way < WAYS; way++) {
        const steps_pair set = outlook.step.set[turned ? UP - way : way];
        step[way] = (squareset)set[1] << 64 | set[0];
    }
    if (turned) actions->bytes->turn(step, WAYS, board->squares);
    squareset *const across = ways + board->ranks - 1;
    squareset line = ((squareset)1 << board->files) - 1;
    for (int rank = 0; rank + 1 < board->ranks; rank++, line <<= board->files)
        ways[rank] = (step[UP] & line) | (step[DOWN] & line << board->files);
    line = actions->first_file;
    for (int file = 0; file + 1 < board->files; file++, line <<= 1)
        across[file] = (step[RIGHT] & line) | (step[LEFT] & line << 1);
    for (uint32_t i = 0; i < outlook.runs; i++) {
        const struct run run = outlook.run[i];
        const square from = turned ? (square)(board->squares - 1 - run.from) : run.from;
        const int way = turned ? UP - run.way : run.way;
        const squareset bit = squareset_of(from);
        squareset *to =
            way == DOWN || way == UP ? ways + actions->rank[from] : across + actions->file[from];
        to += way >= RIGHT ? 1 : -1 - run.beyond;
        for (int beyond = 0; beyond < run.beyond; beyond++) to[beyond] |= bit;
    }
}

#if defined(__x86_64__)
#define WITH_BITS __attribute__((target("avx2,popcnt,bmi,bmi2")))

static bool counts_bits(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

WITH_BITS static struct move draw_counting(const struct game *game, struct random *random) {
    return draw_from(game, random, nth_bit_pdep);
}

WITH_BITS static void ways_counting(const struct game *game, const struct actions *actions,
                                    bool turned, squareset *ways) {
    ways_from(game, actions, turned, ways);
}
#endif

static struct move draw_plain(const struct game *game, struct random *random) {
    return draw_from(game, random, nth_bit_plain);
}

struct move draw_move(const struct game *game, struct random *random, struct move *room) {
    if (calls_want(game, CALL_LEGAL)) {
        const size_t count = game_moves(game, room, game->rules->moves_max);
        return count ? room[random_below(random, (uint32_t)count)]
                     : plain_move(SQUARE_NONE, SQUARE_NONE);
    }
#if defined(__x86_64__)
    if (counts_bits()) return draw_counting(game, random);
#endif
    return draw_plain(game, random);
}

bool moves_by_way(const struct game *game, const struct actions *actions, bool turned,
                  squareset *ways) {
    const enum side side = (enum side)game->to_move;
    if (game->odd[side] || game->calls || repetition_in_force(game)) return false;
#if defined(__x86_64__)
    if (counts_bits()) {
        ways_counting(game, actions, turned, ways);
        return true;
    }
#endif
    ways_from(game, actions, turned, ways);
    return true;
}
