/* school_inside.h - what the parts of the school share. */
#ifndef ENSIGN_HOST_LEARN_SCHOOL_INSIDE_H
#define ENSIGN_HOST_LEARN_SCHOOL_INSIDE_H

#include "episode.h"
#include "school.h"

/* Draws a set-up for a side: with `camp` most often one of the camp, else a sensible one by chance
 * or, one of four, any at all: a flag in front has to be met to be known. */
void school_draw_setup(struct school *school, struct pupil *pupil, int side, bool camp);

/* Points of a hundred that one style scores against another, each with its own set-ups, in so many
 * games (even), in pairs with colours exchanged. */
double school_compare_styles(struct school *school, const struct style *one,
                             const struct style *other, uint32_t games,
                             const struct chance *chance);

/* What in a state of learning of these rules cannot have been learned; NULL if all can. */
const char *school_check(const struct rules *rules, const struct school_state *state);

/* Which side begins, where that may be chosen. */
enum side school_draw_first(const struct school *school, struct random *random);

/* Options of a game that is played to see who is better. */
struct episode_options school_contest(const struct school *school);

/* Notes how long a game was, and whether it was drawn. */
void school_count_game(struct school *school, const struct pupil *pupil);

/* Gives the styles the set-ups and beliefs of the repertoire as it is. */
void muster_deal(struct school *school);

/* school_class() with tables, but for the notes. */
void muster_class(struct school *school);

#endif
