/* lane_inside.h - what the two engines, lanes.c and crowd.c, share of a lane. For them alone. */
#ifndef ENSIGN_CORE_LANES_LANE_INSIDE_H
#define ENSIGN_CORE_LANES_LANE_INSIDE_H

#include "lanes.h"

#if defined(__x86_64__)
/* Not every compiler can be asked for LZCNT. A processor that lacks it takes the instruction for
 * BSR, which has another result. */
static inline bool executes_lzcnt(void) {
    uint64_t zeros;
    __asm__("rep bsr %1, %0" : "=r"(zeros) : "r"((uint64_t)1) : "cc"); /* LZCNT's encoding */
    return zeros == 63;
}
#endif

/* Has the processor all that the faster kernels are compiled for (avx2_begin.h)? */
static inline bool lanes_have_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && executes_lzcnt();
#else
    return false;
#endif
}

/* The game in `lane` as it stands, all but its lines and its history, whose first ply will have the
 * index `first`. */
void lane_begin(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, uint32_t first);

/* The ply of a game's history that was `back` plies ago, as a lane remembers it. */
struct lane_ply lane_ply_of(const struct game *game, uint32_t back);

/* A ply of the past of a lane in a crowd, by the time at which it was played. */
struct lane_ply lane_ply_in(const struct crowd *crowd, const struct lane *lane, uint32_t time);

/* Makes the lines anew from the cells. Those that read lines see to it in a lane of a crowd. */
void lane_lay_out(const struct lanes_table *table, struct lane *lane);

/* The last ply was an attack: the limits follow. */
void lane_note_attack(struct lane *lane);

/* These return false, "not going on", when the game is over. */

/* A limit has been reached: a draw, if the side to move can move. */
bool lane_finish(const struct lanes_table *table, struct lane *lane);

/* The side to move cannot. */
bool lane_stop_immobile(struct lane *lane);

/* The move with that index if it is legal, else one of those that are. */
bool lane_ply_slowly(const struct lanes_table *table, struct lane *lane, uint32_t index);

/* A move of acting pieces, with that index, if it is legal, else one of those that are. */
bool lane_play_special(const struct lanes_table *table, struct lane *lane, struct move move,
                       uint32_t index);

/* What is left to do when a battle of `side` on `to` has changed the lines. */
bool lane_battle(const struct lanes_table *table, struct lane *lane, enum side side, square to,
                 enum outcome outcome, cell actor, cell defender);

#endif
