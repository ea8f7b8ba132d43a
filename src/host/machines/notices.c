/* notices.c - keys and signatures are hexadecimal. What is signed are the members joined in one
 * line, so it does not matter how their JSON is written. */
#include "notices.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPENS = 'o', ENDS = 'e', SIGNED_MAX = 512, PAIRS_MOST = 1000000000 };

static json_t *hexadecimal(const uint8_t *bytes, size_t length) {
    char text[2 * SEAL_SIGNATURE + 1];
    return json_string(sodium_bin2hex(text, 2 * length + 1, bytes, length));
}

/* Whether the member is these many bytes. */
static bool take_bytes(const json_t *told, const char *name, uint8_t *out, size_t length) {
    const char *text = json_string_value(json_object_get(told, name));
    size_t got = 0;
    return text && strlen(text) == 2 * length &&
           !sodium_hex2bin(out, length, text, 2 * length, NULL, &got, NULL) && got == length;
}

/* A text that can be shown and fits into `out`. */
static bool take_text(const json_t *told, const char *name, char *out, size_t size) {
    const json_t *value = json_object_get(told, name);
    const char *text = json_string_value(value);
    const size_t length = json_string_length(value);
    if (!text || length >= size || !utf8_is_safe(text, length)) return false;
    memcpy(out, text, length + 1);
    return true;
}

static bool take_number(const json_t *told, const char *name, json_int_t least, json_int_t most,
                        json_int_t *out) {
    const json_t *value = json_object_get(told, name);
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= least && *out <= most;
}

static bool is_match(const char *id) {
    return strlen(id) == SEAL_ID_MAX - 1 && !id[strspn(id, "0123456789abcdef")];
}

const char *notice_match(const char *subject) {
    const char *id = strrchr(subject, '.');
    return id && is_match(id + 1) ? id + 1 : NULL;
}

/* What is signed of an announcement. */
static size_t open_line(const struct notice_open *notice, char line[SIGNED_MAX]) {
    char proof[2 * SEAL_KEY + 1] = "";
    if (notice->proven) sodium_bin2hex(proof, sizeof proof, notice->proof, SEAL_KEY);
    return (size_t)snprintf(line, SIGNED_MAX, "%s %d %s %" PRIu64 " %" PRIu64 "%s%s", notice->match,
                            notice->protocol, notice->version, notice->number, notice->job,
                            notice->proven ? " " : "", proof);
}

/* The key is called "session" as in earlier protocols, whose workers say that they differ only if
 * there is one. */
json_t *notice_open_write(const struct seal_match *match, const struct seal_secret *secret,
                          const char *version, uint64_t number, uint64_t job) {
    struct notice_open notice = {
        .protocol = MESSAGES_PROTOCOL, .number = number, .job = job, .proven = secret->given};
    uint8_t signature[SEAL_SIGNATURE];
    char line[SIGNED_MAX];
    memcpy(notice.match, match->id, sizeof notice.match);
    snprintf(notice.version, sizeof notice.version, "%s", version);
    if (secret->given) seal_prove(secret, match->id, notice.proof);
    seal_sign(match, OPENS, line, open_line(&notice, line), signature);
    json_t *told =
        json_pack("{s:s, s:o, s:i, s:s, s:I, s:I, s:o}", "match", match->id, "session",
                  hexadecimal(match->open, SEAL_KEY), "protocol", MESSAGES_PROTOCOL, "version",
                  notice.version, "number", (json_int_t)number, "job", (json_int_t)job, "signature",
                  hexadecimal(signature, sizeof signature));
    if (secret->given) json_object_set_new(told, "proof", hexadecimal(notice.proof, SEAL_KEY));
    return told;
}

static bool open_take(const json_t *told, struct notice_open *notice) {
    json_int_t protocol, number, job;
    uint8_t signature[SEAL_SIGNATURE];
    char line[SIGNED_MAX], id[SEAL_ID_MAX];
    if (!take_number(told, "protocol", 1, INT32_MAX, &protocol) ||
        !take_text(told, "version", notice->version, sizeof notice->version))
        return false;
    notice->protocol = (int)protocol;
    if (protocol != MESSAGES_PROTOCOL) return true;
    if (!take_number(told, "number", 0, INT64_MAX, &number) ||
        !take_number(told, "job", 0, INT64_MAX, &job) ||
        !take_bytes(told, "session", notice->key, SEAL_KEY) ||
        !take_bytes(told, "signature", signature, sizeof signature))
        return false;
    notice->number = (uint64_t)number;
    notice->job = (uint64_t)job;
    notice->proven = json_object_get(told, "proof");
    seal_match_id(notice->key, id);
    return (!notice->proven || take_bytes(told, "proof", notice->proof, SEAL_KEY)) &&
           !strcmp(id, notice->match) &&
           seal_is_signed(notice->key, OPENS, line, open_line(notice, line), signature);
}

