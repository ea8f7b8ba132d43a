/* movelist.c - the moves of a game in notation, from one side's events. */
#include "movelist.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>

/* An ability's kind is written as its letter: the list is narrow. */
static void write_turn(const struct rules *rules, const struct events *events,
                       char out[MOVE_TEXT_MAX]) {
    struct move move = {SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    bool attack = false;
    kind_id named = KIND_NONE;
    for (int i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (event->type == EVENT_MOVE || event->type == EVENT_BATTLE) {
            move.from = event->from;
            move.to = event->to;
            attack = event->type == EVENT_BATTLE;
        } else if (event->type == EVENT_ABILITY) {
            if (move.from == SQUARE_NONE && move.to == SQUARE_NONE)
                move.from = move.to = event->from;
            move.ability = rules_first_sharing(rules, event->tally);
            move.target = event->to;
            named = event->kind;
            break;
        }
    }
    size_t length = move_text(rules, move, attack, out);
    if (named != KIND_NONE)
        snprintf(out + length, MOVE_TEXT_MAX - length, "=%c", rules->kind[named].letter);
}

void movelist_add(struct movelist *movelist, const struct rules *rules,
                  const struct events *events) {
    if (events->count == 1 && events->list[0].type == EVENT_END) return;
    char(*move)[MOVE_TEXT_MAX] =
        array_grown(movelist->move, movelist->count, sizeof *move, MOVELIST_MAX);
    if (!move) return;
    movelist->move = move;
    write_turn(rules, events, move[movelist->count++]);
}

void movelist_clear(struct movelist *movelist) {
    free(movelist->move);
    *movelist = (struct movelist){0};
}
