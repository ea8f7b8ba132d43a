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

struct audit;

/* A pair to be played, and why. */
struct audited {
    uint32_t pair;
    uint32_t worker; /* who has sent `claim`, or lacks something; 0: nobody */
    uint64_t claim;  /* games_digest() of games that are not those counted; 0: none */
    bool lacks;      /* no games of it can be sent, for `lack` */
    struct messages_lack lack;

    /* Once it has been played. */
    uint64_t digest;
    uint32_t ms;
    struct finished *games[2]; /* the caller's; only if it `lacks` */
};

/* NULL with a fault. */
struct audit *audit_open(const struct batch *batch, struct fault *fault);

/* Gives up what is being played. NULL is allowed. */
void audit_close(struct audit *audit);

/* Has a pair played. If AUDIT_WAITING of its kind wait already, one that workers have sent takes
 * the place of one of them, so that who sends many at once cannot foresee which are played; one
 * that nobody can send is not taken now. Of a worker that says something only one waits. */
void audit_add(struct audit *audit, const struct audited *asked);

/* The same with a pair that must be played again; there is always a place for one. */
void audit_add_surely(struct audit *audit, uint32_t pair);

/* A pair that has been played. False if there is none, or with a fault if the host failed. */
bool audit_take(struct audit *audit, struct audited *played, struct fault *fault);

/* Waits at most `ms` until there is one to take. How many there are in all; 0 also after a fault of
 * audit_take(). */
int audit_wait(struct audit *audit, int ms);

#endif
