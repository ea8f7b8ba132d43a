#include "answers.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/words.h"
#include "jail/codec.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 1 << 13, DERIVED = 1 << 10 };

/* A file that workers may have, under its hash. */
struct given {
    struct messages_hash hash;
    long size;
    char path[FOLDER_PATH_MAX];
};

/* What was derived from the key of a worker that the match does not know yet: deriving takes a
 * hundred times as long as finding that somebody else has written the question. */
struct derived {
    bool there;
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
};

struct answers {
    struct answers_options options;
    uint8_t secret[crypto_shorthash_KEYBYTES]; /* nobody can make keys of one place */
    pthread_mutex_t lock; /* guards all below: questions may come in several threads */
    struct derived derived[DERIVED];
    struct given *files;
    size_t count;
    struct frame question, answer;
};

struct answers *answers_open(const struct answers_options *options) {
    struct answers *answers = calloc(1, sizeof *answers);
    if (!answers) return NULL;
    answers->options = *options;
    randombytes_buf(answers->secret, sizeof answers->secret);
    pthread_mutex_init(&answers->lock, NULL);
    if (frame_open(&answers->question, MESSAGES_BYTES_MAX) &&
        frame_open(&answers->answer, MESSAGES_BYTES_MAX - SEAL_EXTRA))
        return answers;
    answers_close(answers);
    return NULL;
}

void answers_close(struct answers *answers) {
    if (!answers) return;
    frame_close(&answers->question);
    frame_close(&answers->answer);
    free(answers->files);
    pthread_mutex_destroy(&answers->lock);
    free(answers);
}

static struct given *find_given(const struct answers *answers, const char *path) {
    for (size_t i = 0; i < answers->count; i++)
        if (!strcmp(answers->files[i].path, path)) return &answers->files[i];
    return NULL;
}

/* The entry of a file, new if need be; NULL if there are too many. */
static struct given *given_file(struct answers *answers, const char *path) {
    struct given *given = find_given(answers, path);
    if (given) return given;
    struct given *grown = array_grown(answers->files, answers->count, sizeof *grown, FILES_MAX);
    if (!grown) return NULL;
    answers->files = grown;
    given = &answers->files[answers->count++];
    *given = (struct given){.size = -1};
    snprintf(given->path, sizeof given->path, "%s", path);
    return given;
}

/* The path of a name, if the file there was read for the match. A name of another is answered as
 * one that does not exist: without the names that are near it. */
static bool find_path(const struct answers *answers, uint32_t sort, const char *name,
                      char path[FOLDER_PATH_MAX]) {
    const struct tournament_options *options = answers->options.options;
    const bool setup = sort == FOLDER_SETUPS;
    if (sort > FOLDER_SETUPS || (setup && !word_is_name(name))) return false;
    const struct folders folders =
        setup ? folders_of_variant(options->folders, options->rules->name) : *options->folders;
    return folders_resolve(&folders, (enum folder_sort)sort, name, path, NULL) &&
           sources_size(options->sources, path) >= 0;
}

