/* paths.h - the parts of a path, and whether a word is one. Nothing here looks at the disk but
 * path_is_folder() and path_is_file(). */
#ifndef ENSIGN_BASE_PATHS_H
#define ENSIGN_BASE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Is a word that people may give for a file, where a name would do as well, a path? One is if it
 * holds a '/' or ends in `ending` (".lua"). */
bool path_is_meant(const char *word, const char *ending);

/* Is `ending` the end of `text`, with something before it? */
bool path_ends(const char *text, const char *ending);

/* The file's name, without the folders: all behind the last '/'. */
const char *path_file(const char *path);

/* The file's name without its ending, which begins at the last '.', unless the name begins there.
 * False if it is cut, since `size` bytes do not hold it. */
bool path_stem(const char *path, char *out, size_t size);

/* What a script is called: its file's name without ".lua", or, for NAME/init.lua, the folder's.
 * Safe UTF-8 (utf8.h), cut to `size` bytes. */
void path_script_name(const char *path, char *out, size_t size);

/* The folder in which a file lies: "." for a name without one, "/" for a file in the root. False if
 * `size` bytes do not hold it. */
bool path_folder(const char *path, char *out, size_t size);

/* Is there a folder, or a regular file, at the path, also behind links? */
bool path_is_folder(const char *path);
bool path_is_file(const char *path);

#endif
