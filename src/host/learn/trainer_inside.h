/* trainer_inside.h - what the parts of the trainer share. */
#ifndef ENSIGN_HOST_LEARN_TRAINER_INSIDE_H
#define ENSIGN_HOST_LEARN_TRAINER_INSIDE_H

#include "selfplay.h"
#include "trainer.h"

/* Who is played in game `number` of a class. All games are against opponents, if there are any. In
 * a stage of the league every second one is against that: a style that met nobody else would be an
 * answer to that alone, and easily beaten by the next. Half of the others are against older selves:
 * who plays only its like takes for granted what all of them do. */
enum rival { ITSELF, OLDER_SELF, SOMEBODY_MET };
enum rival trainer_rival(const struct trainer *trainer, int number);

/* Draws a set-up for a side: with `camp` three of sixteen from the camp; else one of an example, or
 * one by rule of thumb with much left to chance, and sometimes any at all: what opponents never met
 * lay out is not in the camp. */
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
