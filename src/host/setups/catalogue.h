/* catalogue.h - the whole set-up library: every set-up on the search path, with its variants. */
#ifndef ENSIGN_HOST_SETUPS_CATALOGUE_H
#define ENSIGN_HOST_SETUPS_CATALOGUE_H

#include "setup_library.h"

#include <jansson.h>

enum { CATALOGUE_FITS_MAX = 512 };

struct catalogue_entry {
    struct library_setup entry;
    const struct rules *rules;     /* of the first variant that accepts it; NULL: none */
    enum side side;                /* whose set-up it is there */
    char fits[CATALOGUE_FITS_MAX]; /* names of all such variants: "original, classic" */
    struct fault fault;            /* of one that no variant accepts */
};

struct catalogue {
    struct catalogue_entry *list; /* by first variant, then by name */
    size_t count;
    struct rules **rules; /* of all variants that could be loaded */
    size_t rules_count;
};

/* Collects the set-ups of `variant` (NULL: of all). A broken variant is skipped unless it was asked
 * for. False with a fault. Free with catalogue_close() in either case. */
bool catalogue_open(struct catalogue *catalogue, const struct folders *folders, const char *variant,
                    struct fault *fault);
void catalogue_close(struct catalogue *catalogue);

/* `{"name","variants":[…],"setup","idea","path"}` of an entry with a variant. */
json_t *catalogue_json(const struct catalogue_entry *shown);

#endif
