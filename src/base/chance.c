/* chance.c - HChaCha20 as a pseudorandom function: the parent is its key, and its 16 bytes of input
 * say what is derived: the index, the purpose, and whether a key, a stream or a number comes out,
 * so that a stream's state, which a script can find out, is never a key. */
#include "chance.h"

#include <sodium/crypto_core_hchacha20.h>

_Static_assert(CHANCE_BYTES == crypto_core_hchacha20_KEYBYTES, "a key is a key of HChaCha20");
_Static_assert(CHANCE_BYTES == crypto_core_hchacha20_OUTPUTBYTES, "what is derived is a key");

enum form { FORM_KEY, FORM_STREAM, FORM_NUMBER };

static void put_number(uint8_t *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(number >> 8 * i);
}

/* Byte by byte, so that a seed means the same games on every machine. */
static uint64_t number_at(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static struct chance derive(const struct chance *parent, enum form form,
                            enum chance_purpose purpose, uint64_t index) {
    uint8_t input[crypto_core_hchacha20_INPUTBYTES];
    struct chance derived;
    put_number(input, index, 8);
    put_number(input + 8, purpose, 4);
    put_number(input + 12, form, 4);
    crypto_core_hchacha20(derived.bytes, input, parent->bytes, NULL);
    return derived;
}

struct chance chance_derive(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index) {
    return derive(parent, FORM_KEY, purpose, index);
}

struct random chance_random(const struct chance *parent, enum chance_purpose purpose,
                            uint64_t index) {
    struct chance derived = derive(parent, FORM_STREAM, purpose, index);
    struct random random;
    for (int i = 0; i < 4; i++) random.state[i] = number_at(derived.bytes + 8 * i);
    return random;
}

uint64_t chance_number(const struct chance *parent, enum chance_purpose purpose, uint64_t index) {
    struct chance derived = derive(parent, FORM_NUMBER, purpose, index);
    return number_at(derived.bytes);
}
