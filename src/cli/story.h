/* story.h - what happened in a game, in sentences for people.
 *
 * Written from events, and so from nothing that both sides may not know. */
#ifndef ENSIGN_CLI_STORY_H
#define ENSIGN_CLI_STORY_H

#include "core/play/event.h"
#include "core/play/game.h"
#include "lua/language.h"

enum { STORY_MAX = 2048 };

/* Sentences of one or more turns, each on a line of its own. */
struct story {
    size_t length;
    struct event last;       /* what the next event may be a consequence of */
    square from, to, target; /* of the last turn told */
    char text[STORY_MAX];
};

void story_clear(struct story *story);

/* Adds what an event says beyond the one before it; when the story is full the oldest lines go. */
void story_add(struct story *story, const struct language *language, const struct rules *rules,
               const struct event *event);

#endif
