/* installed.c - the folder of installed bundles.
 *
 *     bundles/NAME -> .NAME-k3Jx9a      a link to its files
 *     bundles/.NAME-k3Jx9a/about.json   what installed_list() tells
 *     bundles/.NAME-k3Jx9a/variants/…   as in the bundle
 *     bundles/.lock                     held by whoever changes something
 *
 * Folders without a link to them are what an end in the middle has left. */
#define _GNU_SOURCE
#include "installed.h"

#include "base/files.h"
#include "base/paths.h"
#include "host/check/fitting.h"
#include "jail/loader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ABOUT[] = "about.json";
enum { ABOUT_MAX = 1 << 18, PLACE_MAX = FOLDER_PATH_MAX + BUNDLE_PATH_MAX + 64 };

/* snprintf() into a path; one that is too long leads nowhere. */
__attribute__((format(printf, 2, 3))) static void place_write(char out[PLACE_MAX],
                                                              const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (vsnprintf(out, PLACE_MAX, format, args) >= PLACE_MAX) out[0] = 0;
    va_end(args);
}

static bool fail_at(const char *path, const char *what, struct fault *fault) {
    fault_set(fault, STATUS_SYSTEM, "%s: %s", what, strerror(errno));
    fault_place(fault, path, 0, 0);
    return false;
}

/* Locks the folder, which is made if need be. -1 with a fault. */
static int store_lock(const struct folders *folders, struct fault *fault) {
    char path[PLACE_MAX];
    if (!folders->bundles[0]) {
        fault_set(fault, STATUS_SYSTEM, "there is no home folder");
        return -1;
    }
    place_write(path, "%s/.lock", folders->bundles);
    if (!files_folders(path, SIZE_MAX, fault)) return -1;
    int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (lock >= 0 && flock(lock, LOCK_EX) && errno == EINTR) continue;
    if (lock < 0) fail_at(path, "cannot be opened", fault);
    return lock;
}

/* Where the link of a bundle leads: ".NAME-…" in the same folder, and nothing else, since it may be
 * removed. False if there is no such link. */
static bool link_target(const struct folders *folders, const char *name, char out[PLACE_MAX]) {
    char path[PLACE_MAX];
    place_write(path, "%s/%s", folders->bundles, name);
    const ssize_t length = readlink(path, out, PLACE_MAX - 1);
    if (length <= 0) return false;
    out[length] = 0;
    const size_t named = strlen(name);
    return out[0] == '.' && !strncmp(out + 1, name, named) && out[named + 1] == '-' &&
           !strchr(out, '/');
}

static bool is_linked(const struct folders *folders, const char *target) {
    char name[PLACE_MAX], other[PLACE_MAX];
    place_write(name, "%s", target + 1);
    char *end = strrchr(name, '-');
    if (end) *end = 0;
    return link_target(folders, name, other) && !strcmp(other, target);
}

/* Removes what an end in the middle has left. */
static void store_sweep(const struct folders *folders) {
    DIR *folder = opendir(folders->bundles);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[PLACE_MAX];
        const char *name = entry->d_name;
        if (name[0] != '.' || !strchr(name, '-') || is_linked(folders, name)) continue;
        place_write(path, "%s/%s", folders->bundles, name);
        files_remove_folder(path);
        unlink(path);
    }
    closedir(folder);
}

static json_t *about_read(const struct folders *folders, const char *name) {
    char path[PLACE_MAX];
    size_t length;
    place_write(path, "%s/%s/%s", folders->bundles, name, ABOUT);
    char *text = files_read(path, ABOUT_MAX, &length, NULL);
    json_t *about = text ? json_loadb(text, length, 0, NULL) : NULL;
    free(text);
    return about;
}

const char *bundle_text(const json_t *about, const char *key) {
    const char *text = json_string_value(json_object_get(about, key));
    return text ? text : "";
}

/* Writes what is told of the bundle. */
static bool about_write(const struct bundle *bundle, const char *bytes, size_t length,
                        const char *key, const char *folder, struct fault *fault) {
    char path[PLACE_MAX], hash[BUNDLE_HASH_MAX];
    bundle_hash(bytes, length, hash);
    json_t *about = bundle_manifest(bundle);
    json_object_set_new(about, "hash", json_string(hash));
    json_object_set_new(about, "key", *key ? json_string(key) : json_null());
    char *text = json_dumps(about, JSON_INDENT(1));
    place_write(path, "%s/%s", folder, ABOUT);
    const bool written = text
                             ? files_write_new(path, text, strlen(text), ATOMIC_FILE_DURABLE, fault)
                             : fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(text);
    json_decref(about);
    return written;
}

