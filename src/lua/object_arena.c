/* object_arena.c - blocks from the front of a mapping that grows, and a list of free ones for each
 * size. */
#define _GNU_SOURCE
#include "object_arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
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

enum {
    STEP = 16,
    PIECE = 1 << 18,   /* bytes mapped at a time */
    STRIPE = 1 << 10,  /* bytes restored at a time */
    GAP = 4,           /* steps between two spans, at most, that are saved with them */
    LEFT_MAX = 1 << 20 /* bytes behind the saved ones that stay mapped to memory */
};

/* A part of an arena that was in use when it was saved. */
struct arena_span {
    uint32_t at, size; /* bytes */
};

static const uint64_t WINDOW = (uint64_t)1 << 32, HIGHEST = (uint64_t)1 << 46;

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

/* Maps the first piece in the first free window from `place` in that direction. */
static void arena_search(struct object_arena *arena, uint64_t place, bool down) {
    do {
        if (down ? place <= WINDOW : place >= HIGHEST) return;
        place += down ? -WINDOW : WINDOW;
        arena->base = map_at(place, PIECE);
    } while (!arena->base && errno == EEXIST);
}

/* Maps the first piece, below all that the system maps by itself; above it where that lies low, as
 * in valgrind. */
static bool arena_begin(struct object_arena *arena) {
    void *anywhere = mmap(NULL, PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (anywhere == MAP_FAILED) return false;
    munmap(anywhere, PIECE);
    uint64_t place = (uintptr_t)anywhere / WINDOW * WINDOW;
    arena_search(arena, place, true);
    if (!arena->base) arena_search(arena, place, false);
    arena->mapped = arena->base ? PIECE : 0;
    return arena->base;
}

/* Maps at least the first `size` bytes. */
static bool arena_map(struct object_arena *arena, size_t size) {
    if (!arena->base && !arena_begin(arena)) return false;
    if (size <= arena->mapped) return true;
    const size_t more = (size - arena->mapped + PIECE - 1) / PIECE * PIECE;
    if (arena->mapped + more > WINDOW || !map_at((uintptr_t)arena->base + arena->mapped, more))
        return false;
    arena->mapped += more;
    return true;
}

void *arena_take(struct object_arena *arena, size_t size) {
    if (size > ARENA_BLOCK_MAX) return NULL;
    void **list = &arena->free[size_number(&size)], *block = *list;
    if (block) {
        ASAN_UNPOISON_MEMORY_REGION(block, size);
        memcpy(list, block, sizeof *list);
        return block;
    }
    if (arena->used + size > arena->most || !arena_map(arena, arena->used + size)) return NULL;
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

void *arena_resize(struct object_arena *arena, void *block, size_t old_size, size_t new_size) {
    size_t old_block = old_size, new_block = new_size;
    if (new_size <= ARENA_BLOCK_MAX && size_number(&old_block) == size_number(&new_block))
        return block;
    void *fresh = arena_take(arena, new_size);
    if (!fresh) return new_size < old_size ? block : NULL;
    memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    arena_give(arena, block, old_size);
    return fresh;
}

/* The bytes of blocks of this number. */
static size_t number_size(size_t number) {
    const size_t fine = ARENA_FINE / STEP;
    if (number < fine) return (number + 1) * STEP;
    return ((size_t)ARENA_FINE / 8 << (number - fine) / 8) * (9 + (number - fine) % 8);
}

/* A byte for each step of the used memory: 1 where blocks were given back. NULL without memory. */
static unsigned char *free_steps(const struct object_arena *arena) {
    unsigned char *map = calloc(arena->used / STEP + 1, 1);
    for (size_t number = 0; map && number < ARENA_SIZES; number++)
        for (void *block = arena->free[number]; block; memcpy(&block, block, sizeof block))
            memset(map + (size_t)((char *)block - arena->base) / STEP, 1,
                   number_size(number) / STEP);
    return map;
}

/* Lists what is in use, with gaps that are too small to be worth a span; NULL `spans` counts. */
static size_t list_spans(const unsigned char *map, size_t steps, struct arena_span *spans) {
    size_t count = 0, end = 0; /* of the last span */
    for (size_t at = 0; at < steps; at++) {
        if (map[at]) continue;
        size_t from = at;
        while (at < steps && !map[at]) at++;
        bool joins = count && from - end <= GAP;
        if (spans && joins)
            spans[count - 1].size = (uint32_t)(at * STEP) - spans[count - 1].at;
        else if (spans)
            spans[count] =
                (struct arena_span){(uint32_t)(from * STEP), (uint32_t)((at - from) * STEP)};
        count += !joins;
        end = at;
    }
    return count;
}

/* Gives the memory of whole pieces back to the system; they stay mapped. */
static void drop_pieces(struct object_arena *arena, size_t from, size_t to) {
    from = (from + PIECE - 1) / PIECE * PIECE;
    to = to / PIECE * PIECE;
    if (from < to) madvise(arena->base + from, to - from, MADV_DONTNEED);
}

bool arena_save(struct object_arena *arena) {
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->used);
    unsigned char *map = free_steps(arena);
    if (!map) return false;
    arena->span_count = list_spans(map, arena->used / STEP, NULL);
    arena->spans = calloc(arena->span_count + 1, sizeof *arena->spans);
    if (arena->spans) list_spans(map, arena->used / STEP, arena->spans);
    free(map);
    if (!arena->spans) return false;
    size_t size = 0;
    for (size_t i = 0; i < arena->span_count; i++) size += arena->spans[i].size;
    arena->image = malloc(size + 1);
    if (!arena->image) return false;
    char *to = arena->image;
    size_t end = 0;
    for (const struct arena_span *span = arena->spans; span < arena->spans + arena->span_count;
         span++) {
        memcpy(to, arena->base + span->at, span->size);
        drop_pieces(arena, end, span->at);
        to += span->size;
        end = (size_t)span->at + span->size;
    }
    drop_pieces(arena, end, arena->mapped);
    memset(arena->free, 0, sizeof arena->free);
    arena->saved = arena->used;
    return true;
}

/* Compares first: most of a state does not change in a call. */
void arena_restore(struct object_arena *arena) {
    const char *from = arena->image;
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->used);
    for (const struct arena_span *span = arena->spans, *end = span + arena->span_count; span < end;
         from += span++->size)
        for (size_t at = 0; at < span->size; at += STRIPE) {
            const size_t left = span->size - at, size = left < STRIPE ? left : STRIPE;
            char *to = arena->base + span->at + at;
            if (memcmp(to, from + at, size) != 0) memcpy(to, from + at, size);
        }
    if (arena->used > arena->saved + LEFT_MAX) drop_pieces(arena, arena->saved, arena->mapped);
    memset(arena->free, 0, sizeof arena->free);
    arena->used = arena->saved;
}

void arena_close(struct object_arena *arena) {
    free(arena->spans);
    free(arena->image);
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->mapped);
    if (arena->base) munmap(arena->base, arena->mapped);
}
