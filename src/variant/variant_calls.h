/* variant_calls.h - answers core/play/calls.h with the variant's Lua functions.
 *
 * Rules are shared between threads, but a Lua state serves one thread at a time. So there is a pool
 * of states, made from the same files when calls overlap. A call remembers nothing: each finds its
 * state as it was when the files had been loaded, so that neither the thread nor the process nor
 * the calls before it make a difference. */
#ifndef ENSIGN_VARIANT_VARIANT_CALLS_H
#define ENSIGN_VARIANT_VARIANT_CALLS_H

#include "base/reader.h"
#include "core/play/calls.h"
#include "variant_build.h"

enum { CALL_FUEL = 1000000 }; /* instructions for one call, counted by the hundred */

/* Gives the rules their calls, if the variant has any. Runs in the protected call that loads the
 * variant, after everything else is built. False after a refusal. */
bool variant_calls_build(struct variant_build *build);

/* Moves the texts of the variant's files and the files that its scripts required to the calls,
 * which the rules must have. */
void variant_calls_adopt(struct rules *rules, struct variant_source *source,
                         struct file_cache *cache);

/* The source of a variant's calls, from which another process can create them again. */
struct variant_calls_source {
    unsigned declared; /* set of 1 << enum call */
    struct {
        char file[FOLDER_PATH_MAX];
        int line;
    } written[CALL_COUNT]; /* the place of each function */
    int count;             /* of files: the variant, then those it extends; 1 to CHAIN_MAX */
    char path[CHAIN_MAX][FOLDER_PATH_MAX];
};

/* Describes the calls, which the rules must have. */
void variant_calls_describe(const struct rules *rules, struct variant_calls_source *source);

/* Gives calls to rules that were loaded in another process. The first script runs at the first
 * call. `cache` must have read all files in `source` and all that they require; its contents move
 * to the calls. Without memory, or if a file is missing, it moves nothing and returns false. */
bool variant_calls_defer(struct rules *rules, const struct variant_calls_source *source,
                         const char *scripts, struct file_cache *cache);

/* Answers the calls of a variant in another process. */
struct variant_asker {
    /* As calls.ask and calls.allow; may be called from any thread. */
    bool (*ask)(void *context, enum call call, const struct game *game, const struct play *play,
                struct call_answer *answer, struct fault *fault);
    bool (*allow)(void *context, const struct game *game, const struct plays *plays,
                  struct calls_fuel *fuel, bool *allowed, struct fault *fault);
    void (*close)(void *context);
    void *context;
};

/* Lets `asker` answer the calls, which the rules must have. rules_free() closes it. */
void variant_calls_ask_elsewhere(struct rules *rules, struct variant_asker asker);

/* The context of the rules' asker if its function is `ask`; otherwise NULL. */
void *variant_calls_asked(const struct rules *rules,
                          bool (*ask)(void *context, enum call call, const struct game *game,
                                      const struct play *play, struct call_answer *answer,
                                      struct fault *fault));

/* Were the calls made from this file? The rules must have calls. */
bool variant_calls_read(const struct rules *rules, const char *path);

/* The files that the calls are made from, as they were read: what scripts required, and the
 * variant's own, of which variant_calls_describe() tells the number. The rules must have calls. */
const struct file_cache *variant_calls_files(const struct rules *rules);
const struct variant_file *variant_calls_own_files(const struct rules *rules);

/* What the scripts of states that are made from now on print, or use. `watch` must outlive the
 * rules, which must have calls. */
void variant_calls_watch(const struct rules *rules, const struct sandbox_watch *watch);

#endif
