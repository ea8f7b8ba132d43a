/* folders.h - the search path of variants, bots, languages, set-ups and shared scripts.
 *
 * A name is looked up in this order: the folder of that sort under the current folder
 * ("variants/NAME.lua", "variants/NAME/init.lua", "variants/setups/NAME.txt"), under the user's
 * data folder ($XDG_DATA_HOME/ensign, else ~/.local/share/ensign), under the installed one
 * ($ENSIGN_DATA, else the nearest share/ensign in a folder above the program or the library), and
 * last in the bundles that `ensign get` has installed ("bundles/NAME" of the user's data folder, by
 * name). Of languages the current folder is the last. A name with a '/' or the ending of such a
 * file is a path and is used as it is. */
#ifndef ENSIGN_LUA_FOLDERS_H
#define ENSIGN_LUA_FOLDERS_H

#include "base/fault.h"
#include "base/reader.h"
#include "base/words.h"

enum { FOLDERS_MAX = 4, FOLDER_PATH_MAX = 1024, BUNDLES_MAX = 256 };

/* Programs are looked up in the user's data folder alone: they are started as they are. */
enum folder_sort { FOLDER_VARIANTS, FOLDER_BOTS, FOLDER_LANGUAGES, FOLDER_SETUPS, FOLDER_PROGRAMS };

/* The folder of a sort below a base, "variants/setups", and the ending of its files, ".txt". */
const char *folders_place(enum folder_sort sort);
const char *folders_ending(enum folder_sort sort);

struct folders {
    int count;
    int own;                                 /* number of the user's base; -1: there is none */
    int installed;                           /* number of the base that came with the program */
    char base[FOLDERS_MAX][FOLDER_PATH_MAX]; /* may hold variants/ and bots/ */
    char scripts[FOLDER_PATH_MAX];           /* the installed shared scripts */
    char bundles[FOLDER_PATH_MAX]; /* these folders in it are further bases; empty: there is none */
    int bundle_count;
    char bundle[BUNDLES_MAX][WORD_MAX];
    char setups[FOLDER_PATH_MAX];  /* searched first for set-ups; empty if there is none */
    bool for_strangers;            /* of the bases only the installed one is searched for set-ups */
    char offered[FOLDER_PATH_MAX]; /* to strangers, searched before it; empty if there is none */
    const struct reader *reader;   /* reads the files of scripts; NULL: from the disk */
    const struct sandbox_watch *watch; /* of bots and variants that are run; NULL: none */
    const struct finder *finder;       /* resolves names; NULL: folders.c, on the disk */
};

/* Resolves names for a process without access to the disk. */
struct finder {
    /* As folders_resolve(). */
    bool (*resolve)(void *context, enum folder_sort sort, const char *name,
                    char path[FOLDER_PATH_MAX], struct fault *fault);
    void *context;
};

static inline const struct reader *folders_reader(const struct folders *folders) {
    return folders->reader ? folders->reader : &READER_DISK;
}

/* Reads the environment once, and the installed bundles. False (STATUS_SYSTEM) when no base holds
 * the shared scripts. */
bool folders_find(struct folders *folders, struct fault *fault);

/* Reads the names of the installed bundles again: the first BUNDLES_MAX, in order. */
void folders_read_bundles(struct folders *folders);

/* The same folders, with the variant's own setups/ first for set-ups, if it is a folder
 * (variants/NAME/init.lua). */
struct folders folders_of_variant(const struct folders *folders, const char *variant);

/* The same folders for strangers, who must not see which armies the user likes: of set-ups only
 * those that came with the program, and before them those in the folder `offered` (NULL: none). A
 * variant's own setups/ belong to the variant. */
struct folders folders_for_strangers(const struct folders *folders, const char *offered);

/* The file of a variant, bot or set-up. False (STATUS_NOT_FOUND, "did you mean") if there is
 * none. */
bool folders_resolve(const struct folders *folders, enum folder_sort sort, const char *name,
                     char path[FOLDER_PATH_MAX], struct fault *fault);

/* The path for a user's new file of this sort and name, in the data folder; makes the folder. False
 * (STATUS_SYSTEM) without a home folder. */
bool folders_own(enum folder_sort sort, const char *name, char path[FOLDER_PATH_MAX],
                 struct fault *fault);

/* Calls `visit` for each name that can be resolved, sorted, without shadowed files. */
void folders_list(const struct folders *folders, enum folder_sort sort,
                  void (*visit)(void *context, const char *name, const char *path), void *context);

#endif
