/* typed.c - rewrites and reads typed moves. */
#include "typed.h"

#include "base/utf8.h"
#include "keyboard.h"
#include "lua/kind_names.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 256 };

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

enum typed typed_read(const struct language *language, const struct rules *rules, const char *line,
                      struct move_pattern *pattern, char *why, size_t size) {
    char text[LINE_MAX_BYTES];
    struct fault fault = {0};
    square at;
    typed_move(language, rules, line, text, sizeof text);
    if (move_parse(rules, text, strlen(text), AS_TYPED, pattern, &fault) == LEGAL)
        return TYPED_MOVE;
    const char *first = text + strspn(text, " \t");
    const size_t used = square_read(&rules->board, first, strlen(first), &at);
    const char *rest = first + used;
    /* Beginners type where their piece is, or is to go. */
    if (used && at != SQUARE_NONE && !rest[strspn(rest, " \t")])
        language_write(why, size, language,
                       "\"{1}\" is one square. A move has two, from and to, such as a4-a5.", line);
    else
        language_fault(language, &fault, why, size);
    return used && first == text ? TYPED_WRONG : TYPED_OTHER;
}
