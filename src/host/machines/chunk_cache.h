/* chunk_cache.h - files by their hash, kept by a worker from one match to the next. Thread-safe. */
#ifndef ENSIGN_HOST_MACHINES_CHUNK_CACHE_H
#define ENSIGN_HOST_MACHINES_CHUNK_CACHE_H

#include "messages.h"

enum { CHUNK_CACHE_BYTES = 64 << 20 /* kept at most; then all are dropped */ };

struct chunk_cache;

struct chunk_cache *chunk_cache_open(void); /* NULL without memory */
void chunk_cache_close(struct chunk_cache *pieces);

/* A copy of the piece, made with malloc(); NULL if there is none. */
void *chunk_cache_find(struct chunk_cache *pieces, const struct messages_hash *hash,
                       size_t *length);

/* The caller has made sure of the hash. */
void chunk_cache_keep(struct chunk_cache *pieces, const struct messages_hash *hash,
                      const void *bytes, size_t length);

#endif
