/* reference_effects.h - of the second implementation: what the variant is asked during play, and
 * what its answers do. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_EFFECTS_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_EFFECTS_H

#include "reference.h"

/* A piece leaves the board; nothing happens on an empty square. */
void reference_fall(const struct reference *reference, struct reference_state *state, square at,
                    bool flag_fell[2]);

/* Of the current position: does the variant allow the move, who falls in the attack, has the game
 * ended? Where the rules have no calls: yes, nobody is asked, no. */
bool reference_allows(const struct reference *reference, struct move move);
enum outcome reference_battle(const struct reference *reference, struct move move);
enum result reference_ending(const struct reference *reference);

/* The effects in the turn that leads to the next state, which has been carried out but for them.
 * `over`: an ability has ended the game. The state's side to move is left to the caller. */
void reference_effects(struct reference *reference, struct move move, bool over, bool flag_fell[2],
                       enum result *decided);

/* Sets which of the last two movers are still there and untouched; the state is the one after the
 * current. */
void reference_note_survivors(const struct reference *reference, struct reference_state *state);

#endif
