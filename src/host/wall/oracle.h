/* oracle.h - locked processes that answer a variant's calls during play.
 *
 * A variant's calls see the whole position, and may be a stranger's script. They run in processes
 * that can only read a question and write its answer. The first question starts a process; a thread
 * that finds all processes busy starts another. Answers are checked as if an enemy had sent them.
 * An answer depends on its question alone, so a question whose process was killed from outside is
 * asked again of another. */
#ifndef ENSIGN_HOST_WALL_ORACLE_H
#define ENSIGN_HOST_WALL_ORACLE_H

#include "core/rules/rules.h"

enum { ORACLE_DEADLINE = 10000 }; /* ms for an answer; fuel and memory end most calls before */

/* From now on the calls of these rules, which variant_calls_defer() has made, are answered so. The
 * processes end with the rules. False without memory. */
bool oracle_attach(struct rules *rules);

/* Starts the process from which those that answer are forked, unless the rules need none: for who
 * plays on several threads, or holds what no other process should find in its memory. Else it is
 * started with the first question. False with a STATUS_SYSTEM fault. */
bool oracle_prepare(const struct rules *rules, struct fault *fault);

#endif
