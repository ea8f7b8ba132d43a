/* result_writer.h - the finished games of a match: stored as they come, counted in order of number.
 *
 * Its thread writes records and rows within a few milliseconds of a game's end, calls back, and
 * ends the match when it is decided. */
#ifndef ENSIGN_HOST_MATCH_RESULT_WRITER_H
#define ENSIGN_HOST_MATCH_RESULT_WRITER_H

#include "pair.h"

struct result_writer;

/* Reads the games of the match's store and starts the thread. Sets `*stop` when the result writer
 * fails or the match is decided. NULL with a fault. */
struct result_writer *result_writer_open(struct tournament *match,
                                         const struct tournament_options *options,
                                         atomic_bool *stop, struct fault *fault);

/* Whether this game is finished already; of games that are being played another thread must not
 * ask. */
bool result_writer_has(const struct result_writer *writer, uint32_t number);

/* The set-ups, as in the referee's report, of a game from the store that is the first of its pair
 * and whose second was not there; for any other game `setups` is left as it is. */
void result_writer_setups(const struct result_writer *writer, uint32_t number,
                          struct setup setups[2]);

/* Takes ownership of a finished game, made with malloc(). May wait for the thread. */
void result_writer_post(struct result_writer *writer, struct finished *finished);

/* Waits until all games posted so far are stored and counted, or the result writer has failed. */
void result_writer_settle(struct result_writer *writer);

/* Has the games of a pair removed by result_writer_drop(): they were not played as the match wants
 * it. For one thread. False without memory. */
bool result_writer_strike(struct result_writer *writer, uint32_t pair);

/* Removes what was struck, with rows and records; it can be posted again. What was counted of it is
 * so until result_writer_anew() counts everything anew. False with a fault: then the result writer
 * can only be closed. */
bool result_writer_drop(struct result_writer *writer, struct fault *fault);
bool result_writer_anew(struct result_writer *writer, struct fault *fault);

/* Notes a failure, which ends the match. */
void result_writer_fail(struct result_writer *writer, const struct fault *fault);

/* Finishes writing and frees. False with the first fault, if any. NULL is allowed. */
bool result_writer_close(struct result_writer *writer, struct fault *fault);

#endif
