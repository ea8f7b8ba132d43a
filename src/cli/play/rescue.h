/* rescue.h - what a person is told when a signal ends the program in the middle of a game.
 *
 * The game itself needs nothing, since its file is always whole (host/saved.h), and neither do
 * processes of bots, which end with ours. So the one thing left to do is to say where the game is;
 * then the signal does what it would have done. Caught are SIGINT, SIGTERM, SIGHUP, SIGQUIT and the
 * signals of a crash, unless they are ignored. A screen that is open takes signals for itself and
 * hands them on when it has given the terminal back. */
#ifndef ENSIGN_CLI_PLAY_RESCUE_H
#define ENSIGN_CLI_PLAY_RESCUE_H

void rescue_start(void);
void rescue_stop(void); /* lets the signals go again */

/* What is to be said, copied as far as it fits; NULL: nothing. */
void rescue_say(const char *text);

#endif
