/* rescue.h - what a person is told when a signal ends the program in the middle of a game.
 *
 * The game itself needs nothing where its file is always whole (host/saved.h), and neither do
 * processes of bots, which end with ours. So the one thing left to do is to say where the game is;
 * then the signal does what it would have done. A game that is held in memory must be written
 * first, which a handler cannot do: there a thread waits for the signals. Caught are SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT and the signals of a crash, unless they are ignored. A screen that is
 * open takes signals for itself and hands them on when it has given the terminal back. */
#ifndef ENSIGN_CLI_PLAY_RESCUE_H
#define ENSIGN_CLI_PLAY_RESCUE_H

#include <stdbool.h>

void rescue_start(void);
void rescue_stop(void); /* lets the signals go again */

/* What is to be said, copied as far as it fits; NULL: nothing. */
void rescue_say(const char *text);

/* From now on signals, but those of a crash, let another thread call `save`, which may call
 * rescue_say(), before they end the program; output that nobody reads does not end it. To be called
 * by the thread that starts all others of the game. False if no thread can be had. */
bool rescue_hold(void (*save)(void *context), void *context);

/* Ends that, and does not return if a signal is ending the program. */
void rescue_let_go(void);

#endif
