/* answers.h - the coordinator's answers to the questions of workers.
 *
 * A worker may read what the coordinator itself has read for the match, when it loaded it and for
 * the pairs that it has played, and learns of no other file whether it is there. */
#ifndef ENSIGN_HOST_MACHINES_ANSWERS_H
#define ENSIGN_HOST_MACHINES_ANSWERS_H

#include "worker_list.h"

struct answers;

struct answers_options {
    const struct tournament *match;
    const struct tournament_options *options; /* with `sources` */
    const struct seal_match *seal;
    const struct seal_secret *secret;
    const char *variant, *version;
    bool trust;
    uint32_t known; /* a pair, and its digest: what a worker must show before it is admitted */
    uint64_t digest;
    struct worker_list *list;
};

/* NULL without memory. */
struct answers *answers_open(const struct answers_options *options);
void answers_close(struct answers *answers);

/* Takes a message to the match. The answer is the caller's to free; NULL if the message is not a
 * question that a worker has sealed for this match. */
void *answers_hear(struct answers *answers, const void *bytes, size_t length,
                   size_t *answer_length);

#endif
