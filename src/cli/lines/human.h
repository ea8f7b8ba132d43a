/* human.h - a person in lines of text, who sits at a table.
 *
 * Has only a player's knowledge: its side's view and events, faults and the list of legal moves.
 * Every command prints from these. */
#ifndef ENSIGN_CLI_LINES_HUMAN_H
#define ENSIGN_CLI_LINES_HUMAN_H

#include "cli/story.h"
#include "core/know/filled_position.h"
#include "host/table/table.h"
#include "line_input.h"

struct human {
    struct line_input *input;
    struct table *table;
    enum side side;
    struct story story; /* what happened since the last move of this side */
    uint32_t heard;     /* tellings of the session */
    bool asked;         /* the board of this turn has been shown */
    const struct view *view;
    const struct move *moves;
    size_t count;
    struct filled_position filled;
};

/* A person of `side`; prompt and table must outlive it. */
void human_sit(struct human *human, struct line_input *input, struct table *table, enum side side);

/* Hears of the game, as a table_listener does. */
void human_hear(struct human *human, const struct session *session);

/* Reads commands and moves, one a line, until one is an answer, which it gives to the referee.
 * False with a fault if the host fails. */
bool human_move(struct human *human, struct fault *fault);

/* The other side offers a draw. */
bool human_accepts_draw(struct human *human);

/* Prints the last events, which are public and which no later turn would tell. */
void human_finish(const struct human *human);

#endif
