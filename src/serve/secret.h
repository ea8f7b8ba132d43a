/* secret.h - words that open something to whoever knows them: seats and invitations. */
#ifndef ENSIGN_SERVE_SECRET_H
#define ENSIGN_SERVE_SECRET_H

#include "base/fault.h"

#include <jansson.h>

enum { SECRET_MAX = 33 }; /* bytes, with the final 0 */

/* Writes 128 random bits of the system as hexadecimal digits. False if it gives none. */
bool secret_draw(char secret[SECRET_MAX]);

/* Is `given` this secret? How long it takes does not say how much of it is right. No text is an
 * empty secret; NULL is allowed. */
bool secret_is(const char *given, const char secret[SECRET_MAX]);

/* The word under a key of a request, which its client has drawn, as long as a secret; NULL: none.
 * False with a STATUS_TEXT fault if it is no such word. */
bool secret_read(const json_t *request, const char *key, const char **word, struct fault *fault);

#endif
