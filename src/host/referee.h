/* referee.h - runs one game between two players.
 *
 * The referee asks the players for what a session (session.h) wants and passes its events on to
 * them. A player that breaks a rule or fails forfeits; only a fault of the host, or in the options,
 * makes referee_play() fail. */
#ifndef ENSIGN_HOST_REFEREE_H
#define ENSIGN_HOST_REFEREE_H

#include "player.h"
#include "record.h"

#include <stdatomic.h>

struct referee_options {
    const struct setup *setups[2]; /* NULL: the player is asked for one */
    bool ask_anyway; /* ask a player with `setup` even where one is given, and ignore the answer: it
                        draws the same random numbers as in the game that is continued */
    enum side first;
    const struct limits *limits; /* NULL: those of the rules */
    uint64_t seed;               /* only for the record */

    /* Moves of a continued game. They are judged as always and both players observe every turn, but
     * no player is asked for a move until all of them have been played. A bot's random numbers for
     * a turn do not depend on earlier turns (bot/bot.h), so the game goes on as if it had never
     * been interrupted. An illegal move makes referee_play() fail. */
    const struct record_move *played;
    size_t played_count;

    /* When this becomes true the game ends before the next move, as unfinished, without another
     * call to the players. May be NULL. */
    const atomic_bool *give_up;

    /* Called with the record so far, result "*": when the game begins (behind the moves of a
     * continued one), and after each turn before the players observe it. May be NULL. */
    void (*keep)(void *context, const struct record *record);
    void *context;
};

struct referee_report {
    enum result result;
    enum reason reason;
    uint32_t plies;
    struct setup setups[2];
    struct fault forfeit; /* why the loser of a forfeit lost; STATUS_OK otherwise */
    struct fault late;    /* why a player failed after the end, which does not change the result;
                             STATUS_OK if none did, and in a forfeit */
    enum side late_side;  /* of that player */
};

/* Plays to the end. `record` (empty; may be NULL) receives tags and moves. False with a fault, and
 * the record unchanged, only when the host fails or the given set-ups or moves are not legal. */
bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault);

#endif
