/* referee.h - runs one game between two players.
 *
 * The referee alone holds the true position. It turns each move into events, lets both views follow
 * them, and tells the players. A player that breaks a rule or itself loses by forfeit; a fault of
 * the host is the only way for a game to fail. */
#ifndef ENSIGN_HOST_REFEREE_H
#define ENSIGN_HOST_REFEREE_H

#include "player.h"
#include "record.h"

#include <stdatomic.h>

struct referee_options {
    const struct setup *setups[2]; /* NULL: the player is asked for one */
    bool ask_anyway; /* players that lay out set-ups are asked also where one is given, which then
                        replaces their answer: they draw from their chance as if it had counted */
    enum side first;
    const struct limits *limits; /* NULL: those of the rules */
    uint64_t seed;               /* only written into the record */

    /* Moves that were played before, when a game is continued. They are judged as always, the views
     * follow them and both players are told of every turn, but nobody is asked before the last of
     * them has been played; chance that a bot draws for a turn does not depend on what was drawn
     * for earlier ones (bot/bot.h), so that the game goes on as if nothing had interrupted it. A
     * move that is not legal is the caller's fault. */
    const struct record_move *played;
    size_t played_count;

    /* Once this is true the game is broken off before the next move, as unfinished, and the players
     * are told nothing any more. May be NULL. */
    const atomic_bool *give_up;

    /* Called with the record as it stands, result "*": when the game begins, after the moves that
     * were played before, and after each turn, before anybody is told of it. May be NULL. */
    void (*keep)(void *context, const struct record *record);
    void *context;
};

struct referee_report {
    enum result result;
    enum reason reason;
    uint32_t plies;
    struct setup setups[2];
    struct fault forfeit; /* why the loser of a forfeit lost; STATUS_OK otherwise */
    struct fault late;    /* what broke a player after the end, which changed nothing; STATUS_OK if
                             nothing did, and in a forfeit */
    enum side late_side;  /* whom */
};

/* Plays to the end. `record` (may be NULL) receives tags and moves. False with a fault only when
 * the host itself fails, or what the caller gave (set-ups, moves played before) is not right. */
bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault);

#endif
