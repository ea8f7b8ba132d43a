/* game_list.c - a sorted array: most rooms come at its end. */
#include "game_list.h"

#include <stdlib.h>
#include <string.h>

void game_list_clear(struct game_list *game_list) {
    free(game_list->entry);
    *game_list = (struct game_list){0};
}

/* The first place whose order is at least this. */
static size_t find_place(const struct game_list *game_list, uint64_t order) {
    size_t from = 0, to = game_list->count;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (game_list->entry[middle].order < order)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static bool has_room(struct game_list *game_list) {
    if (game_list->count < game_list->size) return true;
    const size_t size = game_list->size ? 2 * game_list->size : 64;
    struct game_list_entry *entry = realloc(game_list->entry, size * sizeof *entry);
    if (!entry) return false;
    game_list->entry = entry;
    game_list->size = size;
    return true;
}

void game_list_add(struct game_list *game_list, uint64_t order, struct room *room) {
    if (!has_room(game_list)) return;
    const size_t place = find_place(game_list, order);
    struct game_list_entry *at = &game_list->entry[place];
    memmove(at + 1, at, (game_list->count++ - place) * sizeof *at);
    *at = (struct game_list_entry){order, room};
}

void game_list_drop(struct game_list *game_list, uint64_t order) {
    const size_t place = find_place(game_list, order);
    if (place == game_list->count || game_list->entry[place].order != order) return;
    struct game_list_entry *at = &game_list->entry[place];
    memmove(at, at + 1, (--game_list->count - place) * sizeof *at);
}

struct room *game_list_next(const struct game_list *game_list, uint64_t order, bool newest_first) {
    if (!newest_first) {
        const size_t place = find_place(game_list, order + 1);
        return place < game_list->count ? game_list->entry[place].room : NULL;
    }
    const size_t place = order ? find_place(game_list, order) : game_list->count;
    return place ? game_list->entry[place - 1].room : NULL;
}
