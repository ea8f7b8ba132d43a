/* roster.h - the workers of a match, as the coordinator sees them, by their keys. Thread-safe.
 *
 * Anyone can make keys, so there is only so much room: who has sent no games and was not heard of
 * for longest makes room for others. */
#ifndef ENSIGN_HOST_MACHINES_ROSTER_H
#define ENSIGN_HOST_MACHINES_ROSTER_H

#include "slip.h"

struct roster;

struct roster *roster_open(void); /* NULL without memory */
void roster_close(struct roster *roster);

/* The number of the worker with this key, from 1, and what it shares with the match; 0 if it is not
 * known. */
uint32_t roster_find(struct roster *roster, const uint8_t key[SEAL_KEY], struct seal_keys *keys);

/* The same of a worker that is admitted and sends games: its number is then its own for good. 0
 * also if it is not admitted. */
uint32_t roster_sender(struct roster *roster, const uint8_t key[SEAL_KEY], struct seal_keys *keys);

/* Enters a worker that has greeted now, or notes that it is there. Its number; 0 if there are too
 * many. */
uint32_t roster_greet(struct roster *roster, const uint8_t key[SEAL_KEY],
                      const struct seal_keys *keys, const struct slip_greeting *greeting,
                      int64_t now);

/* Its name, with a part of its key if another worker has the same one. */
enum { ROSTER_NAME_MAX = SLIP_WORKER_MAX + 16 };
void roster_name(struct roster *roster, uint32_t worker, char name[ROSTER_NAME_MAX]);
void roster_key(struct roster *roster, uint32_t worker, uint8_t key[SEAL_KEY]);

/* A pair of it has been counted. How many have. */
uint64_t roster_count(struct roster *roster, uint32_t worker);

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
