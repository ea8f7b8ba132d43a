/* game_log.h - the course of a game from one side's events: moves in notation, the last two turns
 * in sentences, and the squares to mark. Being built from events it holds nothing that the side may
 * not know. */
#ifndef ENSIGN_CLI_SCREEN_GAME_LOG_H
#define ENSIGN_CLI_SCREEN_GAME_LOG_H

#include "chart.h"
#include "cli/story.h"
#include "core/play/event.h"
#include "core/text/notation.h"

/* Whose view is shown. */
enum eyes_of { EYES_BOTH, EYES_RED, EYES_BLUE, EYES_COUNT };

enum { MOVELIST_MAX = 1 << 20 }; /* further moves are dropped */

/* The moves in notation; an unseen turn is "…". Kinds are named by their letters. */
struct movelist {
    char (*move)[MOVE_TEXT_MAX]; /* owned */
    uint32_t count;
};

struct game_log {
    struct movelist movelist;
    struct story story;          /* the last turn */
    char earlier[STORY_MAX];     /* the one before it */
    bool battle, earlier_battle; /* those turns were battles */
};

/* Call before the first use (on all zero) and at the end. */
void game_log_clear(struct game_log *log);

/* Adds a turn. */
void game_log_add(struct game_log *log, const struct language *language, const struct rules *rules,
                  const struct events *events);

/* Marks the last turn. */
void game_log_mark(const struct game_log *log, struct chart_marks *marks);

/* The last two turns, one or more lines each. Returns the length. */
size_t game_log_tell(const struct game_log *log, char *out, size_t size);

/* The more important of the two turns, where there is room for one. */
const char *game_log_brief(const struct game_log *log);

/* "uncovered", "red's view", "blue's view": an English text. */
const char *game_log_eyes(enum eyes_of eyes);

/* The side whose events tell turn 0, 1, …: for EYES_BOTH the mover, who sees all of its move. */
enum side game_log_teller(enum eyes_of eyes, enum side first, uint32_t turn);

#endif
