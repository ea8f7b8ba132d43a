/* remote_match.h - a match of another machine, loaded to play its pairs here, on several threads.
 *
 * Nothing of it is read from this machine's disk: names and files come from the coordinator, each
 * once, and what arrives is held against what this machine's owner permits. Variant and bots run in
 * processes of their own behind the wall, as those of any match. */
#ifndef ENSIGN_HOST_MACHINES_REMOTE_MATCH_H
#define ENSIGN_HOST_MACHINES_REMOTE_MATCH_H

#include "chunk_cache.h"
#include "host/match/match_thread.h"

struct remote_match;

struct remote_match_options {
    const struct permits *permits;
    struct chunk_cache *pieces; /* files of other matches */
    atomic_size_t *memory;      /* bytes that all matches have of the permitted ones */
    struct frame *terms;        /* as terms_put(), from behind what was taken */
    /* Sends a question (from MESSAGES_ASKS_PATH to MESSAGES_ASKS_SETUPS, without the greeting) to
     * the coordinator; its answer, from behind the yes. False with a fault, also after a no. One
     * thread at a time calls it. */
    bool (*ask)(void *context, const struct frame *question, struct frame *answer,
                struct fault *fault);
    void *context;
};

/* Loads everything for so many threads, or for as many as there is memory for: of a thread's two
 * bots, or programs behind the wall, and its calls. NULL with a fault, also of the scripts. */
struct remote_match *remote_match_open(const struct remote_match_options *options, int threads,
                                       struct fault *fault);
void remote_match_close(struct remote_match *match); /* NULL is allowed */

int remote_match_threads(const struct remote_match *match);

/* For a thread that plays; the first may use the template that all come from. */
struct match_thread remote_match_hand(const struct remote_match *match, bool first);

/* Plays a pair until `*stop`. The games as games_put() writes them; an empty frame if they cannot
 * be sent: `lack` says why. False with STATUS_OK if it was given up, or with a fault: then the
 * match cannot be played any more. */
bool remote_match_play(struct remote_match *match, struct match_thread *hand, uint32_t pair,
                       const atomic_bool *stop, struct frame *games, struct messages_lack *lack,
                       struct fault *fault);

#endif
