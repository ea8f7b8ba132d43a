/* call_process.h - locked processes that answer a variant's calls during play.
 *
 * A variant's calls see the whole position and may be hostile. They run in processes that can only
 * read a question and write its answer. The first question starts a template (zygote.h), which is
 * told the variant, and a process; a thread that finds all processes busy starts another. Any
 * number of threads may ask. Answers are checked as if an enemy had sent them. An answer depends on
 * its question alone, so another process is asked if one was killed from outside. */
#ifndef ENSIGN_JAIL_CALL_PROCESS_H
#define ENSIGN_JAIL_CALL_PROCESS_H

#include "core/rules/rules.h"
#include "lua/logbook.h"
#include "zygote.h"

enum {
    CALL_PROCESS_DEADLINE = 10000,  /* ms for an answer; fuel and memory end most calls sooner */
    CALL_PROCESS_MEMORY = 128 << 20 /* bytes of such a process: of a state and its copy */
};

/* Has such processes answer the calls of these rules, made by variant_calls_defer(). They end with
 * the rules. `scripts` is the folder of the shared scripts. False without memory. */
bool call_process_attach(struct rules *rules, const char *scripts);

/* From now on what calls print while this thread asks them goes to `log`; NULL: nowhere. They see
 * both armies, so a log is for those who may know them. */
void call_process_listen(struct log *log);

#endif
