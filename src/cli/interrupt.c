#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static atomic_bool stop;

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };

static struct sigaction before[SIGNAL_COUNT];

static void handle_signal(int number) {
    (void)number;
    atomic_store(&stop, true);
    for (int i = 0; i < SIGNAL_COUNT; i++) signal(SIGNALS[i], SIG_DFL);
}

atomic_bool *interrupt_catch(void) {
    struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    atomic_store(&stop, false);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(SIGNALS[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(SIGNALS[i], &action, NULL);
    }
    return &stop;
}

void interrupt_release(void) {
    for (int i = 0; i < SIGNAL_COUNT; i++) sigaction(SIGNALS[i], &before[i], NULL);
}
