/* safe_json.h - texts of others as JSON. */
#ifndef ENSIGN_HOST_SAFE_JSON_H
#define ENSIGN_HOST_SAFE_JSON_H

#include <jansson.h>

/* The text with all that is not safe in it (base/utf8.h) replaced, so that there is a JSON string
 * of any text. NULL only without memory. */
json_t *safe_json(const char *text);

#endif
