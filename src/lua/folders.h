/* folders.h - where variants, bots, set-ups and shared scripts are found.
 *
 * A name is looked up in this order: the folder of that sort under the current folder
 * ("variants/NAME.lua", "variants/NAME/init.lua", "variants/setups/NAME.txt"), under the user's
 * data folder ($XDG_DATA_HOME/ensign, else ~/.local/share/ensign), under the installed one
 * ($ENSIGN_DATA, else beside the program as installed or built). What holds a '/' or ends as such a
 * file does is a path and is taken as it is. */
#ifndef ENSIGN_LUA_FOLDERS_H
#define ENSIGN_LUA_FOLDERS_H

#include "base/fault.h"
#include "base/reader.h"

enum { FOLDERS_MAX = 4, FOLDER_PATH_MAX = 1024 };

enum folder_sort { FOLDER_VARIANTS, FOLDER_BOTS, FOLDER_LANGUAGES, FOLDER_SETUPS };

struct folders {
    int count;
    char base[FOLDERS_MAX][FOLDER_PATH_MAX]; /* may hold variants/ and bots/ */
    char scripts[FOLDER_PATH_MAX];           /* the shared scripts of the installed one */
    char setups[FOLDER_PATH_MAX]; /* searched first for set-ups; empty if there is none */
    const struct reader *reader;  /* how variants and bots read their files; NULL: from the disk */
    const struct finder *finder;  /* who looks for names; NULL: folders.c on the disk */
};

/* A process that may not look at the disk has somebody else do it. */
struct finder {
    /* As folders_resolve(). */
    bool (*resolve)(void *context, enum folder_sort sort, const char *name,
                    char path[FOLDER_PATH_MAX], struct fault *fault);
    void *context;
};

static inline const struct reader *folders_reader(const struct folders *folders) {
    return folders->reader ? folders->reader : &READER_DISK;
}

/* Reads the environment once. False (STATUS_SYSTEM) when no base holds the shared scripts. */
bool folders_find(struct folders *folders, struct fault *fault);

/* The same folders, and for set-ups before them the setups/ of the variant of this name, if it has
 * a folder to itself (variants/NAME/init.lua). */
struct folders folders_of_variant(const struct folders *folders, const char *variant);

/* The file of a variant, bot or set-up. False (STATUS_NOT_FOUND) with "did you mean" when there is
 * none. */
bool folders_resolve(const struct folders *folders, enum folder_sort sort, const char *name,
                     char path[FOLDER_PATH_MAX], struct fault *fault);

/* Where a new file of that sort and name of the user's own belongs, in the data folder, so that it
 * is found from anywhere; its folder is made. False (STATUS_SYSTEM) where there is no home. */
bool folders_own(enum folder_sort sort, const char *name, char path[FOLDER_PATH_MAX],
                 struct fault *fault);

/* Calls `visit` once for each name that can be resolved, sorted, shadowed ones left out. */
void folders_list(const struct folders *folders, enum folder_sort sort,
                  void (*visit)(void *context, const char *name, const char *path), void *context);

#endif
