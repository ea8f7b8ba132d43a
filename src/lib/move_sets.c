/* move_sets.c - counts the moves direction by direction, takes the r-th, or sorts them by ways.
 *
 * A runner has further moves on a way behind its first step, up to the first square that is taken
 * or leads no further. Pieces with abilities or other movements are counted one by one. A move that
 * the repetition rules refuse is drawn again. */
#include "move_sets.h"

#include "core/lanes/nth_bit.h"
#include "core/play/calls.h"
#include "core/play/repetition.h"

/* Compiled twice: with the instructions that count bits, and without. */
#define ALWAYS static inline __attribute__((always_inline))

enum { DOWN, LEFT, RIGHT, UP };

ALWAYS squareset set_of(steps_pair pair) {
    return (squareset)pair[1] << 64 | pair[0];
}

ALWAYS square set_lowest(squareset set) {
    const uint64_t low = (uint64_t)set;
    return (square)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64)));
}

ALWAYS square set_highest(squareset set) {
    const uint64_t high = (uint64_t)(set >> 64);
    return (square)(high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)set));
}

ALWAYS square nth_square(squareset set, uint32_t n) {
    const uint64_t low = (uint64_t)set;
    const uint32_t count = (uint32_t)__builtin_popcountll(low);
    if (n < count) return (square)__builtin_ctzll(nth_bit_plain(low, n));
    return (square)(64 + __builtin_ctzll(nth_bit_plain((uint64_t)(set >> 64), n - count)));
}

/* The moves of the side to move. */
struct outlook {
    squareset free[WAYS]; /* squares from which each way leads on */
    squareset step[WAYS]; /* pieces that step or run, by the ways that they can go */
    squareset run[WAYS];  /* of them, runners that can go farther */
    squareset odd, taken;
    uint32_t steps[WAYS], all_steps, runs, odds;
};

ALWAYS void outlook_open(const struct game *game, struct outlook *outlook) {
    const struct rules *rules = game->rules;
    const struct board *board = &rules->board;
    const enum side side = (enum side)game->to_move;
    squareset mobile = game->mobile[side], odd = game->odd[side];
    if (rules->marks) {
        mobile &= ~marks_held(&game->marks);
        odd &= ~marks_held(&game->marks);
    }
    const steps_pair taken = pair_of(game->pieces[RED] | game->pieces[BLUE]);
    const steps_pair plain = pair_of(mobile & ~odd);
    const steps_pair runners = pair_of(game->runners[side]) & plain;
    const struct stepping near = stepping_of(board, pair_of(board->land & ~game->pieces[side]));
    const steps_pair empty[WAYS] = {near.from[0] & ~taken, near.from[1] & ~taken,
                                    near.from[2] & ~taken, near.from[3] & ~taken};
    const steps_pair on[WAYS] = {pair_up(empty[DOWN], board->files), pair_up(empty[LEFT], 1),
                                 pair_down(empty[RIGHT], 1), pair_down(empty[UP], board->files)};
    for (int way = 0; way < WAYS; way++) {
        outlook->free[way] = set_of(near.from[way]);
        outlook->step[way] = set_of(near.from[way] & plain);
        outlook->run[way] = set_of(near.from[way] & on[way] & runners);
    }
    outlook->taken = set_of(taken);
    outlook->odd = odd;
}

/* The last square of a run. */
ALWAYS square run_end(const struct game *game, const struct outlook *outlook, square from,
                      int way) {
    const squareset ray = set_of(game->rules->steps.ray[from][way]);
    const squareset ends = ray & (outlook->taken | ~outlook->free[way]);
    return way >= RIGHT ? set_lowest(ends) : set_highest(ends);
}

/* Its squares behind the first step. */
ALWAYS uint32_t run_beyond(const struct game *game, const struct outlook *outlook, square from,
                           int way) {
    const square end = run_end(game, outlook, from, way);
    const int by = way >= RIGHT ? end - from : from - end;
    return (uint32_t)(way == DOWN || way == UP ? game->rules->steps.lines[by] : by) - 1;
}

ALWAYS void outlook_count(const struct game *game, struct outlook *outlook) {
    outlook->all_steps = outlook->runs = outlook->odds = 0;
    for (int way = 0; way < WAYS; way++) {
        outlook->steps[way] = (uint32_t)squareset_count(outlook->step[way]);
        outlook->all_steps += outlook->steps[way];
        for (squareset left = outlook->run[way]; left; left &= left - 1)
            outlook->runs += run_beyond(game, outlook, set_lowest(left), way);
    }
    for (squareset left = outlook->odd; left; left &= left - 1)
        outlook->odds += game_piece_count(game, set_lowest(left), true, true);
}

