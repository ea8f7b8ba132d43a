/* outlet.h - where the results of a command that turns files into others go: one to standard
 * output, many into a folder, each under its file's name with another ending. */
#ifndef ENSIGN_CLI_OUTLET_H
#define ENSIGN_CLI_OUTLET_H

#include "base/fault.h"
#include "lua/folders.h"

struct outlet {
    const char *folder;            /* NULL: standard output */
    const char *ending;            /* ".rec" */
    char written[FOLDER_PATH_MAX]; /* the file written last; empty for standard output */
};

/* What the result of the file `source` ("-": standard input) is called: the file's name with
 * another ending. False if that is too long for `name`. */
bool outlet_name(const char *source, const char *ending, char *name, size_t size);

/* Makes the folder if there is one. False with a fault. */
bool outlet_open(struct outlet *outlet, struct fault *fault);

/* Writes what was made of the file `source`. A file that is there already is not touched. */
bool outlet_write(struct outlet *outlet, const char *source, const char *text, struct fault *fault);

#endif
