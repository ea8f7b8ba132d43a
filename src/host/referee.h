/* referee.h - runs one game between two players.
 *
 * The referee alone holds the true position. It turns each move into events, lets both views follow
 * them, and tells the players. A player that breaks a rule or itself loses by forfeit; a fault of
 * the host is the only way for a game to fail. */
#ifndef ENSIGN_HOST_REFEREE_H
#define ENSIGN_HOST_REFEREE_H

#include "player.h"
#include "record.h"

struct referee_options {
    const struct setup *setups[2]; /* NULL: the player is asked for one */
    bool ask_anyway; /* players are asked also where a set-up is given, which then replaces their
                        answer: they draw from their chance as if it had counted */
    enum side first;
    const struct limits *limits; /* NULL: those of the rules */
    uint64_t seed;               /* only written into the record */
};

struct referee_report {
    enum result result;
    enum reason reason;
    uint32_t plies;
    struct setup setups[2];
    struct fault forfeit; /* why the loser of a forfeit lost; STATUS_OK otherwise */
};

/* Plays to the end. `record` (may be NULL) receives tags and moves. False with a fault only when
 * the host itself fails. */
bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault);

#endif
