/* remote_match.c - the coordinator's files and names in the place of the disk.
 *
 * Whatever was asked for is kept, also that there is no such file: a bot is opened by name for each
 * game. Without an answer the games would differ from those of other machines, so the first
 * question that fails ends all playing. Of what the match does not list yet nobody knows whether it
 * is there: that pair is not played here. */
#include "remote_match.h"

#include "base/buffer.h"
#include "base/descriptors.h"
#include "host/player_process.h"
#include "host/players.h"
#include "jail/call_process.h"
#include "jail/loader.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOLD_MAX = 1 << 13,
    FILES_BYTES_MAX = 64 << 20, /* of a match, in all */
    TOLD_FILE = UINT16_MAX      /* no sort of names */
};

/* What the coordinator has told: the path that a name of this sort has, or the file at a path. */
struct told {
    uint32_t sort;
    char *name, *text;
    long size; /* of the text; -1: no such file */
};

struct remote_match {
    struct remote_match_options options;
    struct terms terms;
    struct folders folders;
    struct finder finder;
    struct reader reader;
    struct rules *rules;
    struct setup_pool setups[2];
    struct tournament *match;
    struct processors processors;
    int threads;
    size_t memory; /* that it has */

    pthread_mutex_t lock; /* guards all below; held while a question is out */
    struct frame question, answer;
    struct told *told;
    size_t told_count, bytes;
    struct fault failed; /* the first question that failed; STATUS_OK: none has */
};

/* What the pair of this thread lacks; NULL: no pair is being played. */
static _Thread_local struct messages_lack *lacks;

/* Notes what the match does not list. */
static void remote_lack(uint32_t sort, const char *name) {
    if (!lacks || lacks->name[0]) return;
    lacks->sort = sort;
    snprintf(lacks->name, sizeof lacks->name, "%s", name);
}

static struct frame *remote_begin(struct remote_match *match, enum messages_question question) {
    frame_clear(&match->question);
    frame_put_number(&match->question, question);
    return &match->question;
}

static bool remote_ask(struct remote_match *match, struct fault *fault) {
    return match->options.ask(match->options.context, &match->question, &match->answer, fault);
}

static bool remote_garbled(struct fault *fault) {
    return fault_set(fault, STATUS_CRASH, "the coordinator's answer makes no sense");
}

static const struct told *remote_recall(const struct remote_match *match, uint32_t sort,
                                        const char *name) {
    for (size_t i = 0; i < match->told_count; i++)
        if (match->told[i].sort == sort && !strcmp(match->told[i].name, name))
            return &match->told[i];
    return NULL;
}

/* Keeps what was told; takes the text over. NULL without memory. */
static const struct told *remote_keep(struct remote_match *match, uint32_t sort, const char *name,
                                      char *text, long size) {
    struct told *grown = array_grown(match->told, match->told_count, sizeof *grown, TOLD_MAX);
    char *copy = grown ? strdup(name) : NULL;
    if (grown) match->told = grown;
    if (!copy) {
        free(text);
        return NULL;
    }
    grown[match->told_count] = (struct told){sort, copy, text, size};
    return &grown[match->told_count++];
}

/* The bytes of a file that has this hash, in pieces. NULL with a fault. */
static char *remote_fetch(struct remote_match *match, const char *path,
                          const struct messages_hash *hash, size_t size, struct fault *fault) {
    size_t length = 0;
    char *text = chunk_cache_find(match->options.pieces, hash, &length);
    if (text && length == size) return text;
    free(text);
    text = malloc(size + 1);
    bool good = text || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (size_t at = 0; good && at < size;) {
        struct frame *question = remote_begin(match, MESSAGES_ASKS_BYTES);
        frame_put(question, hash, sizeof *hash);
        frame_put_number(question, (uint32_t)at);
        good = remote_ask(match, fault);
        size_t got = good ? match->answer.length - match->answer.at : 0;
        if (got > size - at) got = size - at;
        if (good && !got) good = remote_garbled(fault);
        frame_take(&match->answer, text + at, got);
        at += got;
    }
    const struct messages_hash is = good ? messages_hash(text, size) : *hash;
    if (memcmp(&is, hash, sizeof is) != 0) {
        good =
            fault_set(fault, STATUS_CRASH, "the coordinator sends something else than this file");
        fault_place(fault, path, 0, 0);
    }
    if (good) {
        chunk_cache_keep(match->options.pieces, hash, text, size);
        return text;
    }
    free(text);
    return NULL;
}

