/* folders.c - the search path.
 *
 * folders_find() reads the environment and the list of bundles once; everything else looks at the
 * disk each time, so new files are found at once. Paths are short enough to fit in a fault. */
#define _GNU_SOURCE
#include "folders.h"

#include "base/files.h"
#include "base/paths.h"
#include "base/words.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_ENTRY_MAX = 64, LISTED_MAX = 1024 };

static const struct {
    const char *folder, *expected;
    const char *ending; /* of a file */
    const char *inside; /* the main file of a folder; NULL: no folders */
} SORTS[] = {{"variants", "a variant in Lua", ".lua", "init.lua"},
             {"bots", "a bot in Lua", ".lua", "init.lua"},
             {"scripts/languages", "a language in Lua", ".lua", "init.lua"},
             {"variants/setups", "a set-up", ".txt", NULL},
             {"programs", "a program's file", ".toml", NULL}};

const char *folders_place(enum folder_sort sort) {
    return SORTS[sort].folder;
}

const char *folders_ending(enum folder_sort sort) {
    return SORTS[sort].ending;
}

/* snprintf into a path; false when it does not fit. */
__attribute__((format(printf, 2, 3))) static bool path_write(char *path, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, FOLDER_PATH_MAX, format, args);
    va_end(args);
    return length >= 0 && length < FOLDER_PATH_MAX;
}

/* Its number among the bases; -1 if it is too long. */
static int add_base(struct folders *folders, const char *base) {
    for (int i = 0; i < folders->count; i++)
        if (strcmp(folders->base[i], base) == 0) return i;
    if (folders->count == FOLDERS_MAX || !path_write(folders->base[folders->count], "%s", base))
        return -1;
    return folders->count++;
}

static bool has_scripts(const char *base) {
    char path[FOLDER_PATH_MAX];
    return path_write(path, "%s/scripts", base) && path_is_folder(path);
}

/* The file that this code was loaded from: the library, or the program, which the loader knows only
 * by what it was called as. */
static bool own_file(char path[PATH_MAX]) {
    Dl_info info;
    struct link_map *map;
    static const char here;
    if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) && map->l_name[0] == '/' &&
        realpath(map->l_name, path))
        return true;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0) return false;
    path[length] = 0;
    return true;
}

/* The nearest ENSIGN_SHARE in a folder above this code: an installed program lies in PREFIX/bin,
 * the library in PREFIX/lib/TRIPLET, a built one up to three folders below the build's. */
static bool installed_base(char base[FOLDER_PATH_MAX]) {
    enum { ABOVE_MAX = 4 };
    char file[PATH_MAX], found[PATH_MAX];
    if (!own_file(file)) return false;
    for (int up = 0; up < ABOVE_MAX; up++) {
        char *slash = strrchr(file, '/');
        if (!slash) return false;
        *slash = 0;
        if (path_write(base, "%s/%s", file, ENSIGN_SHARE) && has_scripts(base))
            return realpath(base, found) && path_write(base, "%s", found);
    }
    return false;
}

/* The user's data folder; false without a home. */
static bool user_base(char base[FOLDER_PATH_MAX]) {
    char home[FOLDER_PATH_MAX];
    const size_t length = path_of_user("XDG_DATA_HOME", "/.local/share", home, sizeof home);
    return length && length < sizeof home && path_write(base, "%s/ensign", home);
}

static int is_bundle(const struct dirent *entry) {
    return word_is_new_name(entry->d_name);
}

