/* sources.h - the files that a match is played with, each read once and remembered.
 *
 * A bot's file may be changed while the bot plays; the match then goes on with what it has read,
 * and whoever resumes it is told. Safe for any number of threads, but for what is said below. */
#ifndef ENSIGN_HOST_MATCH_SOURCES_H
#define ENSIGN_HOST_MATCH_SOURCES_H

#include "base/reader.h"
#include "store.h"

struct sources;

struct sources *sources_open(void); /* NULL without memory */
void sources_close(struct sources *sources);

/* Reads through the memory; for folders.reader. Lives as long as the sources. */
const struct reader *sources_reader(struct sources *sources);

/* Remembers the hash of what was read elsewhere, under a path or another name. False without
 * memory. */
bool sources_note(struct sources *sources, const char *name, const void *bytes, size_t length);

/* The same for a program's file, and for the program that is running, as SOURCES_PROGRAM. */
#define SOURCES_PROGRAM "(program)"
bool sources_note_file(struct sources *sources, const char *path, struct fault *fault);
bool sources_note_program(struct sources *sources, struct fault *fault);

/* A hash over the contents of all files that are read or noted between the two calls, in the order
 * in which they are read, whatever their paths; for one thread while no other reads. */
void sources_begin(struct sources *sources);
uint64_t sources_end(struct sources *sources);

/* Writes those into the store that are not in it yet. For one thread at a time. */
bool sources_keep(struct sources *sources, struct store *store, struct fault *fault);

/* Are these, and what is now at the paths that the store names, the files that the store knows?
 * False with a STATUS_USAGE fault that names those that differ. */
bool sources_agree(struct sources *sources, struct store *store, struct fault *fault);

#endif
