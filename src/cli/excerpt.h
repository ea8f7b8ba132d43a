/* excerpt.h - the lines of a script around a fault, for the person who has to mend it. */
#ifndef ENSIGN_CLI_EXCERPT_H
#define ENSIGN_CLI_EXCERPT_H

#include "base/fault.h"

#include <stdio.h>

/* Prints up to two lines before and after the fault's line, numbered, that line marked with '>'.
 * Nothing if the fault has no line, is none of a script's, or its file cannot be read any more. */
void excerpt_print(FILE *out, const struct fault *fault);

#endif
