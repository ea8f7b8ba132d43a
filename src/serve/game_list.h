/* game_list.h - rooms in the order in which they came, to be read a page at a time. */
#ifndef ENSIGN_SERVE_GAME_LIST_H
#define ENSIGN_SERVE_GAME_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct room;

/* Zeroed, it is empty. */
struct game_list {
    struct game_list_entry {
        uint64_t order; /* rising */
        struct room *room;
    } * entry;
    size_t count, size;
};

void game_list_clear(struct game_list *game_list);

/* Adds a room, which is left out without memory, and drops it. */
void game_list_add(struct game_list *game_list, uint64_t order, struct room *room);
void game_list_drop(struct game_list *game_list, uint64_t order);

/* The room behind this place, whether or not anybody stands there any more; 0: the first, or, with
 * `newest_first`, the last. NULL behind all. */
struct room *game_list_next(const struct game_list *game_list, uint64_t order, bool newest_first);

#endif
