/* variant_source.h - the files of one variant while it is loaded: what they return, merged, and
 * which of them an entry comes from.
 *
 * A key is written as a path of names joined with dots, such as "pieces.scout.moves"; an element of
 * a list has its number in brackets behind the list's name ("tests[2].move"). The empty key is the
 * whole table.
 *
 * Loading goes on after a fault wherever it can, so that all are found in one run; what follows
 * from a fault that was named already is left out. */
#ifndef ENSIGN_VARIANT_VARIANT_SOURCE_H
#define ENSIGN_VARIANT_VARIANT_SOURCE_H

#include "base/faults.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

enum { CHAIN_MAX = 16, VARIANT_KEY_MAX = FAULT_KEY_MAX, VALUE_TEXT_MAX = FAULT_VALUE_MAX };

struct variant_file {
    char path[FOLDER_PATH_MAX];
    char *text; /* owned */
    size_t length;
};

/* Reads the text of the file at `path`. False with a fault. */
bool variant_file_read(struct variant_file *file, const struct reader *reader, struct fault *fault);

struct variant_source {
    const struct folders *folders;
    struct sandbox *sandbox;
    lua_State *lua;
    struct faults *faults; /* where refusals go */
    bool stopped;          /* fuel or memory are gone: nothing more can be asked */
    int table;             /* absolute index of the merged table; 0 before there is one */
    int count;             /* files read, the variant itself first, then what it extends */
    struct variant_file file[CHAIN_MAX];
};

/* Runs the first file (its path and text are set, `count` is 1) and all that it extends and pushes
 * the merged table. Raises no errors but those of the sandbox; false after a refusal. */
bool variant_source_merge(struct variant_source *source);

/* The same for `count` files that are all there, as an earlier merge has left them, in another
 * state. */
bool variant_source_merge_again(struct variant_source *source);

void variant_source_clear(struct variant_source *source);

/* Pushes the value at `key` of the table at the absolute index `table`, nil where there is none.
 * Returns its Lua type. */
int variant_get(lua_State *lua, int table, const char *key);

/* Adds an error (STATUS_RULES), placed where `key` is written, unless it follows from one that was
 * named already. Always false. */
bool variant_refuse(struct variant_source *source, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a fault that is filled already; one without a place gets that of `key`. */
bool variant_refuse_fault(struct variant_source *source, const char *key,
                          const struct fault *fault);

/* The number of the file that the value at `key` comes from: the first that has it, or as much of
 * the key as any other has. */
int variant_origin(struct variant_source *source, const char *key);

/* Places a fault where `key` is written. */
void variant_place(struct variant_source *source, const char *key, struct fault *fault);

/* A value in a few words: "\"text\"", "12", "true", "a table". Returns `out`. */
const char *variant_value(lua_State *lua, int index, char out[VALUE_TEXT_MAX]);

#endif
