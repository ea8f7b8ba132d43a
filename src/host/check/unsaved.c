/* unsaved.c - a reader and a finder in front of the disk's. */
#include "unsaved.h"

#include "base/paths.h"
#include "base/utf8.h"

#include <string.h>

/* Modules beside the text would lie under the current folder. */
static bool is_hidden(const char *path) {
    return !strncmp(path, "./", 2);
}

static long unsaved_size(void *context, const char *path) {
    const struct unsaved *unsaved = context;
    const struct reader *disk = folders_reader(unsaved->under);
    if (!strcmp(path, unsaved->name)) return (long)unsaved->length;
    return is_hidden(path) ? -1 : disk->size(disk->context, path);
}

static long unsaved_read(void *context, const char *path, char *out, size_t size) {
    const struct unsaved *unsaved = context;
    const struct reader *disk = folders_reader(unsaved->under);
    if (strcmp(path, unsaved->name) != 0)
        return is_hidden(path) ? -1 : disk->read(disk->context, path, out, size);
    if (size > unsaved->length) size = unsaved->length;
    memcpy(out, unsaved->text, size);
    return (long)size;
}

static bool unsaved_resolve(void *context, enum folder_sort sort, const char *name,
                            char path[FOLDER_PATH_MAX], struct fault *fault) {
    const struct unsaved *unsaved = context;
    if (!strcmp(name, unsaved->name)) {
        memmove(path, name, strlen(name) + 1);
        return true;
    }
    if (!path_is_meant(name, sort == FOLDER_SETUPS ? ".txt" : ".lua"))
        return folders_resolve(unsaved->under, sort, name, path, fault);
    return fault_set(fault, STATUS_NOT_FOUND,
                     "\"%s\" is a path; a name on the search path is expected here", name);
}

void unsaved_open(struct unsaved *unsaved, const struct folders *under, const char *name,
                  const char *text, size_t length) {
    *unsaved = (struct unsaved){.folders = *under,
                                .under = under,
                                .reader = {unsaved_size, unsaved_read, unsaved},
                                .finder = {unsaved_resolve, unsaved},
                                .name = name,
                                .text = text,
                                .length = length};
    unsaved->folders.reader = &unsaved->reader;
    unsaved->folders.finder = &unsaved->finder;
}

bool unsaved_may_be_named(const char *name) {
    size_t length = strlen(name);
    return length && length < FAULT_FILE_MAX && name[0] != '.' && !strchr(name, '/') &&
           utf8_is_safe(name, length);
}
