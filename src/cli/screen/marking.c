/* marking.c - chooses the mark of a hidden enemy piece. */
#include "marking.h"

#include "core/text/notation.h"

#include <stdio.h>

bool marking_ask(struct screen *screen, const struct backdrop *behind,
                 const struct language *language, const struct view *view, square at,
                 struct suspicions *marks) {
    const struct rules *rules = view->rules;
    kindset choices = suspicions_choices(view, at);
    char texts[KINDS_MAX][LANGUAGE_NAME_MAX + LABEL_MAX + 8], name[SQUARE_TEXT_MAX];
    char title[LANGUAGE_TEXT_MAX];
    struct dialog_item items[KINDS_MAX + 1];
    kind_id kinds[KINDS_MAX + 1];
    int count = 0, chosen = 0;
    if (!choices) return false;
    square place = suspicions_place(view, at);
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(choices & kindset_of(kind))) continue;
        snprintf(texts[count], sizeof texts[count], "%s  %s", rules->kind[kind].label,
                 language_kind(language, rules, kind));
        items[count] = (struct dialog_item){texts[count], NULL};
        if (marks->kind[place] == kind) chosen = count;
        kinds[count++] = kind;
    }
    items[count] = (struct dialog_item){language_text(language, TEXT("no mark")), NULL};
    kinds[count++] = KIND_NONE;
    square_write(&rules->board, at, name);
    language_write(title, sizeof title, language, "What do you think stands on {1}?", name);
    chosen = dialog_choose(screen, behind, title, items, count, chosen);
    if (chosen >= 0) marks->kind[place] = kinds[chosen];
    return true;
}
