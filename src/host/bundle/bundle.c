/* bundle.c - the form of a bundle, written and read.
 *
 * The reader takes the files out of the local headers, the author's texts out of the manifest, and
 * compares what bundle_write() makes of them with the bytes: whatever the skipped parts say, they
 * are then as they should be. */
#include "bundle.h"

#include "base/clock.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "jail/codec.h"
#include "jail/exchange.h"
#include "jail/jail.h"

#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FORMAT = 1,
    LOCAL_HEAD = 30,
    LOCAL_SIGN = 0x04034b50,
    CENTRAL_SIGN = 0x02014b50,
    END_SIGN = 0x06054b50,
    MADE_BY = 0x031e,  /* Unix */
    NEEDS = 10,        /* version 1.0 */
    FIRST_DAY = 0x0021 /* 1980-01-01 */
};
static const uint32_t PLAIN_FILE = 0100644u << 16;
static const char MANIFEST[] = "manifest.json";

const char *const BUNDLE_KEYS[BUNDLE_SORTS] = {[FOLDER_VARIANTS] = "variants",
                                               [FOLDER_BOTS] = "bots",
                                               [FOLDER_LANGUAGES] = "languages",
                                               [FOLDER_SETUPS] = "setups"};

const int BUNDLE_API[BUNDLE_SORTS] = {1, 1, 1, 1};

/* The author's texts: the key of each in the manifest and its place in a bundle. */
static const struct {
    const char *key;
    size_t at, size;
} TEXTS[] = {{"name", offsetof(struct bundle, name), WORD_MAX},
             {"release", offsetof(struct bundle, release), BUNDLE_RELEASE_MAX},
             {"about", offsetof(struct bundle, about), BUNDLE_TEXT_MAX},
             {"author", offsetof(struct bundle, author), BUNDLE_TEXT_MAX},
             {"licence", offsetof(struct bundle, licence), BUNDLE_TEXT_MAX}};
enum { TEXTS_COUNT = sizeof TEXTS / sizeof *TEXTS };

static const char *text_of(const struct bundle *bundle, int number) {
    return (const char *)bundle + TEXTS[number].at;
}

static bool is_word_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
           byte == '_';
}

/* Words parted by '/', none of which begins with '-', and an ending. */
static bool path_is_plain(const char *path) {
    size_t length = strlen(path);
    if (length >= BUNDLE_PATH_MAX || (!path_ends(path, ".lua") && !path_ends(path, ".txt")))
        return false;
    length -= 4;
    for (size_t i = 0; i < length; i++) {
        const bool begins = !i || path[i - 1] == '/';
        if (path[i] == '/' ? begins || i + 1 == length : !is_word_byte(path[i])) return false;
        if (begins && path[i] == '-') return false;
    }
    return true;
}

enum bundle_path bundle_path(const char *path, enum folder_sort *sort, char name[WORD_GUESS_MAX]) {
    /* Set-ups lie in the folder of variants. */
    static const enum folder_sort order[] = {FOLDER_SETUPS, FOLDER_VARIANTS, FOLDER_BOTS,
                                             FOLDER_LANGUAGES};
    const char *rest = NULL;
    for (int i = 0; !rest && i < BUNDLE_SORTS; i++) {
        const char *place = folders_place(*sort = order[i]);
        const size_t length = strlen(place);
        if (!strncmp(path, place, length) && path[length] == '/') rest = path + length + 1;
    }
    if (!rest || !path_is_plain(path)) return BUNDLE_PATH_ODD;
    const size_t length = strcspn(rest, "/.");
    if (length >= WORD_GUESS_MAX) return BUNDLE_PATH_ODD;
    memcpy(name, rest, length);
    name[length] = 0;
    if (rest[length] == '.')
        return strcmp(rest + length, folders_ending(*sort)) ? BUNDLE_PATH_ODD : BUNDLE_PATH_ITEM;
    if (*sort == FOLDER_SETUPS) return BUNDLE_PATH_ODD;
    return strcmp(rest + length, "/init.lua") ? BUNDLE_PATH_PART : BUNDLE_PATH_ITEM;
}

