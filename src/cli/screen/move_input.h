/* move_input.h - a person's turn on the screen: the cursor, the piece picked up, and the questions
 * that complete a move. */
#ifndef ENSIGN_CLI_SCREEN_MOVE_INPUT_H
#define ENSIGN_CLI_SCREEN_MOVE_INPUT_H

#include "chart.h"
#include "core/know/filled_position.h"
#include "core/play/legal.h"
#include "dialog.h"
#include "host/player.h"

enum { MOVE_INPUT_TEXT_MAX = FAULT_TEXT_MAX };

/* A move that is built by pointing at squares. The person points at a piece, then at its
 * destination or its ability's target, always among the moves that the referee offers. If several
 * moves remain, the person chooses a way (go there; go there and use an ability), then a target by
 * pointing again, then a kind to name. */
struct pointing {
    const struct move *moves; /* offered by the referee, which owns them */
    size_t count;
    square from;  /* of the piece; SQUARE_NONE: none yet */
    bool settled; /* `to` and `ability` are chosen, the target is not */
    square to;
    uint8_t ability;
};

struct move_input {
    struct screen *screen;
    const struct backdrop *behind; /* of its dialogs */
    const struct language *language;
    square cursor;
    bool arranged; /* the last key was the d that ended the set-up: one more d offers no draw yet */
    char message[MOVE_INPUT_TEXT_MAX]; /* why something was refused; empty: none */

    /* During this person's turn. */
    const struct view *view; /* NULL: out of turn */
    struct pointing pointing;
    struct filled_position filled;
};

/* Puts the cursor in the middle of the side's front rank, before its first turn. */
void move_input_start(struct move_input *input, const struct board *board, enum side side);

/* Begins a turn. `view` and the offered `moves` must stay in place until it ends. */
void move_input_take(struct move_input *input, const struct view *view, const struct move *moves,
                     size_t count);
void move_input_leave(struct move_input *input);

/* Marks the cursor, the piece picked up and its targets. */
void move_input_mark(const struct move_input *input, struct chart_marks *marks);

/* Handles a click or Enter on a square. True when `answer` is complete. */
bool move_input_point(struct move_input *input, square at, struct answer *answer);

/* Handles Enter, space, Tab, ':', 'r', 'd', Escape and, also out of turn, the keys that move the
 * cursor. `*used` is false for any other key. True when `answer` is complete. */
bool move_input_key(struct move_input *input, const struct chart *chart, int key,
                    struct answer *answer, bool *used);

#endif
