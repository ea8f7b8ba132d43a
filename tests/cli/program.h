/* program.h - runs the program as a user would and keeps its output. */
#ifndef ENSIGN_TESTS_CLI_PROGRAM_H
#define ENSIGN_TESTS_CLI_PROGRAM_H

#include <stdio.h>

struct program_run {
    int exit_code; /* 128 + signal if one ended it */
    char *out, *err;
};

/* Runs it with these arguments (up to a NULL) and `input` (NULL: none) as standard input, in the
 * source folder. Free with program_clear(). */
struct program_run program_run(const char *input, const char *const *arguments);
void program_clear(struct program_run *run);

#define PROGRAM(...) program_run((void *)0, (const char *const[]){__VA_ARGS__, (void *)0})

/* All that a file holds, which is closed; the caller frees. */
char *program_text(FILE *file);

/* The same, but sends it a signal after that many lines of output, if it has not ended
 * before. Also waits for all processes that it leaves behind. */
struct program_run program_signal(const char *const *arguments, int lines, int signal);

/* Fails the test unless the run ended with this code and its standard error holds `message` in a
 * single line ("": is empty), followed only by lines of a script. Clears the run.
 */
void program_expect(struct program_run run, int exit_code, const char *message);

/* A fresh file of this ending with this content; `path` holds 64 bytes. The caller unlinks it. */
void program_file(char path[64], const char *ending, const void *bytes, unsigned long count);

#endif
