/* loader.h - loads variants, bots and languages, each file in a locked process of its own.
 *
 * Somebody else may have written these files. The process has two pipes and nothing else (cage.h),
 * asks the host for the files it may read, and is killed after LOADER_SECONDS. Its answer is data,
 * checked as if an enemy had sent it: compiled rules, faults, titles, translations.
 *
 * A variant's calls are answered during play by other locked processes (oracle.h), from the texts
 * that were read here.
 *
 * For one thread, before there are others. */
#ifndef ENSIGN_HOST_WALL_LOADER_H
#define ENSIGN_HOST_WALL_LOADER_H

#include "base/faults.h"
#include "core/rules/rules.h"
#include "host/check/trial.h"
#include "lua/folders.h"
#include "lua/language.h"
#include "variant/script_kind.h"

enum { LOADER_SECONDS = 20 }; /* for a file to be loaded; tests and trial games come on top */

/* The rules of the variant of that name or path. NULL with a fault as of variant_load(), or
 * STATUS_CRASH or STATUS_TIME if the process fails. The caller frees with rules_free(). */
struct rules *loader_variant(const struct folders *folders, const char *name, struct fault *fault);

/* The same; adds every fault, not only the first. */
struct rules *loader_examine(const struct folders *folders, const char *name,
                             struct faults *faults);

/* As loader_variant(), from a text that is not on the disk yet; `path` is where it will lie. */
struct rules *loader_variant_text(const struct folders *folders, const char *path, const char *text,
                                  size_t length, struct fault *fault);

/* What is tried beyond loading, and what came of it. */
struct loader_trial {
    bool judge;     /* also warn of what it probably does not mean (host/check/sense.h) */
    uint32_t games; /* random games to be played; 0: none */
    uint64_t seed;
    int seconds; /* for tests and games together, 1 to 86400; what has not begun by then is left out
                  */

    int tests, tried, held; /* the variant's own tests: all, those tried, those that hold */
    bool played;            /* no game went wrong, and `trial` is valid */
    struct trial trial;     /* has fewer games if time ran out, or if the variant's calls were
                               asked often enough (trial.h) */
};

/* As loader_examine(). If the variant loads, its own tests are tried, it is judged, and random
 * games are played, as `trial` says. */
struct rules *loader_try(const struct folders *folders, const char *name,
                         struct loader_trial *trial, struct faults *faults);

/* Can the bot in this file play? Writes its title; adds its faults. */
bool loader_bot(const struct folders *folders, const char *path, char title[TITLE_MAX],
                struct faults *faults);

/* The language of that tag, or in that file, as language_load(). */
struct language *loader_language(const struct folders *folders, const char *tag,
                                 struct fault *fault);

/* What a file of Lua is meant to be, as script_kind(). */
enum script_kind loader_script(const struct folders *folders, const char *path,
                               struct fault *fault);

#endif
