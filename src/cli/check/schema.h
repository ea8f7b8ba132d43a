/* schema.h - the format of variant files as a JSON Schema. */
#ifndef ENSIGN_CLI_CHECK_SCHEMA_H
#define ENSIGN_CLI_CHECK_SCHEMA_H

#include <jansson.h>

/* Draft 2020-12, made of the rows of variant/variant_format.h: a variant's table written as JSON,
 * in which a function is its text. The caller releases it. */
json_t *schema_variant(void);

#endif
