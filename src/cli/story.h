/* story.h - tells the events of a game in sentences.
 *
 * A story knows only the events that are added to it. */
#ifndef ENSIGN_CLI_STORY_H
#define ENSIGN_CLI_STORY_H

#include "core/play/event.h"
#include "core/play/game.h"
#include "lua/language.h"

enum { STORY_MAX = 2048 };

/* Sentences of one or more turns, one a line. */
struct story {
    size_t length;
    struct event last;       /* may imply the next one */
    square from, to, target; /* of the last turn told */
    char text[STORY_MAX];
};

void story_clear(struct story *story);

/* Adds the sentences of a turn, for each event that has one. A full story drops its oldest lines.
 */
void story_add(struct story *story, const struct language *language, const struct rules *rules,
               const struct events *turn);

#endif
