#include "pieces.h"

#include "base/buffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 1 << 14 };

struct piece {
    struct slip_hash hash;
    size_t length;
    void *bytes;
};

struct pieces {
    pthread_mutex_t lock;
    struct piece *list;
    size_t count, bytes;
};

struct pieces *pieces_open(void) {
    struct pieces *pieces = calloc(1, sizeof *pieces);
    if (pieces) pthread_mutex_init(&pieces->lock, NULL);
    return pieces;
}

static void drop_all(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++) free(pieces->list[i].bytes);
    free(pieces->list);
    pieces->list = NULL;
    pieces->count = pieces->bytes = 0;
}

void pieces_close(struct pieces *pieces) {
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

void *pieces_find(struct pieces *pieces, const struct slip_hash *hash, size_t *length) {
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

void pieces_keep(struct pieces *pieces, const struct slip_hash *hash, const void *bytes,
                 size_t length) {
    pthread_mutex_lock(&pieces->lock);
    if (pieces->bytes + length > PIECES_BYTES) drop_all(pieces);
    struct piece *grown = array_grown(pieces->list, pieces->count, sizeof *grown, PIECES_MAX);
    void *kept = grown ? copy(bytes, length) : NULL;
    if (grown) pieces->list = grown;
    if (kept) {
        pieces->list[pieces->count++] = (struct piece){*hash, length, kept};
        pieces->bytes += length;
    }
    pthread_mutex_unlock(&pieces->lock);
}
