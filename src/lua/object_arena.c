/* object_arena.c - blocks from the front of a mapping that grows, and a list of free ones for each
 * size. */
#define _GNU_SOURCE
#include "object_arena.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(block, size) ((void)(block), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(block, size) ((void)(block), (void)(size))
#endif

enum { STEP = 16, PIECE = 1 << 18 /* bytes mapped at a time */ };

static const uint64_t WINDOW = (uint64_t)1 << 32;

/* The number of the size of block that fits; `*size` becomes that size. */
static unsigned size_number(size_t *size) {
    unsigned octave = 0;
    size_t step = STEP;
    if (*size > ARENA_FINE)
        for (step = ARENA_FINE / 8; *size > 16 * step; step *= 2) octave++;
    *size = (*size + step - 1) / step * step;
    return (unsigned)(*size <= ARENA_FINE ? *size / STEP - 1
                                          : ARENA_FINE / STEP + 8 * octave + *size / step - 9);
}

static char *map_at(uint64_t place, size_t size) {
    char *wanted = (char *)(uintptr_t)place;
    char *got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted || got == MAP_FAILED) return got == wanted ? got : NULL;
    munmap(got, size); /* an old kernel takes the place for a hint */
    errno = EEXIST;
    return NULL;
}

/* Maps the first piece, below all that the system maps by itself. */
static bool arena_begin(struct object_arena *arena) {
    void *anywhere = mmap(NULL, PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (anywhere == MAP_FAILED) return false;
    munmap(anywhere, PIECE);
    uint64_t place = (uintptr_t)anywhere / WINDOW * WINDOW;
    do {
        if (place <= WINDOW) return false;
        place -= WINDOW;
        arena->base = map_at(place, PIECE);
    } while (!arena->base && errno == EEXIST);
    arena->mapped = arena->base ? PIECE : 0;
    return arena->base;
}

static bool arena_grow(struct object_arena *arena) {
    if (!arena->base) return arena_begin(arena);
    if (arena->mapped + PIECE > WINDOW || !map_at((uintptr_t)arena->base + arena->mapped, PIECE))
        return false;
    arena->mapped += PIECE;
    return true;
}

void *arena_take(struct object_arena *arena, size_t size) {
    void **list = &arena->free[size_number(&size)], *block = *list;
    if (block) {
        ASAN_UNPOISON_MEMORY_REGION(block, size);
        memcpy(list, block, sizeof *list);
        return block;
    }
    if (arena->used + size > arena->most ||
        (arena->used + size > arena->mapped && !arena_grow(arena)))
        return NULL;
    block = arena->base + arena->used;
    arena->used += size;
    return block;
}

bool arena_give(struct object_arena *arena, void *block, size_t size) {
    const uintptr_t base = (uintptr_t)arena->base, at = (uintptr_t)block;
    if (!base || at < base || at >= base + arena->used) return false;
    void **list = &arena->free[size_number(&size)];
    memcpy(block, list, sizeof *list);
    *list = block;
    ASAN_POISON_MEMORY_REGION(block, size);
    return true;
}

void arena_close(struct object_arena *arena) {
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->mapped);
    if (arena->base) munmap(arena->base, arena->mapped);
}
