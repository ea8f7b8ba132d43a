/* lane_inside.h - internals of a lane, shared by lanes.c and the crowd files only. */
#ifndef ENSIGN_CORE_LANES_LANE_INSIDE_H
#define ENSIGN_CORE_LANES_LANE_INSIDE_H

#include "lanes.h"

#if defined(__x86_64__)
/* Not every compiler can test for LZCNT. A processor without it executes BSR, with another
 * result. */
static inline bool executes_lzcnt(void) {
    uint64_t zeros;
    __asm__("rep bsr %1, %0" : "=r"(zeros) : "r"((uint64_t)1) : "cc"); /* LZCNT's encoding */
    return zeros == 63;
}
#endif

/* Does the processor have all the instructions of avx2_begin.h? */
static inline bool lanes_have_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && executes_lzcnt();
#else
    return false;
#endif
}

/* Starts a lane from `game`, except for its lines and its history, whose first ply gets the index
 * `first`. */
void lane_begin(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, uint32_t first);

/* The ply of a game that was `back` plies ago, in a lane's form. */
struct lane_ply lane_ply_of(const struct game *game, uint32_t back);

/* A past ply of a lane in a crowd, by its time on the crowd's clock. */
struct lane_ply lane_ply_in(const struct crowd *crowd, const struct lane *lane, uint32_t time);

/* Rebuilds the lines from the cells. In a lane of a crowd, needed before lines are read. */
void lane_lay_out(const struct lanes_table *table, struct lane *lane);

/* Marks the last ply as an attack and updates the limits. */
void lane_note_attack(struct lane *lane);

/* The following return false if the game is over. */

/* A limit has been reached: a draw if the side to move can move. */
bool lane_finish(const struct lanes_table *table, struct lane *lane);

/* The side to move has no move: it loses. */
bool lane_stop_immobile(struct lane *lane);

/* Plays the move with this index if it is legal, else a random legal one. */
bool lane_ply_slowly(const struct lanes_table *table, struct lane *lane, uint32_t index);

/* The same for a move with an ability. */
bool lane_play_special(const struct lanes_table *table, struct lane *lane, struct move move,
                       uint32_t index);

/* Finishes a battle on `to`, attacked by `side`, after lines or planes were updated. */
bool lane_battle(const struct lanes_table *table, struct lane *lane, enum side side, square to,
                 enum outcome outcome, cell actor, cell defender);

#endif
