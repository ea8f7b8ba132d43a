/* sources.h - the files that a match is played with, each read once and kept in memory.
 *
 * If a bot's file changes during a match, the match goes on with the version it read, and resuming
 * it reports the change. Thread-safe, except where noted below. */
#ifndef ENSIGN_HOST_MATCH_SOURCES_H
#define ENSIGN_HOST_MATCH_SOURCES_H

#include "base/reader.h"
#include "store.h"

struct sources;

/* Of files that are read through `from`, which must last as long. NULL without memory. */
struct sources *sources_open(const struct reader *from);
void sources_close(struct sources *sources);

/* A reader that reads each file once, for folders.reader. Lives as long as the sources. */
const struct reader *sources_reader(struct sources *sources);

/* Keeps the hash of text read elsewhere, under a path or another name. False without memory. */
bool sources_note(struct sources *sources, const char *name, const void *bytes, size_t length);

/* The same for an external program's file, and for this program, as SOURCES_PROGRAM. */
#define SOURCES_PROGRAM "(program)"
bool sources_note_file(struct sources *sources, const char *path, struct fault *fault);
bool sources_note_program(struct sources *sources, struct fault *fault);

/* A hash over the contents of all files read or noted between the two calls, in that order,
 * whatever their paths. No other thread may read meanwhile. */
void sources_begin(struct sources *sources);
uint64_t sources_end(struct sources *sources);

/* The size of a file, -1 if there is none, SOURCES_UNREAD if nobody has asked for it so far. */
enum { SOURCES_UNREAD = -2 };
long sources_size(struct sources *sources, const char *path);

/* Writes the files that are not in the store yet into it. For one thread at a time. */
bool sources_keep(struct sources *sources, struct store *store, struct fault *fault);

/* Whether these files, and those now at the store's paths, are the same as in the store. False with
 * a STATUS_USAGE fault that names those that differ. */
bool sources_agree(struct sources *sources, struct store *store, struct fault *fault);

#endif
