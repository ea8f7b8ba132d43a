/* event.h - what happened in a move, as both sides may know it.
 *
 * An event holds only what is public: the rank of a piece appears in it when the rules show that
 * rank to both sides. What one side alone knows it knows from its own set-up. Views, records and
 * players learn of a game through events and in no other way. Where the rules limit sight, a side
 * is told the events that it may know of, with SQUARE_NONE for squares that it does not see
 * (eyes.h). */
#ifndef ENSIGN_CORE_PLAY_EVENT_H
#define ENSIGN_CORE_PLAY_EVENT_H

#include "position.h"

enum event_type {
    EVENT_MOVE,    /* side, from, to: a piece went to an empty square */
    EVENT_BATTLE,  /* side attacks: from, to, kind (attacker), other (defender), outcome; removals
                      and movement are included; KIND_NONE for a winner that is not shown */
    EVENT_ABILITY, /* side, from (where the actor stands), to (its target), tally, kind named
                      (KIND_NONE if it asks nothing) */
    EVENT_REMOVE,  /* by an effect: side (of the piece), from, kind */
    EVENT_REVEAL,  /* side (of the piece), from, kind: known for good */
    EVENT_CONCEAL, /* side (of the piece), from: face down again */
    EVENT_SWAP, /* side (of the piece that was on from, if there was one), from, to: the two squares
                   exchange what stands on them */
    EVENT_PLACE, /* side, to, kind: a captured piece returned, face down */
    EVENT_END    /* result, reason */
};

struct event {
    uint8_t type;    /* enum event_type */
    uint8_t side;    /* enum side */
    square from, to; /* SQUARE_NONE when not used */
    kind_id kind, other;
    uint8_t outcome;       /* enum outcome */
    struct tally_id tally; /* of the ability */
    uint8_t result;        /* enum result */
    uint8_t reason;        /* enum reason */
};

/* Is it an attack, for the no-attack limit and whoever looks on? */
static inline bool event_attacks(const struct rules *rules, const struct event *event) {
    return event->type == EVENT_BATTLE ||
           (event->type == EVENT_ABILITY &&
            rules->ability[rules_first_sharing(rules, event->tally)].attacks);
}

enum { EVENTS_MAX = 28 }; /* of one turn: 12 by the move, and what calls.h adds */

struct events {
    int count;
    struct event list[EVENTS_MAX];
    squareset seen; /* where the rules limit sight: the squares of enemies that the side which is
                       told sees after the turn */
};

#endif
