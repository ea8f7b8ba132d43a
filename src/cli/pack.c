/* pack.c - `ensign pack`: finds the files of items, and puts them into a bundle where a base of the
 * search path has them. */
#define _GNU_SOURCE
#include "base/files.h"
#include "base/paths.h"
#include "command.h"
#include "host/bundle/installed.h"
#include "host/check/inspect.h"
#include "variant/variant_source.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct pack_values {
    struct arguments items;
    const char *name, *release, *about, *author, *licence, *output, *sign;
};

static int run_pack(const void *values);
const struct command command_pack = {
    COMMAND(pack, .release = "1"),
    .summary = "put variants, bots, set-ups and languages into one file for others",
    .synopsis = {"ITEM… [OPTIONS]"},
    .prose =
        "Writes a bundle, NAME.ensign, that \"ensign get\" installs: a zip of the items, their "
        "modules and the variants that they extend, and a manifest. ITEM is the name or the file "
        "of a variant, a bot, a set-up or a language. Each is loaded in a locked process first. "
        "The same content gives the same bytes.",
    .arguments = {{NULL, 0, "ITEM", VALUE_PATH, INTO(pack, items), .many = true}},
    .options =
        {
            {"name", 0, "NAME", VALUE_TEXT, INTO(pack, name),
             "name of the bundle (default: that of the first item)", .most = WORD_MAX - 1},
            {"release", 0, "TEXT", VALUE_TEXT, INTO(pack, release), "its release, such as 1.2",
             .most = BUNDLE_RELEASE_MAX - 1},
            {"about", 0, "TEXT", VALUE_TEXT, INTO(pack, about), "what it is, in a sentence",
             .most = BUNDLE_TEXT_MAX - 1},
            {"author", 0, "TEXT", VALUE_TEXT, INTO(pack, author), "its author",
             .most = BUNDLE_TEXT_MAX - 1},
            {"licence", 0, "TEXT", VALUE_TEXT, INTO(pack, licence), "its licence, such as MIT",
             .most = BUNDLE_TEXT_MAX - 1},
            {"output", 'o', "FILE", VALUE_FILE, INTO(pack, output),
             "file to write (default: NAME.ensign)"},
            {"sign", 0, "FILE", VALUE_FILE, INTO(pack, sign),
             "sign with this secret key of minisign, which has no password: writes "
             "NAME.ensign.minisig"},
        },
};

enum { DEPTH_MAX = 6 };

struct packing {
    struct bundle bundle;
    char *owned[BUNDLE_FILES_MAX]; /* the bytes of its files */
};

/* Adds a file under this path, keeping the files in order. */
static bool add_file(struct packing *packing, const char *from, const char *path,
                     struct fault *fault) {
    struct bundle *bundle = &packing->bundle;
    struct bundle_file file = {0};
    enum folder_sort sort;
    char name[WORD_GUESS_MAX];
    size_t length;
    int at = 0;
    while (at < bundle->count && strcmp(bundle->file[at].path, path) < 0) at++;
    if (at < bundle->count && !strcmp(bundle->file[at].path, path)) return true;
    if (bundle->count == BUNDLE_FILES_MAX)
        return fault_set(fault, STATUS_USAGE, "more than %d files", BUNDLE_FILES_MAX);
    if (bundle_path(path, &sort, name) == BUNDLE_PATH_ODD) {
        fault_set(fault, STATUS_USAGE,
                  "a bundle cannot hold it, expected a name of small letters, digits, '-' and '_'");
        fault_place(fault, from, 0, 0);
        return false;
    }
    char *bytes = files_read(from, READER_FILE_MAX, &length, fault);
    if (!bytes) return false;
    for (int i = bundle->count; i > at; i--) {
        bundle->file[i] = bundle->file[i - 1];
        packing->owned[i] = packing->owned[i - 1];
    }
    memcpy(file.path, path, strlen(path) + 1);
    file.bytes = packing->owned[at] = bytes;
    file.size = (uint32_t)length;
    bundle->file[at] = file;
    bundle->count++;
    bundle->needs[sort] = BUNDLE_API[sort];
    return true;
}

/* Adds the scripts and set-ups in a folder and those in it. Hidden files, links, which may lead to
 * what is nobody else's business, and others stay. */