static bool check_texts(const struct bundle *bundle, struct fault *fault) {
    if (!word_is_new_name(bundle->name))
        return fault_set(fault, STATUS_TEXT,
                         "the bundle's name is \"%s\", expected small letters, digits, '-' and "
                         "'_', up to %d, beginning with a letter",
                         bundle->name, WORD_MAX - 1);
    const size_t release = strlen(bundle->release);
    if (!release || strspn(bundle->release, "0123456789.+-abcdefghijklmnopqrstuvwxyz") != release)
        return fault_set(fault, STATUS_TEXT,
                         "the release is \"%s\", expected up to %d small letters, digits, '.', '-' "
                         "and '+'",
                         bundle->release, BUNDLE_RELEASE_MAX - 1);
    for (int i = 0; i < TEXTS_COUNT; i++) {
        const char *text = text_of(bundle, i);
        if (!utf8_is_safe(text, strlen(text)))
            return fault_set(fault, STATUS_TEXT,
                             "\"%s\" holds what cannot be printed, expected a line of text",
                             TEXTS[i].key);
    }
    return true;
}

/* How many items have that name; more than one if both NAME.lua and NAME/init.lua are there. */
static int count_items(const struct bundle *bundle, enum folder_sort sort, const char *name) {
    int count = 0;
    for (int i = 0; i < bundle->count; i++) {
        enum folder_sort other;
        char item[WORD_GUESS_MAX];
        count += bundle_path(bundle->file[i].path, &other, item) == BUNDLE_PATH_ITEM &&
                 other == sort && !strcmp(item, name);
    }
    return count;
}

bool bundle_check(const struct bundle *bundle, struct fault *fault) {
    if (!check_texts(bundle, fault)) return false;
    if (!bundle->count) return fault_set(fault, STATUS_TEXT, "the bundle holds no files");
    for (int i = 0; i < bundle->count; i++) {
        enum folder_sort sort;
        char name[WORD_GUESS_MAX];
        const char *path = bundle->file[i].path;
        const enum bundle_path kind = bundle_path(path, &sort, name);
        if (kind == BUNDLE_PATH_ODD)
            return fault_set(fault, STATUS_TEXT,
                             "a bundle cannot hold \"%s\", expected variants/, bots/, "
                             "variants/setups/ or scripts/languages/ and names of small letters, "
                             "digits, '-' and '_'",
                             path);
        if (i && strcmp(bundle->file[i - 1].path, path) >= 0)
            return fault_set(fault, STATUS_TEXT,
                             "%s is not in its place: files are in the order of their names, each "
                             "once",
                             path);
        const int items = count_items(bundle, sort, name);
        if (items != 1)
            return fault_set(fault, STATUS_TEXT,
                             "%s: %d files are the variant, bot or language \"%s\", expected 1",
                             path, items, name);
        if (bundle->file[i].size > READER_FILE_MAX)
            return fault_set(fault, STATUS_TEXT, "%s has %u bytes, at most %d are expected", path,
                             (unsigned)bundle->file[i].size, READER_FILE_MAX);
    }
    for (int sort = 0; sort < BUNDLE_SORTS; sort++)
        if (bundle->needs[sort] > BUNDLE_API[sort])
            return fault_set(fault, STATUS_TEXT,
                             "\"%s\" need version %d of their format, this program reads %d; a "
                             "newer program is needed",
                             BUNDLE_KEYS[sort], bundle->needs[sort], BUNDLE_API[sort]);
    return true;
}

void bundle_hash(const char *bytes, size_t length, char out[BUNDLE_HASH_MAX]) {
    unsigned char hash[(BUNDLE_HASH_MAX - 1) / 2];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes, length, NULL, 0);
    sodium_bin2hex(out, BUNDLE_HASH_MAX, hash, sizeof hash);
}

json_t *bundle_manifest(const struct bundle *bundle) {
    json_t *manifest = json_object(), *holds = json_object(), *files = json_object(),
           *needs = json_object();
    for (int sort = 0; sort < BUNDLE_SORTS; sort++)
        if (bundle->needs[sort])
            json_object_set_new(needs, BUNDLE_KEYS[sort], json_integer(bundle->needs[sort]));
    for (int i = 0; i < bundle->count; i++) {
        enum folder_sort sort;
        char name[WORD_GUESS_MAX], hash[BUNDLE_HASH_MAX];
        const struct bundle_file *file = &bundle->file[i];
        bundle_hash(file->bytes, file->size, hash);
        json_object_set_new(files, file->path, json_string(hash));
        if (bundle_path(file->path, &sort, name) != BUNDLE_PATH_ITEM) continue;
        if (!json_object_get(holds, BUNDLE_KEYS[sort]))
            json_object_set_new(holds, BUNDLE_KEYS[sort], json_array());
        json_array_append_new(json_object_get(holds, BUNDLE_KEYS[sort]), json_string(name));
    }
    json_object_set_new(manifest, "bundle", json_integer(FORMAT));
    for (int i = 0; i < TEXTS_COUNT; i++)
        json_object_set_new(manifest, TEXTS[i].key, json_string(text_of(bundle, i)));
    json_object_set_new(manifest, "needs", needs);
    json_object_set_new(manifest, "holds", holds);
    json_object_set_new(manifest, "files", files);
    return manifest;
}

