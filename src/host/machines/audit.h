/* audit.h - a thread of the coordinator that plays pairs itself: again, some that workers have
 * sent, since only this shows whether the players would have moved so; and those that no worker can
 * send.
 *
 * Whoever sends much cannot keep more busy than this one thread, nor hold up the other kind. */
#ifndef ENSIGN_HOST_MACHINES_AUDIT_H
#define ENSIGN_HOST_MACHINES_AUDIT_H

#include "host/match/executor.h"
#include "messages.h"

enum { AUDIT_WAITING = 16 /* of each kind */ };

/* Why a pair is played. Each kind waits in a line of its own, so that none can displace another. */
enum audit_why {
    AUDIT_FIRST, /* it is the first pair of a worker, */
    AUDIT_DRAWN, /* or was drawn by chance */
    AUDIT_CLAIM, /* a worker has sent games that are not those counted */
    AUDIT_LACK,  /* a worker cannot send its games */
    AUDIT_KINDS
};

struct audit;

/* A pair to be played. */
struct audited {
    enum audit_why why;
    uint32_t pair;
    uint32_t worker; /* who has sent `claim`, or lacks something; 0: nobody */
    uint64_t claim;  /* games_digest() of its games */
    uint64_t merit;  /* of its claim: how many pairs of it were counted */
    struct messages_lack lack;

    /* Once it has been played. */
    uint64_t digest;
    uint32_t ms;
    bool overdue;              /* a player passed its deadline: the games may go otherwise */
    struct finished *games[2]; /* the caller's */
};

/* NULL with a fault. */
struct audit *audit_open(const struct batch *batch, struct fault *fault);

/* Gives up what is being played. NULL is allowed. */
void audit_close(struct audit *audit);

/* Has a pair played. If AUDIT_WAITING of its kind wait already, it is left to chance which of those
 * that have come do, so that who sends many at once cannot foresee which are played; but a claim
 * takes the place of one with less merit, since anybody can have keys that claim something, and
 * AUDIT_LACK is not taken now. Of a worker that claims something only one waits. */
void audit_add(struct audit *audit, const struct audited *asked);

/* The same with a pair that must be played again; there is always a place for one. */
void audit_add_surely(struct audit *audit, uint32_t pair);

/* A pair that has been played. False if there is none, or with a fault if the host failed. */
bool audit_take(struct audit *audit, struct audited *played, struct fault *fault);

/* Waits at most `ms` until there is one to take. How many there are in all; 0 also after a fault of
 * audit_take(). */
int audit_wait(struct audit *audit, int ms);

#endif
