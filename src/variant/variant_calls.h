/* variant_calls.h - the functions of a variant that are asked during play: what core/play/calls.h
 * asks, answered by Lua.
 *
 * Lua states serve one thread at a time, and rules are shared. So there are as many states as
 * questions are asked at once: the one that the variant was loaded in, and others that are made
 * from the same texts when they are needed. A function is held to answering alike in all of them;
 * variant_calls_doubt() finds out. */
#ifndef ENSIGN_VARIANT_VARIANT_CALLS_H
#define ENSIGN_VARIANT_VARIANT_CALLS_H

#include "base/keeper.h"
#include "core/play/calls.h"
#include "variant_build.h"

enum { CALL_FUEL = 1000000 }; /* instructions for one call */

/* Gives the rules their calls, if the variant has any. To be called in the protected call that
 * loads the variant, when all else is built. False after a refusal. */
bool variant_calls_build(struct variant_build *build);

/* Hands the state in which the variant was loaded over to its calls, with the texts of its files
 * and what its scripts required. The rules must have calls. False, with nothing taken, without
 * memory. */
bool variant_calls_adopt(struct rules *rules, struct variant_source *source, struct keeper *keeper);

/* What the calls of a variant are made from, to make them again in another process. */
struct variant_calls_source {
    unsigned declared; /* set of 1 << enum call */
    struct {
        char file[FAULT_FILE_MAX];
        int line;
    } written[CALL_COUNT]; /* where each function is */
    int count;             /* files: the variant first, then what it extends; 1 to CHAIN_MAX */
    char path[CHAIN_MAX][FOLDER_PATH_MAX];
};

/* Describes the calls of rules that have some. */
void variant_calls_describe(const struct rules *rules, struct variant_calls_source *source);

/* Gives rules that were loaded elsewhere their calls. No script is run before the first question is
 * asked. `keeper` must have read all files that `source` and their `require` name; it is emptied,
 * with its memory handed over. False, with nothing taken, without memory or if a file is missing.
 */
bool variant_calls_defer(struct rules *rules, const struct variant_calls_source *source,
                         const char *scripts, struct keeper *keeper);

/* Somebody else who answers the calls of a variant, in a process of his own. */
struct variant_asker {
    /* As calls.ask and calls.allow; may be called from any thread. */
    bool (*ask)(void *context, enum call call, const struct game *game, const struct play *play,
                struct call_answer *answer, struct fault *fault);
    bool (*allow)(void *context, const struct game *game, const struct play *plays, size_t count,
                  bool *allowed, struct fault *fault);
    void (*close)(void *context);
    void *context;
};

/* From now on the calls of these rules, which must have some, are answered by `asker`; it is closed
 * with the rules. */
void variant_calls_ask_elsewhere(struct rules *rules, struct variant_asker asker);

/* The context of the asker with that `ask`; NULL if these rules have no such calls. */
void *variant_calls_asked(const struct rules *rules,
                          bool (*ask)(void *context, enum call call, const struct game *game,
                                      const struct play *play, struct call_answer *answer,
                                      struct fault *fault));

/* Is this one of the files that the calls of these rules were made from? */
bool variant_calls_read(const struct rules *rules, const char *path);

/* For a process that was just forked and may run scripts: from now on it answers them itself.
 * Rules without calls are left alone. */
void variant_calls_ask_here(const struct rules *rules);

/* From now on every other question is asked of a second state too, which has heard other questions
 * before; a difference is a fault of the call. For rules with or without calls. */
void variant_calls_doubt(struct rules *rules);

#endif
