/* loader.h - where scripts are run for the first time: in a locked process that lives as long as
 * one file takes to load.
 *
 * Variants, bots and languages are files that somebody else may have written. Each is run in a
 * process of its own, forked for it, which has two pipes and nothing else (cage.h), asks the host
 * for the files it may read, and is killed after LOADER_SECONDS. What comes out is data, checked as
 * if an enemy had sent it: compiled rules, what is wrong with the file, titles, translations.
 *
 * Only a variant's calls need Lua during play. They are answered by locked processes too
 * (oracle.h), from the texts that were read here.
 *
 * For one thread, before there are others. */
#ifndef ENSIGN_HOST_WALL_LOADER_H
#define ENSIGN_HOST_WALL_LOADER_H

#include "core/faults.h"
#include "core/rules.h"
#include "host/trial.h"
#include "script/folders.h"
#include "script/language.h"
#include "script/script_kind.h"

enum { LOADER_SECONDS = 20 }; /* for a file to be loaded; tests and trial games come on top */

/* The rules of the variant of that name or path. NULL with a fault as of variant_load(); the
 * process that fails is STATUS_CRASH or STATUS_TIME. The caller frees with rules_free(). */
struct rules *loader_variant(const struct folders *folders, const char *name, struct fault *fault);

/* The same with all that is wrong. */
struct rules *loader_examine(const struct folders *folders, const char *name,
                             struct faults *faults);

/* The same from a text that is not on the disk; `path` is where it will lie. */
struct rules *loader_variant_text(const struct folders *folders, const char *path, const char *text,
                                  size_t length, struct fault *fault);

/* What is tried beyond loading, and what came of it. */
struct loader_trial {
    bool judge;     /* also say what it probably does not mean (host/sense.h) */
    uint32_t games; /* random games to be played; 0: none */
    uint64_t seed;
    int seconds; /* for tests and games together, 1 to 86400; what then has not begun is left out */

    int tests, tried, held; /* the variant's own tests: all, those tried, those that hold */
    bool played;            /* `trial` means something: no game went wrong */
    struct trial trial;     /* fewer games than asked for were stopped by time, or by the number of
                               questions to the variant's calls */
};

/* As loader_examine(), and if the variant loads its own tests are tried; it is
 * judged and put through random games as `trial` says. */
struct rules *loader_try(const struct folders *folders, const char *name,
                         struct loader_trial *trial, struct faults *faults);

/* Is the file of a bot one that can play? Its title; what is wrong with it goes into `faults`. */
bool loader_bot(const struct folders *folders, const char *path, char title[TITLE_MAX],
                struct faults *faults);

/* The language of that tag, or in that file, as language_load(). */
struct language *loader_language(const struct folders *folders, const char *tag,
                                 struct fault *fault);

/* What a file of Lua is meant to be, as script_kind(). */
enum script_kind loader_script(const struct folders *folders, const char *path,
                               struct fault *fault);

#endif
