/* workspace.c - reads and writes the files of the workshop.
 *
 * The version of a file is a hash of its text. A lock lets nobody else come between the look at the
 * version and the write; what an editor does in the same moment cannot be seen. */
#include "workspace.h"

#include "base/digest.h"
#include "base/paths.h"
#include "base/words.h"
#include "confined.h"
#include "host/seat/reply.h"
#include "host/starter.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION_MAX = 17, PLACE_MAX = 16 + WORD_MAX };

struct workspace {
    struct variant_cache *variants;
    const struct folders *folders;
    pthread_mutex_t lock;
};

struct workpiece {
    const char *path;   /* "variants/NAME.lua" */
    const char *folder; /* "variants" */
    enum folder_sort sort;
    char name[WORD_MAX];
};

static const struct {
    const char *folder;
    enum folder_sort sort;
} PLACES[] = {{"variants", FOLDER_VARIANTS}, {"bots", FOLDER_BOTS}};

enum { PLACES_COUNT = sizeof PLACES / sizeof *PLACES };

struct workspace *workspace_open(struct variant_cache *variants, const struct folders *folders) {
    struct workspace *workspace = calloc(1, sizeof *workspace);
    if (!workspace) return NULL;
    workspace->variants = variants;
    workspace->folders = folders;
    pthread_mutex_init(&workspace->lock, NULL);
    return workspace;
}

void workspace_close(struct workspace *workspace) {
    if (!workspace) return;
    pthread_mutex_destroy(&workspace->lock);
    free(workspace);
}

/* Splits "variants/NAME.lua". */
static bool split_path(const char *path, struct workpiece *piece) {
    const char *file = path_file(path);
    const size_t folder = (size_t)(file - path);
    piece->path = path;
    if (!path_ends(file, ".lua") || strlen(file) - 4 >= sizeof piece->name) return false;
    snprintf(piece->name, sizeof piece->name, "%.*s", (int)strlen(file) - 4, file);
    for (int i = 0; i < PLACES_COUNT; i++) {
        const size_t length = strlen(PLACES[i].folder);
        if (folder != length + 1 || strncmp(path, PLACES[i].folder, length)) continue;
        piece->folder = PLACES[i].folder;
        piece->sort = PLACES[i].sort;
        return word_is_new_name(piece->name);
    }
    return false;
}

static bool read_file_name(const json_t *request, struct workpiece *piece, struct fault *fault) {
    const char *path;
    if (!reply_text(request, "file", &path, fault)) return false;
    return (path && split_path(path, piece)) ||
           fault_set(fault, STATUS_USAGE,
                     "\"file\": expected variants/NAME.lua or bots/NAME.lua, the name beginning "
                     "with a small letter, of small letters, digits, '-' and '_', at most %d in "
                     "all; got %s%.80s%s",
                     WORD_MAX - 1, path ? "\"" : "", path ? path : "nothing", path ? "\"" : "");
}

static void make_version(const char *text, size_t length, char version[VERSION_MAX]) {
    snprintf(version, VERSION_MAX, "%016llx", (unsigned long long)digest_of(text, length));
}

static json_t *written(const struct workpiece *piece, const char *text, size_t length) {
    char version[VERSION_MAX];
    make_version(text, length, version);
    return json_pack("{s:s, s:s, s:s}", "type", "written", "file", piece->path, "version", version);
}

static json_t *answer_read(const struct workspace *workspace, const struct workpiece *piece,
                           struct fault *fault) {
    char version[VERSION_MAX];
    size_t length;
    char *text = confined_read(workspace->folders, piece->path, WORKSPACE_TEXT_MAX, &length, fault);
    if (!text) return NULL;
    json_t *value = strlen(text) == length ? json_stringn(text, length) : NULL;
    make_version(text, length, version);
    free(text);
    if (value)
        return json_pack("{s:s, s:s, s:o, s:s}", "type", "text", "file", piece->path, "text", value,
                         "version", version);
    fault_set(fault, STATUS_TEXT, "is not a text in UTF-8");
    fault_place(fault, piece->path, 0, 0);
    return NULL;
}

static bool is_free(const struct workspace *workspace, const struct workpiece *piece,
                    struct fault *fault);

/* Is the file still as the client read it? One that was not there must not hide another now. */
static bool is_unchanged(const struct workspace *workspace, const struct workpiece *piece,
                         const char *version, struct fault *fault) {
    char now[VERSION_MAX] = "";
    struct fault why = {0};
    size_t length;
    char *text = confined_read(workspace->folders, piece->path, READER_FILE_MAX, &length, &why);
    const bool absent = why.status == STATUS_NOT_FOUND;
    if (!absent && !text) {
        *fault = why;
        return false;
    }
    if (text) make_version(text, length, now);
    free(text);
    if (!strcmp(now, version)) return !absent || is_free(workspace, piece, fault);
    fault_set(fault, STATUS_USAGE, absent ? "is no longer there" : "has changed on the disk");
    fault_place(fault, piece->path, 0, 0);
    return false;
}

static json_t *answer_write(struct workspace *workspace, const struct workpiece *piece,
                            const json_t *request, struct fault *fault) {
    const char *text, *version;
    if (!reply_text(request, "text", &text, fault) ||
        !reply_text(request, "version", &version, fault))
        return NULL;
    if (!text || !version) {
        fault_set(fault, STATUS_TEXT, "\"%s\": expected %s", text ? "version" : "text",
                  text ? "the version of the text that was read" : "the text of the file");
        return NULL;
    }
    if (strlen(text) > WORKSPACE_TEXT_MAX) {
        fault_set(fault, STATUS_TEXT, "is too long: at most %d bytes are expected",
                  WORKSPACE_TEXT_MAX);
        fault_place(fault, piece->path, 0, 0);
        return NULL;
    }
    pthread_mutex_lock(&workspace->lock);
    bool done =
        is_unchanged(workspace, piece, version, fault) &&
        confined_write(piece->folder, path_file(piece->path), text, strlen(text), true, fault);
    pthread_mutex_unlock(&workspace->lock);
    return done ? written(piece, text, strlen(text)) : NULL;
}

