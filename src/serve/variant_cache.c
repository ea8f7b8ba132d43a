/* variant_cache.c - a list of editions behind a lock; loading happens outside it.
 *
 * An edition is current while its file is the same one, of the same size and time, and its template
 * lives. Modules that a variant requires are not watched: an edition that nobody uses is loaded
 * again after a moment. */
#include "variant_cache.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "base/standby.h"
#include "host/player_process.h"
#include "jail/loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FRESH = 2000 /* ms that an unused edition is believed to be current */ };

enum edition_state { LOADING, LOADED, FAILED };

struct shelved {
    struct edition edition; /* first: variant_cache_return() gets a pointer to it */
    struct shelved *next;
    enum edition_state state;
    bool current; /* new games get it */
    int users;
    int64_t loaded; /* time of clock_ms() */
    struct stat file;
    char path[FOLDER_PATH_MAX];
    struct fault fault; /* FAILED */
};

struct variant_cache {
    const struct folders *folders;
    bool trust, edited;
    pthread_mutex_t lock; /* guards the list and everything in it but LOADED editions */
    pthread_cond_t loaded;
    struct shelved *first;
};

struct variant_cache *variant_cache_open(const struct folders *folders, bool trust, bool edited) {
    struct variant_cache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    *cache = (struct variant_cache){.folders = folders, .trust = trust, .edited = edited};
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->loaded, NULL);
    return cache;
}

/* Frees what is not used and no new game would get, with the lock held. */
static void put_away(struct variant_cache *cache, bool everything) {
    const int64_t now = clock_ms();
    for (struct shelved **link = &cache->first; *link;) {
        struct shelved *shelved = *link;
        const bool wanted = shelved->current && now - shelved->loaded < FRESH;
        if (shelved->users || (wanted && !everything)) {
            link = &shelved->next;
            continue;
        }
        *link = shelved->next;
        template_close(shelved->edition.template);
        rules_free(shelved->edition.rules);
        free(shelved);
    }
}

void variant_cache_close(struct variant_cache *cache) {
    if (!cache) return;
    put_away(cache, true);
    pthread_mutex_destroy(&cache->lock);
    pthread_cond_destroy(&cache->loaded);
    free(cache);
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_current(const struct shelved *shelved, const char *path, const struct stat *file) {
    if (!shelved->current || strcmp(shelved->path, path) != 0) return false;
    if (!is_same_file(&shelved->file, file)) return false;
    if (shelved->state == LOADED && shelved->edition.template &&
        template_is_gone(shelved->edition.template))
        return false;
    return shelved->users || clock_ms() - shelved->loaded < FRESH;
}

/* The current edition, or a new one whose loading is up to the caller (`*fresh`). */
static struct shelved *find_edition(struct variant_cache *cache, const char *path,
                                    const struct stat *file, bool *fresh) {
    *fresh = false;
    for (struct shelved *known = cache->first; known && !cache->edited; known = known->next)
        if (is_current(known, path, file)) return known;
    struct shelved *shelved = calloc(1, sizeof *shelved);
    if (!shelved) return NULL;
    for (struct shelved *old = cache->first; old; old = old->next)
        if (!strcmp(old->path, path)) old->current = false;
    put_away(cache, false);
    *fresh = shelved->current = true;
    shelved->file = *file;
    strcpy(shelved->path, path);
    shelved->edition.folders = folders_of_variant(cache->folders, path);
    shelved->next = cache->first;
    cache->first = shelved;
    return shelved;
}

/* Rules and template; the caller holds no lock. */
static bool make_edition(const struct variant_cache *cache, struct shelved *shelved) {
    struct edition *edition = &shelved->edition;
    if (!descriptors_left(DESCRIPTORS_NOT_FOR_BOTS, &shelved->fault)) return false;
    edition->rules = loader_variant(cache->folders, shelved->path, &shelved->fault);
    if (!edition->rules || cache->trust) return edition->rules;
    const struct player_options bots = {
        .folders = cache->folders, .rules = edition->rules, .limits = SANDBOX_DEFAULTS};
    edition->template = player_template(&bots, &shelved->fault);
    if (edition->template) return true;
    rules_free(edition->rules);
    edition->rules = NULL;
    return false;
}

static void load_edition(struct variant_cache *cache, struct shelved *shelved) {
    pthread_mutex_unlock(&cache->lock);
    standby_begin();
    bool loaded = make_edition(cache, shelved);
    standby_end();
    pthread_mutex_lock(&cache->lock);
    shelved->state = loaded ? LOADED : FAILED;
    shelved->current = shelved->current && loaded;
    shelved->loaded = clock_ms();
    pthread_cond_broadcast(&cache->loaded);
}

/* Waits for another thread to load it. */
static void await_edition(struct variant_cache *cache, const struct shelved *shelved) {
    pthread_mutex_unlock(&cache->lock);
    standby_begin();
    pthread_mutex_lock(&cache->lock);
    while (shelved->state == LOADING) pthread_cond_wait(&cache->loaded, &cache->lock);
    pthread_mutex_unlock(&cache->lock);
    standby_end();
    pthread_mutex_lock(&cache->lock);
}

const struct edition *variant_cache_take(struct variant_cache *cache, const char *name,
                                         struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    struct stat file;
    bool fresh;
    memset(&file, 0, sizeof file);
    if (!folders_resolve(cache->folders, FOLDER_VARIANTS, name, path, fault)) return NULL;
    stat(path, &file); /* where that fails, so does loading */
    pthread_mutex_lock(&cache->lock);
    struct shelved *shelved = find_edition(cache, path, &file, &fresh);
    if (shelved) {
        shelved->users++;
        if (fresh) load_edition(cache, shelved);
        if (shelved->state == LOADING) await_edition(cache, shelved);
        if (shelved->state == FAILED) {
            *fault = shelved->fault;
            shelved->users--;
            put_away(cache, false);
            shelved = NULL;
        }
    } else {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a variant");
    }
    pthread_mutex_unlock(&cache->lock);
    return shelved ? &shelved->edition : NULL;
}

void variant_cache_return(struct variant_cache *cache, const struct edition *edition) {
    struct shelved *shelved = (struct shelved *)(uintptr_t)edition;
    if (!edition) return;
    pthread_mutex_lock(&cache->lock);
    shelved->users--;
    put_away(cache, false);
    pthread_mutex_unlock(&cache->lock);
}
