/* kind_names.c - the reverse of language_kind(). */
#include "kind_names.h"

#include "base/lines.h"
#include "base/utf8.h"

#include <string.h>

kind_id kind_called(const struct language *language, const struct rules *rules, const char *text,
                    size_t length) {
    while (length && lines_blank(text[length - 1])) length--;
    kind_id kind = length ? rules_kind(rules, text, length) : KIND_NONE;
    if (kind != KIND_NONE || !length) return kind;
    for (kind = rules->kinds; kind > KIND_NONE; kind--) {
        const char *name = language_kind(language, rules, kind);
        if (utf8_begins(name, text, length) == strlen(name)) return kind;
    }
    return KIND_NONE;
}
