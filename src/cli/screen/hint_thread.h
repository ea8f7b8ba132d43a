/* hint_thread.h - asks for a hint in a thread of its own, so that the screen goes on meanwhile. */
#ifndef ENSIGN_CLI_SCREEN_HINT_THREAD_H
#define ENSIGN_CLI_SCREEN_HINT_THREAD_H

#include "cli/hint_text.h"
#include "host/hint.h"
#include "screen.h"

#include <pthread.h>

struct hint_thread {
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
void hint_thread_ask(struct hint_thread *hint_thread, const struct view *view,
                     const struct move *moves, size_t count);

/* Takes a hint that has arrived. */
void hint_thread_look(struct hint_thread *hint_thread);

/* Gives up what is on its way and waits for the thread's end. */
void hint_thread_stop(struct hint_thread *hint_thread);

/* Forgets the hint as well: the turn is over. */
void hint_thread_forget(struct hint_thread *hint_thread);

void hint_thread_clear(struct hint_thread *hint_thread);

/* The squares of the move of the hint. */
squareset hint_thread_squares(const struct hint_thread *hint_thread);

#endif
