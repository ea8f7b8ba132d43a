/* standby.h - a thread says that it waits for something that does not compute.
 *
 * If the thread belongs to a pool (serve/workers.h), another one works meanwhile; else nothing
 * happens. */
#ifndef ENSIGN_BASE_STANDBY_H
#define ENSIGN_BASE_STANDBY_H

/* What a pool does then. `end` may wait until it is the thread's turn again, so no lock may be held
 * that a working thread needs. */
struct standby {
    void (*begin)(void *pool), (*end)(void *pool);
    void *pool;
};

/* Has the calling thread belong to a pool; `standby` must outlive it. */
void standby_join(const struct standby *standby);

void standby_begin(void);
void standby_end(void);

#endif
