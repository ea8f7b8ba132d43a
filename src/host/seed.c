/* seed.c - the one seed of this process, between the arguments and the key.
 *
 * A given seed is stored in `given` alone: copied from the arguments byte by byte, checked as text,
 * and converted to a number only when it is taken, so that no copy stays on the stack or in a
 * library's buffers. */
#include "seed.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* Changing any of these changes every game. */
enum { STRETCH_PASSES = 2, STRETCH_BYTES = 32 << 20 };
static const unsigned char SALT[crypto_pwhash_SALTBYTES] = "ensign chance 1";

static struct {
    enum { NOTHING, TEXT, NUMBER } kind;
    char text[SEED_TEXT_MAX];
    uint64_t number;
} given;

/* Compares digits without converting them to a number. */
static bool is_number(const char *text, uint64_t most) {
    char limit[SEED_TEXT_MAX];
    snprintf(limit, sizeof limit, "%" PRIu64, most);
    size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits]) return false;
    while (*text == '0' && text[1]) text++;
    size_t length = strlen(text), room = strlen(limit);
    return length < room || (length == room && strcmp(text, limit) <= 0);
}

bool seed_give(char *text, uint64_t most) {
    if (!is_number(text, most)) return false;
    char *digits = text;
    while (*digits == '0' && digits[1]) digits++;
    seed_forget();
    for (size_t i = 0; digits[i]; i++) given.text[i] = digits[i];
    given.kind = TEXT;
    for (volatile char *c = text; *c; c++) *c = '*';
    return true;
}

bool seed_given(void) {
    return given.kind != NOTHING;
}

bool seed_settle(struct fault *fault) {
    if (given.kind != NOTHING) return true;
    if (getrandom(&given.number, sizeof given.number, 0) != sizeof given.number) {
        return fault_set(fault, STATUS_SYSTEM, "the system gives no random numbers: %s",
                         strerror(errno));
    }
    given.kind = NUMBER;
    return true;
}

bool seed_take(uint64_t most, uint64_t *seed, struct fault *fault) {
    if (!seed_settle(fault)) return false;
    if (given.kind == TEXT) {
        *seed = 0;
        for (const char *c = given.text; *c; c++) *seed = 10 * *seed + (uint64_t)(*c - '0');
    } else {
        *seed = given.number & most;
    }
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
