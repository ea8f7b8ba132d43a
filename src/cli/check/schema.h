/* schema.h - the format of variant files as a JSON Schema. */
#ifndef ENSIGN_CLI_CHECK_SCHEMA_H
#define ENSIGN_CLI_CHECK_SCHEMA_H

#include <jansson.h>

/* Draft 2020-12, built from the rows of variant/variant_format.h: the table that a variant's file
 * returns, as JSON; a function is its source text. The caller releases it. */
json_t *schema_variant(void);

#endif
