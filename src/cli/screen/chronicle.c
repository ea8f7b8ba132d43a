/* chronicle.c - the course of a game from one side's events. */
#include "chronicle.h"

#include <stdio.h>
#include <string.h>

void chronicle_clear(struct chronicle *chronicle) {
    movelist_clear(&chronicle->movelist);
    story_clear(&chronicle->story);
    chronicle->earlier[0] = 0;
    chronicle->battle = chronicle->earlier_battle = false;
}

void chronicle_add(struct chronicle *chronicle, const struct language *language,
                   const struct rules *rules, const struct events *events) {
    if (events->count && events->list[0].type == EVENT_END) return;
    movelist_add(&chronicle->movelist, rules, events);
    memcpy(chronicle->earlier, chronicle->story.text, sizeof chronicle->earlier);
    chronicle->earlier_battle = chronicle->battle;
    story_clear(&chronicle->story);
    chronicle->battle = false;
    story_add(&chronicle->story, language, rules, events);
    for (int i = 0; i < events->count; i++)
        chronicle->battle |= event_attacks(rules, &events->list[i]);
}

void chronicle_mark(const struct chronicle *chronicle, struct chart_marks *marks) {
    marks->from = chronicle->story.from;
    marks->to = chronicle->story.to;
    marks->target = chronicle->story.target;
    marks->battle = chronicle->battle;
}

size_t chronicle_tell(const struct chronicle *chronicle, char *out, size_t size) {
    snprintf(out, size, "%s%s", chronicle->earlier, chronicle->story.text);
    size_t length = strlen(out);
    if (length && out[length - 1] == '\n') out[--length] = 0;
    return length;
}

const char *chronicle_brief(const struct chronicle *chronicle) {
    bool earlier = chronicle->earlier_battle && !chronicle->battle;
    return earlier ? chronicle->earlier : chronicle->story.text;
}

const char *chronicle_eyes(enum eyes_of eyes) {
    static const char *const texts[EYES_COUNT] = {
        [EYES_BOTH] = TEXT("uncovered"),
        [EYES_RED] = TEXT("red's view"),
        [EYES_BLUE] = TEXT("blue's view"),
    };
    return texts[eyes];
}

enum side chronicle_teller(enum eyes_of eyes, enum side first, uint32_t turn) {
    if (eyes != EYES_BOTH) return eyes == EYES_RED ? RED : BLUE;
    return turn % 2 ? side_other(first) : first;
}