/* By bytes, whatever the locale. */
static int compare_entries(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

void folders_read_bundles(struct folders *folders) {
    struct dirent **list = NULL;
    const int count =
        folders->bundles[0] ? scandir(folders->bundles, &list, is_bundle, compare_entries) : 0;
    folders->bundle_count = 0;
    for (int i = 0; i < count; i++) {
        if (i < BUNDLES_MAX) strcpy(folders->bundle[folders->bundle_count++], list[i]->d_name);
        free(list[i]);
    }
    free(list);
}

bool folders_find(struct folders *folders, struct fault *fault) {
    char user[FOLDER_PATH_MAX], installed[FOLDER_PATH_MAX];
    *folders = (struct folders){0};
    add_base(folders, ".");
    folders->own = user_base(user) ? add_base(folders, user) : -1;
    if (folders->own < 0 || !path_write(folders->bundles, "%s/bundles", user))
        folders->bundles[0] = 0;
    folders_read_bundles(folders);
    const char *named = getenv("ENSIGN_DATA");
    if (named && named[0]) {
        if (!path_write(installed, "%s", named) || !has_scripts(installed))
            return fault_set(fault, STATUS_SYSTEM,
                             "ENSIGN_DATA is \"%s\", expected a folder that holds scripts/", named);
    } else if (!installed_base(installed)) {
        return fault_set(fault, STATUS_SYSTEM,
                         "no folder above the program has the shared scripts in %s; ENSIGN_DATA "
                         "may name the folder that holds scripts/",
                         ENSIGN_SHARE);
    }
    folders->installed = add_base(folders, installed);
    if (folders->installed < 0 || !path_write(folders->scripts, "%s/scripts", installed))
        return fault_set(fault, STATUS_SYSTEM, "the path of the shared scripts is too long");
    return true;
}

/* The folders of a sort, in search order; false after the last. */
static bool place_at(const struct folders *folders, enum folder_sort sort, int index,
                     char place[FOLDER_PATH_MAX]) {
    bool own = sort == FOLDER_SETUPS && folders->setups[0];
    if (own && index == 0) return path_write(place, "%s", folders->setups);
    index -= own;
    if (sort == FOLDER_SETUPS && folders->for_strangers) {
        const bool offers = folders->offered[0];
        if (offers && index == 0) return path_write(place, "%s", folders->offered);
        if (index > offers) return false;
        index = folders->installed;
    }
    if (sort == FOLDER_PROGRAMS) {
        if (index > 0 || folders->own < 0) return false;
        index = folders->own;
    }
    /* The words of a stranger's folder may ask whether to start its programs: it comes last. */
    const bool last = sort == FOLDER_LANGUAGES && !strcmp(folders->base[0], ".");
    index += last;
    if (index >= folders->count) {
        const int number = index - folders->count;
        if (number < folders->bundle_count)
            return path_write(place, "%s/%s/%s", folders->bundles, folders->bundle[number],
                              SORTS[sort].folder);
        if (number > folders->bundle_count || !last) return false;
        index = 0;
    }
    /* Paths under the current folder are shown as typed, without "./". */
    bool here = strcmp(folders->base[index], ".") == 0;
    return path_write(place, "%s%s%s", here ? "" : folders->base[index], here ? "" : "/",
                      SORTS[sort].folder);
}

/* NAME.lua or NAME/init.lua, or NAME.txt, in a folder. */
static bool find_in(const char *place, enum folder_sort sort, const char *name,
                    char path[FOLDER_PATH_MAX]) {
    const char *inside = SORTS[sort].inside;
    return (path_write(path, "%s/%s%s", place, name, SORTS[sort].ending) && path_is_file(path)) ||
           (inside && path_write(path, "%s/%s/%s", place, name, inside) && path_is_file(path));
}

static bool find_name(const struct folders *folders, enum folder_sort sort, const char *name,
                      char path[FOLDER_PATH_MAX]) {
    char place[FOLDER_PATH_MAX];
    for (int i = 0; place_at(folders, sort, i, place); i++)
        if (find_in(place, sort, name, path)) return true;
    return false;
}

static void offer_name(void *context, const char *name, const char *path) {
    (void)path;
    word_offer(context, name);
}

static bool not_found(enum folder_sort sort, const char *name, struct fault *fault) {
    switch (sort) {
    case FOLDER_VARIANTS:
        return fault_set(fault, STATUS_NOT_FOUND, "no variant \"%s\"", name);
    case FOLDER_BOTS:
        return fault_set(fault, STATUS_NOT_FOUND, "no bot \"%s\"", name);
    case FOLDER_LANGUAGES:
        return fault_set(fault, STATUS_NOT_FOUND, "no language \"%s\"", name);
    case FOLDER_PROGRAMS:
        return fault_set(fault, STATUS_NOT_FOUND, "no program \"%s\"", name);
    case FOLDER_SETUPS:
        break;
    }
    return fault_set(fault, STATUS_NOT_FOUND, "no set-up \"%s\"", name);
}

bool folders_resolve(const struct folders *folders, enum folder_sort sort, const char *name,
                     char path[FOLDER_PATH_MAX], struct fault *fault) {
    const char *inside = SORTS[sort].inside;
    const struct finder *finder = folders->finder;
    if (finder) return finder->resolve(finder->context, sort, name, path, fault);
    if (path_is_meant(name, SORTS[sort].ending)) {
        if (!path_write(path, "%s", name))
            return fault_set(fault, STATUS_NOT_FOUND, "the path is too long");
        if (path_is_file(path)) return true;
        if (inside && path_is_folder(path) && path_write(path, "%s/%s", name, inside) &&
            path_is_file(path))
            return true;
        return fault_set(fault, STATUS_NOT_FOUND, "no file \"%s\", expected %s", name,
                         SORTS[sort].expected);
    }
    if (name[0] && name[0] != '.' && find_name(folders, sort, name, path)) return true;
    struct word_guess guess = word_guess_for(name);
    folders_list(folders, sort, offer_name, &guess);
    return not_found(sort, name, fault) || word_suggest(&guess, fault);
}

struct folders folders_of_variant(const struct folders *folders, const char *variant) {
    struct folders own = *folders;
    char path[FOLDER_PATH_MAX];
    static const char file[] = "/init.lua";
    if (!folders_resolve(folders, FOLDER_VARIANTS, variant, path, NULL)) return own;
    if (!path_ends(path, file)) return own;
    path[strlen(path) - strlen(file)] = 0;
    if (!path_write(own.setups, "%s/setups", path)) own.setups[0] = 0;
    return own;
}

struct folders folders_for_strangers(const struct folders *folders, const char *offered) {
    struct folders shown = *folders;
    shown.for_strangers = true;
    if (!offered || !path_write(shown.offered, "%s", offered)) shown.offered[0] = 0;
    return shown;
}

bool folders_own(enum folder_sort sort, const char *name, char path[FOLDER_PATH_MAX],
                 struct fault *fault) {
    char base[FOLDER_PATH_MAX];
    if (!user_base(base)) return fault_set(fault, STATUS_SYSTEM, "there is no home folder");
    if (!path_write(path, "%s/%s/%s%s", base, SORTS[sort].folder, name, SORTS[sort].ending))
        return fault_set(fault, STATUS_SYSTEM, "the name is too long");
    return files_folders(path, SIZE_MAX, fault);
}

static int compare_names(const void *left, const void *right) {
    return strcmp(left, right);
}

/* The name of a folder's entry; false if it is no file of that sort. */
static bool entry_name(const char *place, enum folder_sort sort, const char *entry,
                       char name[NAME_ENTRY_MAX]) {
    char path[FOLDER_PATH_MAX];
    size_t length = strlen(entry);
    if (entry[0] == '.' || length >= NAME_ENTRY_MAX) return false;
    if (path_ends(entry, SORTS[sort].ending)) length -= strlen(SORTS[sort].ending);
    snprintf(name, NAME_ENTRY_MAX, "%.*s", (int)length, entry);
    return find_in(place, sort, name, path);
}

void folders_list(const struct folders *folders, enum folder_sort sort,
                  void (*visit)(void *context, const char *name, const char *path), void *context) {
    char(*names)[NAME_ENTRY_MAX] = malloc(LISTED_MAX * sizeof *names);
    size_t count = 0;
    if (!names) return;
    char place[FOLDER_PATH_MAX];
    for (int i = 0; place_at(folders, sort, i, place); i++) {
        DIR *folder = opendir(place);
        if (!folder) continue;
        for (struct dirent *entry; count < LISTED_MAX && (entry = readdir(folder)) != NULL;)
            if (entry_name(place, sort, entry->d_name, names[count])) count++;
        closedir(folder);
    }
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        char path[FOLDER_PATH_MAX];
        if (i > 0 && strcmp(names[i - 1], names[i]) == 0) continue;
        if (find_name(folders, sort, names[i], path)) visit(context, names[i], path);
    }
    free(names);
}
