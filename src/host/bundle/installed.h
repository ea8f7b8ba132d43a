/* installed.h - the bundles that a user has installed.
 *
 * Each is a folder below "bundles" of the user's data folder, laid out like a base of the search
 * path, which looks there last (lua/folders.h). The name of a bundle is a link to the folder with
 * its files, so replacing and removing are one step each: whenever the program is killed, the old
 * bundle is there or the new one. What such an end leaves behind goes with the next change.
 *
 * No bundle can stand in the place of what is there already: a variant, bot, set-up or language of
 * a name that the user, the program or another bundle has is refused. */
#ifndef ENSIGN_HOST_BUNDLE_INSTALLED_H
#define ENSIGN_HOST_BUNDLE_INSTALLED_H

#include "bundle.h"
#include "minisign.h"

#include <jansson.h>

struct install_terms {
    bool replace;          /* a bundle of that name may be there already */
    const char *key;       /* that must have signed it (minisign_key()); NULL: the one that the
                              bundle of that name was installed with, if any */
    const char *signature; /* the text of one; NULL: there is none */
};

/* Checks what is in the bundle, of which `bytes` are all bytes, in locked processes, and installs
 * it. Writes the key that has signed it, "" if none was asked for. False, and nothing has changed,
 * with a fault. */
bool installed_add(const struct folders *folders, const struct bundle *bundle, const char *bytes,
                   size_t length, const struct install_terms *terms, char key[MINISIGN_KEY_MAX],
                   struct fault *fault);

/* Removes the bundle of that name. False with a fault: STATUS_NOT_FOUND if there is none. */
bool installed_remove(const struct folders *folders, const char *name, struct fault *fault);

/* Calls `visit` for each, by name, with its manifest (bundle_manifest()) and two further keys:
 * "hash", of the whole bundle, and "key", which has signed it (null: none was asked for). */
void installed_list(const struct folders *folders,
                    void (*visit)(void *context, const json_t *about), void *context);

/* A text of that; "" if it has none. */
const char *bundle_text(const json_t *about, const char *key);

/* Whether the item can be used: loads it in a locked process. `folders` must find what it needs.
 * False with a fault. */
bool item_loads(const struct folders *folders, enum folder_sort sort, const char *path,
                struct fault *fault);

/* The same of all items of a bundle, from nothing but its files and what the folders have. */
bool bundle_loads(const struct folders *folders, const struct bundle *bundle, struct fault *fault);

#endif
