/* variant_source.h - the files of one variant while it is loaded: what they return, merged, and
 * which of them an entry comes from.
 *
 * A key is written as a path of names joined with dots, such as "pieces.scout.moves"; the empty key
 * is the whole table. */
#ifndef ENSIGN_SCRIPT_VARIANT_SOURCE_H
#define ENSIGN_SCRIPT_VARIANT_SOURCE_H

#include "core/fault.h"
#include "folders.h"
#include "sandbox.h"

enum { CHAIN_MAX = 16, VARIANT_KEY_MAX = 256, VALUE_TEXT_MAX = 64 };

struct variant_file {
    char path[FOLDER_PATH_MAX];
    char *text; /* owned */
    size_t length;
};

/* Reads the text of the file at `path`. False with a fault. */
bool variant_file_read(struct variant_file *file, struct fault *fault);

struct variant_source {
    const struct folders *folders;
    struct sandbox *sandbox;
    lua_State *lua;
    struct fault *fault; /* where refusals go */
    int count;           /* files read, the variant itself first, then what it extends */
    struct variant_file file[CHAIN_MAX];
};

/* Runs the first file (its path and text are set, `count` is 1) and all that it extends and pushes
 * the merged table. Raises no errors but those of the sandbox; false with a fault. */
bool variant_source_merge(struct variant_source *source);

void variant_source_clear(struct variant_source *source);

/* Pushes the value at `key` of the table at the absolute index `table`, nil where there is none.
 * Returns its Lua type. */
int variant_get(lua_State *lua, int table, const char *key);

/* Fills the fault (STATUS_RULES) and places it where `key` is written. Always false. */
bool variant_refuse(struct variant_source *source, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The number of the file that the value at `key` comes from: the first that has it, or as much of
 * the key as any other has. */
int variant_origin(struct variant_source *source, const char *key);

/* Places the fault where `key` is written. */
void variant_place(struct variant_source *source, const char *key);

/* A value in a few words: "\"text\"", "12", "true", "a table". Returns `out`. */
const char *variant_value(lua_State *lua, int index, char out[VALUE_TEXT_MAX]);

#endif
