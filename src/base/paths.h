/* paths.h - takes paths apart. Only path_is_folder(), path_is_file() and path_is_same() access the
 * disk. */
#ifndef ENSIGN_BASE_PATHS_H
#define ENSIGN_BASE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Where users may give a name or a path: is `word` a path? It is if it contains a '/' or ends in
 * `ending` (".lua"). */
bool path_is_meant(const char *word, const char *ending);

/* Does `text` end in `ending`, with something before it? */
bool path_ends(const char *text, const char *ending);

/* The file's name: all after the last '/'. */
const char *path_file(const char *path);

/* The file's name up to its last '.', or all of it if that is its first character. False if it is
 * cut to fit `size` bytes. */
bool path_stem(const char *path, char *out, size_t size);

/* The name of a script: its file's name without ".lua", or the folder's for NAME/init.lua. Safe
 * UTF-8 (utf8.h), cut to `size` bytes. */
void path_script_name(const char *path, char *out, size_t size);

/* The folder of a file: "." for a bare name, "/" for a file in the root. False if it is cut to fit
 * `size` bytes. */
bool path_folder(const char *path, char *out, size_t size);

/* The user's folder that the environment's `variable` names ("XDG_STATE_HOME"), else `below`
 * ("/.local/state") in $HOME; only if it is absolute, since another one depends on the current
 * folder. Returns the length, which may not fit `size`; 0 if there is none. */
size_t path_of_user(const char *variable, const char *below, char *out, size_t size);

/* Is the path a folder, or a regular file? Links are followed. */
bool path_is_folder(const char *path);
bool path_is_file(const char *path);

/* Do both lead to the same regular file or folder? Paths that lead nowhere are compared as text. */
bool path_is_same(const char *one, const char *other);

#endif
