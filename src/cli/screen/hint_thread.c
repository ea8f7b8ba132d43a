/* hint_thread.c - a hint on its way.
 *
 * The thread works on copies. Between hint_thread_ask() and the end of the thread only the atomic
 * fields are shared. The game's thread waits for the person's answer meanwhile, so it tells the
 * hint no turn. */
#include "hint_thread.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void *hint_thread_run(void *self) {
    struct hint_thread *hint_thread = self;
    hint_thread->given = hint_ask(hint_thread->hint, &hint_thread->view, hint_thread->moves,
                                  hint_thread->count, &hint_thread->give_up, &hint_thread->move,
                                  &hint_thread->advice, &hint_thread->fault);
    atomic_store(&hint_thread->done, true);
    screen_wake(hint_thread->screen);
    return NULL;
}

void hint_thread_ask(struct hint_thread *hint_thread, const struct view *view,
                     const struct move *moves, size_t count) {
    if (hint_thread->asking || hint_thread->shown) return;
    struct move *copy = realloc(hint_thread->moves, count * sizeof *copy);
    if (!copy) return;
    hint_thread->moves = memcpy(copy, moves, count * sizeof *copy);
    hint_thread->count = count;
    hint_thread->view = *view;
    hint_thread->fault = (struct fault){0};
    atomic_store(&hint_thread->give_up, false);
    atomic_store(&hint_thread->done, false);
    /* Signals go to the screen's thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    hint_thread->asking = !pthread_create(&hint_thread->thread, NULL, hint_thread_run, hint_thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    hint_thread->text[0] = hint_thread->brief[0] = 0;
    if (hint_thread->asking)
        language_write(hint_thread->text, sizeof hint_thread->text, hint_thread->language,
                       "{1} thinks about a hint… Esc stops it.", hint_thread->hint->options.bot);
}

void hint_thread_look(struct hint_thread *hint_thread) {
    if (!hint_thread->asking || !atomic_load(&hint_thread->done)) return;
    pthread_join(hint_thread->thread, NULL);
    hint_thread->asking = false;
    hint_thread->shown = hint_thread->given;
    if (hint_thread->given) {
        hint_tell(hint_thread->language, &hint_thread->view, hint_thread->hint->options.bot,
                  hint_thread->move, &hint_thread->advice, hint_thread->moves, hint_thread->text);
        hint_tell_move(hint_thread->language, &hint_thread->view, hint_thread->hint->options.bot,
                       hint_thread->move, hint_thread->brief);
    } else {
        hint_tell_fault(hint_thread->language, hint_thread->hint->options.bot, &hint_thread->fault,
                        hint_thread->text);
    }
}

void hint_thread_stop(struct hint_thread *hint_thread) {
    if (!hint_thread->asking) return;
    atomic_store(&hint_thread->give_up, true);
    pthread_join(hint_thread->thread, NULL);
    hint_thread->asking = false;
    hint_thread->text[0] = hint_thread->brief[0] = 0;
}

void hint_thread_forget(struct hint_thread *hint_thread) {
    hint_thread_stop(hint_thread);
    hint_thread->shown = false;
    hint_thread->text[0] = hint_thread->brief[0] = 0;
}

void hint_thread_clear(struct hint_thread *hint_thread) {
    hint_thread_forget(hint_thread);
    free(hint_thread->moves);
    hint_thread->moves = NULL;
}

squareset hint_thread_squares(const struct hint_thread *hint_thread) {
    const struct move *move = &hint_thread->move;
    squareset squares = 0;
    if (!hint_thread->shown) return 0;
    squares = squareset_of(move->from) | squareset_of(move->to);
    if (move->target != SQUARE_NONE) squares |= squareset_of(move->target);
    return squares;
}
