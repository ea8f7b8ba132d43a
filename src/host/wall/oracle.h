/* oracle.h - locked processes that answer a variant's calls during play.
 *
 * A variant's calls see the whole position and may be hostile. They run in processes that can only
 * read a question and write its answer. The first question starts a process; a thread that finds
 * all processes busy starts another. Any number of threads may ask. The processes are forked by a
 * nursery (nursery.h): one that was adopted, as for all rules from a stem (stem.h), or one that
 * oracle_prepare() or the first question forks from this process. So in a program with hidden ranks
 * or threads the rules come from a stem. Answers are checked as if an enemy had sent them. An
 * answer depends on its question alone, so another process is asked if one was killed from outside.
 */
#ifndef ENSIGN_HOST_WALL_ORACLE_H
#define ENSIGN_HOST_WALL_ORACLE_H

#include "core/rules/rules.h"
#include "host/log.h"
#include "nursery.h"

enum { ORACLE_DEADLINE = 10000 }; /* ms for an answer; fuel and memory end most calls sooner */

/* Has such processes answer the calls of these rules, made by variant_calls_defer(). They end with
 * the rules. False without memory. */
bool oracle_attach(struct rules *rules);

/* Forks the nursery of these processes for another process that has the same rules, as
 * nursery_fork(). 0, and nothing forked, if the rules need none: `*socket` is then -1. */
int oracle_fork(const struct rules *rules, int *socket, pid_t *pid);

/* Has a nursery that oracle_fork() forked elsewhere start the processes; the rules own it. They
 * must need one and have none yet. */
void oracle_adopt(const struct rules *rules, struct nursery *nursery);

/* From now on what calls print while this thread asks them goes to `log`; NULL: nowhere. They see
 * both armies, so a log is for those who may know them. */
void oracle_listen(struct log *log);

/* Starts the nursery of these processes now, if the rules need one, rather than with the first
 * question: before there are several threads, or secrets in memory that a fork must not copy. False
 * with a STATUS_SYSTEM fault. */
bool oracle_prepare(const struct rules *rules, struct fault *fault);

#endif
