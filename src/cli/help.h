/* help.h - the list of commands, and what is said of them. */
#ifndef ENSIGN_CLI_HELP_H
#define ENSIGN_CLI_HELP_H

#include "command.h"

#include <stdio.h>

/* In the order in which people read about them, up to a NULL. */
extern const struct command *const COMMANDS[];

/* NULL after a complaint that suggests another name. */
const struct command *help_find(const char *name);

enum { HELP_COLUMNS = 100 };

/* Prints the page of a command, in lines of at most HELP_COLUMNS. */
void help_page(FILE *out, const struct command *command);

/* Prints a line about each command. */
void help_overview(FILE *out);

#endif
