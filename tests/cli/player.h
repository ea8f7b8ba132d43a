/* player.h - a person at the emulated terminal: the program in a console, its screen read by
 * libvterm. There is one at a time. */
#ifndef ENSIGN_TESTS_CLI_PLAYER_H
#define ENSIGN_TESTS_CLI_PLAYER_H

#include "console.h"
#include "vt.h"

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

extern struct console console;
extern struct vt vt;

/* Starts the program on a screen of 24 x 80, in a home of its own. */
void player_comes(const char *const *arguments);
void player_comes_in_shell(const char *const *arguments);
int player_goes(void **state); /* for a test's end */

/* Reads until one of the words, ended by NULL, is shown; returns which. */
int await_any(const char *const *words);
void await(const char *words);

void type(const char *keys);

/* Fails the test unless the output so far has these words. */
void assert_lines(const char *words);

/* Answers a question with its other answer than the chosen one. */
void type_other(void);

/* Plays any moves until the game is uncovered or, if sooner, it is the person's turn number
 * `until`. `turn` is that of now. False when the game is over. */
bool play_on(unsigned turn, unsigned until);

/* The lesson, from its first step: what each asks for, and what is seen when it is done. */
enum { LESSON_STEPS = 9 };
struct lesson_keys {
    const char *title, *keys, *move, *told, *done;
};
extern const struct lesson_keys lesson_keys[LESSON_STEPS];

/* "Lesson, 1 of 9: Moving" */
void lesson_heading(int step, char out[80]);

/* Plays all of it by keys, from its first step on the screen. */
void play_lesson(void);

#endif
