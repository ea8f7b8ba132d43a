/* script_kind.h - what a file of Lua is meant to be. */
#ifndef ENSIGN_SCRIPT_SCRIPT_KIND_H
#define ENSIGN_SCRIPT_SCRIPT_KIND_H

#include "folders.h"

enum script_kind { SCRIPT_BROKEN, SCRIPT_BOT, SCRIPT_VARIANT };

/* Runs the file and judges what it returns, even if that is wrong: a table with a function of bots,
 * or with no key of variants, is a bot's; whatever else is for the loader of variants to judge.
 * SCRIPT_BROKEN with a fault if it cannot be run at all. */
enum script_kind script_kind(const struct folders *folders, const char *path, struct fault *fault);

#endif
