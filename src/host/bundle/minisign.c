/* minisign.c - reads and writes the lines of minisign, and has libsodium sign and verify.
 *
 * Only the prehashed form ("ED") is known; minisign has written no other for years. The same bytes,
 * key and comment give the same signature. */
#include "minisign.h"

#include <sodium.h>
#include <string.h>

enum { ID = 8, ALGORITHM = 2, SALT = 32, LIMITS = 16, COMMENT_MAX = 1024, HASH = 64 };

struct public_key {
    unsigned char algorithm[ALGORITHM], id[ID], key[crypto_sign_PUBLICKEYBYTES];
};

struct signature {
    unsigned char algorithm[ALGORITHM], id[ID], bytes[crypto_sign_BYTES];
};

struct secret_key {
    unsigned char algorithm[ALGORITHM], derivation[ALGORITHM], checksum_algorithm[ALGORITHM];
    unsigned char salt[SALT], limits[LIMITS];
    unsigned char id[ID], key[crypto_sign_SECRETKEYBYTES], checksum[crypto_generichash_BYTES];
};

/* The line after the next line end; NULL if there is none. */
static const char *line_after(const char *text) {
    const char *end = text ? strchr(text, '\n') : NULL;
    return end ? end + 1 : NULL;
}

/* Reads a line of base64 that is exactly so many bytes. */
static bool line_read(const char *line, void *out, size_t size) {
    size_t length = line ? strcspn(line, "\r\n") : 0, got = 0;
    return length &&
           !sodium_base642bin(out, size, line, length, NULL, &got, NULL,
                              sodium_base64_VARIANT_ORIGINAL) &&
           got == size;
}

static bool is_comment(const char *line) {
    return !strncmp(line, "untrusted comment:", 18);
}

static bool read_key(const char *text, struct public_key *key) {
    const char *line = is_comment(text) ? line_after(text) : text;
    return line_read(line, key, sizeof *key) && !memcmp(key->algorithm, "Ed", ALGORITHM);
}

bool minisign_key(const char *text, char key[MINISIGN_KEY_MAX], struct fault *fault) {
    struct public_key read;
    if (!read_key(text, &read))
        return fault_set(fault, STATUS_TEXT,
                         "expected a public key of minisign: 56 letters that begin with RW");
    sodium_bin2base64(key, MINISIGN_KEY_MAX, (const unsigned char *)&read, sizeof read,
                      sodium_base64_VARIANT_ORIGINAL);
    return true;
}

static void hash_of(const char *bytes, size_t length, unsigned char hash[HASH]) {
    crypto_generichash(hash, HASH, (const unsigned char *)bytes, length, NULL, 0);
}

/* What the second signature is of: the first one and the comment. Returns its length. */
static size_t put_global(unsigned char out[crypto_sign_BYTES + COMMENT_MAX],
                         const struct signature *signature, const char *comment, size_t length) {
    memcpy(out, signature->bytes, crypto_sign_BYTES);
    memcpy(out + crypto_sign_BYTES, comment, length);
    return crypto_sign_BYTES + length;
}

bool minisign_verify(const char *key, const char *bytes, size_t length, const char *signature,
                     struct fault *fault) {
    static const char trusted[] = "trusted comment: ";
    struct public_key by;
    struct signature read;
    unsigned char hash[HASH], global[crypto_sign_BYTES];
    unsigned char message[crypto_sign_BYTES + COMMENT_MAX];
    const char *line = line_after(signature), *comment = line_after(line),
               *last = line_after(comment);
    if (!read_key(key, &by)) return fault_set(fault, STATUS_TEXT, "no public key of minisign");
    if (!is_comment(signature) || !line_read(line, &read, sizeof read) || !last ||
        strncmp(comment, trusted, strlen(trusted)) || !line_read(last, global, sizeof global))
        return fault_set(fault, STATUS_TEXT, "no signature of minisign");
    if (memcmp(read.algorithm, "ED", ALGORITHM) != 0)
        return fault_set(fault, STATUS_TEXT,
                         "a signature without prehashing; a newer minisign makes another");
    if (memcmp(read.id, by.id, ID) != 0)
        return fault_set(fault, STATUS_TEXT, "the signature is by another key");
    comment += strlen(trusted);
    const size_t said = strcspn(comment, "\r\n");
    hash_of(bytes, length, hash);
    if (said > COMMENT_MAX || crypto_sign_verify_detached(read.bytes, hash, HASH, by.key) ||
        crypto_sign_verify_detached(global, message, put_global(message, &read, comment, said),
                                    by.key))
        return fault_set(fault, STATUS_TEXT, "the signature is of something else");
    return true;
}

static void put_base64(struct buffer *out, const void *bytes, size_t size) {
    char text[sodium_base64_ENCODED_LEN(sizeof(struct signature), sodium_base64_VARIANT_ORIGINAL)];
    sodium_bin2base64(text, sizeof text, bytes, size, sodium_base64_VARIANT_ORIGINAL);
    buffer_add_text(out, text);
    buffer_add_text(out, "\n");
}

/* Do both halves of the key belong together? minisign writes no checksum without a password. */
static bool is_whole(const struct secret_key *key) {
    unsigned char seed[crypto_sign_SEEDBYTES], again[crypto_sign_SECRETKEYBYTES],
        public_half[crypto_sign_PUBLICKEYBYTES];
    crypto_sign_ed25519_sk_to_seed(seed, key->key);
    crypto_sign_seed_keypair(public_half, again, seed);
    const bool same = !sodium_memcmp(again, key->key, sizeof again);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(again, sizeof again);
    return same;
}

bool minisign_sign(const char *secret, const char *bytes, size_t length, const char *comment,
                   struct buffer *signature, struct fault *fault) {
    struct secret_key key;
    struct signature made = {.algorithm = "ED"};
    unsigned char hash[HASH], global[crypto_sign_BYTES];
    unsigned char message[crypto_sign_BYTES + COMMENT_MAX];
    bool right = false;
    *signature = buffer_of(MINISIGN_BYTES_MAX);
    if (!is_comment(secret) || !line_read(line_after(secret), &key, sizeof key) ||
        memcmp(key.algorithm, "Ed", ALGORITHM) != 0)
        fault_set(fault, STATUS_TEXT, "expected a secret key of minisign");
    else if (key.derivation[0] || key.derivation[1])
        fault_set(fault, STATUS_TEXT,
                  "the key has a password: sign with \"minisign -S -m BUNDLE\", or take a key "
                  "without one (minisign -G -W)");
    else if (strlen(comment) > COMMENT_MAX || !is_whole(&key))
        fault_set(fault, STATUS_TEXT, "the secret key is damaged");
    else
        right = true;
    if (right) {
        memcpy(made.id, key.id, ID);
        hash_of(bytes, length, hash);
        crypto_sign_detached(made.bytes, NULL, hash, HASH, key.key);
        crypto_sign_detached(global, NULL, message,
                             put_global(message, &made, comment, strlen(comment)), key.key);
        buffer_add_text(signature, "untrusted comment: signature of an Ensign bundle\n");
        put_base64(signature, &made, sizeof made);
        buffer_add_text(signature, "trusted comment: ");
        buffer_add_text(signature, comment);
        buffer_add_text(signature, "\n");
        put_base64(signature, global, sizeof global);
    }
    sodium_memzero(&key, sizeof key);
    return right && (!signature->broken || fault_set(fault, STATUS_NO_MEMORY, "out of memory"));
}
