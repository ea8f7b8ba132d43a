/* variant_check.h - which keys a variant may have and what their values must be.
 *
 * After this every value has the type that the format promises; what values mean together is judged
 * where they are compiled. */
#ifndef ENSIGN_VARIANT_VARIANT_CHECK_H
#define ENSIGN_VARIANT_VARIANT_CHECK_H

#include "variant_source.h"

/* Checks the merged table at the absolute index `table`; what does not fit is refused and taken out
 * of it. False if anything was. */
bool variant_check(struct variant_source *source, int table);

#endif
