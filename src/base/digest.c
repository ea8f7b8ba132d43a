/* digest.c - BLAKE2b in one go. The library's state wants to lie at 64 bytes, where memory from
 * malloc() does not, so none is kept from one thing to the next. */
#include "digest.h"

#include <sodium/crypto_generichash.h>

enum { HASH = 16, NUMBER = 8 };

_Static_assert(HASH >= crypto_generichash_BYTES_MIN, "a size that BLAKE2b has");

static void put_number(unsigned char out[NUMBER], uint64_t number) {
    for (int i = 0; i < NUMBER; i++) out[i] = (unsigned char)(number >> (56 - 8 * i));
}

static uint64_t begin_of(const unsigned char *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < NUMBER; i++) number = number << 8 | bytes[i];
    return number;
}

uint64_t digest_of(const void *bytes, size_t length) {
    unsigned char hash[HASH];
    crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
    return begin_of(hash);
}

uint64_t digest_add(uint64_t digest, const void *bytes, size_t length) {
    unsigned char before[NUMBER], hash[HASH];
    crypto_generichash_state state;
    put_number(before, digest);
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, before, sizeof before);
    crypto_generichash_update(&state, bytes, length);
    crypto_generichash_final(&state, hash, sizeof hash);
    return begin_of(hash);
}

uint64_t digest_add_number(uint64_t digest, uint64_t number) {
    unsigned char bytes[2 * NUMBER];
    put_number(bytes, digest);
    put_number(bytes + NUMBER, number);
    return digest_of(bytes, sizeof bytes);
}
