/* help.h - the help of the program. */
#ifndef ENSIGN_CLI_HELP_H
#define ENSIGN_CLI_HELP_H

#include "command.h"

#include <stdio.h>

/* NULL after an error message that suggests a similar name. */
const struct command *help_find(const char *name);

/* Prints one line for each command. */
void help_overview(FILE *out);

#endif
