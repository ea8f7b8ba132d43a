/* pieces.h - files by their hash, kept by a worker from one match to the next. Thread-safe. */
#ifndef ENSIGN_HOST_MACHINES_PIECES_H
#define ENSIGN_HOST_MACHINES_PIECES_H

#include "slip.h"

enum { PIECES_BYTES = 64 << 20 /* kept at most; then all are dropped */ };

struct pieces;

struct pieces *pieces_open(void); /* NULL without memory */
void pieces_close(struct pieces *pieces);

/* A copy of the piece, made with malloc(); NULL if there is none. */
void *pieces_find(struct pieces *pieces, const struct slip_hash *hash, size_t *length);

/* The caller has made sure of the hash. */
void pieces_keep(struct pieces *pieces, const struct slip_hash *hash, const void *bytes,
                 size_t length);

#endif
