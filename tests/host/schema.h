/* schema.h - holds messages against the schema of the seat protocol (message_schema()).
 *
 * A validator of the part of JSON Schema that this schema uses. A keyword that it does not know, or
 * a $ref to nothing, aborts: the schema must not promise what no test looks at. */
#ifndef ENSIGN_TESTS_HOST_SCHEMA_H
#define ENSIGN_TESTS_HOST_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

enum { SCHEMA_WHY_MAX = 512 };

/* Does the value fit $defs/`definition`? If not, `why` says where it does not. */
bool schema_fits(const char *definition, const json_t *value, char why[SCHEMA_WHY_MAX]);

/* The same for lines, which may end with a line end. */
bool schema_fits_line(const char *definition, const char *line, size_t length,
                      char why[SCHEMA_WHY_MAX]);

/* The schema itself. */
const json_t *schema_document(void);

#endif