static const struct told *ask_for_file(struct remote_match *match, const char *path,
                                       struct fault *fault) {
    struct messages_hash hash;
    char *text = NULL;
    frame_put_text(remote_begin(match, MESSAGES_ASKS_FILE), path);
    if (!remote_ask(match, fault)) return NULL;
    const uint32_t size = frame_take_number(&match->answer);
    frame_take(&match->answer, &hash, sizeof hash);
    const bool there = size <= READER_FILE_MAX, none = size == MESSAGES_NO_FILE;
    if (match->answer.broken || (!there && !none && size != MESSAGES_NOT_LISTED)) {
        remote_garbled(fault);
        return NULL;
    }
    if (!there && !none) {
        if (!lacks) fault_set(fault, STATUS_NOT_FOUND, "the coordinator has not read \"%s\"", path);
        remote_lack(MESSAGES_LACKS_FILE, path);
        return NULL;
    }
    if (there) {
        match->bytes += size;
        if (match->bytes > FILES_BYTES_MAX) {
            fault_set(fault, STATUS_MEMORY, "the files of the match are longer than %d MiB",
                      FILES_BYTES_MAX >> 20);
            return NULL;
        }
        if (!(text = remote_fetch(match, path, &hash, size, fault))) return NULL;
    }
    const struct told *told = remote_keep(match, TOLD_FILE, path, text, there ? (long)size : -1);
    if (!told) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return told;
}

/* The file at a path; NULL if it is not listed, or the question fails, now or before. Locked. */
static const struct told *remote_file(struct remote_match *match, const char *path) {
    if (match->failed.status != STATUS_OK) return NULL;
    const struct told *told = remote_recall(match, TOLD_FILE, path);
    return told ? told : ask_for_file(match, path, &match->failed);
}

static long remote_size(void *context, const char *path) {
    struct remote_match *match = context;
    pthread_mutex_lock(&match->lock);
    const struct told *told = remote_file(match, path);
    const long size = told ? told->size : -1;
    pthread_mutex_unlock(&match->lock);
    return size;
}

static long remote_read(void *context, const char *path, char *out, size_t size) {
    struct remote_match *match = context;
    pthread_mutex_lock(&match->lock);
    const struct told *told = remote_file(match, path);
    long got = told ? told->size : -1;
    if (got > (long)size) got = (long)size;
    if (got > 0) memcpy(out, told->text, (size_t)got);
    pthread_mutex_unlock(&match->lock);
    return got;
}

/* The path of a name. Locked. */
static const struct told *remote_path(struct remote_match *match, enum folder_sort sort,
                                      const char *name, struct fault *fault) {
    const struct told *told = remote_recall(match, sort, name);
    char path[FOLDER_PATH_MAX];
    if (told) return told;
    struct frame *question = remote_begin(match, MESSAGES_ASKS_PATH);
    frame_put_number(question, sort);
    frame_put_text(question, name);
    if (!remote_ask(match, fault)) return NULL;
    if (!frame_take_number(&match->answer) && !match->answer.broken) {
        remote_lack(sort, name); /* while it is loaded, it is not there */
        return NULL;
    }
    frame_take_text(&match->answer, path, sizeof path);
    char *copy = match->answer.broken ? NULL : strdup(path);
    if (copy) told = remote_keep(match, sort, name, copy, (long)strlen(path));
    if (!told) remote_garbled(fault);
    return told;
}

