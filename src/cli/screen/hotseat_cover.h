/* hotseat_cover.h - hides the board while two people at one keyboard change places.
 *
 * Only Enter uncovers the board, so neither person sees the other's army by accident. */
#ifndef ENSIGN_CLI_SCREEN_HOTSEAT_COVER_H
#define ENSIGN_CLI_SCREEN_HOTSEAT_COVER_H

#include "lua/language.h"
#include "screen.h"

struct hotseat_cover {
    const struct language *language;
    const struct rules *rules; /* for the help */
    const char *title;         /* in the first row */
    const char *why;           /* above the prompt; NULL: nothing */
    enum side side;            /* whose turn it is */
};

/* A backdrop: draws a struct hotseat_cover over the whole grid. */
void hotseat_cover_draw(void *cover, struct screen *screen);

/* Waits for Enter. False if the person leaves the game or the screen closes. */
bool hotseat_cover_wait(struct screen *screen, const struct hotseat_cover *cover);

#endif
