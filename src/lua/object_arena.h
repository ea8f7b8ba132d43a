/* object_arena.h - memory for the objects of a Lua state, which can be saved and restored.
 *
 * Lua hashes a table, function or userdata by the low 32 bits of its address. Where keys collide
 * decides when a table from which some were removed grows, and so what `#` says of a list with
 * holes, and what walking the table costs. An arena begins at a multiple of 4 GiB, and its blocks
 * depend on the order of the requests alone, so that all this is the same in every process. */
#ifndef ENSIGN_LUA_OBJECT_ARENA_H
#define ENSIGN_LUA_OBJECT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ARENA_BLOCK_MAX = 1 << 28, /* bytes */
    ARENA_FINE = 1024,         /* up to here a size of block for each 16 bytes, then 8 an octave */
    ARENA_SIZES = ARENA_FINE / 16 + 8 * 18
};

struct object_arena {
    char *base; /* NULL before the first block */
    size_t used, mapped;
    size_t most;  /* bytes; blocks that were given back count, since others need their own size */
    size_t saved; /* `used` at arena_save() */
    struct arena_span *spans; /* then in use, one after the other in `image` */
    size_t span_count;
    char *image;
    void *free[ARENA_SIZES];
};

/* NULL without memory, or beyond `most` or ARENA_BLOCK_MAX. */
void *arena_take(struct object_arena *arena, size_t size);

/* Gives back a block of that size; false if it is not the arena's. */
bool arena_give(struct object_arena *arena, void *block, size_t size);

/* Moves the content of an arena's block to one of another size. NULL without memory: the block
 * stays. A block that shrinks may stay where it is. */
void *arena_resize(struct object_arena *arena, void *block, size_t old_size, size_t new_size);

/* Notes the content of all blocks, once. Free ones are not used again. False without memory. */
bool arena_save(struct object_arena *arena);

/* Makes the arena what it was after arena_save(): later blocks are gone, and the order of requests
 * begins anew. */
void arena_restore(struct object_arena *arena);

void arena_close(struct object_arena *arena);

#endif
