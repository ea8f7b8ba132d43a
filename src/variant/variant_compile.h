/* variant_compile.h - compiles the checked table of a variant to rules. */
#ifndef ENSIGN_VARIANT_VARIANT_COMPILE_H
#define ENSIGN_VARIANT_VARIANT_COMPILE_H

#include "core/rules/rules.h"
#include "variant_source.h"

/* Fills the new `rules` from the table at the absolute index `table` and finishes them. False after
 * a refusal; the rules can then only be freed. */
bool variant_compile(struct variant_source *source, int table, struct rules *rules);

#endif
