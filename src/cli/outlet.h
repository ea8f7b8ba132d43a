/* outlet.h - writing the results of import and export: a single one to standard output, several
 * into a folder, each with the name of its source and a new ending. */
#ifndef ENSIGN_CLI_OUTLET_H
#define ENSIGN_CLI_OUTLET_H

#include "base/fault.h"
#include "lua/folders.h"

struct outlet {
    const char *folder;            /* NULL: standard output */
    const char *ending;            /* ".rec" */
    char written[FOLDER_PATH_MAX]; /* the file written last; empty for standard output */
};

/* The name of `source`'s result: the file's name ("-": "standard-input") with another ending. False
 * if it is too long for `name`. */
bool outlet_name(const char *source, const char *ending, char *name, size_t size);

/* Makes the folder, if one is given. False with a fault. */
bool outlet_open(struct outlet *outlet, struct fault *fault);

/* Writes the result of the file `source`. An existing file is never overwritten. */
bool outlet_write(struct outlet *outlet, const char *source, const char *text, struct fault *fault);

#endif
