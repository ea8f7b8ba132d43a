/* dialog.h - questions and texts in a window over the screen.
 *
 * Each call waits for its answer. Every event redraws the backdrop, so a game goes on behind a
 * question. A closed screen answers every question with "no". */
#ifndef ENSIGN_CLI_SCREEN_DIALOG_H
#define ENSIGN_CLI_SCREEN_DIALOG_H

#include "screen.h"

#include <stddef.h>

/* Draws the whole grid behind a window, without screen_show(). */
struct backdrop {
    void (*draw)(void *context, struct screen *screen);
    void *context;
};

struct dialog_item {
    const char *text;
    const char *hint; /* beside the text; NULL: none */
};

/* Chooses from a list by arrows and Enter, by first letter (moves there only) or by mouse, starting
 * at `chosen`. -1 if nothing was chosen: by Escape, or by q where no item starts with it. */
int dialog_choose(struct screen *screen, const struct backdrop *behind, const char *title,
                  const struct dialog_item *items, int count, int chosen);

/* The same. The list is also left by `keys` without a character, ended by 0; `*key` is the one that
 * left it, SCREEN_ENTER if the item was simply chosen. */
int dialog_pick(struct screen *screen, const struct backdrop *behind, const char *title,
                const struct dialog_item *items, int count, int chosen, const int *keys, int *key);

/* A question with the answers `yes` and `no`; Escape means `no`. */
bool dialog_confirm(struct screen *screen, const struct backdrop *behind, const char *question,
                    const char *yes, const char *no);

/* Edits a line of text of at most size - 1 bytes, in place. False if it was cancelled. */
bool dialog_type(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *question, char *text, size_t size);

/* Width of the text in dialog_read(). */
int dialog_columns(const struct screen *screen);

/* Shows a text of any length, wrapped, scrolled by arrows, page keys and the wheel. */
void dialog_read(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *text);

#endif