static uint32_t crc_of(const char *bytes, size_t length) {
    static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                        0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)bytes[i];
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

static void put(struct buffer *out, uint32_t number, int bytes) {
    for (int i = 0; i < bytes; i++) {
        const char byte = (char)(number >> 8 * i & 255);
        buffer_add(out, &byte, 1);
    }
}

/* What both headers of a file have in common. */
static void put_about(struct buffer *out, const struct bundle_file *file) {
    put(out, NEEDS, 2);
    put(out, 0, 2); /* flags */
    put(out, 0, 2); /* stored */
    put(out, 0, 2); /* midnight */
    put(out, FIRST_DAY, 2);
    put(out, crc_of(file->bytes, file->size), 4);
    put(out, file->size, 4);
    put(out, file->size, 4);
    put(out, (uint32_t)strlen(file->path), 2);
    put(out, 0, 2); /* further fields */
}

static void put_local(struct buffer *out, const struct bundle_file *file) {
    put(out, LOCAL_SIGN, 4);
    put_about(out, file);
    buffer_add_text(out, file->path);
    buffer_add(out, file->bytes, file->size);
}

static void put_central(struct buffer *out, const struct bundle_file *file, uint32_t offset) {
    put(out, CENTRAL_SIGN, 4);
    put(out, MADE_BY, 2);
    put_about(out, file);
    put(out, 0, 2); /* comment */
    put(out, 0, 2); /* disk */
    put(out, 0, 2); /* a text or not */
    put(out, PLAIN_FILE, 4);
    put(out, offset, 4);
    buffer_add_text(out, file->path);
}

bool bundle_write(const struct bundle *bundle, struct buffer *out) {
    struct bundle_file manifest = {.path = "manifest.json"};
    uint32_t offset[BUNDLE_FILES_MAX + 1];
    json_t *object = bundle_manifest(bundle);
    char *text = json_dumps(object, JSON_INDENT(1) | JSON_SORT_KEYS);
    json_decref(object);
    if (!text) return false;
    manifest.bytes = text;
    manifest.size = (uint32_t)strlen(text);
    *out = buffer_of(BUNDLE_BYTES_MAX);
    /* The manifest stands first, so that a look into the file shows it. */
    for (int i = -1; i < bundle->count; i++) {
        offset[i + 1] = (uint32_t)out->length;
        put_local(out, i < 0 ? &manifest : &bundle->file[i]);
    }
    const uint32_t central = (uint32_t)out->length, files = (uint32_t)bundle->count + 1;
    for (int i = -1; i < bundle->count; i++)
        put_central(out, i < 0 ? &manifest : &bundle->file[i], offset[i + 1]);
    const uint32_t size = (uint32_t)out->length - central;
    put(out, END_SIGN, 4);
    put(out, 0, 4); /* disks */
    put(out, files, 2);
    put(out, files, 2);
    put(out, size, 4);
    put(out, central, 4);
    put(out, 0, 2); /* comment */
    free(text);
    if (!out->broken) return true;
    buffer_clear(out);
    return false;
}

static uint32_t number_at(const char *bytes, int count) {
    uint32_t number = 0;
    while (count--) number = number << 8 | (unsigned char)bytes[count];
    return number;
}

