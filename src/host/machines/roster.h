/* roster.h - the workers of a match, as the coordinator sees them. Thread-safe. */
#ifndef ENSIGN_HOST_MACHINES_ROSTER_H
#define ENSIGN_HOST_MACHINES_ROSTER_H

#include "slip.h"
#include "telegraph.h"

struct roster;

struct roster *roster_open(void); /* NULL without memory */
void roster_close(struct roster *roster);

/* The number of a worker of that name, from 1, new if need be; 0 if there are too many. */
uint32_t roster_number(struct roster *roster, const char *name);
void roster_name(struct roster *roster, uint32_t worker, char name[SLIP_WORKER_MAX]);

/* Which match it is about. */
void roster_begin(struct roster *roster, const char *match);

/* A telegraph_hear(): a worker says every second how many threads it has, and for which matches.
 * `context` is a roster that has begun. */
telegraph_hear roster_hear;

/* It has played a pair. */
void roster_count(struct roster *roster, uint32_t worker);

/* It has shown a known pair; it is not trusted any more. */
void roster_admit(struct roster *roster, uint32_t worker);
void roster_ban(struct roster *roster, uint32_t worker);
bool roster_is_admitted(struct roster *roster, uint32_t worker);
bool roster_is_banned(struct roster *roster, uint32_t worker);

/* Threads of those that were seen in the last seconds and are admitted. */
int roster_threads(struct roster *roster, int64_t now);

/* One line on all of them: "2 workers with 6 threads, 41.2 pairs/s (alpha 20.1, beta 21.1)". Rates
 * are means since the last call a second or more ago. */
void roster_line(struct roster *roster, int64_t now, char *out, size_t size);

#endif
