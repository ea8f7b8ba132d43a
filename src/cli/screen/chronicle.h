/* chronicle.h - what has happened in a game, as somebody was told of it: the moves in the notation,
 * the last two turns in sentences, and where to look on the board. */
#ifndef ENSIGN_CLI_SCREEN_CHRONICLE_H
#define ENSIGN_CLI_SCREEN_CHRONICLE_H

#include "chart.h"
#include "cli/story.h"
#include "movelist.h"

/* Whose eyes are borrowed. */
enum eyes_of { EYES_BOTH, EYES_RED, EYES_BLUE, EYES_COUNT };

struct chronicle {
    struct movelist movelist;
    struct story story;          /* the last turn */
    char earlier[STORY_MAX];     /* the one before it */
    bool battle, earlier_battle; /* those turns were battles */
};

/* Empties it; to be called before the first use (all zero) and at the end. */
void chronicle_clear(struct chronicle *chronicle);

/* Adds a turn. */
void chronicle_add(struct chronicle *chronicle, const struct language *language,
                   const struct rules *rules, const struct events *events);

/* Points at the last turn. */
void chronicle_mark(const struct chronicle *chronicle, struct chart_marks *marks);

/* The last two turns, each in a line or more. Returns the length. */
size_t chronicle_tell(const struct chronicle *chronicle, char *out, size_t size);

/* The turn of the two that matters more, for where there is not room for both. */
const char *chronicle_brief(const struct chronicle *chronicle);

/* "uncovered", "red's eyes", "blue's eyes": an English text. */
const char *chronicle_eyes(enum eyes_of eyes);

/* Which side tells of a turn (0, 1, …) to those eyes: for both it is who moved, and so saw all of
 * it. */
enum side chronicle_teller(enum eyes_of eyes, enum side first, uint32_t turn);

#endif