/* Takes the file at `*at`, if one begins there. False with a fault if it cannot be one. */
static bool take_file(const char *bytes, size_t length, size_t *at, struct bundle_file *file,
                      struct fault *fault) {
    const char *head = bytes + *at;
    const size_t left = length - *at;
    const size_t name = left < LOCAL_HEAD ? 0 : number_at(head + 26, 2);
    if (left < LOCAL_HEAD || !name || name > left - LOCAL_HEAD || name >= sizeof file->path)
        return fault_set(fault, STATUS_TEXT, "damaged: a file without a name, or cut short");
    memcpy(file->path, head + LOCAL_HEAD, name);
    file->path[name] = 0;
    utf8_make_safe(file->path);
    file->bytes = head + LOCAL_HEAD + name;
    file->size = number_at(head + 18, 4);
    if (number_at(head + 8, 2))
        return fault_set(fault, STATUS_TEXT,
                         "%s is compressed; `ensign pack` stores files as they are", file->path);
    if (file->size > left - LOCAL_HEAD - name)
        return fault_set(fault, STATUS_TEXT, "%s is cut short", file->path);
    *at += LOCAL_HEAD + name + file->size;
    return true;
}

/* Takes the texts of the manifest; those that are missing or too long stay empty, and then its
 * bytes differ. */
static bool manifest_take(struct bundle *bundle, const struct bundle_file *file,
                          struct fault *fault) {
    json_t *manifest = json_loadb(file->bytes, file->size, JSON_REJECT_DUPLICATES, NULL);
    const json_int_t format = json_integer_value(json_object_get(manifest, "bundle"));
    const json_t *needs = json_object_get(manifest, "needs");
    for (int i = 0; i < TEXTS_COUNT; i++) {
        const char *text = json_string_value(json_object_get(manifest, TEXTS[i].key));
        if (text && strlen(text) < TEXTS[i].size)
            memcpy((char *)bundle + TEXTS[i].at, text, strlen(text) + 1);
    }
    for (int sort = 0; sort < BUNDLE_SORTS; sort++) {
        const json_int_t version = json_integer_value(json_object_get(needs, BUNDLE_KEYS[sort]));
        bundle->needs[sort] = version > 0 && version <= 1000 ? (int)version : 0;
    }
    json_decref(manifest);
    return format <= FORMAT ||
           fault_set(fault, STATUS_TEXT, "written for a newer program: format %d, expected %d",
                     format > 1000 ? 1000 : (int)format, FORMAT);
}

bool bundle_parse(struct bundle *bundle, const char *bytes, size_t length, struct fault *fault) {
    struct bundle_file manifest = {0};
    struct buffer again;
    size_t at = 0;
    *bundle = (struct bundle){0};
    if (length < LOCAL_HEAD || number_at(bytes, 4) != LOCAL_SIGN)
        return fault_set(fault, STATUS_TEXT, "not a bundle; `ensign pack` writes bundles");
    if (!take_file(bytes, length, &at, &manifest, fault)) return false;
    if (strcmp(manifest.path, MANIFEST) != 0)
        return fault_set(fault, STATUS_TEXT, "the first file is %s, expected %s", manifest.path,
                         MANIFEST);
    while (length - at >= LOCAL_HEAD && number_at(bytes + at, 4) == LOCAL_SIGN) {
        if (bundle->count == BUNDLE_FILES_MAX)
            return fault_set(fault, STATUS_TEXT, "more than %d files", BUNDLE_FILES_MAX);
        if (!take_file(bytes, length, &at, &bundle->file[bundle->count++], fault)) return false;
    }
    if (!manifest_take(bundle, &manifest, fault) || !bundle_check(bundle, fault)) return false;
    if (!bundle_write(bundle, &again)) return fault_set(fault, STATUS_TEXT, "too large");
    const bool same = again.length == length && !memcmp(again.text, bytes, length);
    buffer_clear(&again);
    return same ||
           fault_set(fault, STATUS_TEXT, "damaged or changed: manifest and files do not agree");
}

enum {
    READ_SECONDS = 20,
    READ_MEMORY = 256 << 20,
    ANSWER_MAX = BUNDLE_FILES_MAX * (BUNDLE_PATH_MAX + 16) + (1 << 14), /* bytes */
    EXIT_HOST = 3,
    SEQUENCE = 1
};

