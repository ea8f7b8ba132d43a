/* worker_list.h - the workers of a match, as the coordinator sees them, by their keys. Thread-safe.
 *
 * Anyone can make keys, so there is only so much room. Who was not heard of for longest makes room
 * for others, but for those that have sent games and are trusted; of these it is, if there is no
 * other, one that is gone and has sent least. A worker that has made room after it sent games
 * counts as one that is not trusted any more, and its number is never another's. */
#ifndef ENSIGN_HOST_MACHINES_WORKER_LIST_H
#define ENSIGN_HOST_MACHINES_WORKER_LIST_H

#include "messages.h"

struct worker_list;

struct worker_list *worker_list_open(void); /* NULL without memory */
void worker_list_close(struct worker_list *list);

/* The number of the worker with this key, from 1, and what it shares with the match; 0 if it is not
 * known. */
uint32_t worker_list_find(struct worker_list *list, const uint8_t key[SEAL_KEY],
                          struct seal_keys *keys);

/* The same of a worker that is admitted and sends games: its number is then its own for good, also
 * if its place is not. 0 also if it is not admitted. */
uint32_t worker_list_sender(struct worker_list *list, const uint8_t key[SEAL_KEY],
                            struct seal_keys *keys);

/* Whether a greeting is no repetition: of a worker that is not known, or a later one. */
bool worker_list_is_news(struct worker_list *list, const uint8_t key[SEAL_KEY],
                         const struct messages_greeting *greeting);

/* Enters a worker that has greeted now, or notes that it is there. Its number; 0 if there are too
 * many. */
uint32_t worker_list_greet(struct worker_list *list, const uint8_t key[SEAL_KEY],
                           const struct seal_keys *keys, const struct messages_greeting *greeting,
                           int64_t now);

/* Its name, with a part of its key if another worker has the same one; its number if it has made
 * room. False: it has, so there is no key. */
enum { WORKER_LIST_NAME_MAX = MESSAGES_WORKER_MAX + 16 };
void worker_list_name(struct worker_list *list, uint32_t worker, char name[WORKER_LIST_NAME_MAX]);
bool worker_list_key(struct worker_list *list, uint32_t worker, uint8_t key[SEAL_KEY]);

/* A pair of it has been counted. How many have; 0: it is not known any more. */
uint64_t worker_list_count(struct worker_list *list, uint32_t worker);
uint64_t worker_list_pairs(struct worker_list *list, uint32_t worker);

/* It has shown a known pair; it is not trusted any more. */
void worker_list_admit(struct worker_list *list, uint32_t worker);
void worker_list_ban(struct worker_list *list, uint32_t worker);
bool worker_list_is_admitted(struct worker_list *list, uint32_t worker);
bool worker_list_is_banned(struct worker_list *list, uint32_t worker);

/* Whether a worker that had sent games has made room since the last call. */
bool worker_list_lost(struct worker_list *list);

/* Threads of those that were seen in the last seconds and are admitted. Anybody can claim many: of
 * each some are believed at once, and more with the pairs that it has sent. */
int worker_list_threads(struct worker_list *list, int64_t now);

/* One line on all of them: "2 workers with 6 threads, 41.2 pairs/s (alpha 20.1, beta 21.1)". Rates
 * are means since the last call a second or more ago. */
void worker_list_line(struct worker_list *list, int64_t now, char *out, size_t size);

#endif
