/* lists.c - a text for each part, behind a lock: who finds it too old makes it, the others wait. */
#include "lists.h"

#include "base/buffer.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>

enum { LIST_MAX = 16 << 20 };

struct lists {
    struct stem *stem;
    int lifetime;
    struct list {
        pthread_mutex_t lock;
        char *text; /* owned; NULL: none yet */
        size_t length;
        int64_t made; /* time of clock_ms() */
    } part[STOCK_PARTS];
};

struct lists *lists_open(struct stem *stem, int lifetime) {
    struct lists *lists = calloc(1, sizeof *lists);
    if (!lists) return NULL;
    lists->stem = stem;
    lists->lifetime = lifetime;
    for (int part = 0; part < STOCK_PARTS; part++)
        pthread_mutex_init(&lists->part[part].lock, NULL);
    return lists;
}

void lists_close(struct lists *lists) {
    if (!lists) return;
    for (int part = 0; part < STOCK_PARTS; part++) {
        pthread_mutex_destroy(&lists->part[part].lock);
        free(lists->part[part].text);
    }
    free(lists);
}

static bool make_list(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    struct buffer text = buffer_of(LIST_MAX);
    bool made = stem_list(lists->stem, 1u << part, &text, fault);
    if (made) {
        free(list->text);
        list->length = text.length;
        list->text = buffer_take(&text);
        list->made = clock_ms();
    }
    buffer_clear(&text);
    return made;
}

json_t *lists_get(struct lists *lists, enum stock_part part, struct fault *fault) {
    struct list *list = &lists->part[part];
    pthread_mutex_lock(&list->lock);
    bool fresh = list->text && clock_ms() - list->made < lists->lifetime;
    bool there = fresh || make_list(lists, part, fault);
    json_t *document = there ? json_loadb(list->text, list->length, 0, NULL) : NULL;
    pthread_mutex_unlock(&list->lock);
    json_t *array = json_incref(json_object_get(document, stock_part_name(part)));
    json_decref(document);
    if (there && !array) fault_set(fault, STATUS_NO_MEMORY, "no memory for a list");
    return array;
}