/* Reads a bundle behind the wall. */
static void bundle_job(const void *known, int in, int out) {
    struct frame order, answer;
    uint32_t sequence = SEQUENCE;
    struct bundle *bundle = malloc(sizeof *bundle);
    struct fault fault = {0};
    (void)known;
    json_object_seed(0); /* reads the system's randomness, which the lock shuts off */
    if (!bundle || !frame_open(&order, BUNDLE_BYTES_MAX) || !frame_open(&answer, ANSWER_MAX) ||
        !jail_lock(READ_MEMORY) ||
        channel_receive(in, &order, &sequence, CHANNEL_FOREVER) != CHANNEL_OK)
        _exit(EXIT_HOST);
    const char *bytes = (const char *)order.bytes + CHANNEL_HEADER;
    const bool read = bundle_parse(bundle, bytes, order.length, &fault);
    frame_put_number(&answer, read);
    if (!read) frame_put_fault(&answer, &fault);
    for (int i = 0; read && i < TEXTS_COUNT; i++) frame_put_text(&answer, text_of(bundle, i));
    if (read) {
        frame_put(&answer, bundle->needs, sizeof bundle->needs);
        frame_put_number(&answer, (uint32_t)bundle->count);
    }
    for (int i = 0; read && i < bundle->count; i++) {
        const struct bundle_file *file = &bundle->file[i];
        frame_put_text(&answer, file->path);
        frame_put_number(&answer, (uint32_t)(file->bytes - bytes));
        frame_put_number(&answer, file->size);
    }
    const bool sent =
        !answer.broken && channel_send(out, &answer, sequence, CHANNEL_FOREVER) == CHANNEL_OK;
    _exit(sent ? EXIT_SUCCESS : EXIT_HOST);
}

/* Takes the answer, which an enemy may have sent. */
static bool take_answer(struct frame *answer, struct bundle *bundle, const char *bytes,
                        size_t length, struct fault *fault) {
    struct fault told = {0};
    *bundle = (struct bundle){0};
    if (!frame_take_number(answer)) {
        frame_take_fault(answer, &told);
        if (!answer->broken && told.status == STATUS_TEXT) return fault_repeat(fault, &told);
        answer->broken = true;
    }
    for (int i = 0; i < TEXTS_COUNT; i++)
        frame_take_text(answer, (char *)bundle + TEXTS[i].at, TEXTS[i].size);
    frame_take(answer, bundle->needs, sizeof bundle->needs);
    const uint32_t count = frame_take_number(answer);
    if (count > BUNDLE_FILES_MAX) answer->broken = true;
    while (!answer->broken && bundle->count < (int)count) {
        struct bundle_file *file = &bundle->file[bundle->count++];
        frame_take_text(answer, file->path, sizeof file->path);
        const uint32_t at = frame_take_number(answer), size = frame_take_number(answer);
        if (at > length || size > length - at) answer->broken = true;
        file->bytes = bytes + (answer->broken ? 0 : at);
        file->size = size;
    }
    if (answer->broken || answer->at != answer->length)
        return fault_set(fault, STATUS_CRASH,
                         "the process that reads it sent an answer that makes no sense");
    return bundle_check(bundle, fault);
}

/* False with a fault; `*again`: somebody else may have ended the process. */
static bool try_read(struct bundle *bundle, const char *bytes, size_t length, struct frame *order,
                     struct frame *answer, bool *again, struct fault *fault) {
    struct locked_process process;
    *again = false;
    if (!zygote_take(bundle_job, &process, fault)) return false;
    const enum channel_result result =
        exchange(&process, order, answer, SEQUENCE, clock_ms() + 1000 * READ_SECONDS);
    if (result == CHANNEL_OK) {
        locked_process_end(&process);
        return take_answer(answer, bundle, bytes, length, fault);
    }
    const struct ending ending = exchange_end(&process, result, 1000 * READ_SECONDS);
    *again = ending_is_doubtful(&ending);
    return fault_set(fault, ending_status(&ending), "the process that reads it %s", ending.how);
}

bool bundle_read(struct bundle *bundle, const char *bytes, size_t length, struct fault *fault) {
    struct frame order = {0}, answer = {0};
    bool read = false, again = true;
    if (length > BUNDLE_BYTES_MAX)
        return fault_set(fault, STATUS_TEXT, "more than %d bytes", BUNDLE_BYTES_MAX);
    if (frame_open(&order, BUNDLE_BYTES_MAX) && frame_open(&answer, ANSWER_MAX))
        frame_put(&order, bytes, length);
    else
        order.broken = true;
    if (order.broken) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (int tries = 0; !order.broken && !read && again && tries < TEMPLATE_TRIES; tries++)
        read = try_read(bundle, bytes, length, &order, &answer, &again, fault);
    frame_close(&order);
    frame_close(&answer);
    return read;
}
