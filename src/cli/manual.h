/* manual.h - manual pages and completion, from the tables of the commands. */
#ifndef ENSIGN_CLI_MANUAL_H
#define ENSIGN_CLI_MANUAL_H

#include "base/fault.h"
#include "command.h"

/* Writes ensign.6 and ensign-COMMAND.6 into the folder, which it makes, in roff and English. */
bool manual_write(const char *folder, struct fault *fault);

/* Prints the words that may come after `typed`, the words after "ensign": one a line, a tab and
 * what it means if that is not its name alone. ":files" or ":folders" stands for those of the disk.
 * Nothing after words that no command takes. */
void completion_print(FILE *out, const struct arguments *typed);

#endif
