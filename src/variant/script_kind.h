/* script_kind.h - is a Lua file a bot or a variant? */
#ifndef ENSIGN_VARIANT_SCRIPT_KIND_H
#define ENSIGN_VARIANT_SCRIPT_KIND_H

#include "lua/folders.h"

enum script_kind { SCRIPT_BROKEN, SCRIPT_BOT, SCRIPT_VARIANT };

/* Runs the file and looks at its result. A table with a bot's callback, or without any key of
 * variants, is a bot; everything else is a variant, valid or not. SCRIPT_BROKEN with a fault if the
 * file cannot be run. */
enum script_kind script_kind(const struct folders *folders, const char *path, struct fault *fault);

#endif