static bool remote_resolve(void *context, enum folder_sort sort, const char *name,
                           char path[FOLDER_PATH_MAX], struct fault *fault) {
    struct remote_match *match = context;
    pthread_mutex_lock(&match->lock);
    struct fault *failed = &match->failed;
    const struct told *told =
        failed->status == STATUS_OK ? remote_path(match, sort, name, failed) : NULL;
    if (told) snprintf(path, FOLDER_PATH_MAX, "%s", told->text);
    if (!told && fault && failed->status != STATUS_OK) *fault = *failed;
    if (!told && fault && failed->status == STATUS_OK)
        fault_set(fault, STATUS_NOT_FOUND, "the match does not list \"%s\"", name);
    pthread_mutex_unlock(&match->lock);
    return told;
}

static size_t player_memory(const struct remote_match *match) {
    const struct tournament_options *options = &match->terms.options;
    size_t most = options->limits.memory;
    for (int i = 0; i < options->player_count; i++) {
        const struct program_confines *confines = &options->programs;
        const size_t program = confines->memory ? confines->memory : PROGRAM_MEMORY;
        if (confines->wall && player_is_program(options->players[i]) && program > most)
            most = program;
    }
    return most;
}

static void leave_memory(struct remote_match *match) {
    atomic_fetch_sub(match->options.memory, match->memory);
    match->memory = 0;
}

/* Takes what so many threads need, or as many as there is room for. */
static bool take_memory(struct remote_match *match, int threads, struct fault *fault) {
    const struct terms *terms = &match->terms;
    const bool calls = match->rules && match->rules->calls;
    const size_t most = match->options.permits->memory;
    const size_t each = 2 * player_memory(match) + (calls ? CALL_PROCESS_MEMORY : 0);
    const size_t own =
        FILES_BYTES_MAX + ((size_t)terms->setups[0] + terms->setups[1]) * sizeof(struct setup);
    size_t taken = atomic_load(match->options.memory), fit, wanted;
    if (own > most || each > most - own)
        return fault_set(fault, STATUS_USAGE,
                         "the match needs %zu MiB for a thread and %zu for set-ups and files, and "
                         "this worker gives all matches together %zu: start it with --memory",
                         each >> 20, own >> 20, most >> 20);
    do {
        const size_t left = most - taken;
        fit = left < own ? 0 : (left - own) / each;
        if (!fit)
            return fault_set(fault, STATUS_MEMORY, "other matches have the memory of this worker");
        if (fit > (size_t)threads) fit = (size_t)threads;
        wanted = own + fit * each;
    } while (!atomic_compare_exchange_weak(match->options.memory, &taken, taken + wanted));
    match->memory = wanted;
    match->threads = (int)fit;
    return true;
}

static bool load_setups(struct remote_match *match, int family, struct fault *fault) {
    struct setup_pool *pool = &match->setups[family];
    const uint32_t count = match->terms.setups[family];
    bool good = true;
    pthread_mutex_lock(&match->lock);
    while (good && pool->count < count) {
        struct frame *question = remote_begin(match, MESSAGES_ASKS_SETUPS),
                     *answer = &match->answer;
        frame_put_number(question, (uint32_t)family);
        frame_put_number(question, (uint32_t)pool->count);
        good = remote_ask(match, fault);
        const size_t before = pool->count;
        while (good && answer->at < answer->length) {
            char text[SETUP_TEXT_MAX];
            struct setup setup;
            frame_take_text(answer, text, sizeof text);
            good = (pool->count < count || remote_garbled(fault)) &&
                   setup_read(match->rules, RED, text, strlen(text), &setup, fault) &&
                   (setup_pool_add(pool, &setup, (struct setup_origin){1, 0}) ||
                    fault_set(fault, STATUS_NO_MEMORY, "out of memory"));
        }
        if (good && pool->count == before) good = remote_garbled(fault);
    }
    pthread_mutex_unlock(&match->lock);
    match->terms.options.family[family].setups = count ? pool : NULL;
    return good;
}

