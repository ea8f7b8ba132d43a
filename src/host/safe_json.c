/* safe_json.c - untrusted text as JSON. */
#include "safe_json.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

json_t *safe_json(const char *text) {
    char *copy = strdup(text);
    if (!copy) return NULL;
    utf8_make_safe(copy);
    json_t *string = json_string(copy);
    free(copy);
    return string;
}
