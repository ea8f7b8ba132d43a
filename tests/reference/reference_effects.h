/* reference_effects.h - a variant's calls and their effects, in the second implementation. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_EFFECTS_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_EFFECTS_H

#include "reference.h"

/* A piece leaves the board; nothing happens on an empty square. */
void reference_fall(const struct reference *reference, struct reference_state *state, square at,
                    bool flag_fell[2]);

/* A counter of this side, or of the other, changes. */
void reference_count(const struct reference *reference, struct reference_state *state,
                     enum side side, struct counting counting);

/* Calls about the current position: does the variant allow the move, who falls in the attack, has
 * the game ended? Without calls: allowed, BOTH_FALL, not ended. */
bool reference_allows(const struct reference *reference, struct move move);
enum outcome reference_battle(const struct reference *reference, struct move move);
enum result reference_ending(const struct reference *reference);

/* Applies the calls' effects to the next state, in which the move is already carried out. `over`:
 * an ability has ended the game. The caller sets the side to move. */
void reference_effects(struct reference *reference, struct move move, bool over, bool flag_fell[2],
                       enum result *decided);

/* Notes in the next state which of the last two movers are still there and untouched. */
void reference_note_survivors(const struct reference *reference, struct reference_state *state);

#endif
