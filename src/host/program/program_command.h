/* program_command.h - the command of an external program, taken apart.
 *
 * Words are separated by blanks and quoted with '…', "…" and \ as in a shell; no shell is run. A
 * program named with a '/' runs in its own folder; any other is found on PATH and runs in the
 * current folder. */
#ifndef ENSIGN_HOST_PROGRAM_PROGRAM_COMMAND_H
#define ENSIGN_HOST_PROGRAM_PROGRAM_COMMAND_H

#include "base/fault.h"
#include "lua/folders.h"

enum { PROGRAM_WORDS_MAX = 32, PROGRAM_NAME_MAX = 64 };

struct program_command {
    char *words[PROGRAM_WORDS_MAX + 1]; /* ended by NULL; words[0] is replaced by `path` */
    char *storage;                      /* of the words; owned */
    char *fixed[PROGRAM_WORDS_MAX];     /* words made absolute; owned, NULL for others */
    char path[FOLDER_PATH_MAX];         /* of the program's file, absolute */
    char folder[FOLDER_PATH_MAX];       /* that it runs in, absolute */
    char name[PROGRAM_NAME_MAX];        /* safe UTF-8 (utf8.h) */
};

/* Reads `text`. The name is that of the program's file; for an interpreter found on PATH
 * ("python3 ./bot.py", "java -jar bot.jar") that of the first file among its arguments. False with
 * a fault: STATUS_USAGE for a malformed command or a file that is not executable, STATUS_NOT_FOUND
 * for a program or a script's interpreter, STATUS_NO_MEMORY. Whatever it returns, the caller frees
 * with program_command_clear(). */
bool program_command_read(struct program_command *command, const char *text, struct fault *fault);

/* Splits `text` into the words alone. False with a STATUS_USAGE or STATUS_NO_MEMORY fault; clear it
 * too. */
bool program_command_split(struct program_command *command, const char *text, struct fault *fault);

/* Whether the program's file is there and executable, and so is the interpreter that its first line
 * names ("#!/usr/bin/env python3"). False with a STATUS_NOT_FOUND or STATUS_USAGE fault. */
bool program_command_check(const struct program_command *command, struct fault *fault);

/* Makes the words absolute that name files or folders in the folder that the program would run in,
 * or else in the current one, so that it can run in any folder. False without memory. */
bool program_command_fix(struct program_command *command, struct fault *fault);

void program_command_clear(struct program_command *command);

#endif
