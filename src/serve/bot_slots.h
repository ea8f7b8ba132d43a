/* bot_slots.h - which games have their bots' processes now.
 *
 * There are only so many processes, in all and for the games of one visitor. Of the games that wait
 * the next is the first of the visitor who has the fewest. While any game waits, those whose bots
 * only wait for a person are woken, to give theirs back; and those that bots play alone, where
 * their visitor has more than whoever waits. Studies, which give none back before they have ended,
 * have a quarter of all together, and wait for each other.
 *
 * Any thread may call these functions. */
#ifndef ENSIGN_SERVE_BOT_SLOTS_H
#define ENSIGN_SERVE_BOT_SLOTS_H

#include "workers.h"

struct bot_slots;

struct slots_terms {
    int all;        /* bots at a time */
    int of_visitor; /* in the games of one */
};

enum { BOT_SLOTS = 512, BOT_SLOTS_OF_VISITOR = 64 }; /* the usual terms */

/* What a visitor has; zeroed before the first use. */
struct bot_share {
    int held;
};

/* A member of a game, or of a study. Zeroed before the first use; the first four are the caller's.
 */
struct bot_claim {
    struct task *task;       /* woken when it has the slots, or others want them */
    struct bot_share *share; /* lives longer than the claim; NULL: without a limit of its own */
    int bots;
    bool study;
    struct claim_list *list; /* of those that hold slots, or wait; NULL: neither */
    struct bot_claim *previous, *next;
};

/* NULL without memory. */
struct bot_slots *bot_slots_open(struct slots_terms terms);
void bot_slots_close(struct bot_slots *slots); /* NULL is allowed */

/* True: the claim holds its slots. False: it waits for them, or, unless it `may_wait`, does not. */
bool bot_slots_take(struct bot_slots *slots, struct bot_claim *claim, bool may_wait);

/* Gives them back, or stops waiting. */
void bot_slots_give(struct bot_slots *slots, struct bot_claim *claim);

/* The game is another visitor's from now on, with the slots that it holds; `share` as in a claim.
 */
void bot_slots_move(struct bot_slots *slots, struct bot_claim *claim, struct bot_share *share);

/* Does anybody wait for slots such as this claim's? Where a visitor has all that it may have, its
 * games wait for its own. */
bool bot_slots_are_wanted(struct bot_slots *slots, const struct bot_claim *claim);

/* Does a visitor wait for them that would still have fewer than this claim's? */
bool bot_slots_are_owed(struct bot_slots *slots, const struct bot_claim *claim);

#endif
