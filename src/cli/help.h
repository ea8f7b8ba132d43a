/* help.h - the list of commands and their help pages. */
#ifndef ENSIGN_CLI_HELP_H
#define ENSIGN_CLI_HELP_H

#include "command.h"

#include <stdio.h>

/* In the order of the overview; ends with NULL. */
extern const struct command *const COMMANDS[];

/* NULL after an error message that suggests a similar name. */
const struct command *help_find(const char *name);

enum { HELP_COLUMNS = 100 };

/* Prints the page of a command in the language (cli_tongue()), in lines of at most HELP_COLUMNS. */
void help_page(FILE *out, const struct command *command);

/* Prints one line for each command. */
void help_overview(FILE *out);

#endif
