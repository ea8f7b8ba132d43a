/* ledger.h - the finished games of a match: kept as they come, counted in their order.
 *
 * A thread of its own writes records and rows, a few milliseconds after a game was finished at the
 * latest, calls back, and ends the match when it is decided. */
#ifndef ENSIGN_HOST_MATCH_LEDGER_H
#define ENSIGN_HOST_MATCH_LEDGER_H

#include "tournament.h"

struct ledger;

struct finished {
    struct finished *next; /* the ledger's */
    uint32_t number;       /* from 0 */
    struct tournament_game game;
    char *record;                  /* the text, owned */
    char setup[2][SETUP_TEXT_MAX]; /* empty: none that was accepted */
    struct fault *fault;           /* why it was forfeited, or what broke a player after its end;
                                      owned; NULL: nothing */
    enum side late_side;           /* whom after the end */
};

/* Takes up what the match's store holds, and starts the thread. `*stop` is set when the ledger
 * fails or the match is decided. NULL with a fault. */
struct ledger *ledger_open(struct tournament *match, const struct tournament_options *options,
                           atomic_bool *stop, struct fault *fault);

/* Is this game there already? */
bool ledger_has(const struct ledger *ledger, uint32_t number);

/* The set-ups of a game that was there when the ledger was opened, while the other one of its pair
 * was not; as in the report of its referee. */
void ledger_setups(const struct ledger *ledger, uint32_t number, struct setup setups[2]);

/* Takes over a finished game, made with malloc(). May wait for the thread. */
void ledger_post(struct ledger *ledger, struct finished *finished);

/* Notes a failure, which ends the match. */
void ledger_fail(struct ledger *ledger, const struct fault *fault);

/* Finishes the writing. False with the first fault, if there was any. NULL is allowed. */
bool ledger_close(struct ledger *ledger, struct fault *fault);

#endif
