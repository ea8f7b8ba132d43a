/* safe_json.h - untrusted text as JSON. */
#ifndef ENSIGN_HOST_SAFE_JSON_H
#define ENSIGN_HOST_SAFE_JSON_H

#include <jansson.h>

/* A JSON string of any text, with '?' for unsafe characters (base/utf8.h). NULL only if memory is
 * short. */
json_t *safe_json(const char *text);

#endif
