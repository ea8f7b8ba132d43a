/* secret.h - words that open something to whoever knows them: seats and invitations. */
#ifndef ENSIGN_SERVE_SECRET_H
#define ENSIGN_SERVE_SECRET_H

#include <stdbool.h>

enum { SECRET_MAX = 33 }; /* bytes, with the final 0 */

/* Writes 128 random bits of the system as hexadecimal digits. False if it gives none. */
bool secret_draw(char secret[SECRET_MAX]);

/* Is `given` this secret? How long it takes does not say how much of it is right. No text is an
 * empty secret; NULL is allowed. */
bool secret_is(const char *given, const char secret[SECRET_MAX]);

#endif
