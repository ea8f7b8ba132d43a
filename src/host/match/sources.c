/* sources.c - hashes of files, whose texts a cache holds (base/reader.h), for several threads.
 *
 * Entries are never removed or moved, so one may be read while another is added. */
#include "sources.h"

#include "base/buffer.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/reader.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES_MAX = 1 << 13, DIFFERENT_SHOWN = 4, PROGRAM_BYTES_MAX = 256 << 20 };

struct source {
    long size; /* -1: no file; 0 also if only noted */
    uint64_t hash;
    bool kept; /* in the store */
    char path[];
};

struct sources {
    struct reader reader;
    const struct reader *from;
    pthread_mutex_t lock; /* guards all below */
    struct file_cache cache;
    struct source **list;
    size_t count;
    bool digesting;
    uint64_t digest; /* of the hashes of what was read since sources_begin() */
};

static struct source *source_find(const struct sources *sources, const char *path) {
    for (size_t i = 0; i < sources->count; i++)
        if (!strcmp(sources->list[i]->path, path)) return sources->list[i];
    return NULL;
}

static void add_to_digest(struct sources *sources, const struct source *source) {
    if (sources->digesting) sources->digest = digest_add_number(sources->digest, source->hash);
}

/* NULL without memory. */
static struct source *source_add(struct sources *sources, const char *path) {
    struct source **grown = array_grown(sources->list, sources->count, sizeof *grown, SOURCES_MAX);
    if (!grown) return NULL;
    sources->list = grown;
    struct source *source = calloc(1, sizeof *source + strlen(path) + 1);
    if (!source) return NULL;
    strcpy(source->path, path);
    return sources->list[sources->count++] = source;
}

/* The file at a path, from the disk the first time; NULL if it cannot be cached. */
static struct source *source_fetch(struct sources *sources, const char *path) {
    struct source *source = source_find(sources, path);
    if (source) return source;
    const struct cached_file *kept = file_cache_get(&sources->cache, path);
    if (!kept || kept->size > READER_FILE_MAX) return NULL; /* too large for any script */
    if (!(source = source_add(sources, path))) return NULL;
    source->size = kept->size;
    if (kept->size >= 0) source->hash = digest_of(kept->text, (size_t)kept->size);
    return source;
}

static long source_size(void *context, const char *path) {
    struct sources *sources = context;
    pthread_mutex_lock(&sources->lock);
    const struct source *source = source_fetch(sources, path);
    long size = source ? source->size : sources->from->size(sources->from->context, path);
    pthread_mutex_unlock(&sources->lock);
    return size;
}

static long source_read(void *context, const char *path, char *out, size_t size) {
    struct sources *sources = context;
    pthread_mutex_lock(&sources->lock);
    const struct source *source = source_fetch(sources, path);
    long got = source ? source->size : -1;
    if (got > 0) got = sources->cache.reader.read(&sources->cache, path, out, size);
    if (got >= 0) add_to_digest(sources, source);
    pthread_mutex_unlock(&sources->lock);
    return got;
}

struct sources *sources_open(const struct reader *from) {
    struct sources *sources = calloc(1, sizeof *sources);
    if (!sources) return NULL;
    sources->reader = (struct reader){source_size, source_read, sources};
    sources->from = from;
    file_cache_open(&sources->cache, from);
    pthread_mutex_init(&sources->lock, NULL);
    return sources;
}

void sources_close(struct sources *sources) {
    if (!sources) return;
    for (size_t i = 0; i < sources->count; i++) free(sources->list[i]);
    free(sources->list);
    file_cache_clear(&sources->cache);
    pthread_mutex_destroy(&sources->lock);
    free(sources);
}

const struct reader *sources_reader(struct sources *sources) {
    return &sources->reader;
}

bool sources_note(struct sources *sources, const char *name, const void *bytes, size_t length) {
    pthread_mutex_lock(&sources->lock);
    struct source *source = source_find(sources, name);
    if (!source) source = source_add(sources, name);
    if (source) {
        source->hash = digest_of(bytes, length);
        add_to_digest(sources, source);
    }
    pthread_mutex_unlock(&sources->lock);
    return source;
}

static bool note_file(struct sources *sources, const char *path, const char *name,
                      struct fault *fault) {
    size_t length;
    char *bytes = files_read(path, PROGRAM_BYTES_MAX, &length, fault);
    if (!bytes) return false;
    bool noted = sources_note(sources, name, bytes, length) ||
                 fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(bytes);
    return noted;
}

bool sources_note_file(struct sources *sources, const char *path, struct fault *fault) {
    return note_file(sources, path, path, fault);
}

bool sources_note_program(struct sources *sources, struct fault *fault) {
    return note_file(sources, "/proc/self/exe", SOURCES_PROGRAM, fault) ||
           fault_set(fault, STATUS_SYSTEM,
                     "the program's own file cannot be read; is /proc mounted?");
}

void sources_begin(struct sources *sources) {
    sources->digesting = true;
    sources->digest = 0;
}

uint64_t sources_end(struct sources *sources) {
    sources->digesting = false;
    return sources->digest;
}

/* The entry of that number; NULL behind the last. */
static struct source *source_at(struct sources *sources, size_t index) {
    pthread_mutex_lock(&sources->lock);
    struct source *source = index < sources->count ? sources->list[index] : NULL;
    pthread_mutex_unlock(&sources->lock);
    return source;
}

long sources_size(struct sources *sources, const char *path) {
    pthread_mutex_lock(&sources->lock);
    const struct source *source = source_find(sources, path);
    const long size = source ? source->size : SOURCES_UNREAD;
    pthread_mutex_unlock(&sources->lock);
    return size;
}

bool sources_keep(struct sources *sources, struct store *store, struct fault *fault) {
    struct source *source;
    for (size_t i = 0; (source = source_at(sources, i)); i++) {
        if (source->kept || source->size < 0) continue;
        if (!store_put_source(store, source->path, source->hash, fault)) return false;
        source->kept = true;
    }
    return true;
}

/* The files that differ, for one message. */
struct difference {
    struct sources *sources;
    int count;
    char text[512];
};

static void difference_add(struct difference *difference, const char *path) {
    if (difference->count++ >= DIFFERENT_SHOWN) return;
    size_t used = strlen(difference->text);
    bool program = !strcmp(path, SOURCES_PROGRAM);
    snprintf(difference->text + used, sizeof difference->text - used, "%s%s", used ? ", " : "",
             program ? "the program itself" : path);
}

static bool source_compare(void *context, const char *path, uint64_t hash, struct fault *fault) {
    struct difference *difference = context;
    struct sources *sources = difference->sources;
    (void)fault;
    if (difference->count > DIFFERENT_SHOWN) return true; /* the list may be endless */
    pthread_mutex_lock(&sources->lock);
    struct source *source = source_fetch(sources, path);
    bool same = source && source->size >= 0 && source->hash == hash;
    if (source) source->kept = true;
    pthread_mutex_unlock(&sources->lock);
    if (!same) difference_add(difference, path);
    return true;
}

bool sources_agree(struct sources *sources, struct store *store, struct fault *fault) {
    struct difference difference = {.sources = sources};
    if (!store_sources(store, source_compare, &difference, fault)) return false;
    struct source *source;
    for (size_t i = 0; (source = source_at(sources, i)); i++)
        if (!source->kept && source->size >= 0) difference_add(&difference, source->path);
    if (!difference.count) return true;
    return fault_set(fault, STATUS_USAGE, "not what the match was begun with: %s%s",
                     difference.text, difference.count > DIFFERENT_SHOWN ? " and others" : "");
}
