/* minisign.h - signatures of files as the program minisign makes and checks them: Ed25519 over the
 * BLAKE2b hash of the file, and over the comment beside it. */
#ifndef ENSIGN_HOST_BUNDLE_MINISIGN_H
#define ENSIGN_HOST_BUNDLE_MINISIGN_H

#include "base/buffer.h"
#include "base/fault.h"

enum {
    MINISIGN_BYTES_MAX = 4096, /* of a signature or a key as text */
    MINISIGN_KEY_MAX = 57      /* a public key in base64, and a 0 */
};

/* Finds the public key in a text: the key itself, or a file with a comment above it. False with a
 * STATUS_TEXT fault. */
bool minisign_key(const char *text, char key[MINISIGN_KEY_MAX], struct fault *fault);

/* Is it a signature of these bytes by this key? False with a STATUS_TEXT fault that says why not.
 */
bool minisign_verify(const char *key, const char *bytes, size_t length, const char *signature,
                     struct fault *fault);

/* Signs with a secret key that has no password (`minisign -G -W`); `comment` is a plain line.
 * False with a fault. */
bool minisign_sign(const char *secret, const char *bytes, size_t length, const char *comment,
                   struct buffer *signature, struct fault *fault);

#endif
