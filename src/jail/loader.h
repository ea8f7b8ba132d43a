/* loader.h - loads variants, bots, languages and what was learned, each file in its own locked
 * process.
 *
 * These files may be hostile. The process has nothing but two pipes (jail.h), asks the host for the
 * files it may read, and is killed after LOADER_SECONDS. Its answer is data (compiled rules,
 * faults, titles, translations, weights) and checked as if an enemy had sent it.
 *
 * During play other locked processes (call_process.h) answer a variant's calls, from the texts that
 * were read here.
 *
 * Any thread may load at any time. */
#ifndef ENSIGN_JAIL_LOADER_H
#define ENSIGN_JAIL_LOADER_H

#include "base/buffer.h"
#include "base/fault.h"
#include "bot/bot_file.h"
#include "core/rules/rules.h"
#include "lua/folders.h"
#include "lua/language.h"
#include "trial_work.h"
#include "variant/script_kind.h"

struct learned; /* bot/learned_lua.h */

enum { LOADER_SECONDS = 20 }; /* to load a file; tests and trial games come on top */

/* The rules of the variant of that name or path. NULL with a fault of variant_load(), or with
 * STATUS_CRASH or STATUS_TIME if the process fails. The caller frees with rules_free(). */
struct rules *loader_variant(const struct folders *folders, const char *name, struct fault *fault);

/* The same, but adds all faults. */
struct rules *loader_examine(const struct folders *folders, const char *name,
                             struct faults *faults);

/* As loader_variant(), from a text not on the disk yet; `path` is where it will be saved. */
struct rules *loader_variant_text(const struct folders *folders, const char *path, const char *text,
                                  size_t length, struct fault *fault);

/* As loader_examine(). If the variant loads, tries its own tests, judges it and plays random games
 * as `trial` says. */
struct rules *loader_try(const struct folders *folders, const char *name,
                         struct loader_trial *trial, struct faults *faults);

/* Whether the bot in this file can play. Writes its card (it has a title) and adds its faults. */
bool loader_bot(const struct folders *folders, const char *path, struct bot_card *card,
                struct faults *faults);

/* The language of that tag or file, as language_load(). */
struct language *loader_language(const struct folders *folders, const char *tag,
                                 struct fault *fault);

/* Whether a Lua file is a bot or a variant, as script_kind(). */
enum script_kind loader_script(const struct folders *folders, const char *path,
                               struct fault *fault);

/* What was learned of these rules, from a file, as learned_lua_load(). */
bool loader_learned(const struct folders *folders, const char *path, const struct rules *rules,
                    struct learned *learned, struct fault *fault);

#endif
