/* digest.h - 64 bits that stand for bytes: in matches, for records, files and results; in the
 * server, for pages and texts; in learning, for states.
 *
 * The first eight bytes of BLAKE2b with 128 bits (libsodium), the most significant first, so that
 * `b2sum -l 128 FILE | cut -c -16` prints the digest of a file. It is made for untrusted bytes:
 * other bytes with a given digest are found only by trying about 2^64. Needs no set-up. */
#ifndef ENSIGN_BASE_DIGEST_H
#define ENSIGN_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

uint64_t digest_of(const void *bytes, size_t length);

/* Of several things in order, beginning with 0: the digest of the eight bytes of `digest` followed
 * by the bytes of the next thing, or by the eight bytes of a number. */
uint64_t digest_add(uint64_t digest, const void *bytes, size_t length);
uint64_t digest_add_number(uint64_t digest, uint64_t number);

#endif
