#include "chunk_cache.h"

#include "base/buffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_CACHE_MAX = 1 << 14 };

struct piece {
    struct messages_hash hash;
    size_t length;
    void *bytes;
};

struct chunk_cache {
    pthread_mutex_t lock;
    struct piece *list;
    size_t count, bytes;
};

struct chunk_cache *chunk_cache_open(void) {
    struct chunk_cache *pieces = calloc(1, sizeof *pieces);
    if (pieces) pthread_mutex_init(&pieces->lock, NULL);
    return pieces;
}

static void drop_all(struct chunk_cache *pieces) {
    for (size_t i = 0; i < pieces->count; i++) free(pieces->list[i].bytes);
    free(pieces->list);
    pieces->list = NULL;
    pieces->count = pieces->bytes = 0;
}

void chunk_cache_close(struct chunk_cache *pieces) {
    if (!pieces) return;
    drop_all(pieces);
    pthread_mutex_destroy(&pieces->lock);
    free(pieces);
}

static void *copy(const void *bytes, size_t length) {
    void *made = malloc(length + 1);
    if (made) memcpy(made, bytes, length);
    return made;
}

void *chunk_cache_find(struct chunk_cache *pieces, const struct messages_hash *hash,
                       size_t *length) {
    void *found = NULL;
    pthread_mutex_lock(&pieces->lock);
    for (size_t i = 0; i < pieces->count && !found; i++) {
        const struct piece *piece = &pieces->list[i];
        if (memcmp(&piece->hash, hash, sizeof *hash) != 0) continue;
        *length = piece->length;
        found = copy(piece->bytes, piece->length);
    }
    pthread_mutex_unlock(&pieces->lock);
    return found;
}

void chunk_cache_keep(struct chunk_cache *pieces, const struct messages_hash *hash,
                      const void *bytes, size_t length) {
    pthread_mutex_lock(&pieces->lock);
    if (pieces->bytes + length > CHUNK_CACHE_BYTES) drop_all(pieces);
    struct piece *grown = array_grown(pieces->list, pieces->count, sizeof *grown, CHUNK_CACHE_MAX);
    void *kept = grown ? copy(bytes, length) : NULL;
    if (grown) pieces->list = grown;
    if (kept) {
        pieces->list[pieces->count++] = (struct piece){*hash, length, kept};
        pieces->bytes += length;
    }
    pthread_mutex_unlock(&pieces->lock);
}
