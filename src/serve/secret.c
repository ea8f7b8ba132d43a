/* secret.c - draws and compares secrets. */
#include "secret.h"

#include "host/seat/reply.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool secret_draw(char secret[SECRET_MAX]) {
    unsigned char bytes[(SECRET_MAX - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool secret_is(const char *given, const char secret[SECRET_MAX]) {
    return given && secret[0] && strlen(given) == SECRET_MAX - 1 &&
           sodium_memcmp(given, secret, SECRET_MAX - 1) == 0;
}

bool secret_read(const json_t *request, const char *key, const char **word, struct fault *fault) {
    return reply_text(request, key, word, fault) &&
           (!*word || strlen(*word) == SECRET_MAX - 1 ||
            fault_set(fault, STATUS_TEXT, "\"%s\": expected %d characters", key, SECRET_MAX - 1));
}
