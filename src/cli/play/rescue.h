/* rescue.h - the message when a signal ends the program in the middle of a game.
 *
 * The saved file is always whole (host/table/saved.h) and the bots' processes end with ours, so it
 * is enough to print where the game is and let the signal take effect. A game held in memory must
 * be written first, which a handler cannot do: a thread waits for the signals instead. SIGINT,
 * SIGTERM, SIGHUP, SIGQUIT and the signals of a crash are caught unless they are ignored. An open
 * screen catches signals itself and raises them again after it has restored the terminal. */
#ifndef ENSIGN_CLI_PLAY_RESCUE_H
#define ENSIGN_CLI_PLAY_RESCUE_H

#include <stdbool.h>

void rescue_start(void);
void rescue_stop(void); /* restores the signals */

/* Sets the message, cut if it is too long; NULL: none. */
void rescue_say(const char *text);

/* From now on signals, except those of a crash, make another thread call `save`, which may call
 * rescue_say(), before they end the program. SIGPIPE is ignored. Call it from the thread that
 * starts all others of the game. False if no thread can be started. */
bool rescue_hold(void (*save)(void *context), void *context);

/* Ends rescue_hold(). Does not return if a signal is ending the program. */
void rescue_let_go(void);

#endif