bool notice_open_read(const char *subject, const void *bytes, size_t length,
                      struct notice_open *notice) {
    const char *match = notice_match(subject);
    json_t *told = match ? json_loadb(bytes, length, 0, NULL) : NULL;
    *notice = (struct notice_open){.protocol = 0};
    if (match) memcpy(notice->match, match, sizeof notice->match);
    const bool sound = told && open_take(told, notice);
    json_decref(told);
    return sound;
}

static size_t over_line(const struct notice_over *notice, char line[SIGNED_MAX]) {
    char worker[2 * SEAL_KEY + 1] = "everybody";
    if (!notice->everybody) sodium_bin2hex(worker, sizeof worker, notice->worker, SEAL_KEY);
    return (size_t)snprintf(line, SIGNED_MAX, "%s %s", worker, notice->why);
}

json_t *notice_over_write(const struct seal_match *match, const struct notice_over *notice) {
    uint8_t signature[SEAL_SIGNATURE];
    char line[SIGNED_MAX];
    seal_sign(match, ENDS, line, over_line(notice, line), signature);
    json_t *told = json_pack("{s:s, s:o}", "why", notice->why, "signature",
                             hexadecimal(signature, sizeof signature));
    if (!notice->everybody)
        json_object_set_new(told, "worker", hexadecimal(notice->worker, SEAL_KEY));
    return told;
}

bool notice_over_read(const void *bytes, size_t length, const uint8_t key[SEAL_KEY],
                      struct notice_over *notice) {
    uint8_t signature[SEAL_SIGNATURE];
    char line[SIGNED_MAX];
    json_t *told = json_loadb(bytes, length, 0, NULL);
    *notice = (struct notice_over){.everybody = !json_object_get(told, "worker")};
    const bool sound =
        take_text(told, "why", notice->why, sizeof notice->why) &&
        (notice->everybody || take_bytes(told, "worker", notice->worker, SEAL_KEY)) &&
        take_bytes(told, "signature", signature, sizeof signature) &&
        seal_is_signed(key, ENDS, line, over_line(notice, line), signature);
    json_decref(told);
    return sound;
}

json_t *notice_worker_write(const struct notice_worker *notice) {
    json_t *matches = json_array();
    for (int i = 0; i < notice->count; i++)
        json_array_append_new(matches, json_string(notice->matches[i]));
    return json_pack("{s:s, s:s, s:i, s:I, s:f, s:o}", "worker", notice->worker, "version",
                     notice->version, "threads", notice->threads, "pairs",
                     (json_int_t)notice->pairs, "rate", notice->rate, "matches", matches);
}

bool notice_worker_read(const void *bytes, size_t length, struct notice_worker *notice) {
    json_t *told = json_loadb(bytes, length, 0, NULL);
    const json_t *matches = json_object_get(told, "matches"), *match;
    json_int_t threads = 0, pairs = 0;
    size_t index;
    *notice = (struct notice_worker){.rate = json_number_value(json_object_get(told, "rate"))};
    bool sound = take_text(told, "worker", notice->worker, sizeof notice->worker) &&
                 messages_is_name(notice->worker) &&
                 take_text(told, "version", notice->version, sizeof notice->version) &&
                 take_number(told, "threads", 1, TOURNAMENT_JOBS_MAX, &threads) &&
                 take_number(told, "pairs", 0, (json_int_t)PAIRS_MOST * PAIRS_MOST, &pairs) &&
                 json_is_number(json_object_get(told, "rate")) && notice->rate >= 0 &&
                 notice->rate <= PAIRS_MOST && json_is_array(matches) &&
                 json_array_size(matches) <= NOTICE_MATCHES;
    notice->threads = (int)threads;
    notice->pairs = (uint64_t)pairs;
    json_array_foreach(matches, index, match) {
        const char *id = json_string_value(match);
        sound = sound && id && is_match(id);
        if (sound) memcpy(notice->matches[notice->count++], id, SEAL_ID_MAX);
    }
    json_decref(told);
    return sound;
}
