/* notices.h - what machines tell everybody, as JSON: that a match is open or over, and what a
 * worker does.
 *
 * Anyone may have sent it. What is taken here is sound: texts can be shown, numbers are in range,
 * and what speaks for a match is signed by it (seal.h). */
#ifndef ENSIGN_HOST_MACHINES_NOTICES_H
#define ENSIGN_HOST_MACHINES_NOTICES_H

#include "messages.h"

#include <jansson.h>

/* A match wants workers. */
struct notice_open {
    char match[SEAL_ID_MAX], version[MESSAGES_VERSION_MAX];
    int protocol; /* of another one only it and the version are read */
    uint8_t key[SEAL_KEY];
    uint64_t number; /* rises, so that an old one can be told from the present one */
    uint64_t job;    /* jobs below this number are done */
    bool proven;     /* it shows that it knows a secret: `proof` */
    uint8_t proof[SEAL_KEY];
};

/* NULL without memory. `secret` may be none. */
json_t *notice_open_write(const struct seal_match *match, const struct seal_secret *secret,
                          const char *version, uint64_t number, uint64_t job);

/* From "ensign.open.MATCH". */
bool notice_open_read(const char *subject, const void *bytes, size_t length,
                      struct notice_open *notice);

/* A match wants a worker, or all of them (`everybody`), no more. */
struct notice_over {
    bool everybody;
    uint8_t worker[SEAL_KEY];
    char why[128];
};

json_t *notice_over_write(const struct seal_match *match, const struct notice_over *notice);

/* `key` is that of the match. */
bool notice_over_read(const void *bytes, size_t length, const uint8_t key[SEAL_KEY],
                      struct notice_over *notice);

/* The id at the end of a subject; NULL if it is none. */
const char *notice_match(const char *subject);

/* What a worker does. Not signed: it is for people. */
enum { NOTICE_MATCHES = 8 };
struct notice_worker {
    char worker[MESSAGES_WORKER_MAX], version[MESSAGES_VERSION_MAX];
    int threads;
    uint64_t pairs;
    double rate; /* pairs a second */
    int count;
    char matches[NOTICE_MATCHES][SEAL_ID_MAX];
};

json_t *notice_worker_write(const struct notice_worker *notice);
bool notice_worker_read(const void *bytes, size_t length, struct notice_worker *notice);

#endif
