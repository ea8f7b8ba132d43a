/* custom_calls.h - calls that answer by chance, but always the same to the same position: they
 * refuse moves, decide battles, and do whatever effects can do without contradicting the board.
 *
 * The core asks them through struct calls, the second implementation by handing over what it holds
 * itself. */
#ifndef ENSIGN_TESTS_CORE_CUSTOM_CALLS_H
#define ENSIGN_TESTS_CORE_CUSTOM_CALLS_H

#include "core/calls.h"

/* All that an answer depends on. */
struct custom_position {
    const struct rules *rules;
    cell at[BOARD_SQUARES_MAX];
    enum side to_move;
    uint32_t plies;
    uint8_t returnable[2][KINDS_MAX]; /* fallen pieces that may be brought back */
};

/* All calls are declared. NULL without memory. */
struct calls *custom_calls(void);

void custom_answer(const struct custom_position *position, enum call call, const struct play *play,
                   struct call_answer *answer);

#endif
