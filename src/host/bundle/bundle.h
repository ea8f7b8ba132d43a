/* bundle.h - variants, bots, set-ups and languages in one file, as people pass them on.
 *
 * A bundle is a zip that any tool opens, of one form only: stored files in the order of their
 * names, without times, links, comments or anything else, and manifest.json, which follows from
 * them and a few words of the author. So the same content is always the same bytes, and a reader
 * accepts a bundle only if writing what it read gives these bytes again: no size can lie, no file
 * hide, nothing swell. Names are small letters, digits, '-' and '_', so that none leads elsewhere,
 * and no two are the same for any file system. That is why no library for archives is used: each
 * reads far more than this.
 *
 * A bundle is read in a locked process (jail/jail.h), and what that says is checked again. */
#ifndef ENSIGN_HOST_BUNDLE_BUNDLE_H
#define ENSIGN_HOST_BUNDLE_BUNDLE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "base/words.h"
#include "lua/folders.h"

#include <jansson.h>
#include <stdint.h>

enum {
    BUNDLE_BYTES_MAX = 16 << 20, /* of the whole */
    BUNDLE_FILES_MAX = 500,
    BUNDLE_PATH_MAX = 128,
    BUNDLE_RELEASE_MAX = 32,
    BUNDLE_TEXT_MAX = 200,
    BUNDLE_HASH_MAX = 65, /* hex digits and a 0 */
    BUNDLE_SORTS = 4      /* variants, bots, languages, set-ups: enum folder_sort */
};

/* "variants", "bots", "languages", "setups": the keys of a manifest's "holds" and "needs". */
extern const char *const BUNDLE_KEYS[BUNDLE_SORTS];

/* The version of the format of each sort that this program reads. */
extern const int BUNDLE_API[BUNDLE_SORTS];

struct bundle_file {
    char path[BUNDLE_PATH_MAX]; /* as below a base of the search path: "variants/duel2.lua" */
    const char *bytes;          /* the caller's */
    uint32_t size;
};

struct bundle {
    char name[WORD_MAX];              /* word_is_new_name() */
    char release[BUNDLE_RELEASE_MAX]; /* of the author's counting: letters, digits, '.', '-', '+' */
    char about[BUNDLE_TEXT_MAX], author[BUNDLE_TEXT_MAX], licence[BUNDLE_TEXT_MAX]; /* or empty */
    int needs[BUNDLE_SORTS]; /* version of each format in it; 0: none of that sort */
    int count;
    struct bundle_file file[BUNDLE_FILES_MAX]; /* by path */
};

/* Is it the path of a file that a bundle may hold? Then `name` is the item that it belongs to and
 * `*sort` what that is; returns whether the file is the item itself, and not a part of it
 * ("variants/NAME/pieces.lua"). */
enum bundle_path { BUNDLE_PATH_ODD, BUNDLE_PATH_ITEM, BUNDLE_PATH_PART };
enum bundle_path bundle_path(const char *path, enum folder_sort *sort, char name[WORD_GUESS_MAX]);

/* Whether names, texts and paths are as above, no item is there twice, and each part has its item.
 * False with a STATUS_TEXT fault that names the first that is not. */
bool bundle_check(const struct bundle *bundle, struct fault *fault);

/* What manifest.json says: the texts, "needs", and of its files what they are ("holds", names by
 * sort) and their hashes ("files", by path). Incomplete or NULL without memory. */
json_t *bundle_manifest(const struct bundle *bundle);

/* Writes the bytes of a bundle that bundle_check() accepts; its `needs` are taken as they are.
 * False without memory or beyond BUNDLE_BYTES_MAX. */
bool bundle_write(const struct bundle *bundle, struct buffer *out);

/* Reads these bytes in this process. The files point into them. False with a STATUS_TEXT fault. */
bool bundle_parse(struct bundle *bundle, const char *bytes, size_t length, struct fault *fault);

/* The same in a locked process. Also with faults of the host. */
bool bundle_read(struct bundle *bundle, const char *bytes, size_t length, struct fault *fault);

/* BLAKE2b with 256 bits, as `b2sum -l 256` prints it. */
void bundle_hash(const char *bytes, size_t length, char out[BUNDLE_HASH_MAX]);

#endif
