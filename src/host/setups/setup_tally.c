/* setup_tally.c - figures of many set-ups.
 *
 * A set-up and its mirror image share a key, the smaller of the two. Sorted by key, and by whether
 * the key is the mirror image, duplicates and mirrors are adjacent. */
#include "setup_tally.h"

#include <stdlib.h>
#include <string.h>

struct keyed {
    struct setup key;
    bool flipped; /* the key is the mirror image */
    size_t index;
};

static int compare_keyed(const void *left, const void *right) {
    const struct keyed *a = left, *b = right;
    int order = memcmp(&a->key, &b->key, sizeof a->key);
    if (order) return order;
    if (a->flipped != b->flipped) return a->flipped ? 1 : -1;
    return a->index < b->index ? -1 : 1;
}

static int compare_twins(const void *left, const void *right) {
    const struct setup_twins *a = left, *b = right;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return a->mirrored - b->mirrored;
}

static void count_squares(const struct rules *rules, const struct setup_pool *setups,
                          struct setup_tally *tally) {
    for (size_t i = 0; i < setups->count; i++) {
        tally->seen += setups->origins[i].seen;
        for (square at = 0; at < rules->board.squares; at++)
            tally->stood[setups->list[i].at[at]][at] += setups->origins[i].seen;
    }
}

static void add_twins(struct setup_tally *tally, size_t a, size_t b, bool mirrored) {
    tally->twins[tally->twin_count++] =
        (struct setup_twins){a < b ? a : b, a < b ? b : a, mirrored};
}

/* Counts one run of equal keys: first set-ups equal to the key, then their mirror images. */
static void count_run(const struct keyed *run, size_t length, struct setup_tally *tally) {
    for (size_t i = 0; i < length; i++) {
        bool begins = !i || run[i].flipped != run[i - 1].flipped;
        if (begins) {
            tally->distinct++;
            if (i) {
                tally->mirrors++;
                add_twins(tally, run[0].index, run[i].index, true);
            }
        } else {
            tally->repeats++;
            size_t first = i;
            while (first && run[first - 1].flipped == run[i].flipped) first--;
            add_twins(tally, run[first].index, run[i].index, false);
        }
    }
}

bool setup_tally(const struct rules *rules, const struct setup_pool *setups,
                 struct setup_tally *tally, struct fault *fault) {
    size_t count = setups->count;
    *tally = (struct setup_tally){0};
    struct keyed *sorted = malloc((count ? count : 1) * sizeof *sorted);
    tally->twins = malloc((count ? count : 1) * sizeof *tally->twins);
    if (!sorted || !tally->twins) {
        free(sorted);
        setup_tally_clear(tally);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for %zu set-ups", count);
    }
    for (size_t i = 0; i < count; i++) {
        struct setup mirrored;
        setup_mirror(rules, &setups->list[i], &mirrored);
        int order = memcmp(&mirrored, &setups->list[i], sizeof mirrored);
        sorted[i] = (struct keyed){order < 0 ? mirrored : setups->list[i], order < 0, i};
    }
    qsort(sorted, count, sizeof *sorted, compare_keyed);
    for (size_t i = 0, next; i < count; i = next) {
        struct setup mirrored;
        next = i + 1;
        while (next < count && !memcmp(&sorted[next].key, &sorted[i].key, sizeof mirrored)) next++;
        count_run(&sorted[i], next - i, tally);
        setup_mirror(rules, &sorted[i].key, &mirrored);
        tally->symmetric += !memcmp(&mirrored, &sorted[i].key, sizeof mirrored);
    }
    free(sorted);
    qsort(tally->twins, tally->twin_count, sizeof *tally->twins, compare_twins);
    count_squares(rules, setups, tally);
    return true;
}

void setup_tally_clear(struct setup_tally *tally) {
    free(tally->twins);
    *tally = (struct setup_tally){0};
}
