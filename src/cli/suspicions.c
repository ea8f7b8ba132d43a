/* suspicions.c - a person's own marks on hidden enemy pieces. */
#include "suspicions.h"

#include "core/text/notation.h"

#include <stdio.h>
#include <string.h>

enum { MARKS_TEXT_MAX = BOARD_SQUARES_MAX * (WORD_MAX + 8) };

static const char BETWEEN[] = ", ";

static const char *marks_tag(enum side side) {
    return side == RED ? "RedMarks" : "BlueMarks";
}

static bool is_hidden(const struct view *view, const struct view_piece *piece) {
    return piece->side != view->side && piece->kind == KIND_NONE && piece->at != SQUARE_NONE;
}

kindset suspicions_choices(const struct view *view, square at) {
    uint16_t number = view->number[at];
    if (number == VIEW_EMPTY || !is_hidden(view, &view->piece[number])) return 0;
    return view_may_be(view, number);
}

square suspicions_place(const struct view *view, square at) {
    return view->piece[view->number[at]].start;
}

void suspicions_show(struct suspicions *marks, const struct view *view, struct picture *picture) {
    squareset seen = 0;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (!is_hidden(view, piece)) continue;
        kind_id kind = marks->kind[piece->start];
        seen |= squareset_of(piece->start);
        if (kind != KIND_NONE && (view_may_be(view, i) & kindset_of(kind)))
            picture->at[piece->at].guess = kind;
    }
    for (square at = 0; view->rules->sight && at < view->rules->board.squares; at++)
        if (!squareset_has(seen, at)) marks->kind[at] = KIND_NONE;
}

bool suspicions_write(const struct suspicions *marks, const struct rules *rules, enum side side,
                      struct record *tags) {
    char text[MARKS_TEXT_MAX] = "", at[SQUARE_TEXT_MAX];
    size_t length = 0;
    for (square start = 0; start < rules->board.squares; start++) {
        if (marks->kind[start] == KIND_NONE) continue;
        square_write(&rules->board, start, at);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %s",
                                   length ? BETWEEN : "", at, rules->kind[marks->kind[start]].name);
    }
    bool needed = length || record_tag(tags, marks_tag(side));
    return !needed || record_set_tag(tags, marks_tag(side), text);
}

void suspicions_read(struct suspicions *marks, const struct rules *rules, enum side side,
                     const struct record *tags) {
    *marks = (struct suspicions){0};
    for (const char *text = record_tag_or(tags, marks_tag(side), ""); text && *text;) {
        square at;
        size_t used = square_read(&rules->board, text, strlen(text), &at);
        const char *name = text + used + (text[used] == ' ');
        kind_id kind = used ? rules_kind(rules, name, strcspn(name, ",")) : KIND_NONE;
        if (kind != KIND_NONE && at != SQUARE_NONE) marks->kind[at] = kind;
        text = strstr(text, BETWEEN);
        if (text) text += strlen(BETWEEN);
    }
}
