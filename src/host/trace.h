/* trace.h - asks a bot again at one ply of a record, and looks at how it decides.
 *
 * The bot sees what its side saw in the game: it is set up, started and lets the turns pass, as
 * when a game is continued. Only the side's view is told, to the bot and in the result. */
#ifndef ENSIGN_HOST_TRACE_H
#define ENSIGN_HOST_TRACE_H

#include "core/know/view.h"
#include "player.h"
#include "record.h"

struct trace_options {
    struct player_options seat; /* with the rules of the record */
    const char *bot;            /* as player_open() takes it */
    const struct record *record;
    uint32_t ply; /* that the bot is asked for, from 1 to the record's number of plies + 1 */
    struct chance chance[2]; /* of the seats, by side */
    bool drawn;              /* the armies were not the players' own: bots are not asked */
};

struct trace {
    enum side side; /* to move */
    struct view view;
    struct answer answer;
    bool answered;              /* it gave an answer, legal or not */
    struct fault fault;         /* why it gave none, or why its answer is not legal */
    char move[MOVE_TEXT_MAX];   /* the answer as text; empty: none */
    char played[MOVE_TEXT_MAX]; /* the record's move; empty: the record ends before it */
    bool same;
    uint64_t ns;  /* that the bot took */
    bool metered; /* the answer tells its fuel: it is no external program */
};

/* `profile` (may be NULL, otherwise seat.profiles is set) receives where the fuel of the answer
 * went. False with a fault if the record does not reach the ply, or the host fails. */
bool trace_run(const struct trace_options *options, struct trace *trace, struct profile *profile,
               struct fault *fault);

#endif
