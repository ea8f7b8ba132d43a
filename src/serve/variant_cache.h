/* variant_cache.h - the variants that are loaded, each with the template of its bots.
 *
 * A variant is loaded when a game first asks for it, and again when its file has changed; where
 * files are being edited, for every game, since modules may have changed too. The games of an older
 * edition go on with that; it is put away when the last of them is over. */
#ifndef ENSIGN_SERVE_VARIANT_CACHE_H
#define ENSIGN_SERVE_VARIANT_CACHE_H

#include "core/rules/rules.h"
#include "jail/zygote.h"
#include "lua/folders.h"

struct variant_cache;

struct edition {
    struct rules *rules;
    struct template *template; /* of its bots; NULL where bots are trusted */
    struct folders folders;    /* with the variant's own set-ups */
};

/* `trust`: bots run in this process. `edited`: nothing is shared by games. NULL without memory. */
struct variant_cache *variant_cache_open(const struct folders *folders, bool trust, bool edited);

/* All editions must have been given back. NULL is allowed. */
void variant_cache_close(struct variant_cache *cache);

/* The variant of that name or path. Any thread may call it, and waits only for this variant. NULL
 * with a fault of loader_variant() or player_template(). Give it back with variant_cache_return().
 */
const struct edition *variant_cache_take(struct variant_cache *cache, const char *name,
                                         struct fault *fault);
void variant_cache_return(struct variant_cache *cache, const struct edition *edition);

#endif
