/* session.h - the program run by a test, through pipes or at a pseudo-terminal.
 *
 * Every function fails the running test when the program does not answer within half a minute. */
#ifndef ENSIGN_TESTS_CLI_SESSION_H
#define ENSIGN_TESTS_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct session {
    pid_t pid;
    int in, out;   /* the same for a terminal */
    char *text;    /* all that was written so far, standard output and standard error; owned */
    size_t length; /* of it */
    size_t seen;   /* what session_expect() has passed */
};

/* Starts the program with `arguments`, ended by NULL. */
void session_open(struct session *session, bool terminal, const char *const *arguments);

void session_send(struct session *session, const char *text);

/* Reads until one of the words appears behind all that was expected before; returns which. `words`
 * ends with NULL. */
int session_expect_any(struct session *session, const char *const *words);
void session_expect(struct session *session, const char *word);

/* Waits for one more piece of output; false at its end. */
bool session_receive(struct session *session);

/* Ends the input, reads what is left and waits. Returns the exit code; `text` lives on. */
int session_finish(struct session *session);
void session_clear(struct session *session);

/* Ends the program with a signal, or (0) by closing its terminal or pipes, reads what is left, and
 * returns how it ended, as waitpid() says; `text` lives on. */
int session_break(struct session *session, int number);

/* Picks a move from what "moves" has just printed: an attack if there is one, else any, by the
 * number of the turn. Empty if there is none. */
void session_pick_move(const char *listed, unsigned turn, char move[32]);

/* Open, send, finish in one. */
int session_run(struct session *session, const char *input, const char *const *arguments);

/* A new folder under the system's temporary one, with HOME and XDG_STATE_HOME set to it. */
const char *session_folder(void);

/* Writes a file into that folder; returns its path, which lives until the next call with the same
 * `slot` (0..3). */
const char *session_file(int slot, const char *name, const char *text);

#endif
