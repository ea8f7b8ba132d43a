/* oracle.h - locked processes that answer a variant's calls during play.
 *
 * A variant's calls see the whole position, and they are somebody's script: they run in processes
 * that can do nothing but read a question and write its answer. A process is started when the first
 * question is asked, and another for each thread that asks while all are busy. What an answer holds
 * is checked as if an enemy had sent it. Questions have no memory, so one whose process was ended
 * from outside is asked again of another. */
#ifndef ENSIGN_HOST_WALL_ORACLE_H
#define ENSIGN_HOST_WALL_ORACLE_H

#include "core/rules.h"

enum { ORACLE_DEADLINE = 10000 }; /* ms for an answer; fuel and memory end most calls before */

/* Has the calls of these rules, which must be variant_calls_defer()'s, answered so; the processes
 * end with the rules. False without memory. */
bool oracle_attach(struct rules *rules);

#endif