bool item_loads(const struct folders *folders, enum folder_sort sort, const char *path,
                struct fault *fault) {
    struct faults *faults = faults_new();
    struct bot_card card;
    struct rules *rules;
    struct language *language;
    size_t length;
    char *text;
    bool loads = faults || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (loads) switch (sort) {
        case FOLDER_BOTS:
            loads = loader_bot(folders, path, &card, faults);
            if (!loads) *fault = *faults_first(faults);
            break;
        case FOLDER_LANGUAGES:
            loads = (language = loader_language(folders, path, fault));
            language_free(language);
            break;
        case FOLDER_SETUPS:
            loads = (text = files_read_text(path, READER_FILE_MAX, &length, fault));
            if (loads) {
                const struct fitting fitting = fitting_setups(folders, text, length, fault);
                loads = fitting.rules &&
                        (fitting.fits || fault_set(fault, STATUS_SETUP,
                                                   "the set-up fits no variant that is there"));
                rules_free(fitting.rules);
            }
            free(text);
            break;
        default:
            loads = (rules = loader_variant(folders, path, fault));
            rules_free(rules);
        }
    free(faults);
    if (!loads && !fault->file[0]) fault_place(fault, path, 0, 0);
    return loads;
}

/* Is something of that name there that does not belong to this bundle? */
static bool is_taken(const struct folders *folders, const char *bundle, enum folder_sort sort,
                     const char *name, char path[FOLDER_PATH_MAX]) {
    char own[PLACE_MAX];
    struct folders others = *folders;
    /* The current folder may be any: what is in it hides a bundle only there. */
    others.count = 0;
    for (int i = 0; i < folders->count; i++)
        if (strcmp(folders->base[i], ".") != 0)
            memcpy(others.base[others.count++], folders->base[i], sizeof others.base[0]);
    others.setups[0] = 0;
    place_write(own, "%s/%s/", folders->bundles, bundle);
    return folders_resolve(&others, sort, name, path, NULL) && strncmp(path, own, strlen(own)) != 0;
}

static bool check_names(const struct folders *folders, const struct bundle *bundle,
                        struct fault *fault) {
    for (int i = 0; i < bundle->count; i++) {
        enum folder_sort sort;
        char name[WORD_GUESS_MAX], path[FOLDER_PATH_MAX];
        if (bundle_path(bundle->file[i].path, &sort, name) != BUNDLE_PATH_ITEM ||
            !is_taken(folders, bundle->name, sort, name, path))
            continue;
        return fault_set(fault, STATUS_USAGE,
                         "%s of the bundle is there already: %s; nothing was installed",
                         bundle->file[i].path, path);
    }
    return true;
}

static bool write_files(const struct bundle *bundle, const char *folder, struct fault *fault) {
    for (int i = 0; i < bundle->count; i++) {
        char path[PLACE_MAX];
        const struct bundle_file *file = &bundle->file[i];
        place_write(path, "%s/%s", folder, file->path);
        if (!files_folders(path, SIZE_MAX, fault) ||
            !files_write_new(path, file->bytes, file->size, ATOMIC_FILE_DURABLE, fault))
            return false;
    }
    return true;
}

/* Loads each item from the folder in which it will stay. */
static bool check_items(const struct folders *folders, const struct bundle *bundle,
                        const char *folder, struct fault *fault) {
    struct folders with = *folders;
    /* Items may need each other; no item of another release of this bundle. */
    if (with.count == FOLDERS_MAX) with.count--;
    snprintf(with.base[with.count++], sizeof with.base[0], "%s", folder);
    for (int i = 0; i < bundle->count; i++) {
        enum folder_sort sort;
        char name[WORD_GUESS_MAX], path[PLACE_MAX];
        struct fault wrong = {0};
        if (bundle_path(bundle->file[i].path, &sort, name) != BUNDLE_PATH_ITEM) continue;
        place_write(path, "%s/%s", folder, bundle->file[i].path);
        if (item_loads(&with, sort, path, &wrong)) continue;
        /* The place is about to go. */
        fault_repeat(fault, &wrong);
        fault_place(fault, bundle->file[i].path, wrong.line, wrong.column);
        return fault_within(fault, "the bundle cannot be used");
    }
    return true;
}

bool bundle_loads(const struct folders *folders, const struct bundle *bundle, struct fault *fault) {
    struct tempdir dir;
    if (!tempdir_make(&dir, fault)) return false;
    const bool loads =
        write_files(bundle, dir.path, fault) && check_items(folders, bundle, dir.path, fault);
    tempdir_remove(&dir);
    return loads;
}

static void sync_folder(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) fsync(folder);
    if (folder >= 0) close(folder);
}

/* Makes the link lead to `target`, in one step. */
static bool set_link(const struct folders *folders, const char *name, const char *target,
                     struct fault *fault) {
    char path[PLACE_MAX], fresh[PLACE_MAX];
    place_write(path, "%s/%s", folders->bundles, name);
    place_write(fresh, "%s/.%s-link", folders->bundles, name);
    unlink(fresh);
    if (symlink(target, fresh) || rename(fresh, path)) {
        fail_at(path, "cannot be made", fault);
        unlink(fresh);
        return false;
    }
    sync_folder(folders->bundles);
    return true;
}

