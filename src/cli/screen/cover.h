/* cover.h - the screen is covered while the keyboard goes from one person to another.
 *
 * Neither of two people sees the other's army: only Enter uncovers, and no other key nor the mouse
 * leads past the cover. */
#ifndef ENSIGN_CLI_SCREEN_COVER_H
#define ENSIGN_CLI_SCREEN_COVER_H

#include "lua/language.h"
#include "screen.h"

struct cover {
    const struct language *language;
    const struct rules *rules; /* what help tells */
    const char *title;         /* in the first row */
    const char *why;           /* above the words that call the person; NULL: nothing */
    enum side side;            /* whose keyboard it is */
};

/* Draws a struct cover over the whole grid, as a backdrop. */
void cover_draw(void *cover, struct screen *screen);

/* Waits until that person presses Enter. False if the game is left instead or the screen closed. */
bool cover_wait(struct screen *screen, const struct cover *cover);

#endif
