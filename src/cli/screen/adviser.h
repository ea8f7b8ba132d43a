/* adviser.h - asks for a hint in a thread of its own, so that the screen goes on meanwhile. */
#ifndef ENSIGN_CLI_SCREEN_ADVISER_H
#define ENSIGN_CLI_SCREEN_ADVISER_H

#include "cli/hint_text.h"
#include "host/hint.h"
#include "screen.h"

#include <pthread.h>

struct adviser {
    struct hint *hint; /* NULL: there are no hints */
    struct screen *screen;
    const struct language *language;
    bool asking; /* the thread has not been joined */

    /* The question, a copy; the thread's while it runs. */
    struct view view;
    struct move *moves; /* owned */
    size_t count;
    atomic_bool give_up, done;
    pthread_t thread;
    bool given;
    struct move move;
    struct advice advice;
    struct fault fault;

    bool shown;                /* a hint for the turn after `view.plies` plies */
    char text[HINT_TEXT_MAX];  /* it, or why there is none; empty: nothing to say */
    char brief[HINT_TEXT_MAX]; /* its move alone, where there is no room for more; or empty */
};

/* Asks for a hint in a turn, unless one is on its way or shown. */
void adviser_ask(struct adviser *adviser, const struct view *view, const struct move *moves,
                 size_t count);

/* Takes a hint that has arrived. */
void adviser_look(struct adviser *adviser);

/* Gives up what is on its way and waits for the thread's end. */
void adviser_stop(struct adviser *adviser);

/* Forgets the hint as well: the turn is over. */
void adviser_forget(struct adviser *adviser);

void adviser_clear(struct adviser *adviser);

/* The squares of the move of the hint. */
squareset adviser_squares(const struct adviser *adviser);

#endif