static bool check_signature(const char *bytes, size_t length, const json_t *before,
                            const struct install_terms *terms, char key[MINISIGN_KEY_MAX],
                            struct fault *fault) {
    const char *had = bundle_text(before, "key");
    snprintf(key, MINISIGN_KEY_MAX, "%s", terms->key ? terms->key : had);
    if (!*key) return true;
    if (terms->key && *had && strcmp(had, key) != 0)
        return fault_set(fault, STATUS_USAGE,
                         "the bundle that is there was signed by another key, %s; remove it first",
                         had);
    if (!terms->signature)
        return fault_set(fault, STATUS_USAGE, "it is not signed; the key %s is expected", key);
    return minisign_verify(key, bytes, length, terms->signature, fault);
}

/* With the lock held. */
static bool install(const struct folders *folders, const struct bundle *bundle, const char *bytes,
                    size_t length, const char *key, struct fault *fault) {
    char folder[PLACE_MAX], old[PLACE_MAX] = "", path[PLACE_MAX];
    place_write(folder, "%s/.%s-XXXXXX", folders->bundles, bundle->name);
    if (strlen(folder) + BUNDLE_PATH_MAX >= FOLDER_PATH_MAX)
        return fault_set(fault, STATUS_SYSTEM, "the path is too long");
    if (!mkdtemp(folder)) return fail_at(folders->bundles, "no folder can be made in it", fault);
    chmod(folder, 0755);
    bool done = write_files(bundle, folder, fault) && check_items(folders, bundle, folder, fault) &&
                about_write(bundle, bytes, length, key, folder, fault);
    if (done) {
        sync_folder(folder);
        link_target(folders, bundle->name, old);
        done = set_link(folders, bundle->name, path_file(folder), fault);
    }
    place_write(path, "%s/%s", folders->bundles, old);
    if (!done) files_remove_folder(folder);
    if (done && *old) files_remove_folder(path);
    return done;
}

bool installed_add(const struct folders *known, const struct bundle *bundle, const char *bytes,
                   size_t length, const struct install_terms *terms, char key[MINISIGN_KEY_MAX],
                   struct fault *fault) {
    char path[PLACE_MAX], target[PLACE_MAX];
    struct stat there;
    struct folders now = *known, *folders = &now;
    const int lock = store_lock(folders, fault);
    if (lock < 0) return false;
    store_sweep(folders);
    folders_read_bundles(folders); /* another process may have installed one with these names */
    place_write(path, "%s/%s", folders->bundles, bundle->name);
    const bool exists = !lstat(path, &there);
    json_t *before = exists ? about_read(folders, bundle->name) : NULL;
    bool done = true;
    if (exists && !link_target(folders, bundle->name, target))
        done = fault_set(fault, STATUS_USAGE, "%s is there and no installed bundle", path);
    else if (!exists && folders->bundle_count >= BUNDLES_MAX)
        done = fault_set(fault, STATUS_USAGE, "%d bundles are installed already: remove one first",
                         BUNDLES_MAX);
    else if (exists && !terms->replace)
        done = fault_set(fault, STATUS_USAGE,
                         "%s is installed already, release %s; --replace puts this one, release "
                         "%s, in its place",
                         bundle->name, bundle_text(before, "release"), bundle->release);
    done = done && check_signature(bytes, length, before, terms, key, fault) &&
           check_names(folders, bundle, fault) &&
           install(folders, bundle, bytes, length, key, fault);
    json_decref(before);
    close(lock);
    return done;
}

bool installed_remove(const struct folders *folders, const char *name, struct fault *fault) {
    char target[PLACE_MAX], path[PLACE_MAX];
    if (!word_is_new_name(name))
        return fault_set(fault, STATUS_NOT_FOUND, "no bundle \"%s\"", name);
    const int lock = store_lock(folders, fault);
    if (lock < 0) return false;
    store_sweep(folders);
    place_write(path, "%s/%s", folders->bundles, name);
    bool done = link_target(folders, name, target) ||
                fault_set(fault, STATUS_NOT_FOUND, "no bundle \"%s\" is installed", name);
    if (done && unlink(path)) done = fail_at(path, "cannot be removed", fault);
    if (done) {
        sync_folder(folders->bundles);
        place_write(path, "%s/%s", folders->bundles, target);
        files_remove_folder(path);
    }
    close(lock);
    return done;
}

void installed_list(const struct folders *folders,
                    void (*visit)(void *context, const json_t *about), void *context) {
    struct folders now = *folders;
    folders_read_bundles(&now);
    for (int i = 0; i < now.bundle_count; i++) {
        json_t *about = about_read(&now, now.bundle[i]);
        if (!strcmp(bundle_text(about, "name"), now.bundle[i])) visit(context, about);
        json_decref(about);
    }
}
