/* rescue.c - the last message before a signal ends the program.
 *
 * The handler calls only write(), sigaction() and raise(), which are async-signal-safe. Its text is
 * double-buffered, so that it never finds half a text. */
#include "rescue.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 2048, SIGNALS = 9, SIGNALS_SENT = 4 /* the first four are no crashes */ };
enum { LET_GO = SIGUSR1 };

static const int SIGNAL[SIGNALS] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
                                    SIGABRT, SIGBUS,  SIGFPE, SIGILL};
static struct sigaction before[SIGNALS];
static bool caught[SIGNALS];
static char words[2][TEXT_MAX];
static size_t length[2];
static volatile sig_atomic_t current; /* index of the complete text */

/* State while a game is held in memory. */
static struct {
    pthread_t thread;
    atomic_bool over; /* LET_GO ends the thread; before that it ends the program like the others */
    sigset_t signals, before;
    struct sigaction pipe; /* before */
    void (*save)(void *context);
    void *context;
} holder;

static void rescue_handle(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    size_t left = length[current];
    if (left && write(STDOUT_FILENO, words[current], left) < 0) left = 0; /* the terminal is gone */
    for (int i = 0; i < SIGNALS; i++)
        if (SIGNAL[i] == number) sigaction(number, &before[i], NULL);
    raise(number); /* delivered when this handler returns */
}

void rescue_start(void) {
    struct sigaction action = {.sa_sigaction = rescue_handle, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&action.sa_mask, SIGNAL[i]);
    for (int i = 0; i < SIGNALS; i++) {
        caught[i] = !sigaction(SIGNAL[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN &&
                    !sigaction(SIGNAL[i], &action, NULL);
    }
}

void rescue_stop(void) {
    for (int i = 0; i < SIGNALS; i++) {
        if (caught[i]) sigaction(SIGNAL[i], &before[i], NULL);
        caught[i] = false;
    }
}

void rescue_say(const char *text) {
    int other = !current;
    snprintf(words[other], TEXT_MAX, "%s", text ? text : "");
    length[other] = strlen(words[other]);
    current = other;
}

static void *wait_for_the_end(void *unused) {
    sigset_t one;
    int number = 0;
    (void)unused;
    while (sigwait(&holder.signals, &number)) continue;
    if (number == LET_GO && atomic_load(&holder.over)) return NULL;
    holder.save(holder.context);
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    pause();
    return NULL;
}

bool rescue_hold(void (*save)(void *context), void *context) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    holder.save = save;
    holder.context = context;
    atomic_store(&holder.over, false);
    sigemptyset(&holder.signals);
    sigaddset(&holder.signals, LET_GO);
    for (int i = 0; i < SIGNALS_SENT; i++)
        if (caught[i]) sigaddset(&holder.signals, SIGNAL[i]);
    pthread_sigmask(SIG_BLOCK, &holder.signals, &holder.before);
    if (pthread_create(&holder.thread, NULL, wait_for_the_end, NULL) == 0) {
        sigaction(SIGPIPE, &ignore, &holder.pipe);
        return true;
    }
    pthread_sigmask(SIG_SETMASK, &holder.before, NULL);
    return false;
}

void rescue_let_go(void) {
    atomic_store(&holder.over, true);
    pthread_kill(holder.thread, LET_GO);
    pthread_join(holder.thread, NULL);
    sigaction(SIGPIPE, &holder.pipe, NULL);
    pthread_sigmask(SIG_SETMASK, &holder.before, NULL);
}
