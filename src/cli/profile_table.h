/* profile_table.h - where fuel went, as a table of lines and as JSON. */
#ifndef ENSIGN_CLI_PROFILE_TABLE_H
#define ENSIGN_CLI_PROFILE_TABLE_H

#include "lua/profile.h"

#include <jansson.h>
#include <stdio.h>

/* Prints the fuel in all and the lines that used most, each with its share and its text. */
void profile_table_print(FILE *out, const struct profile *profile);

/* {"fuel", "lines": [{"file", "line", "fuel", "share", "text"}…]} */
json_t *profile_table_json(const struct profile *profile);

#endif
