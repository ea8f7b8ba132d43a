/* seal.h - who says what, although every user of the NATS server can read and send everything.
 *
 * Each run of a coordinator draws an Ed25519 key, and the id of its match is a hash of the public
 * one: nobody else can speak for that match. What it tells all workers is signed. A worker draws a
 * key for each match; from the two follow secret keys that seal (XChaCha20-Poly1305) what the two
 * tell each other. What was sealed for one place opens at no other. With a shared secret, which
 * both were started with, nobody without it can take either part. */
#ifndef ENSIGN_HOST_MACHINES_SEAL_H
#define ENSIGN_HOST_MACHINES_SEAL_H

#include "base/fault.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SEAL_KEY = 32,         /* bytes of a public key, or of a secret one that seals */
    SEAL_SIGNATURE = 64,   /* bytes */
    SEAL_NONCE = 24,       /* at the front of what is sealed */
    SEAL_EXTRA = 40,       /* bytes that sealing adds, the nonce included */
    SEAL_ID_MAX = 33,      /* an id: 32 hexadecimal digits, and the final 0 */
    SEAL_KEYS_DRAWN = 4096 /* for one of a worker that will do, on average */
};

/* A secret that match and workers share; `given` false: none. */
struct seal_secret {
    bool given;
    uint8_t bytes[SEAL_KEY];
};

/* Of the bytes of a file, at least 16 and at most 4096. False with a fault at the file. */
bool seal_read_secret(const char *path, struct seal_secret *secret, struct fault *fault);

/* Shows that whoever announces a match knows the secret. */
void seal_prove(const struct seal_secret *secret, const char *id, uint8_t proof[SEAL_KEY]);

struct seal_match {
    uint8_t open[SEAL_KEY]; /* the public key */
    uint8_t secret[2 * SEAL_KEY];
    char id[SEAL_ID_MAX];
};

/* A new one. False with a STATUS_SYSTEM fault. */
bool seal_match_draw(struct seal_match *match, struct fault *fault);

/* The id of the match with this public key. */
void seal_match_id(const uint8_t open[SEAL_KEY], char id[SEAL_ID_MAX]);

/* Signs; `kind` keeps apart what is signed for different purposes. */
void seal_sign(const struct seal_match *match, char kind, const void *bytes, size_t length,
               uint8_t signature[SEAL_SIGNATURE]);
bool seal_is_signed(const uint8_t open[SEAL_KEY], char kind, const void *bytes, size_t length,
                    const uint8_t signature[SEAL_SIGNATURE]);

/* What a worker and a coordinator share in one match. */
struct seal_keys {
    uint8_t to_match[SEAL_KEY], to_worker[SEAL_KEY];
};

/* The worker's side draws its key, and the coordinator's takes the public one. False with a fault,
 * or if the other side's key is none.
 *
 * So that strangers cannot make keys by the thousand, and have the coordinator reckon with each,
 * only one key in SEAL_KEYS_DRAWN will do for a match: it takes a worker some tenths of a second to
 * find, and the coordinator a microsecond to refuse another. With a shared secret there are no
 * strangers, and any key will do. */
bool seal_worker_draw(const uint8_t match[SEAL_KEY], const struct seal_secret *secret,
                      uint8_t worker[SEAL_KEY], struct seal_keys *keys, struct fault *fault);
bool seal_worker_keys(const struct seal_match *match, const struct seal_secret *secret,
                      const uint8_t worker[SEAL_KEY], struct seal_keys *keys);

/* Seals into `out`, of `length` + SEAL_EXTRA bytes; opens into `out`, of `length` - SEAL_EXTRA. It
 * opens only with the same `kind` and nonce `before` (of a question, for its answer; else NULL). */
void seal_close(const uint8_t key[SEAL_KEY], char kind, const uint8_t *before, const void *bytes,
                size_t length, uint8_t *out);
bool seal_open(const uint8_t key[SEAL_KEY], char kind, const uint8_t *before, const uint8_t *sealed,
               size_t length, void *out);

#endif
