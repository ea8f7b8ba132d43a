/* trainer_inside.h - what the parts of the trainer share. */
#ifndef ENSIGN_HOST_LEARN_TRAINER_INSIDE_H
#define ENSIGN_HOST_LEARN_TRAINER_INSIDE_H

#include "selfplay.h"
#include "trainer.h"

/* Draws a set-up for a side: with `camp` most often one of the camp, else a sensible one by chance
 * or, one of four, any at all: a flag in front has to be met to be known. */
void trainer_draw_setup(struct trainer *trainer, struct pupil *pupil, int side, bool camp);

/* Points of a hundred that one style scores against another, each with its own set-ups, in so many
 * games (even), in pairs with colours exchanged. */
double trainer_compare_styles(struct trainer *trainer, const struct style *one,
                              const struct style *other, uint32_t games,
                              const struct chance *chance);

/* What in a state of learning of these rules cannot have been learned; NULL if all can. */
const char *trainer_check(const struct rules *rules, const struct trainer_state *state);

/* Which side begins, where that may be chosen. */
enum side trainer_draw_first(const struct trainer *trainer, struct random *random);

/* Options of a game that is played to see who is better. */
struct selfplay_options trainer_contest(const struct trainer *trainer);

/* Notes how long a game was, and whether it was drawn. */
void trainer_count_game(struct trainer *trainer, const struct pupil *pupil);

/* Gives the styles the set-ups and beliefs of the repertoire as it is. */
void muster_deal(struct trainer *trainer);

/* trainer_class() with tables, but for the notes. */
void muster_class(struct trainer *trainer);

#endif
