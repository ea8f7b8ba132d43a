/* lane_judge.h - the repetition rules in a lane. RULES 5. */
#ifndef ENSIGN_CORE_LANES_LANE_JUDGE_H
#define ENSIGN_CORE_LANES_LANE_JUDGE_H

#include "lanes.h"

/* LEGAL, ILLEGAL_TWO_SQUARES or ILLEGAL_CHASE for a move of lane_move(). */
enum verdict lane_judge(const struct lanes_table *table, const struct lane *lane, struct move move);

#endif