static bool give_path(struct answers *answers, struct fault *fault) {
    char name[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    const uint32_t sort = frame_take_number(&answers->question);
    frame_take_text(&answers->question, name, sizeof name);
    if (answers->question.broken)
        return fault_set(fault, STATUS_USAGE, "the question makes no sense");
    const bool found = find_path(answers, sort, name, path);
    frame_put_number(&answers->answer, found);
    if (found) frame_put_text(&answers->answer, path);
    return true;
}

/* The whole file, the caller's to free; NULL if there is none. */
static char *read_file(const struct answers *answers, const char *path, long *size) {
    const struct reader *reader = folders_reader(answers->options.options->folders);
    *size = reader->size(reader->context, path);
    if (*size < 0 || *size > READER_FILE_MAX) return NULL;
    char *text = malloc((size_t)*size + 1);
    if (text && reader->read(reader->context, path, text, (size_t)*size) == *size) return text;
    free(text);
    return NULL;
}

static bool give_file(struct answers *answers, struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    struct messages_hash hash = {{0}};
    frame_take_text(&answers->question, path, sizeof path);
    if (answers->question.broken)
        return fault_set(fault, STATUS_USAGE, "the question makes no sense");
    long size = sources_size(answers->options.options->sources, path);
    char *text = size >= 0 ? read_file(answers, path, &size) : NULL;
    if (text) {
        struct given *given = given_file(answers, path);
        hash = messages_hash(text, (size_t)size);
        free(text);
        if (!given) return fault_set(fault, STATUS_SYSTEM, "the match has too many files");
        given->hash = hash, given->size = size;
    }
    frame_put_number(&answers->answer, text                     ? (uint32_t)size
                                       : size == SOURCES_UNREAD ? MESSAGES_NOT_LISTED
                                                                : MESSAGES_NO_FILE);
    frame_put(&answers->answer, &hash, sizeof hash);
    return true;
}

static bool give_bytes(struct answers *answers, struct fault *fault) {
    struct messages_hash hash;
    frame_take(&answers->question, &hash, sizeof hash);
    const uint32_t at = frame_take_number(&answers->question);
    for (size_t i = 0; !answers->question.broken && i < answers->count; i++) {
        const struct given *given = &answers->files[i];
        if (given->size < 0 || memcmp(&given->hash, &hash, sizeof hash) != 0 || at > given->size)
            continue;
        long size;
        char *text = read_file(answers, given->path, &size);
        if (!text) break;
        const long left = size - (long)at;
        frame_put(&answers->answer, text + at,
                  left > MESSAGES_PIECE ? MESSAGES_PIECE
                  : left > 0            ? (size_t)left
                                        : 0);
        free(text);
        return true;
    }
    return fault_set(fault, STATUS_NOT_FOUND, "no file has this hash");
}

static bool give_setups(struct answers *answers, struct fault *fault) {
    const struct tournament_options *options = answers->options.options;
    const uint32_t family = frame_take_number(&answers->question);
    const uint32_t first = frame_take_number(&answers->question);
    if (answers->question.broken || family >= (uint32_t)options->family_count ||
        !options->family[family].setups)
        return fault_set(fault, STATUS_NOT_FOUND, "the match has no such set-ups");
    const struct setup_pool *pool = options->family[family].setups;
    for (size_t i = first; i < pool->count && i - first < MESSAGES_SETUPS_PIECE; i++) {
        char text[SETUP_TEXT_MAX];
        setup_write(options->rules, RED, &pool->list[i], text);
        frame_put_text(&answers->answer, text);
    }
    return true;
}

static bool judge_known(struct answers *answers, uint32_t worker, struct fault *fault) {
    const struct answers_options *options = &answers->options;
    struct finished *games[2];
    if (!games_take(&answers->question, options->match, options->known, games))
        return fault_set(fault, STATUS_CRASH, "the worker's games make no sense");
    const bool same = games_digest(games) == options->digest;
    for (int i = 0; i < 2; i++) finished_free(games[i]);
    if (!same)
        return fault_set(fault, STATUS_CRASH,
                         "the worker plays other games than the coordinator (pair %u): their "
                         "programs, or their libraries, differ",
                         options->known + 1);
    worker_list_admit(options->list, worker);
    return true;
}

static bool give_stay(struct answers *answers, uint32_t worker, struct fault *fault) {
    return worker_list_is_admitted(answers->options.list, worker) ||
           fault_set(fault, STATUS_SYSTEM, "the match does not know this worker any more");
}

/* False without a fault: somebody repeats what the worker has asked before. An answer may be a
 * thousand times as long as its question, and goes where the message says. */
static bool answer(struct answers *answers, const uint8_t key[SEAL_KEY],
                   const struct seal_keys *keys, struct fault *fault) {
    const struct answers_options *options = &answers->options;
    struct messages_greeting asks;
    if (!messages_take_greeting(&answers->question, &asks))
        return fault_set(fault, STATUS_USAGE, "the question makes no sense");
    const uint32_t question = frame_take_number(&answers->question);
    if (!worker_list_is_news(options->list, key, &asks)) return false;
    const uint32_t worker = worker_list_greet(options->list, key, keys, &asks, clock_ms());
    if (!worker) return fault_set(fault, STATUS_SYSTEM, "the match has too many workers");
    if (worker_list_is_banned(options->list, worker))
        return fault_set(fault, STATUS_USAGE, "the match does not trust worker %s any more",
                         asks.worker);
    if (strcmp(asks.version, options->version) != 0)
        return fault_set(fault, STATUS_USAGE,
                         "the worker is version %s, the coordinator version %s", asks.version,
                         options->version);
    switch (question) {
    case MESSAGES_ASKS_TERMS:
        terms_put(&answers->answer, options->options, options->variant, options->trust);
        return true;
    case MESSAGES_ASKS_PATH:
        return give_path(answers, fault);
    case MESSAGES_ASKS_FILE:
        return give_file(answers, fault);
    case MESSAGES_ASKS_BYTES:
        return give_bytes(answers, fault);
    case MESSAGES_ASKS_SETUPS:
        return give_setups(answers, fault);
    case MESSAGES_ASKS_KNOWN:
        frame_put_number(&answers->answer, options->known);
        return true;
    case MESSAGES_SHOWS_KNOWN:
        return judge_known(answers, worker, fault);
    case MESSAGES_STAYS:
        return give_stay(answers, worker, fault);
    default:
        return fault_set(fault, STATUS_USAGE, "no such question");
    }
}

/* What the match shares with a worker. False if its key will not do. */
static bool find_keys(struct answers *answers, const uint8_t key[SEAL_KEY],
                      struct seal_keys *keys) {
    const struct answers_options *options = &answers->options;
    uint8_t hash[crypto_shorthash_BYTES];
    if (worker_list_find(options->list, key, keys)) return true;
    crypto_shorthash(hash, key, SEAL_KEY, answers->secret);
    struct derived *derived = &answers->derived[(hash[0] | hash[1] << 8) % DERIVED];
    if (!derived->there || memcmp(derived->key, key, SEAL_KEY) != 0) {
        if (!seal_worker_keys(options->seal, options->secret, key, keys)) return false;
        *derived = (struct derived){.there = true, .keys = *keys};
        memcpy(derived->key, key, SEAL_KEY);
    }
    *keys = derived->keys;
    return true;
}

/* The question into its frame. False if nobody has sealed it for this match. */
static bool open_question(struct answers *answers, const unsigned char *bytes, size_t length,
                          uint8_t key[SEAL_KEY], struct seal_keys *keys) {
    struct frame *question = &answers->question;
    uint32_t protocol;
    if (length < MESSAGES_HEAD + SEAL_EXTRA || length > MESSAGES_BYTES_MAX) return false;
    memcpy(&protocol, bytes, sizeof protocol);
    if (protocol != MESSAGES_PROTOCOL) return false;
    memcpy(key, bytes + sizeof protocol, SEAL_KEY);
    if (!find_keys(answers, key, keys)) return false;
    /* Room for what it opens to. */
    const size_t opened = length - MESSAGES_HEAD - SEAL_EXTRA;
    frame_clear(question);
    frame_put(question, bytes + MESSAGES_HEAD + SEAL_EXTRA, opened);
    return !question->broken &&
           seal_open(keys->to_match, MESSAGES_QUESTION, NULL, bytes + MESSAGES_HEAD,
                     length - MESSAGES_HEAD, question->bytes + CHANNEL_HEADER);
}

/* The answer, sealed for this question. */
static void *close_answer(const struct frame *answer, const struct seal_keys *keys,
                          const unsigned char *question, size_t *length) {
    *length = answer->length + SEAL_EXTRA;
    unsigned char *sealed = malloc(*length);
    if (sealed)
        seal_close(keys->to_worker, MESSAGES_ANSWER, question + MESSAGES_HEAD,
                   answer->bytes + CHANNEL_HEADER, answer->length, sealed);
    return sealed;
}

void *answers_hear(struct answers *answers, const void *bytes, size_t length,
                   size_t *answer_length) {
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    struct fault fault = {0};
    struct frame *to = &answers->answer;
    void *sealed = NULL;
    pthread_mutex_lock(&answers->lock);
    if (open_question(answers, bytes, length, key, &keys)) {
        frame_clear(to);
        frame_put_number(to, 1);
        bool good = answer(answers, key, &keys, &fault);
        if (good && to->broken)
            good = fault_set(&fault, STATUS_SYSTEM, "the answer is too long to be sent");
        if (!good) {
            frame_clear(to);
            frame_put_number(to, 0);
            frame_put_fault(to, &fault);
        }
        if (good || fault.status != STATUS_OK)
            sealed = close_answer(to, &keys, bytes, answer_length);
    }
    pthread_mutex_unlock(&answers->lock);
    return sealed;
}
