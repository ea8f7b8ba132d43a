/* variant_check.h - checks a variant's keys and the type and range of each value.
 *
 * Whether the values fit together is checked where they are compiled. */
#ifndef ENSIGN_VARIANT_VARIANT_CHECK_H
#define ENSIGN_VARIANT_VARIANT_CHECK_H

#include "variant_source.h"

/* Checks the merged table at the absolute index `table`, and refuses and removes invalid entries.
 * False if there were any. */
bool variant_check(struct variant_source *source, int table);

#endif
