/* lesson.h - a lesson: steps to play, each from a position, with words about them.
 *
 * A lesson is a text of records (record.h), one a step, each of which begins with the tag "Step",
 * its title. "Text" explains, "Task" says what to do, "Done" is told afterwards. The moves are the
 * line of the step: the side that makes the last of them is the learner's, the others are made for
 * the other side. What stands before the first step is a comment. variants/FORMATS.md has an
 * example. */
#ifndef ENSIGN_HOST_LESSON_H
#define ENSIGN_HOST_LESSON_H

#include "player.h"
#include "record.h"
#include "referee.h"

enum { LESSON_STEPS_MAX = 64 };

struct lesson_step {
    const char *title, *text, *task, *done; /* English or the author's; text and done may be "" */
    struct record *record;                  /* owned; with a variant, a position and moves */
    int line;                               /* of the file, where it begins */
};

struct lesson {
    struct lesson_step step[LESSON_STEPS_MAX];
    int count; /* at least 1 once it was read */
};

/* Reads the file at `path`. False with a fault at its place in the file. Free with lesson_clear()
 * in either case. */
bool lesson_read(struct lesson *lesson, const char *path, struct fault *fault);
void lesson_clear(struct lesson *lesson);

/* A step that is being played. */
struct lesson_play {
    const struct lesson_step *step;
    const char *refusal; /* of a legal move that is not the task */
    struct position position;
    struct limits limits;
    enum side learner;
    struct player other; /* makes the moves of the other side, and ends the game after the line */
};

/* Prepares a step under the rules of its variant, and judges its line. False with a fault at its
 * line of the file. */
bool lesson_begin(struct lesson_play *play, const struct lesson_step *step,
                  const struct rules *rules, struct fault *fault);

/* The terms of its game. `play` must outlive it. */
struct referee_options lesson_terms(struct lesson_play *play);

#endif
