/* ledger.h - the finished games of a match: stored as they come, counted in order of number.
 *
 * Its thread writes records and rows within a few milliseconds of a game's end, calls back, and
 * ends the match when it is decided. */
#ifndef ENSIGN_HOST_MATCH_LEDGER_H
#define ENSIGN_HOST_MATCH_LEDGER_H

#include "pair.h"

struct ledger;

/* Reads the games of the match's store and starts the thread. Sets `*stop` when the ledger fails or
 * the match is decided. NULL with a fault. */
struct ledger *ledger_open(struct tournament *match, const struct tournament_options *options,
                           atomic_bool *stop, struct fault *fault);

/* Whether this game is finished already; of games that are being played another thread must not
 * ask. */
bool ledger_has(const struct ledger *ledger, uint32_t number);

/* The set-ups, as in the referee's report, of a game from the store that is the first of its pair
 * and whose second was not there; for any other game `setups` is left as it is. */
void ledger_setups(const struct ledger *ledger, uint32_t number, struct setup setups[2]);

/* Takes ownership of a finished game, made with malloc(). May wait for the thread. */
void ledger_post(struct ledger *ledger, struct finished *finished);

/* Waits until all games posted so far are stored and counted, or the ledger has failed. */
void ledger_settle(struct ledger *ledger);

/* Has the games of a pair removed when the ledger is closed, with their rows and records: they were
 * not played as the match wants it. They have been counted, so the match must be counted anew. For
 * one thread. False without memory. */
bool ledger_strike(struct ledger *ledger, uint32_t pair);

/* Notes a failure, which ends the match. */
void ledger_fail(struct ledger *ledger, const struct fault *fault);

/* Finishes writing and frees. False with the first fault, if any. NULL is allowed. */
bool ledger_close(struct ledger *ledger, struct fault *fault);

#endif
