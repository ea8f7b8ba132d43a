/* event.h - the facts of a move that are told.
 *
 * Events contain public facts: the kind of a piece appears if the rules show it to both sides. Only
 * what EVENT_LEARN says is for one side, and with rules.fallen_hidden the kind of a fallen piece
 * for its own; eyes.h and seat/outlook.h keep it from all others. A side's private knowledge is its
 * own set-up. Views, records and players have no other source than events. Where the rules limit
 * sight, each side gets only the events it may know of, with SQUARE_NONE for squares out of its
 * sight (eyes.h). */
#ifndef ENSIGN_CORE_PLAY_EVENT_H
#define ENSIGN_CORE_PLAY_EVENT_H

#include "position.h"

enum event_type {
    EVENT_MOVE,    /* side, from, to: a piece went to an empty square */
    EVENT_BATTLE,  /* side attacks: from, to, kind (attacker), other (defender), outcome; includes
                      removals and movement; KIND_NONE for a hidden winner; stays: the winning
                      attacker has not moved */
    EVENT_ABILITY, /* side, from (the actor's square), to (its target), tally, kind named
                      (KIND_NONE if it asks nothing) */
    EVENT_REMOVE,  /* by an effect: side (of the piece), from, kind */
    EVENT_REVEAL,  /* side (of the piece), from, kind: known for good */
    EVENT_CONCEAL, /* side (of the piece), from: face down again */
    EVENT_SWAP, /* side (of the piece on from, else of the one on to), from, to: the contents of the
                   two squares are exchanged */
    EVENT_PLACE, /* side, to, kind: a captured piece returned, face down */
    EVENT_LEARN, /* side (that learns), from (the other side's piece), kinds that the piece may be;
                    told to that side alone, the others get no kinds */
    EVENT_HOLD,  /* side (of the piece), from, turns: it may not move or act in so many turns */
    EVENT_COUNT, /* side (whose counter it is), counter, sets, by, now: a counter has changed */
    EVENT_END    /* result, reason */
};

const char *event_name(enum event_type type); /* "move", "battle", …: as bots and programs see it */

struct event {
    uint8_t type;    /* enum event_type */
    uint8_t side;    /* enum side */
    square from, to; /* SQUARE_NONE if unused */
    kind_id kind, other;
    uint8_t outcome;       /* enum outcome */
    struct tally_id tally; /* of the ability */
    uint8_t result;        /* enum result */
    uint8_t reason;        /* enum reason */
    union {
        uint8_t turns;   /* of EVENT_HOLD */
        uint8_t counter; /* of EVENT_COUNT: its number */
    };
    union {
        uint8_t sets;  /* of EVENT_COUNT: it was set to `by`, else `by` was added to it */
        uint8_t stays; /* of EVENT_BATTLE */
    };
    union {
        kindset kinds; /* of EVENT_LEARN; 0 for those who are not told */
        struct {
            int16_t now; /* of EVENT_COUNT: its value, within its range */
            int16_t by;
        };
    };
};

_Static_assert(sizeof(struct event) == 16, "without padding");

/* The kind of the piece of a side that falls in the event: NULL if none of it falls. */
static inline kind_id *event_fallen(struct event *event, enum side side) {
    const bool own = event->side == side;
    if (event->type == EVENT_REMOVE) return own ? &event->kind : NULL;
    if (event->type != EVENT_BATTLE) return NULL;
    if (own) return event->outcome == ATTACKER_WINS ? NULL : &event->kind;
    return event->outcome == DEFENDER_WINS ? NULL : &event->other;
}

/* Does it count as an attack for the no-attack limit? Abilities that share a tally agree on it. */
static inline bool event_attacks(const struct rules *rules, const struct event *event) {
    return event->type == EVENT_BATTLE ||
           (event->type == EVENT_ABILITY &&
            rules->ability[rules_first_sharing(rules, event->tally)].attacks);
}

enum {
    EVENTS_MAX = 42 /* of one turn: 14 by the move, 12 of pieces that falls show, the rest by
                       effects (calls.h) */
};

struct events {
    int count;
    struct event list[EVENTS_MAX];
    squareset seen; /* where the rules limit sight: squares of the enemies that the receiving side
                       sees after the turn */
};

#endif
