/* console.h - the program run by a test, through pipes or at a pseudo-terminal.
 *
 * Every function fails the running test when the program does not answer within half a minute. */
#ifndef ENSIGN_TESTS_CLI_CONSOLE_H
#define ENSIGN_TESTS_CLI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct console {
    pid_t pid;
    int in, out;   /* the same for a terminal */
    char *text;    /* all output so far, standard output and standard error; owned */
    size_t length; /* of it */
    size_t seen;   /* consumed by console_expect() */
};

/* The kind of the next pseudo-terminal: TERM. */
extern const char *console_terminal;

/* Starts the program with `arguments`, ended by NULL. */
void console_open(struct console *console, bool terminal, const char *const *arguments);

/* The same at a pseudo-terminal in a shell: a stop of the program is told as "stopped here", and
 * Enter lets it go on. */
void console_open_in_shell(struct console *console, const char *const *arguments);

/* Another program at a pseudo-terminal: its name, its arguments, NULL. */
void console_open_other(struct console *console, const char *const *words);

void console_send(struct console *console, const char *text);

/* Reads until one of the words appears after everything matched before; returns which. `words`
 * ends with NULL. */
int console_expect_any(struct console *console, const char *const *words);
void console_expect(struct console *console, const char *word);

/* Waits for one more piece of output; false at its end. */
bool console_receive(struct console *console);

/* Ends the input, reads the remaining output and waits. Returns the exit code; `text` stays valid.
 */
int console_finish(struct console *console);
void console_clear(struct console *console);

/* Ends the program with a signal, or (0) by closing its terminal or pipes, reads the remaining
 * output, and returns the status of waitpid(); `text` stays valid. */
int console_break(struct console *console, int number);

/* Picks a move from the list just printed by "moves": an attack if there is one, else any, by the
 * number of the turn. Empty if there is none. */
void console_pick_move(const char *listed, unsigned turn, char move[32]);

/* Opens, sends and finishes. */
int console_run(struct console *console, const char *input, const char *const *arguments);

/* A new folder under the system's temporary one, with HOME and XDG_STATE_HOME set to it. */
const char *console_folder(void);

/* Writes a file into that folder, with the folders that its name has; returns its path, which
 * lives until the next call with the same `slot` (0..3). */
const char *console_file(int slot, const char *name, const char *text);

#endif