static bool add_folder(struct packing *packing, const char *from, const char *path, int depth,
                       struct fault *fault) {
    struct dirent **list = NULL;
    const int count = depth < DEPTH_MAX ? scandir(from, &list, NULL, alphasort) : 0;
    bool added = true;
    for (int i = 0; i < count; i++) {
        char inner[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
        const char *name = list[i]->d_name;
        const bool fits = snprintf(inner, sizeof inner, "%s/%s", from, name) < (int)sizeof inner &&
                          snprintf(place, sizeof place, "%s/%s", path, name) < (int)sizeof place;
        struct stat about;
        if (!added || name[0] == '.' || !fits || lstat(inner, &about) || S_ISLNK(about.st_mode)) {
            /* freed below */
        } else if (path_is_folder(inner)) {
            added = add_folder(packing, inner, place, depth + 1, fault);
        } else if (path_ends(name, ".lua") || path_ends(name, ".txt")) {
            added = add_file(packing, inner, place, fault);
        }
        free(list[i]);
    }
    free(list);
    return added;
}

/* Adds the file of an item and the folder that belongs to it. */
static bool add_item(struct packing *packing, enum folder_sort sort, const char *path,
                     struct fault *fault) {
    char name[WORD_GUESS_MAX], place[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
    const bool inside = path_ends(path, "/init.lua");
    if (sort == FOLDER_SETUPS)
        path_stem(path, name, sizeof name);
    else
        path_script_name(path, name, sizeof name);
    path_folder(path, folder, sizeof folder);
    if (inside) {
        snprintf(place, sizeof place, "%s/%s", folders_place(sort), name);
        return add_folder(packing, folder, place, 0, fault);
    }
    snprintf(place, sizeof place, "%s/%s%s", folders_place(sort), name, folders_ending(sort));
    if (!add_file(packing, path, place, fault)) return false;
    const size_t length = strlen(folder);
    if (sort == FOLDER_SETUPS || length + strlen(name) + 2 > sizeof folder) return true;
    snprintf(folder + length, sizeof folder - length, "/%s", name);
    snprintf(place, sizeof place, "%s/%s", folders_place(sort), name);
    return !path_is_folder(folder) || add_folder(packing, folder, place, 0, fault);
}

/* Notes the variants that are looked up while one is loaded. */
struct tracing {
    const struct folders *folders;
    struct finder finder;
    char path[CHAIN_MAX][FOLDER_PATH_MAX];
    int count;
};

static bool trace_resolve(void *context, enum folder_sort sort, const char *name,
                          char path[FOLDER_PATH_MAX], struct fault *fault) {
    struct tracing *tracing = context;
    if (!folders_resolve(tracing->folders, sort, name, path, fault)) return false;
    if (sort == FOLDER_VARIANTS && tracing->count < CHAIN_MAX)
        memcpy(tracing->path[tracing->count++], path, FOLDER_PATH_MAX);
    return true;
}

/* Does the path lead to a file that everybody has? */
static bool came_with_the_program(const struct folders *folders, const char *path) {
    char base[PATH_MAX], file[PATH_MAX];
    if (!realpath(folders->base[folders->installed], base) || !realpath(path, file)) return false;
    const size_t length = strlen(base);
    return !strncmp(file, base, length) && file[length] == '/';
}

/* What the word names. False with a fault. */
static bool find_item(const struct folders *folders, const char *word, enum folder_sort *sort,
                      char path[FOLDER_PATH_MAX], struct fault *fault) {
    static const enum folder_sort order[] = {FOLDER_VARIANTS, FOLDER_BOTS, FOLDER_SETUPS,
                                             FOLDER_LANGUAGES};
    char folder[FOLDER_PATH_MAX];
    if (path_is_meant(word, ".lua") || path_ends(word, ".txt")) {
        *sort = path_ends(word, ".txt") ? FOLDER_SETUPS : FOLDER_VARIANTS;
        if (!folders_resolve(folders, *sort, word, path, fault)) return false;
        path_folder(path, folder, sizeof folder);
        if (*sort == FOLDER_SETUPS) return true;
        if (!strcmp(path_file(folder), "languages")) {
            *sort = FOLDER_LANGUAGES;
            return true;
        }
        const enum script_kind kind = inspect_script_kind(folders, path, fault);
        if (kind == SCRIPT_BOT) *sort = FOLDER_BOTS;
        return kind != SCRIPT_BROKEN;
    }
    int found = 0;
    for (size_t i = 0; i < BUNDLE_SORTS; i++) {
        char other[FOLDER_PATH_MAX];
        if (!folders_resolve(folders, order[i], word, other, NULL)) continue;
        if (!found++) memcpy(path, other, sizeof other);
        if (found == 1) *sort = order[i];
    }
    if (found > 1)
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\" is the name of several things; a path is expected", word);
    return found ||
           fault_set(fault, STATUS_NOT_FOUND, "no variant, bot, set-up or language \"%s\"", word);
}

/* Adds the item with everything that its folder holds (NAME/init.lua) or that lies beside it in
 * NAME/, and, of a variant, the variants that it extends. Loads it in a locked process. */
static bool add_word(struct packing *packing, const struct folders *folders, const char *word,
                     struct fault *fault) {
    enum folder_sort sort = FOLDER_VARIANTS;
    char path[FOLDER_PATH_MAX];
    struct tracing *tracing = calloc(1, sizeof *tracing);
    struct folders traced = *folders;
    if (!tracing) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    tracing->folders = folders;
    tracing->finder = (struct finder){trace_resolve, tracing};
    traced.finder = &tracing->finder;
    bool added = find_item(folders, word, &sort, path, fault);
    if (added && came_with_the_program(folders, path))
        added =
            fault_set(fault, STATUS_USAGE, "\"%s\" came with the program: everybody has it", word);
    added = added && item_loads(sort == FOLDER_VARIANTS ? &traced : folders, sort, path, fault) &&
            add_item(packing, sort, path, fault);
    for (int i = 0; added && i < tracing->count; i++)
        added = came_with_the_program(folders, tracing->path[i]) ||
                add_item(packing, FOLDER_VARIANTS, tracing->path[i], fault);
    free(tracing);
    return added;
}

static void set_text(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text ? text : "");
}

