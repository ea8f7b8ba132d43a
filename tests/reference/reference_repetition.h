/* reference_repetition.h - RULES 5 from the history, in the second implementation. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_REPETITION_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_REPETITION_H

#include "reference.h"

/* LEGAL, ILLEGAL_TWO_SQUARES or ILLEGAL_CHASE for a move that is legal otherwise. */
enum verdict reference_repetition(const struct reference *reference, struct move move);

/* Are pieces, what clings to them, and counters the same? */
bool reference_same_position(const struct reference *reference, const struct reference_state *a,
                             const struct reference_state *b);

/* Updates both lengths of the ISF chase after a turn was carried out in `state`. */
void reference_note(const struct reference *reference, struct reference_state *state,
                    struct move move, bool attack);

#endif
