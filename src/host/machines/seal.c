/* seal.c - the keys of libsodium. Nothing here is kept on a disk: a coordinator that is started
 * again is another one. */
#include "seal.h"

#include "base/files.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SECRET_LEAST = 16, SECRET_MOST = 4096 };

_Static_assert(SEAL_KEY == crypto_sign_PUBLICKEYBYTES && SEAL_KEY == crypto_kx_PUBLICKEYBYTES &&
                   SEAL_KEY == crypto_kx_SESSIONKEYBYTES &&
                   2 * SEAL_KEY == crypto_sign_SECRETKEYBYTES,
               "keys");
_Static_assert(SEAL_SIGNATURE == crypto_sign_BYTES, "signatures");
_Static_assert(SEAL_NONCE == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES &&
                   SEAL_EXTRA == SEAL_NONCE + crypto_aead_xchacha20poly1305_ietf_ABYTES,
               "sealed");

static bool is_ready(struct fault *fault) {
    return sodium_init() >= 0 || fault_set(fault, STATUS_SYSTEM, "no random numbers");
}

bool seal_read_secret(const char *path, struct seal_secret *secret, struct fault *fault) {
    size_t length;
    char *text = files_read(path, SECRET_MOST, &length, fault);
    if (!text) return false;
    bool fits =
        length >= SECRET_LEAST ||
        fault_set(fault, STATUS_USAGE, "a key of at least %d bytes is expected, this has %zu",
                  SECRET_LEAST, length);
    if (!fits) fault_place(fault, path, 0, 0);
    *secret = (struct seal_secret){.given = fits};
    if (fits) crypto_generichash(secret->bytes, SEAL_KEY, (const uint8_t *)text, length, NULL, 0);
    sodium_memzero(text, length);
    free(text);
    return fits;
}

void seal_prove(const struct seal_secret *secret, const char *id, uint8_t proof[SEAL_KEY]) {
    crypto_generichash(proof, SEAL_KEY, (const uint8_t *)id, strlen(id), secret->bytes, SEAL_KEY);
}

void seal_match_id(const uint8_t open[SEAL_KEY], char id[SEAL_ID_MAX]) {
    uint8_t hash[(SEAL_ID_MAX - 1) / 2];
    crypto_generichash(hash, sizeof hash, open, SEAL_KEY, NULL, 0);
    sodium_bin2hex(id, SEAL_ID_MAX, hash, sizeof hash);
}

bool seal_match_draw(struct seal_match *match, struct fault *fault) {
    if (!is_ready(fault)) return false;
    crypto_sign_keypair(match->open, match->secret);
    seal_match_id(match->open, match->id);
    return true;
}

/* Signs a hash of kind and bytes. */
static void hash_kind(char kind, const void *bytes, size_t length, uint8_t hash[SEAL_KEY]) {
    crypto_generichash(hash, SEAL_KEY, bytes, length, (const uint8_t[16]){(uint8_t)kind}, 16);
}

void seal_sign(const struct seal_match *match, char kind, const void *bytes, size_t length,
               uint8_t signature[SEAL_SIGNATURE]) {
    uint8_t hash[SEAL_KEY];
    hash_kind(kind, bytes, length, hash);
    crypto_sign_detached(signature, NULL, hash, sizeof hash, match->secret);
}

bool seal_is_signed(const uint8_t open[SEAL_KEY], char kind, const void *bytes, size_t length,
                    const uint8_t signature[SEAL_SIGNATURE]) {
    uint8_t hash[SEAL_KEY];
    hash_kind(kind, bytes, length, hash);
    return !crypto_sign_verify_detached(signature, hash, sizeof hash, open);
}

/* Makes the keys depend on the secret too. */
static void mix(struct seal_keys *keys, const struct seal_secret *secret) {
    if (!secret->given) return;
    uint8_t *const each[] = {keys->to_match, keys->to_worker};
    for (int i = 0; i < 2; i++) {
        uint8_t mixed[SEAL_KEY];
        crypto_generichash(mixed, SEAL_KEY, each[i], SEAL_KEY, secret->bytes, SEAL_KEY);
        memcpy(each[i], mixed, SEAL_KEY);
    }
}

/* Is it one of the few keys that will do for this match? */
static bool is_rare(const uint8_t match[SEAL_KEY], const uint8_t worker[SEAL_KEY]) {
    uint8_t hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, worker, SEAL_KEY, match, SEAL_KEY);
    return (hash[0] | hash[1] << 8) % SEAL_KEYS_DRAWN == 0;
}

bool seal_worker_draw(const uint8_t match[SEAL_KEY], const struct seal_secret *secret,
                      uint8_t worker[SEAL_KEY], struct seal_keys *keys, struct fault *fault) {
    uint8_t own[SEAL_KEY], other[SEAL_KEY];
    if (!is_ready(fault)) return false;
    do crypto_kx_keypair(worker, own);
    while (!secret->given && !is_rare(match, worker));
    const bool derived =
        !crypto_sign_ed25519_pk_to_curve25519(other, match) &&
        !crypto_kx_client_session_keys(keys->to_worker, keys->to_match, worker, own, other);
    sodium_memzero(own, sizeof own);
    if (derived) mix(keys, secret);
    return derived || fault_set(fault, STATUS_TEXT, "the key of the match is none");
}

bool seal_worker_keys(const struct seal_match *match, const struct seal_secret *secret,
                      const uint8_t worker[SEAL_KEY], struct seal_keys *keys) {
    uint8_t own[SEAL_KEY], open[SEAL_KEY];
    if (!secret->given && !is_rare(match->open, worker)) return false;
    const bool derived =
        !crypto_sign_ed25519_sk_to_curve25519(own, match->secret) &&
        !crypto_sign_ed25519_pk_to_curve25519(open, match->open) &&
        !crypto_kx_server_session_keys(keys->to_match, keys->to_worker, open, own, worker);
    sodium_memzero(own, sizeof own);
    if (derived) mix(keys, secret);
    return derived;
}

/* What a seal is bound to besides its key. */
struct binding {
    uint8_t bytes[1 + SEAL_NONCE];
};

static struct binding bind_to(char kind, const uint8_t *before) {
    struct binding binding = {{(uint8_t)kind}};
    if (before) memcpy(binding.bytes + 1, before, SEAL_NONCE);
    return binding;
}

void seal_close(const uint8_t key[SEAL_KEY], char kind, const uint8_t *before, const void *bytes,
                size_t length, uint8_t *out) {
    const struct binding binding = bind_to(kind, before);
    randombytes_buf(out, SEAL_NONCE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(out + SEAL_NONCE, NULL, bytes, length, binding.bytes,
                                               sizeof binding.bytes, NULL, out, key);
}

bool seal_open(const uint8_t key[SEAL_KEY], char kind, const uint8_t *before, const uint8_t *sealed,
               size_t length, void *out) {
    const struct binding binding = bind_to(kind, before);
    return length >= SEAL_EXTRA && !crypto_aead_xchacha20poly1305_ietf_decrypt(
                                       out, NULL, NULL, sealed + SEAL_NONCE, length - SEAL_NONCE,
                                       binding.bytes, sizeof binding.bytes, sealed, key);
}
