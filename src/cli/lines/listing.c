/* listing.c - prints legal moves, one line for each piece, with guesses folded together. */
#include "listing.h"

#include "cli/columns.h"
#include "core/text/notation.h"

#include <string.h>

enum { LINE_COLUMNS = 78, INDENT = 16 };

/* Does the move differ from the one before it only in the kind it names? */
static bool folds(const struct move *moves, size_t i) {
    if (!i || moves[i].choice == KIND_NONE) return false;
    struct move before = moves[i - 1];
    before.choice = moves[i].choice;
    return move_equal(before, moves[i]);
}

/* The move's text, with "?" for the kind it names. */
static size_t write_folded(const struct game *game, struct move move, char out[MOVE_TEXT_MAX]) {
    bool names = move.choice != KIND_NONE;
    move.choice = KIND_NONE;
    size_t length = move_write(game, move, out);
    if (names) strcpy(out + length, "=?");
    return length + (names ? 2 : 0);
}

static void print_choices(FILE *out, const struct language *language, const struct rules *rules,
                          kindset *choices) {
    for (int i = 0; i < rules->abilities; i++) {
        if (!choices[i]) continue;
        kindset named = choices[i]; /* joined with abilities of the same name */
        for (int j = i + 1; j < rules->abilities; j++) {
            if (strcmp(rules->ability[i].name, rules->ability[j].name)) continue;
            named |= choices[j];
            choices[j] = 0;
        }
        char list[KINDS_MAX * (LANGUAGE_NAME_MAX + LABEL_MAX + 4)] = "", text[sizeof list + 128];
        size_t length = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!(named & kindset_of(kind))) continue;
            length +=
                (size_t)snprintf(list + length, sizeof list - length, "%s%s %s", length ? ", " : "",
                                 rules->kind[kind].label, language_kind(language, rules, kind));
        }
        language_write(text, sizeof text, language, "{1}: ? is one of {2}", rules->ability[i].name,
                       list);
        columns_wrap(out, text, 0, 4, LINE_COLUMNS);
    }
}

size_t listing_print(FILE *out, const struct language *language, const struct game *game,
                     const struct move *moves, size_t count, square only, bool tell_kinds) {
    const struct rules *rules = game->rules;
    kindset choices[ABILITIES_MAX] = {0};
    square from = SQUARE_NONE;
    size_t printed = 0;
    int column = 0;
    for (size_t i = 0; i < count; i++) {
        if (only != SQUARE_NONE && moves[i].from != only) continue;
        printed++;
        if (moves[i].choice != KIND_NONE)
            choices[moves[i].ability] |= kindset_of((kind_id)moves[i].choice);
        if (folds(moves, i)) continue;
        char text[MOVE_TEXT_MAX];
        int width = (int)write_folded(game, moves[i], text);
        if (moves[i].from != from) {
            char at[SQUARE_TEXT_MAX];
            if (from != SQUARE_NONE) fputc('\n', out);
            from = moves[i].from;
            square_write(&rules->board, from, at);
            column = fprintf(out, "%-4s", at);
            if (tell_kinds) {
                const char *kind = language_kind(language, rules, cell_kind(game->at[from]));
                column += columns_print(out, kind, INDENT - 4);
            }
        } else if (column + 1 + width > LINE_COLUMNS) {
            column = fprintf(out, "\n%*s", tell_kinds ? INDENT : 4, "") - 1;
        }
        column += fprintf(out, " %s", text);
    }
    if (printed) fputc('\n', out);
    print_choices(out, language, rules, choices);
    return printed;
}
