/* game_log.c - the course of a game from one side's events. */
#include "game_log.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a turn; nothing for an end without a move. Without memory the turn is dropped. */
static void movelist_add(struct movelist *movelist, const struct rules *rules,
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

void game_log_clear(struct game_log *log) {
    free(log->movelist.move);
    log->movelist = (struct movelist){0};
    story_clear(&log->story);
    log->earlier[0] = 0;
    log->battle = log->earlier_battle = false;
}

void game_log_add(struct game_log *log, const struct language *language, const struct rules *rules,
                  const struct events *events) {
    if (events->count && events->list[0].type == EVENT_END) return;
    movelist_add(&log->movelist, rules, events);
    memcpy(log->earlier, log->story.text, sizeof log->earlier);
    log->earlier_battle = log->battle;
    story_clear(&log->story);
    log->battle = false;
    story_add(&log->story, language, rules, events);
    for (int i = 0; i < events->count; i++) log->battle |= event_attacks(rules, &events->list[i]);
}

void game_log_mark(const struct game_log *log, struct chart_marks *marks) {
    marks->from = log->story.from;
    marks->to = log->story.to;
    marks->target = log->story.target;
    marks->battle = log->battle;
}

size_t game_log_tell(const struct game_log *log, char *out, size_t size) {
    snprintf(out, size, "%s%s", log->earlier, log->story.text);
    size_t length = strlen(out);
    if (length && out[length - 1] == '\n') out[--length] = 0;
    return length;
}

const char *game_log_brief(const struct game_log *log) {
    bool earlier = log->earlier_battle && !log->battle;
    return earlier ? log->earlier : log->story.text;
}

const char *game_log_eyes(enum eyes_of eyes) {
    static const char *const texts[EYES_COUNT] = {
        [EYES_BOTH] = TEXT("uncovered"),
        [EYES_RED] = TEXT("red's view"),
        [EYES_BLUE] = TEXT("blue's view"),
    };
    return texts[eyes];
}

enum side game_log_teller(enum eyes_of eyes, enum side first, uint32_t turn) {
    if (eyes != EYES_BOTH) return eyes == EYES_RED ? RED : BLUE;
    return turn % 2 ? side_other(first) : first;
}
