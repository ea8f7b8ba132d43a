/* typed.c - rewrites typed moves. */
#include "typed.h"

#include "base/utf8.h"
#include "keyboard.h"
#include "lua/kind_names.h"

#include <stdio.h>
#include <string.h>

void typed_move(const struct language *language, const struct rules *rules, const char *line,
                char *out, size_t size) {
    enum keyboard keyboard = keyboard_of(language_tag(language));
    size_t used = 0;
    while (*line && *line != '=' && used + 5 < size) {
        uint32_t glyph = 0;
        size_t length = utf8_read(line, &glyph);
        int latin = length > 1 ? keyboard_latin(keyboard, (int)glyph) : 0x80;
        if (!length) length = 1;
        if (latin < 0x80)
            out[used++] = (char)latin;
        else
            for (size_t i = 0; i < length; i++) out[used++] = line[i];
        line += length;
    }
    const char *word = *line == '=' ? line + 1 + strspn(line + 1, " \t") : line;
    kind_id kind = word > line ? kind_called(language, rules, word, strlen(word)) : KIND_NONE;
    if (kind != KIND_NONE)
        snprintf(out + used, size - used, "=%s", rules->kind[kind].name);
    else
        snprintf(out + used, size - used, "%s", line);
}
