/* why.h - what a side may be told about a move of its own: is it legal, and if not, by which rule.
 *
 * The side's legal moves decide. Any other move is judged in a filled position of the game
 * (filled_position.h), so the answer tells nothing that the side cannot know: if the filled
 * position allows the move, the rule depends on hidden ranks or on moves before the view's history,
 * and is unknown. */
#ifndef ENSIGN_CORE_KNOW_WHY_H
#define ENSIGN_CORE_KNOW_WHY_H

#include "core/play/repetition.h"
#include "view.h"

struct why {
    bool legal;
    const char *rule;          /* as verdict_name(), or "unknown" */
    char text[FAULT_TEXT_MAX]; /* the same as a sentence */
    struct evidence evidence;  /* earlier plies that matter for a repetition rule, from 1 */
};

/* Asks about a move as text (move_read()), or as a move. `view` is that of the side to move, and
 * `moves` are its legal moves. */
void why_text(const struct view *view, const struct move *moves, size_t count, const char *text,
              size_t length, struct why *why);
void why_move(const struct view *view, const struct move *moves, size_t count, struct move move,
              struct why *why);

#endif