/* Variant, set-ups and players. */
static bool load(struct remote_match *match, struct fault *fault) {
    struct tournament_options *options = &match->terms.options;
    match->reader = (struct reader){remote_size, remote_read, match};
    match->finder = (struct finder){remote_resolve, match};
    match->folders = (struct folders){.reader = &match->reader, .finder = &match->finder};
    memcpy(match->folders.scripts, match->terms.scripts, sizeof match->folders.scripts);
    match->rules = loader_variant(&match->folders, match->terms.variant, fault);
    if (!match->rules) return false;
    if (match->rules->calls) { /* it needs more than was known */
        leave_memory(match);
        if (!take_memory(match, match->threads, fault)) return false;
    }
    options->folders = &match->folders;
    options->rules = match->rules;
    const struct player_options bots = {
        .folders = options->folders, .rules = options->rules, .limits = options->limits};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY + match->threads * DESCRIPTORS_OF_GAME, fault))
        return false;
    if (!match->terms.trust && !(options->template = player_template(&bots, fault))) return false;
    for (int i = 0; i < options->family_count; i++)
        if (!load_setups(match, i, fault)) return false;
    return (match->match = tournament_open(options, fault));
}

struct remote_match *remote_match_open(const struct remote_match_options *options, int threads,
                                       struct fault *fault) {
    struct remote_match *match = calloc(1, sizeof *match);
    if (!match) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    match->options = *options;
    pthread_mutex_init(&match->lock, NULL);
    processors_get(0, &match->processors);
    bool good = (frame_open(&match->question, MESSAGES_BYTES_MAX) &&
                 frame_open(&match->answer, MESSAGES_BYTES_MAX)) ||
                fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    good = good && terms_take(options->terms, &match->terms, fault) &&
           terms_are_permitted(&match->terms, options->permits, fault);
    match->terms.options.programs.refused = !options->permits->programs;
    good = good && take_memory(match, threads, fault) && load(match, fault);
    /* What the scripts made of a file that did not come is not their fault. */
    if (match->failed.status != STATUS_OK) *fault = match->failed, good = false;
    if (good) return match;
    remote_match_close(match);
    return NULL;
}

void remote_match_close(struct remote_match *match) {
    if (!match) return;
    tournament_free(match->match);
    template_close(match->terms.options.template);
    rules_free(match->rules);
    for (int i = 0; i < 2; i++) setup_pool_clear(&match->setups[i]);
    for (size_t i = 0; i < match->told_count; i++) {
        free(match->told[i].name);
        free(match->told[i].text);
    }
    free(match->told);
    frame_close(&match->question);
    frame_close(&match->answer);
    leave_memory(match);
    terms_clear(&match->terms);
    pthread_mutex_destroy(&match->lock);
    free(match);
}

int remote_match_threads(const struct remote_match *match) {
    return match->threads;
}

struct match_thread remote_match_hand(const struct remote_match *match, bool first) {
    return match_thread_open(&match->processors, match->terms.options.template, first);
}

/* Whether a question has failed, and why. */
static bool has_failed(struct remote_match *match, struct fault *fault) {
    pthread_mutex_lock(&match->lock);
    const bool failed = match->failed.status != STATUS_OK;
    if (failed) *fault = match->failed;
    pthread_mutex_unlock(&match->lock);
    return failed;
}

bool remote_match_play(struct remote_match *match, struct match_thread *hand, uint32_t number,
                       const atomic_bool *stop, struct frame *games, struct messages_lack *lack,
                       struct fault *fault) {
    struct finished *played[2];
    struct pair pair = {.match = match->match,
                        .options = &match->terms.options,
                        .template = hand->template,
                        .stop = stop,
                        .number = number};
    if (number >= match->match->game_count / 2)
        return fault_set(fault, STATUS_CRASH, "the match has no pair %u", number + 1);
    match_thread_settle(hand);
    *lack = (struct messages_lack){.sort = MESSAGES_LACKS_ROOM};
    lacks = lack;
    const bool whole = pair_play_both(&pair, played, fault);
    lacks = NULL;
    const bool good = !has_failed(match, fault) && whole;
    const bool overdue = good && (played[0]->overdue || played[1]->overdue);
    frame_clear(games);
    if (overdue && !lack->name[0] && !tournament_has_externals(match->match))
        lack->sort = MESSAGES_LACKS_TIME;
    else if (good && !lack->name[0])
        games_put(games, played);
    if (games->broken) frame_clear(games);
    for (int i = 0; i < 2; i++) finished_free(played[i]);
    return good;
}
