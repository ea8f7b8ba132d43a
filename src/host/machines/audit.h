/* audit.h - a thread of the coordinator that plays pairs again which workers have sent.
 *
 * Only this shows whether the players would have moved so. One thread is what it costs at most. */
#ifndef ENSIGN_HOST_MACHINES_AUDIT_H
#define ENSIGN_HOST_MACHINES_AUDIT_H

#include "host/match/carrier.h"

enum { AUDIT_WAITING = 16 };

struct audit;

/* NULL with a fault. */
struct audit *audit_open(const struct consignment *consignment, struct fault *fault);

/* Gives up what is being played. NULL is allowed. */
void audit_close(struct audit *audit);

/* Has a pair played. If AUDIT_WAITING of them wait already, it takes the place of one of them: who
 * sends many at once cannot foresee which are played. */
void audit_add(struct audit *audit, uint32_t pair);

/* A pair that has been played, and its digest (games_digest()). False if there is none, or with a
 * fault if the host failed. */
bool audit_take(struct audit *audit, uint32_t *pair, uint64_t *digest, struct fault *fault);

/* Waits at most `ms` until there is one to take. How many there are in all; 0 also after a fault of
 * audit_take(). */
int audit_wait(struct audit *audit, int ms);

#endif