/* Writes the signature beside the bundle. */
static bool sign(const struct pack_values *asked, const char *path, const struct buffer *bytes,
                 const struct bundle *bundle, struct fault *fault) {
    char comment[WORD_MAX + BUNDLE_RELEASE_MAX + 2], place[PATH_MAX + 16];
    struct buffer signature;
    size_t length;
    char *secret = files_read(asked->sign, MINISIGN_BYTES_MAX, &length, fault);
    if (!secret) return false;
    snprintf(comment, sizeof comment, "%s %s", bundle->name, bundle->release);
    snprintf(place, sizeof place, "%s.minisig", path);
    bool signed_it = minisign_sign(secret, bytes->text, bytes->length, comment, &signature, fault);
    if (!signed_it) fault_place(fault, asked->sign, 0, 0);
    signed_it = signed_it && files_replace(place, signature.text, signature.length, fault);
    explicit_bzero(secret, length);
    free(secret);
    buffer_clear(&signature);
    return signed_it;
}

static bool pack(const struct pack_values *asked, const struct folders *folders,
                 struct packing *packing, struct buffer *out, struct fault *fault) {
    char first[FOLDER_PATH_MAX], file[WORD_MAX + 16], hash[BUNDLE_HASH_MAX];
    const char *path = asked->output ? asked->output : file;
    struct bundle *bundle = &packing->bundle;
    for (int i = 0; i < asked->items.count; i++)
        if (!add_word(packing, folders, asked->items.list[i], fault)) return false;
    path_script_name(asked->items.list[0], first, sizeof first);
    if (path_ends(first, ".txt")) first[strlen(first) - 4] = 0;
    set_text(bundle->name, sizeof bundle->name, asked->name ? asked->name : first);
    set_text(bundle->release, sizeof bundle->release, asked->release);
    set_text(bundle->about, sizeof bundle->about, asked->about);
    set_text(bundle->author, sizeof bundle->author, asked->author);
    set_text(bundle->licence, sizeof bundle->licence, asked->licence);
    snprintf(file, sizeof file, "%s.ensign", bundle->name);
    if (!bundle_check(bundle, fault) || !bundle_loads(folders, bundle, fault)) return false;
    if (!bundle_write(bundle, out))
        return fault_set(fault, STATUS_USAGE, "more than %d bytes", BUNDLE_BYTES_MAX);
    if (!files_replace(path, out->text, out->length, fault) ||
        (asked->sign && !sign(asked, path, out, bundle, fault)))
        return false;
    bundle_hash(out->text, out->length, hash);
    FILE *told = strcmp(path, "-") ? stdout : stderr;
    language_line(told, cli_tongue(), "wrote {1}: {2} {3}, files: {4}, hash {5}", path,
                  bundle->name, bundle->release, NUMBER_TEXT(bundle->count), hash);
    for (int i = 0; i < bundle->count; i++) cli_line(told, "  %s", bundle->file[i].path);
    return true;
}

static int run_pack(const void *values) {
    const struct pack_values *asked = values;
    struct folders folders;
    struct fault fault = {0};
    struct buffer out = {0};
    if (!asked->items.count)
        return cli_misuse("pack", "a variant, a bot, a set-up or a language is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct packing *packing = calloc(1, sizeof *packing);
    if (!packing) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    const bool packed = packing && pack(asked, &folders, packing, &out, &fault);
    for (int i = 0; packing && i < packing->bundle.count; i++) free(packing->owned[i]);
    free(packing);
    buffer_clear(&out);
    return packed ? EXIT_DONE : cli_fail(&fault);
}
