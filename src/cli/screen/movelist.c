/* movelist.c - the moves of a game in notation, from one side's events. */
#include "movelist.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>

void movelist_add(struct movelist *movelist, const struct rules *rules,
                  const struct events *events) {
    struct move move;
    bool attack;
    if (!move_of_turn(rules, events, &move, &attack)) return;
    char(*text)[MOVE_TEXT_MAX] =
        array_grown(movelist->move, movelist->count, sizeof *text, MOVELIST_MAX);
    if (!text) return;
    movelist->move = text;
    char *out = text[movelist->count++];
    const kind_id named = (kind_id)move.choice; /* written as its label: the list is narrow */
    move.choice = KIND_NONE;
    size_t length = move_text(rules, move, attack, out);
    if (named != KIND_NONE)
        snprintf(out + length, MOVE_TEXT_MAX - length, "=%s", rules->kind[named].label);
}

void movelist_clear(struct movelist *movelist) {
    free(movelist->move);
    *movelist = (struct movelist){0};
}
