/* rules_handle.c - rules of a variant, loaded or read; texts about them; errors. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "batch_inside.h"
#include "core/rules/refusal.h"
#include "jail/rules_codec.h"

#ifdef ENSIGN_LIB_LUA
#include "jail/loader.h"
#include "jail/zygote.h"
#include "lua/folders.h"
#include "variant/variant.h"
#endif

static const char MAGIC[8] = "ENSIGNR"; /* of rules as bytes */
enum { RULES_FORMAT = 1 };

uint32_t ensign_version(void) {
    uint32_t version = 0;
    const char *at = ENSIGN_VERSION;
    for (int part = 0; part < 3; part++) {
        char *end;
        version = version << 8 | (uint32_t)strtoul(at, &end, 10);
        at = end + 1;
    }
    return version;
}

const char *ensign_parts(void) {
#ifdef ENSIGN_LIB_LUA
    return "core lua jail";
#else
    return "core";
#endif
}

const char *ensign_status_name(ensign_status status) {
    static const char *const names[] = {"ok",     "usage",   "busy",  "no-memory", "not-found",
                                        "script", "illegal", "setup", "data",      "system"};
    return status <= ENSIGN_SYSTEM ? names[status] : "";
}

const char *ensign_reason_name(uint32_t reason) {
    if (reason == ENSIGN_REASON_ILLEGAL) return "illegal";
    return reason < REASON_COUNT ? reason_name((enum reason)reason) : NULL;
}

size_t text_give(const char *text, size_t length, char *out, size_t room) {
    if (!out || !room) return length;
    const size_t kept = length < room ? length : room - 1;
    memcpy(out, text, kept);
    out[kept] = '\0';
    return length;
}

uint64_t bytes_hash(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    for (; length; at += 8) {
        uint64_t word = 0;
        const size_t part = length < 8 ? length : 8;
        memcpy(&word, at, part);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        length -= part;
    }
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 32;
}

static ensign_status status_of(const struct fault *fault) {
    switch (fault->status) {
    case STATUS_OK:
        return ENSIGN_OK;
    case STATUS_NOT_FOUND:
        return ENSIGN_NOT_FOUND;
    case STATUS_NO_MEMORY:
        return ENSIGN_NO_MEMORY;
    case STATUS_SETUP:
        return ENSIGN_SETUP;
    case STATUS_SYSTEM:
        return ENSIGN_SYSTEM;
    default:
        return ENSIGN_SCRIPT;
    }
}

void error_set(ensign_error *error, ensign_status status, const struct fault *fault,
               const char *text) {
    if (!error || error->size < sizeof error->size || error->size > sizeof *error) return;
    ensign_error full = {.size = error->size, .status = status};
    if (fault) {
        if (fault->status) full.status = status_of(fault);
        full.line = fault->line;
        full.column = fault->column;
        text_give(fault->file, strlen(fault->file), full.file, sizeof full.file);
        text_give(fault->text, strlen(fault->text), full.text, sizeof full.text);
    } else if (text) {
        text_give(text, strlen(text), full.text, sizeof full.text);
    }
    memcpy(error, &full, error->size);
}

/* All that is played by, without titles and translations. */
static bool rules_hash(const struct rules *rules, uint64_t *hash) {
    struct frame frame;
    struct rules *bare = malloc(sizeof *bare);
    if (!bare || !frame_open(&frame, RULES_WIRE_MAX)) {
        free(bare);
        return false;
    }
    *bare = *rules;
    bare->title[0] = bare->edition[0] = bare->note[0] = '\0';
    bare->called_count = 0;
    rules_put(&frame, bare);
    *hash = bytes_hash(rules->calls ? rules->calls->declared : 0, frame.bytes + CHANNEL_HEADER,
                       frame.length);
    const bool whole = !frame.broken;
    frame_close(&frame);
    free(bare);
    return whole;
}

ensign_rules *rules_handle_new(struct rules *rules, struct fault *fault) {
    ensign_rules *handle = calloc(1, sizeof *handle);
    if (!handle || !rules_hash(rules, &handle->hash))
        fault_set(fault, STATUS_NO_MEMORY, "no memory for the rules");
    else if (actions_derive(&handle->actions, rules, fault)) {
        atomic_init(&handle->owners, 1);
        handle->rules = rules;
        return handle;
    }
    free(handle);
    rules_free(rules);
    return NULL;
}

static ensign_rules *handle_new(struct rules *rules, ensign_error *error) {
    struct fault fault = {0};
    ensign_rules *handle = rules_handle_new(rules, &fault);
    if (!handle) error_set(error, ENSIGN_NO_MEMORY, &fault, NULL);
    return handle;
}

#ifdef ENSIGN_LIB_LUA
static bool locks;

ensign_status ensign_lock(ensign_error *error) {
    struct fault fault = {0};
    if (!locks) zygote_open(0, NULL);
    locks = true;
    if (zygote_is_well(&fault)) return ENSIGN_OK;
    error_set(error, ENSIGN_SYSTEM, &fault, NULL);
    return ENSIGN_SYSTEM;
}

