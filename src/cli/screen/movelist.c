/* movelist.c - the moves of a game in the notation, as somebody was told of them. */
#include "movelist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where sight is limited, a square may be out of it. */
static void write_square(const struct board *board, square at, char out[SQUARE_TEXT_MAX]) {
    strcpy(out, "…");
    if (at != SQUARE_NONE) square_write(board, at, out);
}

/* Must the ability's name be written, as move_write() does where a piece has several? */
static bool is_ambiguous(const struct rules *rules, const struct ability *used) {
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        unsigned all = rules->kind[ability->actor].abilities;
        if (ability->tally == used->tally && (all & (all - 1))) return true;
    }
    return false;
}

static void write_ability(const struct rules *rules, const struct event *event, bool after,
                          char *out) {
    const struct ability *ability = &rules->ability[event->ability];
    char from[SQUARE_TEXT_MAX] = "", to[SQUARE_TEXT_MAX] = "";
    bool named = is_ambiguous(rules, ability);
    if (!after) write_square(&rules->board, event->from, from);
    write_square(&rules->board, event->to, to);
    char kind[] = {'=', rules->kind[event->kind].letter, 0};
    snprintf(out, MOVE_TEXT_MAX, "%s@%s%s%s%s", from, named ? ability->name : "", named ? ":" : "",
             to, event->kind != KIND_NONE ? kind : "");
}

static void write_turn(const struct rules *rules, const struct events *events, char *out) {
    size_t length = 0;
    *out = 0;
    for (int i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
        if (event->type == EVENT_MOVE || event->type == EVENT_BATTLE) {
            if (event->from == SQUARE_NONE && event->to == SQUARE_NONE) continue;
            write_square(&rules->board, event->from, from);
            write_square(&rules->board, event->to, to);
            length = (size_t)snprintf(out, MOVE_TEXT_MAX, "%s%c%s", from,
                                      event->type == EVENT_MOVE ? '-' : 'x', to);
        } else if (event->type == EVENT_ABILITY) {
            char text[MOVE_TEXT_MAX];
            write_ability(rules, event, length > 0, text);
            snprintf(out + length, MOVE_TEXT_MAX - length, "%s", text);
            return;
        }
    }
    if (!length) strcpy(out, "…");
}

void movelist_add(struct movelist *movelist, const struct rules *rules,
                  const struct events *events) {
    if (events->count == 1 && events->list[0].type == EVENT_END) return;
    if (movelist->count == movelist->capacity) {
        uint32_t capacity = movelist->capacity ? 2 * movelist->capacity : 128;
        char(*move)[MOVE_TEXT_MAX] = NULL;
        if (capacity <= MOVELIST_MAX) move = realloc(movelist->move, capacity * sizeof *move);
        if (!move) return;
        movelist->move = move;
        movelist->capacity = capacity;
    }
    write_turn(rules, events, movelist->move[movelist->count++]);
}

void movelist_clear(struct movelist *movelist) {
    free(movelist->move);
    *movelist = (struct movelist){0};
}