ALWAYS struct move plain_move(square from, int to) {
    return (struct move){from, (square)to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
}

ALWAYS struct move outlook_nth(const struct game *game, const struct outlook *outlook, uint32_t n) {
    const int8_t *by = game->rules->steps.by;
    if (n < outlook->all_steps) {
        int way = 0;
        for (; n >= outlook->steps[way]; way++) n -= outlook->steps[way];
        const square from = nth_square(outlook->step[way], n);
        return plain_move(from, from + by[way]);
    }
    n -= outlook->all_steps;
    const bool runs = n < outlook->runs;
    if (!runs) n -= outlook->runs;
    for (int way = 0; runs && way < WAYS; way++)
        for (squareset left = outlook->run[way]; left; left &= left - 1) {
            const square from = set_lowest(left);
            const uint32_t beyond = run_beyond(game, outlook, from, way);
            if (n < beyond) return plain_move(from, from + by[way] * (int)(n + 2));
            n -= beyond;
        }
    for (squareset left = outlook->odd; left; left &= left - 1) {
        const square from = set_lowest(left);
        const uint32_t count = game_piece_count(game, from, true, true);
        if (n < count) return game_piece_move(game, from, true, n);
        n -= count;
    }
    return plain_move(SQUARE_NONE, SQUARE_NONE);
}

ALWAYS struct move draw_from(const struct game *game, struct random *random) {
    struct outlook outlook;
    outlook_open(game, &outlook);
    outlook_count(game, &outlook);
    const uint32_t count = outlook.all_steps + outlook.runs + outlook.odds;
    struct move move = outlook_nth(game, &outlook, random_below(random, count));
    if (!repetition_in_force(game)) return move;
    const struct suspects suspects = repetition_suspects(game);
    while (suspects_have(&suspects, move) && repetition_judge(game, move) != LEGAL)
        move = outlook_nth(game, &outlook, random_below(random, count));
    return move;
}

#if defined(__x86_64__)
__attribute__((target("popcnt,bmi"))) static struct move draw_counting(const struct game *game,
                                                                       struct random *random) {
    return draw_from(game, random);
}
#endif

static struct move draw_plain(const struct game *game, struct random *random) {
    return draw_from(game, random);
}

struct move draw_move(const struct game *game, struct random *random, struct move *room) {
    if (calls_want(game, CALL_LEGAL)) {
        const size_t count = game_moves(game, room, game->rules->moves_max);
        return count ? room[random_below(random, (uint32_t)count)]
                     : plain_move(SQUARE_NONE, SQUARE_NONE);
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
        return draw_counting(game, random);
#endif
    return draw_plain(game, random);
}

bool moves_by_way(const struct game *game, const struct actions *actions, bool turned,
                  squareset *ways) {
    const struct board *board = &game->rules->board;
    const enum side side = (enum side)game->to_move;
    if (game->odd[side] || game->calls || repetition_in_force(game)) return false;
    struct outlook outlook;
    outlook_open(game, &outlook);
    squareset step[WAYS];
    for (int way = 0; way < WAYS; way++) step[turned ? UP - way : way] = outlook.step[way];
    if (turned) actions->bytes->turn(step, WAYS, board->squares);
    squareset line = ((squareset)1 << board->files) - 1;
    for (int rank = 0; rank + 1 < board->ranks; rank++, line <<= board->files)
        *ways++ = (step[UP] & line) | (step[DOWN] & line << board->files);
    line = actions->first_file;
    for (int file = 0; file + 1 < board->files; file++, line <<= 1)
        *ways++ = (step[RIGHT] & line) | (step[LEFT] & line << 1);
    ways -= board->ranks + board->files - 2;
    const square last = (square)(board->squares - 1);
    for (int way = 0; way < WAYS; way++) {
        const int by = game->rules->steps.by[way];
        for (squareset rest = outlook.run[way]; rest; rest &= rest - 1) {
            const square from = set_lowest(rest), end = run_end(game, &outlook, from, way);
            const square own = turned ? (square)(last - from) : from;
            for (int to = from + by; to != end;) {
                to += by;
                ways[actions_way(actions, own, (square)(turned ? last - to : to))] |=
                    squareset_of(own);
            }
        }
    }
    return true;
}
