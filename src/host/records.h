/* records.h - opens record files: reads them, loads their variant, plays them. */
#ifndef ENSIGN_HOST_RECORDS_H
#define ENSIGN_HOST_RECORDS_H

#include "lua/folders.h"
#include "playback.h"

/* Holds one record at a time. Rules stay loaded while records are of the same variant. */
struct records {
    const struct folders *folders;
    const char *variant;   /* replaces the record's Variant tag; NULL: the tag counts */
    struct faults *faults; /* receives every error of the text; NULL: only the first is kept */
    struct rules *rules;   /* of the current record; NULL if they cannot be loaded */
    char rules_name[FOLDER_PATH_MAX]; /* name or path of `rules` */
    struct record *record;            /* NULL if the file could not be read */
    struct playback replay;           /* legal only if the whole record is without fault */
};

/* Reads the file ("-": standard input) and opens its replay before the first move. False with a
 * fault that names the file; `records` then holds the part that could be read. */
bool records_open(struct records *records, const char *path, struct fault *fault);

/* The same, and plays up to `plies` of its moves. */
bool records_play(struct records *records, const char *path, uint32_t plies, struct fault *fault);

/* The same for a text; faults name `path`. */
bool records_play_text(struct records *records, const char *path, const char *text, size_t length,
                       uint32_t plies, struct fault *fault);
/* The value of the tag Variant of the record file at `path`. Empty if there is none. */
void records_variant(const char *path, char name[FOLDER_PATH_MAX]);

/* Loads the rules for the record file at `path`, for bots that are to look at it. records_open()
 * then keeps them. */
bool records_load(struct records *records, const char *path, struct fault *fault);
/* The seed that was given to the command, else the record's, else one by chance. */
bool records_seed(const struct record *record, uint64_t *seed, struct fault *fault);

void records_clear(struct records *records);

#endif
