/* keeper.c - reads each file once, when its size is first asked for.
 *
 * Missing files are remembered too, so that a search path gives the same result each time, but only
 * so many: scripts choose their names, and must leave room for the files of others. A file that
 * does not fit into memory counts as missing. */
#include "keeper.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 4096, MISSING_MAX = KEPT_MAX / 4 };

static struct kept *keeper_find(struct keeper *keeper, const char *path) {
    for (size_t i = 0; i < keeper->count; i++)
        if (!strcmp(keeper->list[i].path, path)) return &keeper->list[i];
    return NULL;
}

/* Fills text and size. For a file that is too large for a script, only the size. */
static void keeper_fetch(struct kept *kept, const struct reader *from) {
    kept->size = from->size(from->context, kept->path);
    if (kept->size < 0 || kept->size > READER_FILE_MAX) return;
    kept->text = malloc((size_t)kept->size + 1);
    if (kept->text)
        kept->size = from->read(from->context, kept->path, kept->text, (size_t)kept->size);
    else
        kept->size = -1;
}

const struct kept *keeper_get(struct keeper *keeper, const char *path) {
    struct kept *kept = keeper_find(keeper, path);
    if (kept || keeper->closed) return kept;
    struct kept *grown = array_grown(keeper->list, keeper->count, sizeof *grown, KEPT_MAX);
    if (!grown) return NULL;
    keeper->list = grown;
    kept = &grown[keeper->count];
    *kept = (struct kept){.path = strdup(path)};
    if (!kept->path) return NULL;
    keeper_fetch(kept, keeper->from);
    if (kept->size < 0 && keeper->missing++ >= MISSING_MAX) {
        free(kept->path);
        free(kept->text);
        return NULL;
    }
    keeper->count++;
    return kept;
}

static long keeper_size(void *context, const char *path) {
    const struct kept *kept = keeper_get(context, path);
    return kept ? kept->size : -1;
}

static long keeper_read(void *context, const char *path, char *out, size_t size) {
    const struct kept *kept = keeper_find(context, path);
    if (!kept || !kept->text || kept->size < 0) return -1;
    if (size > (size_t)kept->size) size = (size_t)kept->size;
    memcpy(out, kept->text, size);
    return (long)size;
}

void keeper_open(struct keeper *keeper, const struct reader *from) {
    *keeper = (struct keeper){.reader = {keeper_size, keeper_read, keeper}, .from = from};
}

void keeper_clear(struct keeper *keeper) {
    for (size_t i = 0; i < keeper->count; i++) {
        free(keeper->list[i].path);
        free(keeper->list[i].text);
    }
    free(keeper->list);
    keeper->list = NULL;
    keeper->count = keeper->missing = 0;
}
