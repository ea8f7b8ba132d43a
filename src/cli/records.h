/* records.h - record files as the commands take them: read, their variant loaded, played. */
#ifndef ENSIGN_CLI_RECORDS_H
#define ENSIGN_CLI_RECORDS_H

#include "host/playback.h"
#include "lua/folders.h"

/* One record at a time. The rules stay loaded from one record to the next of the same variant. */
struct records {
    const struct folders *folders;
    const char *variant;   /* taken instead of the tag; NULL: the tag */
    struct faults *faults; /* receives all that is malformed in the text; NULL: nobody asks */
    struct rules *rules;   /* of the record at hand; NULL if it has none that can be loaded */
    char rules_name[FOLDER_PATH_MAX]; /* what `rules` were loaded as */
    struct record *record;            /* NULL if the file could not be read */
    struct playback
        replay; /* of the moves that were played; legal only if nothing at all is wrong */
};

/* Reads the file ("-": standard input) and opens its replay before the first move. False with a
 * fault that names the file; what could be done is in `records` all the same. */
bool records_open(struct records *records, const char *path, struct fault *fault);

/* The same, and plays up to `plies` of its moves. */
bool records_play(struct records *records, const char *path, uint32_t plies, struct fault *fault);
void records_clear(struct records *records);

#endif
