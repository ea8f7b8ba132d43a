/* catalogue.h - the set-up library as people browse it: every set-up that can be found, and the
 * variants that it belongs to. */
#ifndef ENSIGN_CLI_SETUPS_CATALOGUE_H
#define ENSIGN_CLI_SETUPS_CATALOGUE_H

#include "host/setups/setup_library.h"

#include <jansson.h>

enum { CATALOGUE_FITS_MAX = 512 };

struct catalogue_entry {
    struct library_setup entry;
    const struct rules *rules;     /* of the first variant it belongs to; NULL if it fits none */
    char fits[CATALOGUE_FITS_MAX]; /* their names: "original, classic" */
    struct fault fault;            /* why it fits none */
};

struct catalogue {
    struct catalogue_entry *list; /* by variants, then by name */
    size_t count;
    struct rules **rules; /* that could be loaded */
    size_t rules_count;
};

/* `variant`: only what belongs to it; NULL: everything. Variants that cannot be loaded are passed
 * over unless they were asked for. False with a fault. Free with catalogue_close() in either case.
 */
bool catalogue_open(struct catalogue *catalogue, const struct folders *folders, const char *variant,
                    struct fault *fault);
void catalogue_close(struct catalogue *catalogue);

/* `{"name","variants":[…],"setup","idea","path"}` of an entry that fits something. */
json_t *catalogue_json(const struct catalogue_entry *shown);

#endif
