/* seed.c - the one seed of this process, between the arguments and the key. */
#include "seed.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <sys/random.h>

/* Changing any of these changes every game. */
enum { STRETCH_PASSES = 2, STRETCH_BYTES = 32 << 20 };
static const unsigned char SALT[crypto_pwhash_SALTBYTES] = "ensign chance 1";

static struct {
    bool there;
    uint64_t number;
} given;

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
    *number = 0;
    if (!*text) return false;
    for (; *text; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || digit > most || *number > (most - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return true;
}

bool seed_give(char *text, uint64_t most) {
    uint64_t number;
    if (!read_number(text, most, &number)) return false;
    given.there = true;
    given.number = number;
    for (volatile char *c = text; *c; c++) *c = '*';
    return true;
}

bool seed_given(void) {
    return given.there;
}

bool seed_take(uint64_t most, uint64_t *seed, struct fault *fault) {
    uint64_t drawn;
    if (!given.there && getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return fault_set(fault, STATUS_SYSTEM, "the system gives no random numbers: %s",
                         strerror(errno));
    *seed = given.there ? given.number : drawn & most;
    seed_forget();
    return true;
}

void seed_forget(void) {
    sodium_memzero(&given, sizeof given);
}

bool seed_stretch(uint64_t seed, struct chance *key, struct fault *fault) {
    char bytes[sizeof seed];
    for (size_t i = 0; i < sizeof seed; i++) bytes[i] = (char)(seed >> 8 * i);
    /* sodium_init() chooses the fastest code for this processor; without it the result is the same.
     */
    bool done = sodium_init() >= 0 &&
                !crypto_pwhash(key->bytes, sizeof key->bytes, bytes, sizeof bytes, SALT,
                               STRETCH_PASSES, STRETCH_BYTES, crypto_pwhash_ALG_ARGON2ID13);
    sodium_memzero(bytes, sizeof bytes);
    return done || fault_set(fault, STATUS_NO_MEMORY, "no memory for stretching the seed: %d MiB",
                             STRETCH_BYTES >> 20);
}
