/* inspect_print.h - the printed form of what `ensign check` finds in a file, errors apart. */
#ifndef ENSIGN_CLI_CHECK_INSPECT_PRINT_H
#define ENSIGN_CLI_CHECK_INSPECT_PRINT_H

#include "host/check/inspect.h"

#include <stdio.h>

/* Prints nothing about a file that cannot be used. */
void inspect_print(FILE *out, const char *path, const struct inspection *inspection);

#endif
