/* analyse_print.h - an analysed game as text and as JSON. */
#ifndef ENSIGN_CLI_ANALYSE_ANALYSE_PRINT_H
#define ENSIGN_CLI_ANALYSE_ANALYSE_PRINT_H

#include "host/analysis.h"

#include <jansson.h>

struct analysed {
    const struct rules *rules;
    const struct record *record;
    const struct analysis *analysis;
};

/* Prints a table of the plies and the worst moves of both sides. */
void analyse_print(const struct analysed *analysed);

/* Chances are 0 … 1; `ply` counts from 1. NULL if memory is short. */
json_t *analyse_json(const struct analysed *analysed);

#endif
