/* chance.c - HChaCha20 as a pseudorandom function. The parent is its key; its 16 bytes of input are
 * the index, the purpose and the form (key, stream or number). The form keeps the state of a
 * stream, which a script can work out, apart from every key. */
#include "chance.h"

#include <sodium/crypto_core_hchacha20.h>

_Static_assert(CHANCE_BYTES == crypto_core_hchacha20_KEYBYTES, "keys have HChaCha20's size");
_Static_assert(CHANCE_BYTES == crypto_core_hchacha20_OUTPUTBYTES, "outputs have a key's size");

enum form { FORM_KEY, FORM_STREAM, FORM_NUMBER };

static void put_number(uint8_t *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(number >> 8 * i);
}

/* Byte by byte, so that a seed gives the same games on every machine. */
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
