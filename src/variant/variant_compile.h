/* variant_compile.h - a checked table of a variant becomes rules. */
#ifndef ENSIGN_VARIANT_VARIANT_COMPILE_H
#define ENSIGN_VARIANT_VARIANT_COMPILE_H

#include "core/rules/rules.h"
#include "variant_source.h"

/* Fills `rules`, which are new, from the table at the absolute index `table` and finishes them.
 * False after a refusal; the rules are then good for rules_free() only. */
bool variant_compile(struct variant_source *source, int table, struct rules *rules);

#endif
