/* stock.h - what there is to play: the variants, bots and set-ups on the search path.
 *
 * Each file is loaded for its title, in its locked process (jail/loader.h). */
#ifndef ENSIGN_HOST_STOCK_H
#define ENSIGN_HOST_STOCK_H

#include "bot/bot_file.h"
#include "host/setups/catalogue.h"

enum stock_part { STOCK_VARIANTS, STOCK_BOTS, STOCK_SETUPS, STOCK_PARTS };

/* "variants", "bots", "setups". */
const char *stock_part_name(enum stock_part part);

/* One of them. Pointers are valid during the visit. */
struct stock_item {
    enum stock_part part;
    const char *name, *path;
    const struct fault *fault; /* why it cannot be used; NULL: it can, and one of these is set */
    const struct rules *rules; /* of a variant */
    const struct bot_card *bot;
    const struct catalogue_entry *setup;
};

/* Visits a part in its order, broken files included, until the host itself fails. False with that
 * fault. */
bool stock_visit(const struct folders *folders, enum stock_part part,
                 void (*visit)(void *context, const struct stock_item *item), void *context,
                 struct fault *fault);

/* The item as in `ensign list --json`; NULL without memory. */
json_t *stock_item_json(const struct stock_item *item);

/* The document of `ensign list --json`: an array for each part in the set `parts` (1 << enum
 * stock_part). NULL with a fault of the host. */
json_t *stock_json(const struct folders *folders, unsigned parts, struct fault *fault);

#endif
