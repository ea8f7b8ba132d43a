/* refusal.h - why a variant cannot be played, as data.
 *
 * A refusal is a code with the kind, ability and value it is about, by which the script layer finds
 * the line of the variant file. refusal_fault() makes the English message. */
#ifndef ENSIGN_CORE_RULES_REFUSAL_H
#define ENSIGN_CORE_RULES_REFUSAL_H

#include "rules.h"

enum refusal_code {
    REFUSED_BOARD,        /* value: its files, expected: its ranks */
    REFUSED_ZONE,         /* value: the ranks of `side`'s */
    REFUSED_ZONES_MEET,   /* value: a square of both */
    REFUSED_LAKE,         /* one lies off the board */
    REFUSED_ZONES,        /* lakes make the zones of the sides differ */
    REFUSED_KINDS,        /* value: how many */
    REFUSED_LETTER,       /* value: the letter of `kind` */
    REFUSED_LETTER_TWICE, /* value: the letter of `kind` and `other` */
    REFUSED_NAME_TWICE,   /* of `kind` */
    REFUSED_PIECES,       /* value: the number of `kind` of a side, or of both */
    REFUSED_MOVEMENT,     /* `kind` has a movement that does not exist */
    REFUSED_NO_FLAG,      /* in the army, nor another way to win */
    REFUSED_IMMOBILE,     /* the army of `side` */
    REFUSED_ARMY_LARGE,   /* value: its pieces, expected: squares of the zone, at most */
    REFUSED_ARMY_SMALL,   /* value: its pieces, expected: squares of the zone, all filled */
    REFUSED_START,        /* value: the number of `kind` of `side`, expected: how many of them find
                             a square on which they may start */
    REFUSED_TWO_SQUARES,  /* value: the limit */
    REFUSED_NO_ATTACK,    /* value: the limit */
    REFUSED_PLIES,        /* value: the limit */
    REFUSED_DRAW_WITHOUT, /* names kinds that the army lacks */
    REFUSED_ABILITIES,    /* value: how many */
    REFUSED_NO_TIME,      /* `ability` can be used at no time */
    REFUSED_NO_AIM,       /* `ability` has no allowed targets */
    REFUSED_NO_CHOICE,    /* `ability` asks for a kind and allows none */
    REFUSED_CAPTURED,     /* `ability` names a captured kind, and the fallen stay hidden */
    REFUSED_TALLY,        /* value: the tally of `ability` */
    REFUSED_SHARED_LIMIT, /* value: that of `ability`, expected: that of one with its tally */
    REFUSED_SHARED_ATTACKS, /* `ability` and one with its tally differ in `attacks` */
    REFUSED_MARKS,          /* value: `each` or `rest` of `ability` */
    REFUSED_SHARED_MARKS,   /* `ability` and one with its tally differ in them */
    REFUSED_EMPTY_TARGET,   /* `ability` does something to the piece on an empty square */
    REFUSED_PLACE,          /* `ability` places a piece where none can be placed */
    REFUSED_CONTRADICTION,  /* value: effects of `ability` that cannot go together */
    REFUSED_COUNTING,       /* `ability` changes a counter that does not exist, by nothing, or to
                               `value` beyond its range */
    REFUSED_STAYS,          /* `ability` acts after an attack of a piece that does not advance */
    REFUSED_FALL_OF,        /* value: how many pieces of a side falls can show */
    REFUSED_GIVEN,          /* value: the number of `kind` of `side`, expected: the squares on which
                              they start */
    REFUSED_BARRED,         /* attacks that may not be made, and the game is not open */
    REFUSED_OPEN,           /* the game is open; value: enum hiding */
    REFUSED_REPETITION,     /* value: how often */
    REFUSED_COUNTER,        /* value: its number; its range or its start makes no sense */
    REFUSED_COUNTER_IDLE,   /* value: its number; nothing changes it */
    REFUSED_GOAL,           /* value: its number; it is about nothing, or about two things */
    REFUSED_GOAL_PLACE,     /* value: its number; its squares are off the land, or none */
    REFUSED_GOAL_ZONE,      /* value: its number; a side's set-up may stand there */
    REFUSED_GOAL_COUNT,     /* value: its number; its counter cannot come so far */
    REFUSED_GOAL_RESULT,    /* value: its number; the result does not fit it */
    REFUSED_MOVES           /* value: the most legal moves of a position */
};

/* What an open game cannot have. */
enum hiding { HIDING_FALLEN, HIDING_WINNERS, HIDING_SIGHT, HIDING_FALLS, HIDING_EFFECTS };

struct refusal {
    enum refusal_code code;
    kind_id kind;    /* for effects: the target's */
    kind_id other;   /* for effects: the choice */
    uint8_t ability; /* its index */
    uint8_t side;    /* enum side */
    int value, expected;
};

enum { REFUSALS_MAX = 16 };

struct refusals {
    int count; /* of `list`; refusals that do not fit are dropped */
    struct refusal list[REFUSALS_MAX];
};

/* The checks of rules_finish() that need only a part of the rules, so that a loader can report all
 * errors in one run. Each adds to `refusals` and returns true if there was nothing to add. The
 * first also derives the board; the second compares army and zone only if the board is good; the
 * third needs the army; that of goals and counters needs board, army and abilities. */
bool refusals_check_board(struct rules *rules, struct refusals *refusals);
bool refusals_check_army(const struct rules *rules, struct refusals *refusals);
bool refusals_check_abilities(const struct rules *rules, struct refusals *refusals);
bool refusals_check_limits(const struct rules *rules, struct refusals *refusals);
bool refusals_check_goals(const struct rules *rules, struct refusals *refusals);

/* Adds one; returns false. */
bool refusals_add(struct refusals *refusals, struct refusal refusal);

/* A STATUS_RULES fault that names the thing, its value and what was expected. Returns false. */
bool refusal_fault(const struct refusal *refusal, const struct rules *rules, struct fault *fault);

#endif