/* The name is free on the whole search path: a new file hides no other. */
static bool is_free(const struct workspace *workspace, const struct workpiece *piece,
                    struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    struct fault none = {0};
    if (!folders_resolve(workspace->folders, piece->sort, piece->name, path, &none)) return true;
    return fault_set(fault, STATUS_USAGE, "there is a %s \"%s\" already: %s",
                     piece->sort == FOLDER_BOTS ? "bot" : "variant", piece->name, path);
}

/* Writes a new file. Takes over the text, which may be NULL. */
static json_t *write_new(struct workspace *workspace, const struct workpiece *piece, char *text,
                         struct fault *fault) {
    pthread_mutex_lock(&workspace->lock);
    bool done = text && confined_write(piece->folder, path_file(piece->path), text, strlen(text),
                                       false, fault);
    pthread_mutex_unlock(&workspace->lock);
    json_t *reply = done ? written(piece, text, strlen(text)) : NULL;
    free(text);
    return reply;
}

/* A variant or bot that can be copied: by name, and not a folder of files. */
static bool find_original(const struct workspace *workspace, enum folder_sort sort,
                          const char *name, char path[FOLDER_PATH_MAX], struct fault *fault) {
    if (!name) return fault_set(fault, STATUS_TEXT, "\"from\": expected a name");
    if (!word_is_name(name))
        return fault_set(fault, STATUS_USAGE, "\"from\": expected a name, got \"%.80s\"", name);
    if (!folders_resolve(workspace->folders, sort, name, path, fault)) return false;
    return strcmp(path_file(path), "init.lua") ||
           fault_set(fault, STATUS_USAGE, "\"%s\" is a folder; only a single file can be copied",
                     name);
}

static json_t *answer_copy(struct workspace *workspace, const struct workpiece *piece,
                           const char *from, struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    size_t length;
    if (!is_free(workspace, piece, fault) ||
        !find_original(workspace, piece->sort, from, path, fault))
        return NULL;
    return write_new(workspace, piece,
                     confined_read(workspace->folders, path, WORKSPACE_TEXT_MAX, &length, fault),
                     fault);
}

/* The text of `ensign new`. */
static char *starter_text(const struct workspace *workspace, const struct workpiece *piece,
                          const char *from, struct fault *fault) {
    if (piece->sort == FOLDER_BOTS) return starter_bot(workspace->folders, piece->name, fault);
    const char *base = from ? from : "duel";
    if (!word_is_name(base)) {
        fault_set(fault, STATUS_USAGE, "\"from\": expected the name of a variant, got \"%.80s\"",
                  base);
        return NULL;
    }
    const struct edition *edition = variant_cache_take(workspace->variants, base, fault);
    if (!edition) return NULL;
    char *text = starter_variant(workspace->folders, piece->name, edition->rules, base, fault);
    variant_cache_return(workspace->variants, edition);
    return text;
}

static void add_name(void *context, const char *name, const char *path) {
    if (strcmp(path_file(path), "init.lua")) json_array_append_new(context, json_string(name));
}

struct listing {
    json_t *files;
    const struct workspace *workspace;
    const char *folder;
};

static void add_file(void *context, const char *name, const char *path) {
    const struct listing *listing = context;
    char place[PLACE_MAX];
    struct workpiece piece;
    const int length =
        snprintf(place, sizeof place, "%s/%.*s.lua", listing->folder, WORD_MAX, name);
    if (length >= (int)sizeof place || strcmp(place, path) || !split_path(place, &piece)) return;
    if (confined_is_file(listing->workspace->folders, place))
        json_array_append_new(listing->files, json_string(place));
}

static json_t *answer_files(const struct workspace *workspace) {
    json_t *files = json_array(), *originals = json_object();
    for (int i = 0; i < PLACES_COUNT; i++) {
        struct listing listing = {files, workspace, PLACES[i].folder};
        json_t *names = json_array();
        folders_list(workspace->folders, PLACES[i].sort, add_file, &listing);
        folders_list(workspace->folders, PLACES[i].sort, add_name, names);
        json_object_set_new(originals, PLACES[i].folder, names);
    }
    return json_pack("{s:s, s:o, s:o}", "type", "files", "files", files, "originals", originals);
}

bool workspace_obeys(const char *type) {
    static const char *const types[] = {"files", "read", "write", "copy", "create"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(type, types[i])) return true;
    return false;
}

json_t *workspace_answer(struct workspace *workspace, const json_t *request, struct fault *fault) {
    const char *type = json_string_value(json_object_get(request, "type")), *from;
    struct workpiece piece;
    if (!strcmp(type, "files")) return answer_files(workspace);
    if (!read_file_name(request, &piece, fault)) return NULL;
    if (!strcmp(type, "read")) return answer_read(workspace, &piece, fault);
    if (!strcmp(type, "write")) return answer_write(workspace, &piece, request, fault);
    if (!reply_text(request, "from", &from, fault)) return NULL;
    if (!strcmp(type, "copy")) return answer_copy(workspace, &piece, from, fault);
    if (!is_free(workspace, &piece, fault)) return NULL;
    return write_new(workspace, &piece, starter_text(workspace, &piece, from, fault), fault);
}
