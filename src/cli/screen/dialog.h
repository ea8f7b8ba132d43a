/* dialog.h - questions and texts in a window over whatever the screen shows.
 *
 * Each of them waits until it is answered. Meanwhile what lies behind is drawn anew whenever
 * something happens, so that a game goes on behind a question. A screen that is closed answers
 * every question with "no". */
#ifndef ENSIGN_CLI_SCREEN_DIALOG_H
#define ENSIGN_CLI_SCREEN_DIALOG_H

#include "screen.h"

#include <stddef.h>

/* What lies behind: draws the whole grid and does not show it. */
struct backdrop {
    void (*draw)(void *context, struct screen *screen);
    void *context;
};

struct dialog_item {
    const char *text;
    const char *hint; /* shown beside it; NULL: none */
};

/* One of a list, by arrows, Enter, its first letter (which only moves there), or the mouse.
 * `chosen` is where it begins. -1 if nothing was chosen: Escape leaves, and q where no item begins
 * with it. */
int dialog_choose(struct screen *screen, const struct backdrop *behind, const char *title,
                  const struct dialog_item *items, int count, int chosen);

/* A question with two answers, `yes` and `no`; what Escape says is `no`. */
bool dialog_confirm(struct screen *screen, const struct backdrop *behind, const char *question,
                    const char *yes, const char *no);

/* A line of text. `text` holds what stands there first and receives what was typed, at most
 * size - 1 bytes; false if it was not confirmed. */
bool dialog_type(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *question, char *text, size_t size);

/* The columns that a text to read has. */
int dialog_columns(const struct screen *screen);

/* A text of any length to read, wrapped, scrolled by arrows, pages and the wheel. */
void dialog_read(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *text);

#endif
