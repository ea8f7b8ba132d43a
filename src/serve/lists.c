/* lists.c - a document for each part, behind a lock: who finds it too old makes it, the others
 * wait. */
#include "lists.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>

struct lists {
    const struct folders *folders;
    int lifetime;
    struct list {
        pthread_mutex_t lock;
        json_t *array; /* owned, and never changed; NULL: none yet */
        int64_t made;  /* time of clock_ms() */
    } part[STOCK_PARTS];
};

struct lists *lists_open(const struct folders *folders, int lifetime) {
    struct lists *lists = calloc(1, sizeof *lists);
    if (!lists) return NULL;
    lists->folders = folders;
    lists->lifetime = lifetime;
    for (int part = 0; part < STOCK_PARTS; part++)
        pthread_mutex_init(&lists->part[part].lock, NULL);
    return lists;
}

void lists_close(struct lists *lists) {
    if (!lists) return;
    for (int part = 0; part < STOCK_PARTS; part++) {
        pthread_mutex_destroy(&lists->part[part].lock);
        json_decref(lists->part[part].array);
    }
    free(lists);
}

static bool make_list(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    json_t *document = stock_json(lists->folders, 1u << part, fault);
    if (!document) return false;
    json_decref(list->array);
    list->array = json_incref(json_object_get(document, stock_part_name(part)));
    list->made = clock_ms();
    json_decref(document);
    return true;
}

json_t *lists_get(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    pthread_mutex_lock(&list->lock);
    bool fresh = list->array && clock_ms() - list->made < lists->lifetime;
    json_t *array = fresh || make_list(lists, part, fault) ? json_deep_copy(list->array) : NULL;
    pthread_mutex_unlock(&list->lock);
    if (!array && fault->status == STATUS_OK)
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a list");
    return array;
}
