/* fitting.h - the variant that a bot or set-ups are for, when nobody says which.
 *
 * That is original if it fits, else the first one by name that does. */
#ifndef ENSIGN_HOST_CHECK_FITTING_H
#define ENSIGN_HOST_CHECK_FITTING_H

#include "core/rules/rules.h"
#include "lua/folders.h"

struct fitting {
    struct rules *rules; /* owned by the caller; NULL with a fault if original cannot be loaded */
    bool fits;           /* else the closest; original if none is */
};

/* The variant whose army the bot of this path lays out. A bot that fails otherwise fits. */
struct fitting fitting_bot(const struct folders *folders, const char *path, struct fault *fault);

/* The variant for which the fewest of the text's set-ups are wrong, and of several the one whose
 * army is closest to them in size. */
struct fitting fitting_setups(const struct folders *folders, const char *text, size_t length,
                              struct fault *fault);

#endif
