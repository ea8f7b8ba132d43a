/* variant_codec.c - both ends of a loaded variant.
 *
 * The files of its calls travel as the loader's cache read them, missing ones included. */
#include "variant_codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "core/rules/refusal.h"
#include "jail/channel_files.h"

/* Both ends of the source of a variant's calls. */

void calls_codec_put(struct frame *frame, const struct rules *rules) {
    struct variant_calls_source source;
    if (!rules->calls) {
        frame_put_number(frame, 0);
        return;
    }
    variant_calls_describe(rules, &source);
    frame_put_number(frame, source.declared);
    for (int call = 0; call < CALL_COUNT; call++) {
        frame_put_text(frame, source.written[call].file);
        frame_put_number(frame, (uint32_t)source.written[call].line);
    }
    frame_put_number(frame, (uint32_t)source.count);
    for (int i = 0; i < source.count; i++) frame_put_text(frame, source.path[i]);
}

bool calls_codec_take(struct frame *frame, const struct rules *rules,
                      bool (*may_read)(const void *context, const char *path), const void *context,
                      struct variant_calls_source *source) {
    bool asks = rules_have_outcome(rules, ASK_THE_VARIANT);
    *source = (struct variant_calls_source){.declared = frame_take_number(frame)};
    if (!source->declared) return !asks && !frame->broken;
    if (source->declared >> CALL_COUNT || asks != (source->declared >> CALL_BATTLE & 1))
        return false;
    for (int call = 0; call < CALL_COUNT; call++) {
        char *file = source->written[call].file;
        frame_take_text(frame, file, sizeof source->written[call].file);
        uint32_t line = frame_take_number(frame);
        if (line > INT32_MAX || (file[0] && !may_read(context, file))) return false;
        source->written[call].line = (int)line;
    }
    uint32_t count = frame_take_number(frame);
    if (count < 1 || count > CHAIN_MAX) return false;
    source->count = (int)count;
    for (int i = 0; i < source->count; i++) {
        frame_take_text(frame, source->path[i], sizeof source->path[i]);
        if (frame->broken || !may_read(context, source->path[i])) return false;
    }
    return true;
}

/* `text` is NULL: no such file. */
static void put_file(struct frame *frame, const char *path, const char *text, size_t size) {
    frame_put_text(frame, path);
    frame_put_number(frame, text ? (uint32_t)size : CHANNEL_NO_FILE);
    if (text) frame_put(frame, text, size);
}

static bool is_kept(const struct file_cache *cache, const char *path) {
    for (size_t i = 0; i < cache->count; i++)
        if (!strcmp(cache->list[i].path, path)) return true;
    return false;
}

/* What scripts required, then those of the variant's own files that are not among it. */
static void put_files(struct frame *frame, const struct rules *rules) {
    struct variant_calls_source source = {.count = 0};
    const struct file_cache *cache = rules->calls ? variant_calls_files(rules) : NULL;
    const struct variant_file *own = rules->calls ? variant_calls_own_files(rules) : NULL;
    if (rules->calls) variant_calls_describe(rules, &source);
    size_t count = cache ? cache->count : 0;
    for (int i = 0; i < source.count; i++) count += !is_kept(cache, own[i].path);
    frame_put_number(frame, (uint32_t)count);
    for (size_t i = 0; cache && i < cache->count; i++) {
        const struct cached_file *kept = &cache->list[i];
        put_file(frame, kept->path, kept->size < 0 ? NULL : kept->text, (size_t)kept->size);
    }
    for (int i = 0; i < source.count; i++)
        if (!is_kept(cache, own[i].path)) put_file(frame, own[i].path, own[i].text, own[i].length);
}

void variant_put(struct frame *frame, const struct rules *rules) {
    frame_put_text(frame, rules->name);
    rules_put(frame, rules);
    put_files(frame, rules);
    calls_codec_put(frame, rules);
}

/* A reader of the file that the frame holds next. */
struct arrival {
    struct frame *frame;
    uint32_t size; /* or CHANNEL_NO_FILE */
};

static long arrival_size(void *context, const char *path) {
    const struct arrival *arrival = context;
    (void)path;
    return arrival->size == CHANNEL_NO_FILE ? -1 : (long)arrival->size;
}

static long arrival_read(void *context, const char *path, char *out, size_t size) {
    const struct arrival *arrival = context;
    (void)path;
    frame_take(arrival->frame, out, size);
    return arrival->frame->broken ? -1 : (long)size;
}

/* Fills the cache. False if the files are invalid. */
static bool take_files(struct frame *frame, struct file_cache *cache) {
    char path[FOLDER_PATH_MAX];
    struct arrival arrival = {.frame = frame};
    const struct reader reader = {arrival_size, arrival_read, &arrival};
    uint32_t count = frame_take_number(frame);
    cache->from = &reader;
    bool sound = !frame->broken;
    for (uint32_t i = 0; i < count && sound; i++) {
        frame_take_text(frame, path, sizeof path);
        arrival.size = frame_take_number(frame);
        bool fits = arrival.size == CHANNEL_NO_FILE || arrival.size <= READER_FILE_MAX;
        sound = !frame->broken && fits && file_cache_get(cache, path) && cache->count == i + 1;
    }
    cache->from = &READER_DISK;
    return sound && !frame->broken;
}

static bool was_read(const void *context, const char *path) {
    const struct file_cache *cache = context;
    for (size_t i = 0; i < cache->count; i++)
        if (!strcmp(cache->list[i].path, path)) return cache->list[i].size >= 0;
    return false;
}

/* Attaches the calls, if there are any. False without a fault if they are invalid. */
static bool attach_calls(struct frame *frame, struct rules *rules, const char *scripts,
                         struct fault *fault) {
    struct variant_calls_source source;
    struct file_cache cache;
    file_cache_open(&cache, &READER_DISK);
    bool sound =
        take_files(frame, &cache) && calls_codec_take(frame, rules, was_read, &cache, &source);
    if (sound && source.declared) {
        sound = variant_calls_defer(rules, &source, scripts, &cache);
        if (!sound) fault_set(fault, STATUS_NO_MEMORY, "no memory for a variant's calls");
    }
    file_cache_clear(&cache);
    return sound;
}

static bool take_name(struct frame *frame, char name[WORD_MAX]) {
    frame_take_text(frame, name, WORD_MAX);
    return name[0] && utf8_is_safe(name, strlen(name));
}

struct rules *variant_take(struct frame *frame, const char *scripts, struct fault *fault) {
    char name[WORD_MAX];
    struct refusals refusals;
    struct fault why = {0};
    struct rules *rules = take_name(frame, name) ? rules_take(frame, &why) : NULL;
    if (rules) {
        memcpy(rules->name, name, sizeof name);
        if (attach_calls(frame, rules, scripts, &why) && rules_finish(rules, &refusals) &&
            frame->at == frame->length)
            return rules;
        rules_free(rules);
    }
    if (why.status == STATUS_NO_MEMORY)
        fault_repeat(fault, &why);
    else
        fault_set(fault, STATUS_CRASH,
                  "the process that loads it sent an answer that makes no sense");
    return NULL;
}
