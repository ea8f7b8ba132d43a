/* rescue.c - the last words before a signal ends the program.
 *
 * A handler may call little: it uses nothing but write(), sigaction() and raise(). What it is to
 * write lies in one of two places, of which the other is filled next, so that it never finds half a
 * text. */
#include "rescue.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 2048, SIGNALS = 9 };

static const int SIGNAL[SIGNALS] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
                                    SIGABRT, SIGBUS,  SIGFPE, SIGILL};
static struct sigaction before[SIGNALS];
static bool caught[SIGNALS];
static char words[2][TEXT_MAX];
static size_t length[2];
static volatile sig_atomic_t current; /* of the two */

static void end(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    size_t left = length[current];
    if (left && write(STDOUT_FILENO, words[current], left) < 0) left = 0; /* nobody is there */
    for (int i = 0; i < SIGNALS; i++) {
        if (SIGNAL[i] == number) sigaction(number, &before[i], NULL);
    }
    raise(number); /* held back until this handler returns */
}

void rescue_start(void) {
    struct sigaction action = {.sa_sigaction = end, .sa_flags = SA_SIGINFO};
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