ensign_rules *ensign_rules_load(const char *name, uint32_t flags, ensign_error *error) {
    struct folders folders;
    struct fault fault = {0};
    struct rules *rules = NULL;
    if (!name || flags > ENSIGN_LOCKED || ((flags & ENSIGN_LOCKED) && !locks)) {
        error_set(error, ENSIGN_USAGE, NULL,
                  !name                   ? "no name"
                  : flags > ENSIGN_LOCKED ? "unknown flags"
                                          : "ENSIGN_LOCKED without ensign_lock()");
        return NULL;
    }
    if (folders_find(&folders, &fault))
        rules = flags & ENSIGN_LOCKED ? loader_variant(&folders, name, &fault)
                                      : variant_load(&folders, name, &fault);
    if (rules) return handle_new(rules, error);
    error_set(error, ENSIGN_SCRIPT, &fault, NULL);
    return NULL;
}
#else
ensign_status ensign_lock(ensign_error *error) {
    error_set(error, ENSIGN_SYSTEM, NULL, "built without Lua");
    return ENSIGN_SYSTEM;
}

ensign_rules *ensign_rules_load(const char *name, uint32_t flags, ensign_error *error) {
    (void)name, (void)flags;
    error_set(error, ENSIGN_SYSTEM, NULL, "built without Lua");
    return NULL;
}
#endif

static ensign_rules *data_refuse(ensign_error *error, const char *text) {
    error_set(error, ENSIGN_DATA, NULL, text);
    return NULL;
}

ensign_rules *ensign_rules_read(const void *bytes, size_t length, ensign_error *error) {
    struct frame frame;
    struct fault fault = {0};
    struct refusals refusals;
    char magic[sizeof MAGIC], name[WORD_MAX];
    if (!bytes) {
        error_set(error, ENSIGN_USAGE, NULL, "no bytes");
        return NULL;
    }
    if (length > RULES_WIRE_MAX || !frame_open(&frame, length + 1))
        return data_refuse(error, "too long for rules");
    frame_put(&frame, bytes, length);
    frame_take(&frame, magic, sizeof magic);
    const uint32_t format = frame_take_number(&frame);
    frame_take_text(&frame, name, sizeof name);
    struct rules *rules = NULL;
    if (!frame.broken && !memcmp(magic, MAGIC, sizeof MAGIC) && format == RULES_FORMAT)
        rules = rules_take(&frame, &fault);
    const bool whole = rules && !frame.broken && frame.at == frame.length;
    frame_close(&frame);
    /* Without Lua nobody answers what a battle of the variant would ask. */
    if (whole && utf8_is_safe(name, strlen(name)) && !rules_have_outcome(rules, ASK_THE_VARIANT) &&
        rules_finish(rules, &refusals)) {
        memcpy(rules->name, name, sizeof rules->name);
        return handle_new(rules, error);
    }
    rules_free(rules);
    return data_refuse(error, "these bytes are no rules of this version");
}

size_t ensign_rules_write(const ensign_rules *handle, void *out, size_t room) {
    struct frame frame;
    if (!handle || handle->rules->calls || !frame_open(&frame, RULES_WIRE_MAX)) return 0;
    frame_put(&frame, MAGIC, sizeof MAGIC);
    frame_put_number(&frame, RULES_FORMAT);
    frame_put_text(&frame, handle->rules->name);
    rules_put(&frame, handle->rules);
    const size_t length = frame.broken ? 0 : frame.length;
    if (out && length <= room) memcpy(out, frame.bytes + CHANNEL_HEADER, length);
    frame_close(&frame);
    return length;
}

ensign_rules *ensign_rules_share(ensign_rules *handle) {
    if (handle) atomic_fetch_add_explicit(&handle->owners, 1, memory_order_relaxed);
    return handle;
}

void ensign_rules_free(ensign_rules *handle) {
    if (!handle || atomic_fetch_sub_explicit(&handle->owners, 1, memory_order_acq_rel) != 1) return;
    rules_free(handle->rules);
    free(handle);
}

size_t ensign_title(const ensign_rules *handle, char *out, size_t room) {
    if (!handle) return 0;
    return text_give(handle->rules->title, strlen(handle->rules->title), out, room);
}

size_t ensign_kind_name(const ensign_rules *handle, uint32_t kind, char *out, size_t room) {
    if (!handle || kind < 1 || kind > handle->rules->kinds) return 0;
    const char *name = handle->rules->kind[kind].name;
    return text_give(name, strlen(name), out, room);
}

size_t ensign_plane_name(const ensign_rules *handle, const ensign_options *options, uint32_t plane,
                         char *out, size_t room) {
    ensign_options full;
    if (!handle || !options_read(options, &full) || plane >= planes_count(handle->rules, &full))
        return 0;
    return plane_name(handle->rules, &full, plane, out, room);
}

size_t ensign_scalar_name(const ensign_rules *handle, uint32_t scalar, char *out, size_t room) {
    return handle ? scalar_name(handle->rules, scalar, out, room) : 0;
}

size_t ensign_action_text(const ensign_rules *handle, uint32_t action, int side, char *out,
                          size_t room) {
    char text[ACTION_TEXT_MAX];
    if (!handle || side < RED || side > BLUE) return 0;
    const size_t length = actions_write(&handle->actions, action, (enum side)side, text);
    return length ? text_give(text, length, out, room) : 0;
}

int32_t ensign_action_read(const ensign_rules *handle, int side, const char *text) {
    if (!handle || !text || side < RED || side > BLUE) return -1;
    return (int32_t)actions_parse(&handle->actions, (enum side)side, text);
}
