/* adviser.c - a hint on its way.
 *
 * The thread works on copies. Between adviser_ask() and the end of the thread only the atomic
 * fields are shared. The game's thread waits for the person's answer meanwhile, so it tells the
 * hint no turn. */
#include "adviser.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void *adviser_run(void *self) {
    struct adviser *adviser = self;
    adviser->given = hint_ask(adviser->hint, &adviser->view, adviser->moves, adviser->count,
                              &adviser->give_up, &adviser->move, &adviser->advice, &adviser->fault);
    atomic_store(&adviser->done, true);
    screen_wake(adviser->screen);
    return NULL;
}

void adviser_ask(struct adviser *adviser, const struct view *view, const struct move *moves,
                 size_t count) {
    if (adviser->asking || adviser->shown) return;
    struct move *copy = realloc(adviser->moves, count * sizeof *copy);
    if (!copy) return;
    adviser->moves = memcpy(copy, moves, count * sizeof *copy);
    adviser->count = count;
    adviser->view = *view;
    adviser->fault = (struct fault){0};
    atomic_store(&adviser->give_up, false);
    atomic_store(&adviser->done, false);
    /* Signals go to the screen's thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    adviser->asking = !pthread_create(&adviser->thread, NULL, adviser_run, adviser);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    adviser->text[0] = adviser->brief[0] = 0;
    if (adviser->asking)
        language_write(adviser->text, sizeof adviser->text, adviser->language,
                       "{1} thinks about a hint… Esc stops it.", adviser->hint->options.bot);
}

void adviser_look(struct adviser *adviser) {
    if (!adviser->asking || !atomic_load(&adviser->done)) return;
    pthread_join(adviser->thread, NULL);
    adviser->asking = false;
    adviser->shown = adviser->given;
    if (adviser->given) {
        hint_tell(adviser->language, &adviser->view, adviser->hint->options.bot, adviser->move,
                  &adviser->advice, adviser->moves, adviser->text);
        hint_tell_move(adviser->language, &adviser->view, adviser->hint->options.bot, adviser->move,
                       adviser->brief);
    } else {
        hint_tell_fault(adviser->language, adviser->hint->options.bot, &adviser->fault,
                        adviser->text);
    }
}

void adviser_stop(struct adviser *adviser) {
    if (!adviser->asking) return;
    atomic_store(&adviser->give_up, true);
    pthread_join(adviser->thread, NULL);
    adviser->asking = false;
    adviser->text[0] = adviser->brief[0] = 0;
}

void adviser_forget(struct adviser *adviser) {
    adviser_stop(adviser);
    adviser->shown = false;
    adviser->text[0] = adviser->brief[0] = 0;
}

void adviser_clear(struct adviser *adviser) {
    adviser_forget(adviser);
    free(adviser->moves);
    adviser->moves = NULL;
}

squareset adviser_squares(const struct adviser *adviser) {
    const struct move *move = &adviser->move;
    squareset squares = 0;
    if (!adviser->shown) return 0;
    squares = squareset_of(move->from) | squareset_of(move->to);
    if (move->target != SQUARE_NONE) squares |= squareset_of(move->target);
    return squares;
}
