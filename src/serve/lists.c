/* lists.c - a document for each part: who finds it too old makes it, outside the lock, and the
 * others wait. */
#include "lists.h"

#include "base/clock.h"
#include "base/standby.h"

#include <pthread.h>
#include <stdlib.h>

struct lists {
    const struct folders *folders;
    int lifetime;
    struct list {
        pthread_mutex_t lock;
        pthread_cond_t made_now;
        bool making;
        json_t *array; /* owned, and never changed; NULL: none yet */
        int64_t made;  /* time of clock_ms() */
    } part[STOCK_PARTS];
};

struct lists *lists_open(const struct folders *folders, int lifetime) {
    struct lists *lists = calloc(1, sizeof *lists);
    if (!lists) return NULL;
    lists->folders = folders;
    lists->lifetime = lifetime;
    for (int part = 0; part < STOCK_PARTS; part++) {
        pthread_mutex_init(&lists->part[part].lock, NULL);
        pthread_cond_init(&lists->part[part].made_now, NULL);
    }
    return lists;
}

void lists_close(struct lists *lists) {
    if (!lists) return;
    for (int part = 0; part < STOCK_PARTS; part++) {
        pthread_mutex_destroy(&lists->part[part].lock);
        pthread_cond_destroy(&lists->part[part].made_now);
        json_decref(lists->part[part].array);
    }
    free(lists);
}

/* Waits for another thread to make the list, with the lock held. */
static void await_list(struct list *list) {
    pthread_mutex_unlock(&list->lock);
    standby_begin(); /* its end may take long, so it must not hold the lock */
    pthread_mutex_lock(&list->lock);
    while (list->making) pthread_cond_wait(&list->made_now, &list->lock);
    pthread_mutex_unlock(&list->lock);
    standby_end();
    pthread_mutex_lock(&list->lock);
}

/* Makes a list, with the lock held before and after. NULL with a fault. */
static json_t *make_list(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    list->making = true;
    pthread_mutex_unlock(&list->lock);
    json_t *document = stock_json(lists->folders, 1u << part, fault);
    json_t *array = json_incref(json_object_get(document, stock_part_name(part)));
    json_decref(document);
    pthread_mutex_lock(&list->lock);
    list->making = false;
    pthread_cond_broadcast(&list->made_now);
    if (!array) return NULL;
    json_decref(list->array);
    list->made = clock_ms();
    return list->array = array;
}

json_t *lists_get(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    pthread_mutex_lock(&list->lock);
    while (list->making) await_list(list);
    bool fresh = list->array && clock_ms() - list->made < lists->lifetime;
    json_t *array = json_deep_copy(fresh ? list->array : make_list(lists, part, fault));
    pthread_mutex_unlock(&list->lock);
    if (!array && fault->status == STATUS_OK)
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a list");
    return array;
}
