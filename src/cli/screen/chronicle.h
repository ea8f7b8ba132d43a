/* chronicle.h - the course of a game from one side's events: moves in notation, the last two turns
 * in sentences, and the squares to mark. */
#ifndef ENSIGN_CLI_SCREEN_CHRONICLE_H
#define ENSIGN_CLI_SCREEN_CHRONICLE_H

#include "chart.h"
#include "cli/story.h"
#include "movelist.h"

/* Whose view is shown. */
enum eyes_of { EYES_BOTH, EYES_RED, EYES_BLUE, EYES_COUNT };

struct chronicle {
    struct movelist movelist;
    struct story story;          /* the last turn */
    char earlier[STORY_MAX];     /* the one before it */
    bool battle, earlier_battle; /* those turns were battles */
};

/* Call before the first use (on all zero) and at the end. */
void chronicle_clear(struct chronicle *chronicle);

/* Adds a turn. */
void chronicle_add(struct chronicle *chronicle, const struct language *language,
                   const struct rules *rules, const struct events *events);

/* Marks the last turn. */
void chronicle_mark(const struct chronicle *chronicle, struct chart_marks *marks);

/* The last two turns, one or more lines each. Returns the length. */
size_t chronicle_tell(const struct chronicle *chronicle, char *out, size_t size);

/* The more important of the two turns, where there is room for one. */
const char *chronicle_brief(const struct chronicle *chronicle);

/* "uncovered", "red's view", "blue's view": an English text. */
const char *chronicle_eyes(enum eyes_of eyes);

/* The side whose events tell turn 0, 1, …: for EYES_BOTH the mover, who sees all of its move. */
enum side chronicle_teller(enum eyes_of eyes, enum side first, uint32_t turn);

#endif
