/* variant_source.h - the files of one variant during loading, their merged table, and the file that
 * each entry comes from.
 *
 * A key is a path of names joined with dots, such as "pieces.scout.moves"; a list's element has its
 * number in brackets ("tests[2].move"). The empty key is the whole table.
 *
 * Loading continues after a fault where it can, so that one run finds all faults. Faults that only
 * follow from an earlier one are left out. */
#ifndef ENSIGN_VARIANT_VARIANT_SOURCE_H
#define ENSIGN_VARIANT_VARIANT_SOURCE_H

#include "base/fault.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

enum { CHAIN_MAX = 16, VARIANT_KEY_MAX = FAULT_KEY_MAX, VALUE_TEXT_MAX = FAULT_VALUE_MAX };

struct variant_file {
    char path[FOLDER_PATH_MAX];
    char *text; /* owned */
    size_t length;
};

/* Reads the file at `file->path`. False with a fault. */
bool variant_file_read(struct variant_file *file, const struct reader *reader, struct fault *fault);

struct variant_source {
    const struct folders *folders;
    struct sandbox *sandbox;
    lua_State *lua;
    struct faults *faults; /* where refusals go */
    bool stopped;          /* out of fuel or memory: no function can be called */
    int table;             /* absolute index of the merged table; 0 before the merge */
    int count;             /* of files read: the variant, then those it extends */
    struct variant_file file[CHAIN_MAX];
};

/* Runs the first file (path and text are set, `count` is 1) and all that it extends, and pushes the
 * merged table. Raises only the sandbox's errors. False after a refusal. */
bool variant_source_merge(struct variant_source *source);

/* The same in another state, for the `count` files that an earlier merge has read. */
bool variant_source_merge_again(struct variant_source *source);

void variant_source_clear(struct variant_source *source);

/* Pushes the value at `key` of the table at the absolute index `table`, or nil. Returns its type.
 */
int variant_get(lua_State *lua, int table, const char *key);

/* Adds an error (STATUS_RULES) at the place of `key`, unless it follows from an earlier one. Always
 * false. */
bool variant_refuse(struct variant_source *source, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a given fault; if it has no place, it gets that of `key`. */
bool variant_refuse_fault(struct variant_source *source, const char *key,
                          const struct fault *fault);

/* The index of the file that the value at `key` comes from: the first file that has the longest
 * part of the key that any file has. */
int variant_origin(struct variant_source *source, const char *key);

/* Places a fault at `key`. */
void variant_place(struct variant_source *source, const char *key, struct fault *fault);

/* A short form of a value: "\"text\"", "12", "true", "a table". Returns `out`. */
const char *variant_value(lua_State *lua, int index, char out[VALUE_TEXT_MAX]);

#endif
